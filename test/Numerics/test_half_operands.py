"""Halves beside what is none. PyTorch rounds a number to a half before it compares, adds or divides with a remainder, so that 0.1 as a half
is equal to 0.1 and less it is 0; a factor, a divisor and the limits of threshold and softshrink it takes as they are."""

import pytest
import torch
import torch.nn.functional as F
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


def sums(y: Tensor):
    return y + 0.1, y - 0.1, 0.1 - y, torch.add(y, 0.3, alpha=2), y + torch.tensor(0.1), y - torch.tensor([257])


def remainders(y: Tensor):
    return torch.remainder(y, 0.1), torch.fmod(y, 0.1), y % torch.tensor(0.3), torch.remainder(257, y)


def factors(y: Tensor):
    return y * 0.1, y * torch.tensor(0.1), y * torch.tensor([257]), torch.tensor(0.1) * y, torch.tensor([257]) * y


def divisors(y: Tensor):
    return y / 0.1, y / torch.tensor(0.1), torch.tensor(0.1) / y, y // 0.1, torch.div(y, 0.1, rounding_mode="trunc")


def ints(y: Tensor):
    whole = torch.full_like(y, 257, dtype=torch.int64)
    return y + whole, y * whole, whole - y, y / whole, torch.fmod(y, whole), torch.maximum(y, whole)


def limits(y: Tensor):
    return F.threshold(y, 0.1, 7.0), F.hardshrink(y, 0.1), F.softshrink(y, 0.1), torch.clamp(y, 0.1), y.masked_fill(y > 0.2, 0.1)


@pytest.mark.parametrize("flags", [(), ("--any-sizes",)], ids=["exact", "any"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("program", [by_number, by_tensor, in_one_loop, sums, remainders, factors, divisors, ints, limits])
def test_half_operands(program, dtype, flags, saved, jit_run):
    def of_floats(x: Tensor):  # numpy has no bfloat16
        return [result.float() if result.is_floating_point() else result for result in program(x.to(dtype))]

    x = torch.tensor(NUMBERS)
    archive, _ = saved(traced(lambda x: tuple(of_floats(x)), x))
    jit_run(archive, x, flags=flags).assert_close(of_floats(x), rtol=0, atol=0)
