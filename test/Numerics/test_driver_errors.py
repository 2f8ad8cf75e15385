"""Each function of the CUDA driver that we call fails in turn, in a session and in a package, at its first calls and later ones: an
error of the program says so, nothing is left behind, and the next call is right. There is no GPU here: see test_ptx_execution.py."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import torch
from conftest import ROOT, tool
from test_python_cuda import ARRAYS, DRIVER
from torch import nn

pytestmark = pytest.mark.skipif(not (DRIVER / "libcuda.so.1").exists(), reason="the driver of the unit tests is not built")

SOURCE = (ROOT / "lib" / "Runtime" / "Cuda.c").read_text()
FUNCTIONS = sorted(set(re.findall(r'"(cu[A-Z]\w+)"', SOURCE)))
# Of sessions alone: memory of the host that stays, and graphs.
OF_SESSIONS = {"cuMemHostAlloc", "cuMemFreeHost", "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags",
               "cuGraphLaunch", "cuGraphExecDestroy", "cuGraphDestroy"}
# Which sessions call once in a process; test_ptx_execution.py has processes in which they fail.
ONCE = {"cuInit", "cuDeviceGetCount"}


class Network(nn.Module):
    """Kernels whose blocks meet, factors that the device copies by itself, shared memory that is asked for, state, a plain copy."""

    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(4, 4)
        self.weight = nn.Parameter(torch.randn(64, 64))
        self.register_buffer("total", torch.zeros(64, 64))

    def forward(self, x: torch.Tensor, a: torch.Tensor):
        self.total = self.total + a
        product = (a.half() @ self.weight.half()).float()
        return self.layer(x)[0], torch.softmax(product, 1), a.clone(), self.total * 2.0


CODE = '''
import gc, os

values = np.load(sys.argv[2])
x, a, expected = values["x"], values["a"], [values[f"r{i}"] for i in range(4)]
driver.fakeCudaAllocations.restype = driver.fakeCudaCalls.restype = ctypes.c_size_t
driver.fakeCudaPinned.restype = driver.fakeCudaGraphs.restype = ctypes.c_size_t
# What the driver says of them is only that there was an error before, or that something is not there, for which there is another way:
# code for whatever device where it does not say which it is, PTX for machine code that it does not take, its own memory for copies.
MAY_PASS = {"cuDeviceGetAttribute", "cuModuleLoadDataEx", "cuMemHostAlloc", "cuMemFree_v2", "cuMemFreeHost", "cuStreamDestroy_v2", "cuModuleUnload", "cuCtxPopCurrent_v2",
            "cuDevicePrimaryCtxRelease_v2", "cuGraphDestroy", "cuGraphExecDestroy", "cuPointerGetAttribute", "cuCtxSynchronize"}


def read(array):
    """What is to fail are our calls, not the test's."""
    driver.fakeCudaFinish()
    return elements(array)


def fail(name, number):
    driver.fakeCudaFail(name.encode(), ctypes.c_size_t(number))


def check(results, times, is_there=False):
    for number, (got, wanted) in enumerate(zip(results, expected)):
        got = read(got) if is_there else np.asarray(np.from_dlpack(got))
        np.testing.assert_allclose(got, wanted * times if number == 3 else wanted, rtol=2e-2, atol=2e-3)


def use(program):
    program.reset()
    for times in (1, 2, 3):
        check(program(x, a), times)
    check(program(there_x, there_a), 4, is_there=True)
    assert (np.from_dlpack(program.state("total")) == 4 * a).all()


def left():
    gc.collect()
    driver.fakeCudaFinish()
    return driver.fakeCudaAllocations(), driver.fakeCudaPinned(), driver.fakeCudaGraphs()


def attempt(program=None):
    """The error, or nothing."""
    try:
        program = program or jit_mlir.load(sys.argv[1], target="cuda")
        use(program)
    except jit_mlir.Error as error:
        assert "got CUDA error 999: an error" in str(error), error
        assert error.kind in ("unsupported", "internal", "invalid argument"), error.kind
        return error


del program
there_x, there_a = OnDevice(x), OnDevice(a)
jit_mlir._arrays.importer = lambda arguments, is_of_torch: lambda array: array
assert attempt() is None and attempt() is None
before = left()
reached = []
for name in sys.argv[3:]:
    for number in (1, 3):
        for opened in (False, True):
            program = jit_mlir.load(sys.argv[1], target="cuda") if opened else None
            if opened and number > 1:
                use(program)  # what fails then is a later call
            fail(name, number)
            error = attempt(program)
            calls = driver.fakeCudaCalls()
            if calls >= number:
                reached.append(name)
                assert error is not None or name in MAY_PASS, (name, number, opened)
            else:
                assert error is None, (name, number, error)
            fail("", 0)
            assert attempt(program) is None, (name, number, opened)
            del program, error
            now = left()
            assert now == before, (name, number, opened, now, before)
        if calls < number:
            break
print(*sorted(set(reached)))
'''


@pytest.fixture
def sweep(installed, saved, tmp_path):
    def run(is_package, functions):
        archive, reference = saved(Network())
        x, a = torch.randn(2, 2, 4), torch.randn(64, 64)
        with torch.no_grad():
            results = reference(x, a)
        import numpy as np

        np.savez(tmp_path / "values.npz", x=x, a=a, **{f"r{i}": r for i, r in enumerate(results)})
        if is_package:
            package = tmp_path / "package.so"
            command = [tool("jit-compile"), archive, "-o", package, "--call=forward(f32[2,2,4], f32[64,64])", "--target=cuda", "--chip=sm_90a"]
            subprocess.run(command, check=True, timeout=300)
            archive = package
        environment = os.environ | {"LD_LIBRARY_PATH": str(DRIVER), "JIT_CACHE": str(tmp_path / "cache"), "JIT_FAKE_CUDA_MULTIPROCESSORS": "2",
                                    "PYTHONPATH": f"{installed}{os.pathsep}{pathlib.Path(__file__).parent}"}
        process = subprocess.run([sys.executable, "-c", ARRAYS + CODE, archive, tmp_path / "values.npz", *functions], capture_output=True,
                                 text=True, timeout=600, env=environment)
        assert process.returncode == 0, process.stdout + process.stderr
        return set(process.stdout.split())

    return run


@pytest.mark.parametrize("is_package", [False, True])
def test_each_function_fails_in_turn(sweep, is_package):
    others = OF_SESSIONS if is_package else ONCE
    functions = [name for name in FUNCTIONS if name != "cuGetErrorString" and name not in others]
    assert sweep(is_package, functions) == set(functions)
