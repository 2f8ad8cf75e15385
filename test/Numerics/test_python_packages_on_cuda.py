"""jit_mlir.load of a package for a GPU, called with arrays on the device. There is no GPU here: see test_python_cuda.py."""

import os
import pathlib
import subprocess
import sys

import pytest
import torch
from conftest import tool
from test_python_cuda import ARRAYS, DRIVER
from torch import nn

pytestmark = pytest.mark.skipif(not (DRIVER / "libcuda.so.1").exists(), reason="the driver of the unit tests is not built")

COMMON = ARRAYS + """
import gc


def counts():
    return driver.fakeCudaHostCopies(), driver.fakeCudaWaits()


def refused(*arguments, says, kind):
    try:
        program(*arguments)
    except jit_mlir.Error as error:
        assert says in str(error) and error.kind == kind, (error.kind, error)
    else:
        raise AssertionError("expected " + says)


x, y = np.arange(12, dtype=np.float32).reshape(3, 4), np.ones((3, 4), np.float32)
"""


@pytest.fixture
def run(installed, saved, tmp_path):
    """Runs Python with arrays on the device; `code` has `program`, a package, `x` and `y`."""

    def check(module, code, call="forward(f32[3,4], f32[3,4])", target="cuda"):
        archive, _ = saved(module)
        package = tmp_path / "package.so"
        flags = ["--target=cuda", "--chip=sm_80"] if target == "cuda" else []
        subprocess.run([tool("jit-compile"), archive, "-o", package, f"--call={call}", *flags], check=True, timeout=300)
        path = f"{installed}{os.pathsep}{pathlib.Path(__file__).parent}"
        text = COMMON.replace(', target="cuda")', f', target={target!r})')
        process = subprocess.run([sys.executable, "-c", text + code + "\nprint('done')\n", package], capture_output=True, text=True,
                                 timeout=300, env=os.environ | {"LD_LIBRARY_PATH": str(DRIVER), "PYTHONPATH": path})
        assert process.stdout == "done\n", process.stderr

    return check


class Sums(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x * 2.0 + y, [(x + y).sum(1)]


def test_results_stay_there(run):
    run(Sums(), """
first, last = OnDevice(x), OnDevice(y)
whole, [sums] = program(first, last)
before, made = counts(), None
for trial in range(4):
    whole, [sums] = program(first, last)
    made = made or driver.fakeCudaAllocations()
assert counts() == before, "nothing is copied to the host or waited for"
assert driver.fakeCudaAllocations() == made, "results that are gone leave their memory to others"
assert (read(whole) == 2 * x + 1).all() and (read(sums) == (x + y).sum(1)).all()
again, _ = program(whole, last)  # what was a result is an argument
assert (read(again) == 4 * x + 3).all()
assert (read(whole) == 2 * x + 1).all()
""")


def test_results_outlive_the_package(run):
    run(Sums(), """
whole, sums = program(OnDevice(x), OnDevice(y))
del program, sums
gc.collect()
assert (read(whole) == 2 * x + 1).all()
driver.fakeCudaFinish()
held = driver.fakeCudaAllocations()
del whole
gc.collect()
assert driver.fakeCudaAllocations() == held - 1
""")


class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(3, 4))

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        self.kept = self.kept * 0.5 + x
        y.add_(self.kept)
        return self.kept - 1.0


def test_state_stays_there(run):
    run(Mean(), """
target = OnDevice(y)
expected, seen, before = np.zeros((3, 4), np.float32), y.copy(), None
for trial in range(4):
    result = program(OnDevice(x), target)
    expected = expected * 0.5 + x
    seen += expected
    assert before is None or counts() == before
    before = counts()
assert (read(result) == expected - 1).all() and (read(target) == seen).all()
assert (np.from_dlpack(program.state("kept")) == expected).all()
program.reset()
assert (read(program(OnDevice(x), OnDevice(y))) == x - 1).all()
refused(OnDevice(x), jit_mlir._arrays.ReadOnly(OnDevice(y)), kind="invalid argument",
        says="argument 1: expected memory that may be written, as the program writes it in place, got read-only memory")
assert (read(program(jit_mlir._arrays.ReadOnly(OnDevice(x)), OnDevice(y))) == x * 1.5 - 1).all()
""")


def test_some_are_the_hosts(run):
    run(Sums(), """
whole, [sums] = program(OnDevice(x), y)
assert (read(whole) == 2 * x + 1).all() and (read(sums) == (x + y).sum(1)).all()
whole, [sums] = program(x, y)  # none on the device: results are the host's
assert whole.__dlpack_device__()[0] == 1 and (np.from_dlpack(whole) == 2 * x + 1).all()
""")


def test_refusals(run):
    run(Sums(), """
refused(OnDevice(x, device_id=1), OnDevice(y), kind="invalid argument",
        says="expected memory of the host or of CUDA device 0, got memory of device 1")
enter(0)
refused(OnDevice(x, strides=(1, 3)), OnDevice(y), kind="invalid argument", says="argument 0: expected a row-major tensor, as the call is in a stream, got strides")
refused(OnDevice(x.T.copy()), OnDevice(y), kind="invalid argument", says="expected f32[3,4], got f32[4,3]")
for name in ("cuMemAlloc_v2", "cuLaunchKernel", "cuCtxPushCurrent_v2", "cuStreamGetCtx"):
    program = jit_mlir.load(sys.argv[1])
    before = driver.fakeCudaAllocations()
    first, last = OnDevice(x), OnDevice(y)
    driver.fakeCudaFail(name.encode(), ctypes.c_size_t(1))
    refused(first, last, kind="invalid argument" if name == "cuStreamGetCtx" else "unsupported" if name == "cuMemAlloc_v2" else "internal",
            says="got CUDA error 999")
    driver.fakeCudaFail(b"", ctypes.c_size_t(1))
    whole, _ = program(first, last)
    assert (read(whole) == 2 * x + 1).all()
    del whole, _, program
    gc.collect()
    assert driver.fakeCudaAllocations() == before + 2, (name, driver.fakeCudaAllocations(), before)
""")


class Turned(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        x.mul_(2.0).t_()
        return y + 1.0


def test_sizes_that_change_in_place(run):
    run(Turned(), """
given = OnDevice(x)
refused(given, OnDevice(y), kind="unsupported",
        says="argument 0: expected a program that leaves it its sizes in a call in a stream, got one that changes them in place")
assert (read(given) == x).all(), "it is refused before anything is written"
""")


def test_one_of_several_devices(run):
    run(Sums(), """
other = jit_mlir.load(sys.argv[1], target="cuda:1")
for trial in range(3):
    whole, [sums] = other(OnDevice(x, device_id=1), OnDevice(y, device_id=1))
    assert (read(whole, 1) == 2 * x + 1).all() and (read(sums, 1) == (x + y).sum(1)).all()
    enter(0)
    first, _ = program(OnDevice(x + 1), OnDevice(y))
    assert (read(first) == 2 * x + 3).all()
refused(whole, y, kind="invalid argument", says="expected memory of the host or of CUDA device 0, got memory of device 1")
""")


def test_packages_for_cpus(run):
    run(Sums(), """
refused(OnDevice(x), OnDevice(y), kind="invalid argument", says="expected a dense array in the memory of the CPU, a number")
try:
    jit_mlir.load(sys.argv[1], target="cuda:1")
except jit_mlir.Error as error:
    assert str(error) == "expected an artifact for CUDA devices, as the target is 'cuda:1', got one for a CPU", error
else:
    raise AssertionError("expected a refusal")
""", target=None)
