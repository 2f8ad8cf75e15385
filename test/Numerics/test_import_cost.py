"""What importing costs: weights stay in their file, so memory does not grow with them."""

import os
import subprocess
import sys

import pytest
import torch
from torch import nn

from conftest import tool


# A process counts the memory of the one that started it, so a small one has to.
STARTER = """
import os, subprocess, sys
_, status, usage = os.wait4(subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL).pid, 0)
print(usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak_memory(*command):
    """Bytes, at most."""
    return int(subprocess.check_output([sys.executable, "-c", STARTER, *map(str, command)]))


@pytest.mark.parametrize("way", ["scripted", "exported"])
def test_weights_are_not_copied(way, tmp_path):
    peaks = []
    for width in (16, 8192):
        module = nn.Linear(width, 8192).eval()
        path = tmp_path / f"{width}.pt"
        if way == "scripted":
            torch.jit.script(module).save(str(path))
        else:
            torch.export.save(torch.export.export(module, (torch.rand(1, width),)), str(path))
        peaks.append(peak_memory(tool("jit-translate"), "--import", path, "-o", os.devnull))
    size = path.stat().st_size
    assert size > 2**28
    assert peaks[1] - peaks[0] < 0.3 * size
