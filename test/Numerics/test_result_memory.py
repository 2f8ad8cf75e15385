"""Memory of results that their caller has let go of is given again: without the system, and to nobody while it is held."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn


class Twice(nn.Module):
    def forward(self, x, n: int):
        return x * 2 + n


PRELUDE = """
import gc, resource, sys
import numpy as np
import jit_mlir

MEGA = 1 << 20
PAGE = resource.getpagesize()

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def pages(field):
    return int(open("/proc/self/statm").read().split()[field])

def array(megabytes):
    return np.ones(megabytes * MEGA // 4, np.float32)

program = jit_mlir.load(sys.argv[1])
"""

STEADY = """
x, y = array(int(sys.argv[2])), None
def calls():
    global y
    before = faults()
    for _ in range(10):
        y = program(x, 1)
    return (faults() - before) / 10
for _ in range(3):
    calls()
print(int(min(calls() for _ in range(5))))
"""

CLOSED = """
other = jit_mlir.load(sys.argv[1])
x = array(32)
program(x, 1)
before = pages(1)
del other
gc.collect()
print((before - pages(1)) * PAGE >= 30 * MEGA)
held = program(x, 1)
del program
gc.collect()
before = pages(1)
del held
gc.collect()
print((before - pages(1)) * PAGE >= 30 * MEGA)
"""

SHORT = """
small, large = array(60), array(72)
program(large, 1), program(small, 1)
jit_mlir.load(sys.argv[1])
gc.collect()
program(small, 1)
resource.setrlimit(resource.RLIMIT_AS, (pages(0) * PAGE + 30 * MEGA, resource.RLIM_INFINITY))
held = program(large, 1)
print(held[-1])
try:
    program(large, 1)
except jit_mlir.Error as error:
    print(error.kind)
"""


@pytest.fixture
def output_of(jit_mlir, tmp_path):
    def run(code, *arguments, **variables):
        torch.jit.script(Twice()).save(str(tmp_path / "twice.pt"))
        path = os.path.dirname(os.path.dirname(jit_mlir.__file__))
        command = [sys.executable, "-c", PRELUDE + code, str(tmp_path / "twice.pt"), *map(str, arguments)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": path, **variables})
        assert process.returncode == 0, process.stderr
        return process.stdout.split("\n")[:-1]

    return run


def test_calls_that_repeat_take_no_new_pages(output_of):
    for megabytes in (1, 16, 48):
        assert int(output_of(STEADY, megabytes)[0]) <= 2
    # malloc gives so much back to the system each time.
    assert int(output_of(STEADY, 48, JIT_KEPT_RESULT_BYTES=str(8 << 20))[0]) > 1000


def test_a_session_that_closes_gives_it_back(output_of):
    assert output_of(CLOSED) == ["True", "True"]


def test_it_is_given_back_before_memory_is_exhausted(output_of):
    assert output_of(SHORT) == ["3.0", "limit exceeded"]


def test_a_bound_is_a_number(output_of):
    assert output_of("", JIT_KEPT_RESULT_BYTES="") == output_of("", JIT_KEPT_RESULT_BYTES="0") == []
    with pytest.raises(AssertionError, match="expected a number of bytes in JIT_KEPT_RESULT_BYTES, got '1 GB'"):
        output_of("", JIT_KEPT_RESULT_BYTES="1 GB")


def test_what_is_held_stays_as_it_is(jit_mlir):
    program = jit_mlir.compile(Twice())
    x = torch.arange(1 << 18, dtype=torch.float32)
    held = [program(x, n) for n in range(6)]
    parts = [program(x, n)[1000:1010] for n in range(6)]
    views = [program(x.numpy(), n)[::1000] for n in range(6)]
    for _ in range(20):
        program(x, 100)
    for n in range(6):
        assert torch.equal(held[n], x * 2 + n)
        assert torch.equal(parts[n], x[1000:1010] * 2 + n)
        np.testing.assert_array_equal(views[n], x.numpy()[::1000] * 2 + n)
