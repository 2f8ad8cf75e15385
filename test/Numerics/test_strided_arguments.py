"""Arguments whose elements lie elsewhere than row by row are copied in squares of 32: sizes around that, in any order of dimensions."""

import itertools

import pytest
import torch

ORDERS = list(itertools.permutations(range(3)))


def written(x):
    x.mul_(2)
    return x + 1


@pytest.mark.parametrize("dtype", [torch.uint8, torch.float16, torch.float32, torch.float64, torch.complex128], ids=str)
def test_values_and_what_is_written(dtype, jit_mlir):
    program = jit_mlir.compile(torch.jit.script(written))
    for order, sizes in itertools.product(ORDERS, [(33, 2, 65), (1, 64, 31), (3, 97, 32)]):
        laid = torch.arange(sizes[0] * sizes[1] * sizes[2] * 2).to(dtype).reshape(*sizes, 2)
        for of in (lambda t: t[..., 1].permute(order), lambda t: t[..., 0].permute(order)[1:].mT, lambda t: t[:, :, 0, 0].t()):
            mine, theirs = laid.clone(), laid.clone()
            torch.testing.assert_close(program(of(mine)), written(of(theirs)), rtol=0, atol=0)
            torch.testing.assert_close(mine, theirs, rtol=0, atol=0)


def test_expanded(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(with_its_sum))
    for x in (torch.ones(()).expand(40, 70), torch.arange(70.0).expand(40, 70), torch.arange(40.0)[:, None].expand(40, 70)):
        torch.testing.assert_close(program(x), with_its_sum(x))


def with_its_sum(x):
    return x * 2 + x.sum()
