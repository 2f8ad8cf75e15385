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
CUDA = 2


def enter(device_id):
    context = ctypes.c_void_p()
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device_id) == 0
    driver.cuCtxSetCurrent(context)


enter(0)


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
        enter(device_id)
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


def read(array, device_id=0):
    assert array.__dlpack_device__() == (CUDA, device_id)
    enter(device_id)
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
jit_mlir._arrays.importer = lambda arguments, is_of_torch: Result
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


refused(OnDevice(x, device_id=1), y, says="expected memory of the host or of CUDA device 0, got memory of device 1")
enter(0)
refused(OnDevice(x, strides=(1, 2)), y, says="expected a row-major tensor, as the call is in a stream, got strides")
program = jit_mlir.load(sys.argv[1])
refused(OnDevice(x), y, says="expected a dense array in the memory of the CPU, a number")
""")


def test_one_of_several_devices(run):
    run(Copy(), """
first_device, program = program, jit_mlir.load(sys.argv[1], target="cuda:1")
for trial in range(3):
    first, [second] = program(OnDevice(x, device_id=1), OnDevice(y, device_id=1))
    assert (read(first, 1) == x).all() and (read(second, 1) == y).all()
    other, _ = first_device(OnDevice(x + 1), OnDevice(y))
    assert (read(other) == x + 1).all()
try:
    program(other, y)
except jit_mlir.Error as error:
    assert str(error) == "expected memory of the host or of CUDA device 1, got memory of device 0", error
else:
    raise AssertionError("expected a refusal")
""")


class Products(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return torch.tanh(x * 2.0).sum(1) * y.sum()


def test_gradients_stay_there(run):
    """Forward and backward in the caller's stream: what the backward pass needs, and what it gives, is on the device."""
    run(Products(), """
copies = None
for trial in range(3):
    made = program._session.forward("forward", [OnDevice(x / 10), OnDevice(y)], [True, False], 0)
    seed = np.array([1.0, 2.0], np.float32)
    gradients = made.backward([OnDevice(seed)], 0)
    assert set(gradients) == {"0"} and gradients["0"].__dlpack_device__() == (CUDA, 0)
    expected = 2 * (1 - np.tanh(x / 5) ** 2) * seed[:, None] * y.sum()
    np.testing.assert_allclose(read(gradients["0"]), expected, rtol=1e-4)
    np.testing.assert_allclose(read(made.value()), np.tanh(x / 5).sum(1) * y.sum(), rtol=1e-4)
    assert trial == 0 or driver.fakeCudaHostCopies() == copies
    copies = driver.fakeCudaHostCopies()
""")


GRAPH = """
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx


def program_of(function, *sizes, device="cuda:0"):
    with FakeTensorMode(allow_non_fake_inputs=True):
        graph = make_fx(function, tracing_mode="fake")(*(torch.empty(s, device=device) for s in sizes))
    output = graph.graph.output_node()
    output.args = ([output.args[0]],)
    from jit_mlir import _fx

    return _fx.AtenGraph(graph, 0, 1)


def inside(x, w):
    mask = torch.arange(x.size(1), device=x.device) < 3
    y = torch.where(mask, x, torch.zeros_like(x)) @ w
    return (torch.relu(y) + torch.ones(4, device=x.device) + torch.full((4,), 2.0, device="cuda")).to(torch.float64).to("cuda:0")
"""


def test_graphs_of_the_device(run):
    """As torch.compile has them; there is no PyTorch for CUDA here, so that they are compiled and not called."""
    run(Copy(), GRAPH + """
made = program_of(inside, (5, 7), (7, 4))
assert made.device == torch.device("cuda:0") and made.program._is_for_cuda
try:
    program_of(lambda x: (x + 1).cpu(), (3,))
except TypeError as error:
    assert str(error) == "expected results of one device, got one of cpu beside those of cuda:0", error
else:
    raise AssertionError("expected a refusal")
""")


def test_graphs_of_another_device(run):
    run(Copy(), GRAPH + """
made = program_of(lambda x: x * 2, (5, 7), device="cuda:1")
assert made.device == torch.device("cuda:1") and made.program._is_for_cuda
try:
    program_of(lambda x: (x * 2, x.to("cuda:1")), (3,))
except TypeError as error:
    assert str(error) == "expected tensors of one CUDA device, got some of cuda:0 and cuda:1", error
else:
    raise AssertionError("expected a refusal")
""")


class Swapped(nn.Module):
    """A part of a buffer is written in each trip (it was a variable of the loop, whose place a plan could not say)."""

    def forward(self, x: torch.Tensor, n: int):
        a, b = torch.stack([x, x], 0).as_strided([2, 3], [3, 4], 3).diagonal(0, 1, 0).chunk(2)
        for i in range(n):
            a *= 0.1
            b = a + b
        return a


def test_a_part_of_a_buffer_in_a_loop(jit_mlir, saved):
    program = jit_mlir.load(saved(Swapped())[0], target="cuda-emulation")
    x = torch.arange(12.0).reshape(4, 3)
    for trips in (0, 1, 3):
        torch.testing.assert_close(torch.as_tensor(program(x, trips)), Swapped()(x, trips))
