"""Halves compared with what is none: PyTorch rounds that to a half before it compares, so that 0.1 as a half is equal to 0.1."""

import pytest
import torch
from test_complex import traced
from torch import Tensor

NUMBERS = (0.1, 0.1, 256.0, 258.0, 0.3, 1.0, -0.1, 0.7)


def by_number(y: Tensor):
    return y > 0.1, y >= 0.1, y == 0.1, y != 0.1, y < 0.1, y <= 0.1, 0.1 > y, y == 257, y < 257


def by_tensor(y: Tensor):
    tenth, whole = torch.tensor(0.1), torch.tensor([257])
    return y > tenth, y >= tenth, y == tenth, y <= tenth, y == whole, whole > y


def in_one_loop(y: Tensor):
    z = y * 1.0
    return torch.where(z > 0.1, z, -z), z.masked_fill(z <= 0.1, 7.0)


@pytest.mark.parametrize("flags", [(), ("--any-sizes",)], ids=["exact", "any"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("program", [by_number, by_tensor, in_one_loop])
def test_comparisons(program, dtype, flags, saved, jit_run):
    def of_floats(x: Tensor):  # numpy has no bfloat16
        return [result.float() if result.is_floating_point() else result for result in program(x.to(dtype))]

    x = torch.tensor(NUMBERS)
    archive, _ = saved(traced(lambda x: tuple(of_floats(x)), x))
    jit_run(archive, x, flags=flags).assert_close(of_floats(x), rtol=0, atol=0)
