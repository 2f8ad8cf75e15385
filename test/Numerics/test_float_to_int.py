"""Floats as integers: what the integer cannot hold, infinities and NaN too, is what PyTorch gives on an x86 CPU."""

import pytest
import torch

VALUES = [0.9, -0.9, -1.0, 127.9, 128.0, -128.9, -129.0, 255.9, 256.0, 300.0, -300.0, 32768.0, 65535.9, 7e4, -7e4, 2147483648.0,
          -2147483649.0, 3e9, -3e9, 4294967296.0, 5e9, 1e10, -1e10, 1e18, 9.3e18, 1e19, -1e19, 1e30, float("inf"), float("-inf"), float("nan")]
FLOATS = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16}
# Of uint32 what PyTorch gives depends on the number of elements.
INTS = [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint64, torch.bool]


@pytest.mark.parametrize("dtype", INTS, ids=str)
@pytest.mark.parametrize("name", FLOATS)
def test_values_beyond_the_integer(jit_mlir, name, dtype):
    program = jit_mlir.compile(torch.jit.CompilationUnit(f"def f(x):\n    return x.to({dtype})\n").f)
    x = torch.tensor(VALUES, dtype=FLOATS[name])
    for part in (x, x[-1:], x[17:20]):
        got = program(part)
        assert got.dtype == dtype and got.tolist() == part.to(dtype).tolist()
