"""How many threads share a call's work where nobody says: PyTorch's number where it is imported, else one for each CPU that the
process may use."""

import os
import subprocess
import sys

import pytest
import torch
from torch import nn

COUNT = """
import os, sys
import numpy as np
{prepare}
before = len(os.listdir("/proc/self/task"))
import jit_mlir
program = jit_mlir.load(sys.argv[1]{options})  # its threads end with it
program(np.ones((512, 256), np.float32))
print(len(os.listdir("/proc/self/task")) - before)
"""


class Mixed(nn.Module):
    """Large enough for threads to share its loops."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(256, 256)

    def forward(self, x):
        return torch.softmax(self.linear(x), -1)


@pytest.fixture(params=["program", "artifact"])
def file(request, saved, compiled):
    archive = saved(Mixed())[0]
    return archive if request.param == "program" else compiled(archive, ["forward(f32[512,256])"]).path


def started(installed, file, prepare="", options=""):
    """Threads that a first call starts in a fresh process on one CPU."""
    code = COUNT.format(prepare=prepare, options=options)
    cpu = min(os.sched_getaffinity(0))
    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, timeout=300,
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
                          env={**os.environ, "PYTHONPATH": str(installed), "JIT_CACHE": "off", "OPENBLAS_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_without_torch_as_many_as_cpus(installed, file):
    assert started(installed, file) == 0


def test_as_many_as_asked_for(installed, file):
    assert started(installed, file, options=", threads=3") == 2


def test_with_torch_as_many_as_it_uses(installed, file):
    assert started(installed, file, prepare="import torch; torch.set_num_threads(4)") == 3
