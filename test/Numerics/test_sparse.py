"""Sparse matrices that programs make of places and values, in products: values and gradients as eager PyTorch's."""

import pytest
import torch
from torch import nn

INDICES = torch.tensor([[0, 1, 2, 1, 1], [1, 3, 0, 3, 0]])  # one place twice
BEFORE, COLUMNS = torch.tensor([0, 1, 4, 5]), torch.tensor([1, 0, 2, 3, 0])


class Product(nn.Module):
    def forward(self, indices: torch.Tensor, values: torch.Tensor, x: torch.Tensor):
        return torch.sparse.mm(torch.sparse_coo_tensor(indices, values, [3, 4]), x)


class ByOperator(nn.Module):
    def forward(self, indices: torch.Tensor, values: torch.Tensor, x: torch.Tensor):
        a = torch.sparse_coo_tensor(indices, values, [3, 4])
        return a @ x, a.t() @ (a @ x), x.t() @ a.t(), torch.mm(a, x), a @ x[:, 0], a.to_dense(), a.coalesce() @ x, a.size(0)


class Changed(nn.Module):
    """The matrix shows the memory of its values."""

    def forward(self, indices: torch.Tensor, values: torch.Tensor, x: torch.Tensor):
        values = values.clone()
        a = torch.sparse_coo_tensor(indices, values, [3, 4])
        before = a @ x
        values.mul_(2)
        return before, a @ x


class Sizes(nn.Module):
    def forward(self, indices: torch.Tensor, values: torch.Tensor, x: torch.Tensor):
        n = x.size(0)
        return torch.sparse_coo_tensor(indices, values, [n, n]) @ x


class Rows(nn.Module):
    def forward(self, before: torch.Tensor, columns: torch.Tensor, values: torch.Tensor, x: torch.Tensor):
        a = torch.sparse_csr_tensor(before, columns, values, [3, 4], dtype=values.dtype)
        return a @ x, x.t() @ a.t(), a.to_dense()


def values(dtype=torch.float32):
    return torch.tensor([1.5, -2.0, 3.0, 0.25, 4.0]).to(dtype)


@pytest.mark.parametrize("program", [Product, ByOperator, Changed])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64], ids=str)
def test_places(program, dtype, saved, jit_run):
    if program is Product and dtype == torch.int64:
        pytest.skip("of integers by the operator alone")
    archive, module = saved(program())
    x = torch.arange(8).reshape(4, 2).to(dtype)
    jit_run(archive, INDICES, values(dtype), x).assert_close(module(INDICES, values(dtype), x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_rows(dtype, saved, jit_run):
    archive, module = saved(Rows())
    x = torch.randn(4, 2, dtype=dtype)
    for before, columns in ((BEFORE, COLUMNS), (BEFORE.int(), COLUMNS.int())):
        jit_run(archive, before, columns, values(dtype), x).assert_close(module(before, columns, values(dtype), x))


@pytest.mark.parametrize("program, given", [(Product(), (INDICES,)), (Rows(), (BEFORE, COLUMNS))], ids=["places", "rows"])
def test_traced(program, given, tmp_path, jit_run):
    arguments = (*given, values(), torch.randn(4, 2))
    path = tmp_path / "traced.pt"
    torch.jit.trace(program, arguments, check_trace=False).save(str(path))
    jit_run(path, *arguments).assert_close(program(*arguments))


def test_gradients(saved, jit_mlir):
    archive, module = saved(Product())
    given = [values(torch.float64).requires_grad_(), torch.randn(4, 2, dtype=torch.float64, requires_grad=True)]
    got = jit_mlir.load(str(archive))(INDICES, *given).sin().sum()
    torch.testing.assert_close(torch.autograd.grad(got, given), torch.autograd.grad(module(INDICES, *given).sin().sum(), given))


def test_open_sizes(saved, compiled):
    archive, module = saved(Sizes())
    package = compiled(archive, ["forward(i64[2,e], f32[e], f32[n,k])"]).open()
    for nodes, edges, width in ((3, 5, 2), (40, 100, 6)):
        given = torch.randint(0, nodes, (2, edges)), torch.randn(edges), torch.randn(nodes, width)
        torch.testing.assert_close(torch.from_numpy(package.call("forward", *given)[0]), module(*given), rtol=1e-4, atol=1e-5)


class Elsewhere(nn.Module):
    def __init__(self, what: int):
        super().__init__()
        self.what = what

    def forward(self, indices: torch.Tensor, values: torch.Tensor, x: torch.Tensor):
        a = torch.sparse_coo_tensor(indices, values, [3, 4])
        if self.what == 0:
            return a
        if self.what == 1:
            return torch.relu(a)
        if self.what == 2:
            return a @ a.t()
        if self.what == 3:
            return x * a.is_sparse
        if self.what == 4:
            return (a if x.sum() > 0 else a.t().t()) @ x
        return a @ x.double()


@pytest.mark.parametrize("what", range(6))
def test_what_is_refused(what, saved, jit_run):
    archive, _ = saved(Elsewhere(what))
    outcome = jit_run(archive, INDICES, values(), torch.randn(4, 2))
    assert outcome.code == 1, outcome.stderr
    assert "sparse" in outcome.stderr


def test_places_outside(saved, jit_run):
    archive, _ = saved(Product())
    for wrong in (-1, 4):
        indices = INDICES.clone()
        indices[1, 0] = wrong
        jit_run(archive, indices, values(), torch.randn(4, 2)).assert_fails_with("expected numbers from 0 to 3")
    jit_run(archive, INDICES, torch.randn(4), torch.randn(4, 2)).assert_fails_with("sparse")
