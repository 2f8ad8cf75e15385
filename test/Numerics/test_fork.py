"""Programs and artifacts in a process that was forked: threads are made anew there, and a host's signal handlers stay."""

import multiprocessing
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn


class Mixed(nn.Module):
    """Large enough for threads to share its loops."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(256, 256)

    def forward(self, x):
        return torch.softmax(self.linear(x), -1)


@pytest.fixture(scope="module")
def module():
    torch.manual_seed(0)
    return torch.jit.script(Mixed().eval())


@pytest.fixture(scope="module", params=["program", "artifact"])
def compiled(request, jit_mlir, module, tmp_path_factory):
    program = jit_mlir.compile(module, threads=3)
    if request.param == "program":
        return program
    path = tmp_path_factory.mktemp("fork") / "mixed.so"
    program.save(path, "forward(f32[512,256])", "forward(f32[64,256])")
    return jit_mlir.load(path, threads=3)


def call(compiled, rows):
    """By arrays of NumPy: PyTorch's own threads do not survive fork()."""
    return float(np.sum(compiled(np.ones((rows, 256), dtype=np.float32))))


def in_child(body):
    """The exit code of a child that does `body`."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        code = 1
        try:
            code = 0 if body() else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_calls_what_its_parent_has_called(compiled):
    assert call(compiled, 512) == pytest.approx(512, rel=1e-3)
    assert in_child(lambda: abs(call(compiled, 512) - 512) < 1) == 0
    # Another kind of call: a program compiles it in the child.
    assert in_child(lambda: abs(call(compiled, 64) - 64) < 1 and abs(call(compiled, 512) - 512) < 1) == 0
    assert call(compiled, 512) == pytest.approx(512, rel=1e-3)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_workers_of_multiprocessing(compiled):
    call(compiled, 512)
    inherited.append(compiled)
    try:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            sums = pool.map_async(call_inherited, [512, 64, 512, 64]).get(timeout=60)
    finally:
        inherited.clear()
    assert sums == pytest.approx([512, 64, 512, 64], rel=1e-3)


inherited = []


def call_inherited(rows):
    return call(inherited[0], rows)


SIGNALS = """
import os, signal, sys
import numpy as np
import jit_mlir

def handlers():
    "The kernel's own account: which signals are caught, and which are ignored."
    return [line for line in open("/proc/self/status") if line.startswith(("SigCgt", "SigIgn"))]

seen = []
for number in ("SEGV", "BUS", "ABRT", "FPE", "ILL", "INT", "HUP", "USR1", "USR2", "QUIT"):
    signal.signal(getattr(signal, "SIG" + number), lambda *_: seen.append(1))
before = handlers()
program = jit_mlir.load(sys.argv[1], threads=2)
x = np.ones((8, 256), dtype=np.float32)
program(x)
program.save(sys.argv[2], "forward(f32[8,256])")
jit_mlir.load(sys.argv[2], threads=2)(x)
os.kill(os.getpid(), signal.SIGUSR1)
assert handlers() == before, (before, handlers())
assert seen == [1]
"""


def test_signal_handlers_of_the_host_stay(jit_mlir, module, tmp_path):
    module.save(str(tmp_path / "mixed.pt"))
    path = os.path.dirname(os.path.dirname(jit_mlir.__file__))
    subprocess.run([sys.executable, "-c", SIGNALS, str(tmp_path / "mixed.pt"), str(tmp_path / "mixed.so")], check=True, timeout=300,
                   env={**os.environ, "PYTHONPATH": path})
