"""LDL factors of symmetric matrices, and what they solve, beside LAPACK's."""

import pytest
import torch
from torch import nn


class Factors(nn.Module):
    def forward(self, a):
        return torch.linalg.ldl_factor_ex(a)


class Solves(nn.Module):
    def forward(self, a, b):
        ld, pivots = torch.linalg.ldl_factor(a)
        return torch.linalg.ldl_solve(ld, pivots, b)


def matrices(*sizes, kind="any", dtype=torch.float64):
    torch.manual_seed(len(sizes) * 10 + sizes[-1])
    a = torch.randn(*sizes, dtype=dtype)
    if kind == "hollow":  # blocks of two rows
        a = a - torch.diag_embed(torch.diagonal(a, dim1=-2, dim2=-1))
    if kind == "sparse":
        a = a * (torch.rand_like(a) < 0.4)
    return a


@pytest.mark.parametrize("kind", ["any", "hollow", "sparse"])
@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (3, 3), (6, 6), (13, 13), (4, 3, 3), (2, 3, 5, 5), (0, 0), (2, 0, 0), (0, 3, 3)])
def test_factors_and_pivots(sizes, kind, agrees):
    agrees(Factors(), matrices(*sizes, kind=kind), rtol=1e-9, atol=1e-10)


def test_factors_of_singles(agrees):
    agrees(Factors(), matrices(7, 7, dtype=torch.float32), rtol=1e-4, atol=1e-4)


def test_a_matrix_of_zeros_and_one_with_nan(agrees):
    agrees(Factors(), torch.zeros(2, 3, 3))
    agrees(Factors(), torch.diag(torch.tensor([1.0, 0.0, 2.0])))


@pytest.mark.parametrize("kind", ["any", "hollow"])
@pytest.mark.parametrize("sizes, right", [((1, 1), (1, 2)), ((2, 2), (2, 1)), ((6, 6), (6, 3)), ((13, 13), (13, 2)), ((4, 3, 3), (4, 3, 2)), ((2, 2), (2, 0))])
def test_solutions(sizes, right, kind, agrees):
    a = matrices(*sizes, kind="any" if sizes == (1, 1) else kind)
    agrees(Solves(), a, matrices(*right), rtol=1e-7, atol=1e-8)


def test_bytes_of_an_element(agrees):
    class Sizes(nn.Module):
        def forward(self, x):
            return torch.full([1], x.element_size()), torch.full([1], x.to(torch.complex128).element_size()), torch.full([1], (x > 0).element_size())

    agrees(Sizes(), torch.ones(2, dtype=torch.float16))
    agrees(Sizes(), torch.ones(2))


def test_factors_of_any_sizes(agrees):
    agrees(Solves(), matrices(5, 5), matrices(5, 2), rtol=1e-8, atol=1e-8, flags=("--any-sizes",))
