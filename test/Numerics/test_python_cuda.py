"""Arrays on a CUDA device at the Python package. There is no GPU here: the driver is the unit tests' (unittests/Cuda/driver), whose
device memory is the host's, and the arrays are DLPack's by hand."""

import os
import pathlib
import subprocess
import sys

import pytest
import torch
from conftest import tool
from torch import nn

DRIVER = tool("jit-run").parents[1] / "unittests" / "Cuda" / "driver"
pytestmark = pytest.mark.skipif(not (DRIVER / "libcuda.so.1").exists(), reason="the driver of the unit tests is not built")


class Copy(nn.Module):
    """No kernel is needed, of which that driver has none."""

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x.clone(), [y.clone()]


ARRAYS = """
import ctypes, sys
import numpy as np

driver = ctypes.CDLL("libcuda.so.1")
context = ctypes.c_void_p()
driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
driver.cuCtxSetCurrent(context)
CUDA = 2


class Tensor(ctypes.Structure):  # DLManagedTensor
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


capsule_of = ctypes.pythonapi.PyCapsule_New
capsule_of.restype, capsule_of.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class OnDevice:
    def __init__(self, values, device_id=0, strides=None):
        address = ctypes.c_uint64()
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(values.nbytes)) == 0
        ctypes.memmove(address.value, values.ctypes.data, values.nbytes)
        self.shape = (ctypes.c_int64 * values.ndim)(*values.shape)
        self.strides = (ctypes.c_int64 * values.ndim)(*strides) if strides else None
        self.tensor = Tensor(address.value, CUDA, device_id, values.ndim, 2, 32, 1, self.shape, self.strides, 0, None, None)
        self.dtype = values.dtype

    def __dlpack__(self, **_):
        return capsule_of(ctypes.addressof(self.tensor), b"dltensor", None)

    def __dlpack_device__(self):
        return CUDA, self.tensor.device_id


def elements(array):
    capsule = array.__dlpack__()
    tensor = Tensor.from_address(pointer_of(capsule, b"dltensor"))
    sizes = tuple(tensor.shape[:tensor.ndim])
    return np.ctypeslib.as_array(ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float)), sizes).copy()


def read(array):
    assert array.__dlpack_device__() == (CUDA, 0)
    assert driver.cuStreamSynchronize(None) == 0  # the call has queued its work in the default stream
    return elements(array)


class Result:
    def __init__(self, array):
        self.array, self.shape, self.dtype = array, elements(array).shape, np.dtype(np.float32)

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


import jit_mlir
import jit_mlir._arrays
# numpy takes nothing that is on a device.
jit_mlir._arrays.importer = lambda arguments: Result
program = jit_mlir.load(sys.argv[1], target="cuda")
x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(4, np.float32)
"""


@pytest.fixture
def run(installed, saved):
    """Runs Python with arrays on the device; `code` has `program`, `x` and `y`."""

    def check(module, code):
        archive, _ = saved(module)
        path = f"{installed}{os.pathsep}{pathlib.Path(__file__).parent}"
        process = subprocess.run([sys.executable, "-c", ARRAYS + code + "\nprint('done')\n", archive], capture_output=True, text=True,
                                 timeout=300, env=os.environ | {"LD_LIBRARY_PATH": str(DRIVER), "PYTHONPATH": path})
        assert process.stdout == "done\n", process.stderr

    return check


def test_results_stay_there(run):
    run(Copy(), """
first, [second] = program(OnDevice(x), OnDevice(y))
copies, waits = driver.fakeCudaHostCopies(), driver.fakeCudaWaits()
for _ in range(2):
    first, [second] = program(OnDevice(x + 1), OnDevice(y))
assert driver.fakeCudaHostCopies() == copies and driver.fakeCudaWaits() == waits
assert (read(first) == x + 1).all() and (read(second) == y).all()
# What was a result is an argument.
again, _ = program(first, second)
assert (read(again) == x + 1).all()
""")


def test_some_are_the_hosts(run):
    run(Copy(), """
first, [second] = program(OnDevice(x), y)
assert (read(first) == x).all() and (read(second) == y).all()
first, [second] = program(x, y)  # none on the device: results are the host's
assert first.__dlpack_device__()[0] == 1 and (np.from_dlpack(first) == x).all()
""")


def test_refusals(run):
    run(Copy(), """
def refused(*arguments, says):
    try:
        program(*arguments)
    except jit_mlir.Error as error:
        assert says in str(error), error
    else:
        raise AssertionError("expected " + says)


refused(OnDevice(x, device_id=1), y, says="expected an array on the first CUDA device, got <class '__main__.OnDevice'>")
refused(OnDevice(x, strides=(1, 2)), y, says="expected a row-major tensor, as the call is in a stream, got strides")
program = jit_mlir.load(sys.argv[1])
refused(OnDevice(x), y, says="expected a dense array in the memory of the CPU, a number")
""")
