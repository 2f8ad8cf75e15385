"""Packages for a GPU called in a stream of the caller's, with memory on the device. There is no GPU here: the driver is the unit
tests' (unittests/Cuda/driver), whose device memory is the host's and which does nothing before somebody waits for it."""

import os
import subprocess
import sys

import pytest
import torch
from conftest import tool
from torch import nn

DRIVER = tool("jit-run").parents[1] / "unittests" / "Cuda" / "driver"
pytestmark = pytest.mark.skipif(not (DRIVER / "libcuda.so.1").exists(), reason="the driver of the unit tests is not built")

COMMON = """
import ctypes, pathlib, sys
sys.path += sys.argv[2:]
import numpy as np
import torch
from artifacts import ArtifactError, Library, Value, tensor

driver = ctypes.CDLL("libcuda.so.1")
for name in ("fakeCudaCallersStreamOf", "fakeCudaCallersStream"):
    getattr(driver, name).restype = ctypes.c_void_p
module = Library(pathlib.Path(sys.argv[1])).open()


class OnDevice:
    def __init__(self, values, device=0, offset=0):
        context, self.address = ctypes.c_void_p(), ctypes.c_uint64()
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
        driver.cuCtxPushCurrent_v2(context)
        assert driver.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(values.nbytes + offset)) == 0
        driver.cuCtxPopCurrent_v2(ctypes.byref(context))
        self.at, self.sizes = self.address.value + offset, values.shape
        ctypes.memmove(self.at, values.ctypes.data, values.nbytes)

    def value(self):
        return tensor(self.at, self.sizes, torch.float32)

    def read(self):
        driver.fakeCudaFinish()
        return np.ctypeslib.as_array(ctypes.cast(self.at, ctypes.POINTER(ctypes.c_float)), self.sizes).copy()


def counts():
    return driver.fakeCudaHostCopies(), driver.fakeCudaWaits()


def refused(says, *arguments, **options):
    try:
        module.call_in(*arguments, **options)
    except ArtifactError as error:
        assert str(error) == says, error
    else:
        raise AssertionError("expected " + says)


x, y = np.arange(12, dtype=np.float32).reshape(3, 4), np.ones((3, 4), np.float32)
empty = np.zeros((3, 4), np.float32)
"""


@pytest.fixture
def run(saved, compiled):
    """Runs Python with arrays on the device and `module`, an instance of the package."""

    def check(program, code, call="forward(f32[3,4], f32[3,4])"):
        archive, _ = saved(program)
        path = compiled(archive, [call], "--target=cuda", "--chip=sm_80").path
        process = subprocess.run([sys.executable, "-c", COMMON + code + "\nprint('done')\n", path, *sys.path], capture_output=True, text=True,
                                 timeout=300, env=os.environ | {"LD_LIBRARY_PATH": str(DRIVER)})
        assert process.stdout == "done\n", process.stderr

    return check


class Sum(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x * 2.0 + y


def test_memory_of_the_device_is_used_there(run):
    run(Sum(), """
first, result = OnDevice(x), OnDevice(empty)
module.call_in("forward", first.value(), OnDevice(y).value(), results=[result.value()])
before = counts()
for trial in range(3):
    made = module.call_in("forward", result.value() if trial == 1 else first.value(), OnDevice(y).value(), results=[OnDevice(empty).value()])
    assert counts() == before, "nothing is copied or waited for"
assert (result.read() == 2 * x + 1).all()
third = OnDevice(empty)
module.call_in("forward", result.value(), OnDevice(y, offset=4).value(), results=[third.value()])
assert (third.read() == 2 * (2 * x + 1) + 1).all(), "what is not aligned for kernels is copied there"
""")


def test_the_work_is_done_late(run):
    """In order with what else is in the stream."""
    run(Sum(), """
stream = driver.fakeCudaCallersStream()
first, second, result = OnDevice(x), OnDevice(y), OnDevice(empty)
module.call_in("forward", first.value(), second.value(), results=[result.value()], stream=stream)
module.call_in("forward", first.value(), second.value(), results=[result.value()], stream=stream)
raw = np.ctypeslib.as_array(ctypes.cast(result.at, ctypes.POINTER(ctypes.c_float)), (3, 4)).copy()
assert (raw == 0).all(), "the call does not wait"
assert (result.read() == 2 * x + 1).all()
""")


def test_memory_of_the_host_is_brought_there(run):
    run(Sum(), """
host = np.zeros((3, 4), np.float32)
module.call_in("forward", x, OnDevice(y).value(), results=[tensor(host.ctypes.data, host.shape, torch.float32)])
assert (host == 2 * x + 1).all(), "results of the host are there when the call returns"
result = OnDevice(empty)
module.call_in("forward", x, y, results=[result.value()])
assert (result.read() == 2 * x + 1).all()
# And calls of the module's own stream beside these.
assert (module.call("forward", x, y)[0] == 2 * x + 1).all()
""")


class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(3, 4))
        self.count = 0

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        self.state = self.state * 0.5 + x
        self.count += 1
        y.add_(self.state)
        return self.state - 1.0


def test_state_stays_there(run):
    run(Kept(), """
given, target = OnDevice(x), OnDevice(y)
expected, seen = np.zeros((3, 4), np.float32), y.copy()
for trial in range(4):
    result = OnDevice(empty)
    expected = expected * 0.5 + x
    seen += expected
    before = counts()[0]
    if trial == 2:
        written = target.read()
        assert (module.call("forward", x, written)[0] == expected - 1).all()
        assert (written == seen).all()
        target = OnDevice(written)
    else:
        module.call_in("forward", given.value(), target.value(), results=[result.value()])
        assert (result.read() == expected - 1).all() and (target.read() == seen).all()
    if trial == 1:
        assert (module.state("state") == expected).all() and module.state("count") == 2
    if trial == 3:
        assert counts()[0] - before == 1, f"the number alone comes to the host, got {counts()[0] - before} copies"
assert (module.state("state") == expected).all() and module.state("count") == 4
module.reset()
assert (module.state("state") == 0).all() and module.state("count") == 0
module.call_in("forward", given.value(), target.value(), results=[result.value()])
assert (result.read() == x - 1).all()
""")


def test_streams_wait_for_each_other(run):
    """Calls share the module's memory, whatever streams they are in."""
    run(Kept(), """
given, target, result = OnDevice(x), OnDevice(y), OnDevice(empty)
expected = np.zeros((3, 4), np.float32)
for trial in range(6):
    stream = None if trial % 2 else driver.fakeCudaCallersStream()
    own = ctypes.c_void_p()
    if trial == 4:
        context = ctypes.c_void_p()
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        driver.cuCtxPushCurrent_v2(context)
        assert driver.cuStreamCreate(ctypes.byref(own), 1) == 0
        stream = own.value
    module.call_in("forward", given.value(), target.value(), results=[result.value()], stream=stream)
    if trial == 4:
        assert driver.cuStreamDestroy_v2(own) == 0
        driver.cuCtxPopCurrent_v2(ctypes.byref(context))
    expected = expected * 0.5 + x
assert (result.read() == expected - 1).all()
""")


def test_refusals(run):
    run(Sum(), """
given, result = OnDevice(x), OnDevice(empty)
refused("expected a stream of CUDA device 0, got one of another device or context", "forward", given.value(), given.value(),
        results=[result.value()], stream=driver.fakeCudaCallersStreamOf(1))
refused("expected memory of the host or of CUDA device 0, got memory of device 1", "forward", OnDevice(x, device=1).value(), given.value(),
        results=[result.value()])
refused("result 0: expected memory for it, as the call is in a stream, got null", "forward", given.value(), given.value(), results=[Value()])
strided = tensor(given.at, (3, 4), torch.float32, (1, 3))
refused("argument 'y' of forward: expected f32[3,4] as row-major memory without gaps, got other strides", "forward", given.value(), strided,
        results=[result.value()])
refused("result 0: expected memory of its own, got that of argument 0", "forward", given.value(), OnDevice(y).value(), results=[given.value()])
module.call_in("forward", given.value(), OnDevice(y).value(), results=[result.value()])
assert (result.read() == 2 * x + 1).all()
""")


def test_packages_for_cpus(saved, compiled):
    archive, _ = saved(Sum())
    from artifacts import ArtifactError

    x = torch.ones(3, 4)
    with pytest.raises(ArtifactError, match="expected a program for a CUDA device for a call in a stream, got one for a CPU"):
        compiled(archive, ["forward(f32[3,4], f32[3,4])"]).open().call_in("forward", x, x, results=[x.clone()])


class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(3, 4))

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        if bool(x.sum() > 0):
            self.state = x + self.state
        else:
            self.state = y * 1.0
        return self.state * 2.0


def test_state_that_data_choose(run):
    run(Chosen(), """
expected = np.zeros((3, 4), np.float32)
for trial in range(6):
    given = -x if trial % 3 == 2 else x
    expected = y if given.sum() <= 0 else given + expected
    result = OnDevice(empty)
    if trial % 2:
        assert (module.call("forward", given, y)[0] == 2 * expected).all()
    else:
        module.call_in("forward", OnDevice(given).value(), OnDevice(y).value(), results=[result.value()])
        assert (result.read() == 2 * expected).all()
    assert trial == 3 or (module.state("state") == expected).all()
""")
