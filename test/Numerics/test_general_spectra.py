"""Eigenvalues and eigenvectors of matrices that need not be symmetric. Their order and the phases of vectors are open: each vector is
held by what it is, eigenvalues as a set, and gradients by losses that do not depend on either."""

import numpy as np
import pytest
import torch
from torch import nn

TYPES = {"f32": torch.float32, "f64": torch.float64, "c64": torch.complex64, "c128": torch.complex128}


class Spectrum(nn.Module):
    def forward(self, a: torch.Tensor):
        return torch.linalg.eig(a)


class Squares(nn.Module):
    def forward(self, a: torch.Tensor):
        return torch.linalg.eigvals(a).abs() ** 2


class Values(nn.Module):
    def forward(self, a: torch.Tensor):
        return torch.linalg.eigvals(a)


def matrices(dtype):
    double = dtype.to_real() if dtype.is_complex else dtype
    rotation = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
    return {
        "one": torch.randn(1, 1, dtype=dtype), "few": torch.randn(4, 4, dtype=dtype), "many": torch.randn(17, 17, dtype=dtype),
        "batches": torch.randn(2, 3, 5, 5, dtype=dtype), "empty": torch.zeros(0, 0, dtype=dtype),
        # Steps with the usual shifts lead nowhere.
        "permutation": torch.eye(4, dtype=dtype).roll(1, 0),
        "zeros": torch.zeros(4, 4, dtype=dtype), "identity": torch.eye(4, dtype=dtype),
        "one chain": 2 * torch.eye(4, dtype=dtype) + torch.diag(torch.ones(3, dtype=dtype), 1),
        "rank one": torch.ones(4, 4, dtype=dtype), "large": torch.randn(4, 4, dtype=dtype) * float(torch.finfo(double).max ** 0.75),
        "small": torch.randn(4, 4, dtype=dtype) * float(torch.finfo(double).tiny ** 0.75),
        "mixed": torch.block_diag(torch.eye(2), rotation).to(dtype),
    }


def distance(got, want):
    """How far apart two sets of numbers are, by the nearest pairs."""
    left, worst = list(want), 0.0
    for number in got:
        nearest = min(range(len(left)), key=lambda i: abs(left[i] - number))
        worst = max(worst, abs(left.pop(nearest) - number))
    return worst


@pytest.mark.parametrize("name", TYPES)
def test_values_and_vectors(name, saved, jit_mlir):
    archive, module = saved(Spectrum())
    program = jit_mlir.load(str(archive))
    for kind, a in matrices(TYPES[name]).items():
        values, vectors = program(a)
        expected, _ = module(a)
        assert values.dtype == expected.dtype and values.shape == expected.shape and vectors.shape == a.shape, kind
        if kind == "empty":
            continue
        scale, tolerance = max(float(a.abs().max()), torch.finfo(a.dtype).tiny), 40 * torch.finfo(a.dtype).eps
        a, values = (a / scale).to(vectors.dtype), values / scale
        assert (a @ vectors - vectors * values.unsqueeze(-2)).abs().max() < tolerance, kind
        assert (torch.linalg.vector_norm(vectors, dim=-2) - 1).abs().max() < tolerance, kind
        # Of a chain of equal ones they follow from a only to a root of the rounding.
        for got, want in zip(values.reshape(-1, a.size(-1)).tolist(), (expected / scale).reshape(-1, a.size(-1)).tolist()):
            assert distance(got, want) < tolerance * 10, kind


def test_real_numbers_are_real(saved, jit_mlir):
    archive, module = saved(Values())
    program = jit_mlir.load(str(archive))
    for size in (2, 7):
        for _ in range(10):
            a = torch.randn(size, size, dtype=torch.float64)
            assert (program(a).imag == 0).sum() == (module(a).imag == 0).sum()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number(value, saved, jit_run):
    archive, _ = saved(Spectrum())
    jit_run(archive, torch.full([2, 2], value)).assert_fails_with("input tensor should not contain infs or NaNs")


def test_other_matrices(saved, jit_run):
    archive, _ = saved(Values())
    jit_run(archive, torch.ones(2, 3)).assert_fails_with("linalg_eigvals")
    jit_run(archive, torch.ones(2, 2, dtype=torch.float16)).assert_fails_with("expected elements that are f32 and f64")


LOSSES = {
    "values": lambda a: (torch.linalg.eigvals(a).real.sin() + torch.linalg.eigvals(a).imag ** 2).sum(),
    "both": lambda a: ((lambda w, v: (v.abs() ** 3 * w.abs().unsqueeze(-2)).sum())(*torch.linalg.eig(a))),
    "parts": lambda a: torch.linalg.eig(a)[0].real.exp().sum(),
}


class Loss(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, a):
        return LOSSES[self.name](a)


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128], ids=str)
@pytest.mark.parametrize("name", LOSSES)
def test_gradients(name, dtype, tmp_path, jit_mlir):
    path, a = tmp_path / "loss.pt", torch.randn(2, 4, 4, dtype=dtype, requires_grad=True)
    torch.jit.trace(Loss(name), a, check_trace=False).save(str(path))
    loss, expected = jit_mlir.load(str(path))(a), LOSSES[name](a)
    torch.testing.assert_close(loss, expected, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(torch.autograd.grad(loss, a), torch.autograd.grad(expected, a), rtol=1e-9, atol=1e-9)


def test_a_loss_that_depends_on_the_phase(tmp_path, jit_mlir):
    class Phase(nn.Module):
        def forward(self, a):
            return torch.linalg.eig(a)[1].imag.sum()

    path, a = tmp_path / "loss.pt", torch.randn(4, 4, dtype=torch.complex128, requires_grad=True)
    torch.jit.trace(Phase(), a, check_trace=False).save(str(path))
    with pytest.raises(RuntimeError, match="up to multiplication by"):
        torch.autograd.grad(Phase()(a), a)
    with pytest.raises(jit_mlir.Error, match="up to multiplication by"):
        torch.autograd.grad(jit_mlir.load(str(path))(a), a)


def test_any_size(saved, compiled):
    archive, module = saved(Squares())
    package = compiled(archive, ["forward(f64[k,n,n])"]).open()
    for batch, size in ((4, 2), (3, 6), (2, 4)):
        a = torch.randn(batch, size, size, dtype=torch.float64)
        for got, want in zip(np.asarray(package.call("forward", a)[0]), module(a).numpy()):
            assert distance(got.tolist(), want.tolist()) < 1e-11
