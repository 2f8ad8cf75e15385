"""What importing costs: weights stay in their file, so that neither time nor memory grows with them."""

import os
import subprocess
import sys

import pytest
import torch
from torch import nn

from conftest import tool


# A process counts the memory of the one that started it, so a small one has to.
STARTER = """
import os, subprocess, sys, time
start = time.monotonic()
_, status, usage = os.wait4(subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL).pid, 0)
print(usage.ru_maxrss * 1024, time.monotonic() - start)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def cost(*command):
    """(bytes at most, seconds)."""
    memory, seconds = subprocess.check_output([sys.executable, "-c", STARTER, *map(str, command)]).split()
    return int(memory), float(seconds)


@pytest.mark.parametrize("way", ["scripted", "exported"])
def test_half_a_gigabyte(way, tmp_path, report):
    """Under 1.3 times its size in memory; how long it takes is reported."""
    memory, seconds, size = [], 0.0, 0
    for width in (16, 16384):
        module = nn.Linear(width, 8192).eval()
        path = tmp_path / f"{width}.pt2"
        if way == "scripted":
            torch.jit.script(module).save(str(path))
        else:
            torch.export.save(torch.export.export(module, (torch.rand(1, width),)), str(path))
        peak, seconds = cost(tool("jit-translate"), "--import", path, "-o", os.devnull)
        memory.append(peak)
        size = path.stat().st_size
        path.unlink()
    assert size > 500e6
    report(f"import of {size / 1e6:.0f} MB, {way}: {seconds:.2f} s, {(memory[1] - memory[0]) / size:.2f} of its size in memory "
           f"beside the {memory[0] / 1e6:.0f} MB of the tool")
    assert memory[1] < 1.3 * size
    # Far less than that: nothing is copied.
    assert memory[1] - memory[0] < 0.3 * size
