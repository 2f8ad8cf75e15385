"""Sums and writes by index with sizes left open, as nets on graphs have them: one code for any number of nodes and edges."""

from typing import Dict

import numpy as np
import pytest
import torch
from torch import Tensor, nn

CLOSE = dict(rtol=1e-12, atol=1e-12)


class Adds(nn.Module):
    """What edges say, at their nodes."""

    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        return x.index_add(0, at, y), x.scatter_add(0, at.unsqueeze(1).expand_as(y), y * 2), x.t().index_add(1, at, y.t(), alpha=3)


class Writes(nn.Module):
    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        once = torch.arange(at.size(0)) % x.size(0)
        return x.index_copy(0, once[: x.size(0)], y[: x.size(0)]), x.scatter(0, at.unsqueeze(1).expand_as(y), 7.0)


class Reduces(nn.Module):
    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        places = at.unsqueeze(1).expand_as(y)
        return (x.scatter_reduce(0, places, y, "amax"), x.scatter_reduce(0, places, y, "mean"),
                x.scatter_reduce(0, places, y, "prod", include_self=False), x.scatter_reduce(0, places, y, "amin", include_self=False))


class Contracts(nn.Module):
    """Products over dimensions that are not side by side, of open rows."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(2, 3, 5, dtype=torch.float64))

    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        pairs = (x.unsqueeze(2) * x.unsqueeze(1))[at]
        return torch.tensordot(x, self.mix, dims=[[1], [1]]), torch.einsum("eij,ej,kil->ekl", pairs, y, self.mix)


class Broadcasts(nn.Module):
    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        length = torch.linalg.norm(y, dim=1, keepdim=True)
        wide, scale, row = torch.broadcast_tensors(y, length, x[0])
        return wide / scale + row, torch.linalg.norm(x), torch.cat(torch.broadcast_tensors(x[at], length), 1)


class Branches(nn.Module):
    """What a branch on sizes chooses is one of the tensors of a dict."""

    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        d: Dict[str, Tensor] = {"scale": y.sum(1, keepdim=True), "parts": x}
        if d["scale"].size(0) != x.size(0):
            d["scale"] = torch.ones(1, 1, dtype=x.dtype).expand(x.size(0), -1)
        return d["parts"] * d["scale"], d["scale"].sum()


class Segments(nn.Module):
    """A net on a graph by sums of what is equal in the index, with its gradient inside."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3).double()

    def forward(self, x: Tensor, at: Tensor, y: Tensor):
        x.requires_grad_(True)
        sums = torch.zeros_like(x).index_add(0, at, torch.tanh(self.layer(x[at])) * y)
        means = torch.zeros_like(x).scatter_reduce(0, at.unsqueeze(1).expand_as(y), torch.sin(x[at]), "mean")
        added = torch.zeros_like(x).scatter_add_(0, at.unsqueeze(1).expand_as(y), x[at] * y)
        energy = (sums.exp() + means * added).sum()
        g = torch.autograd.grad([energy], [x])[0]
        assert g is not None
        return energy, -g


PROGRAMS = [Adds, Writes, Reduces, Contracts, Broadcasts, Branches, Segments]


def graph(nodes, edges):
    return torch.randn(nodes, 3, dtype=torch.float64), torch.randint(0, nodes, (edges,)), torch.randn(edges, 3, dtype=torch.float64)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.__name__ for program in PROGRAMS])
def test_any_sizes(program, saved, jit_run):
    archive, reference = saved(program())
    for nodes, edges in ((2, 2), (5, 40)):
        given = graph(nodes, edges)
        outcome = jit_run(archive, *given, flags=["--any-sizes", "--explain"])
        assert "is compiled for each of its sizes" not in outcome.stderr
        outcome.assert_close(reference(*[a.clone() for a in given]), **CLOSE)


class OfNothing(nn.Module):
    def forward(self, x):
        none = torch.zeros_like(x, dtype=torch.int64)
        return x.scatter_add(1, none, x), torch.all(none < none), torch.any(none == none), torch.all(none < none, 1)


def test_what_is_asked_of_no_elements(saved, jit_run):
    archive, reference = saved(torch.jit.script(OfNothing()))
    for x in (torch.ones(2, 0), torch.ones(0, 2), torch.ones(3, 2)):
        jit_run(archive, x, flags=["--any-sizes"]).assert_close(reference(x))



@pytest.mark.parametrize("program", PROGRAMS, ids=[program.__name__ for program in PROGRAMS])
def test_packages(program, saved, compiled):
    archive, reference = saved(program())
    module = compiled(archive, ["forward(f64[n,3], i64[e], f64[e,3])"]).open(threads=2)
    for nodes, edges in ((2, 2), (5, 40), (300, 7)):
        given = graph(nodes, edges)
        if program is Writes and edges < nodes:
            continue
        expected = reference(*[a.clone() for a in given])
        for got, want in zip(module.call("forward", *given), expected, strict=True):
            np.testing.assert_allclose(got, want.detach(), **CLOSE)


def test_gradients(saved, jit_run):
    """Those of a caller: of what is added, chosen and averaged."""
    class Program(nn.Module):
        def forward(self, x: Tensor, at: Tensor, y: Tensor):
            places = at.unsqueeze(1).expand_as(y)
            return (x.index_add(0, at, y) * x).sum() + (x.scatter_add(0, places, y) * x.scatter_reduce(0, places, y.exp(), "mean")).sum()

    archive, reference = saved(Program())
    x, at, y = graph(4, 19)
    x.requires_grad_(True), y.requires_grad_(True)
    outcome = jit_run(archive, x, at, y, flags=["--any-sizes", "--explain", "--grad"])
    outcome.assert_ok()
    assert "is compiled for each of its sizes" not in outcome.stderr
    gradients = torch.autograd.grad(reference(x, at, y), [x, y])
    for place, gradient in zip((0, 2), gradients, strict=True):
        np.testing.assert_allclose(outcome.gradient(place), gradient, **CLOSE)


def test_a_source_with_more_rows_than_places(saved, compiled):
    """PyTorch has no gradient of it either."""
    class Program(nn.Module):
        def forward(self, x: Tensor, at: Tensor, y: Tensor):
            y.requires_grad_(True)
            energy = (x.scatter_add(0, at.unsqueeze(1).expand(at.size(0), 3), y) * x).sum()
            g = torch.autograd.grad([energy], [y])[0]
            assert g is not None
            return g

    library = compiled(saved(Program())[0], ["forward(f64[n,3], i64[e], f64[m,3])"])
    module = library.open()
    x, at, y = graph(4, 9)
    np.testing.assert_allclose(module.call("forward", x, at, y)[0], x[at], **CLOSE)
    with pytest.raises(library.Error, match="expected equal sizes, got 5 and 9"):
        module.call("forward", x, at[:5], y)


@pytest.mark.parametrize("at, y, message", [(torch.tensor([0, 4]), torch.ones(2, 3), "an index is out of range for a dimension of size 4"),
                                            (torch.tensor([0, 1, 2]), torch.ones(2, 3), "expected equal sizes, got 2 and 3")])
def test_what_does_not_fit(at, y, message, saved, compiled):
    class Program(nn.Module):
        def forward(self, x: Tensor, at: Tensor, y: Tensor):
            return x.index_add(0, at, y)

    library = compiled(saved(Program())[0], ["forward(f64[n,3], i64[e], f64[m,3])"])
    with pytest.raises(library.Error, match=message):
        library.open().call("forward", torch.zeros(4, 3, dtype=torch.float64), at, y.double())
