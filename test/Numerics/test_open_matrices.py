"""Factors, inverses, systems and spectra of any number of matrices and of matrices of any size: values and gradients as eager PyTorch's,
as a file and in a session."""

import re

import numpy as np
import pytest
import torch
from torch import nn

# What a function makes of a, square and well conditioned, and b, as many rows; and which sizes of these are open.
FUNCTIONS = {
    "inv": lambda a, b: torch.linalg.inv(a),
    "inverse_ex": lambda a, b: torch.linalg.inv_ex(a)[0],
    "det": lambda a, b: torch.linalg.det(a),
    "slogdet": lambda a, b: torch.linalg.slogdet(a)[1],
    "solve": lambda a, b: torch.linalg.solve(a, b),
    "solve_left": lambda a, b: torch.linalg.solve(a, b.mT, left=False),
    "cholesky": lambda a, b: torch.linalg.cholesky(a @ a.mT),
    "cholesky_solve": lambda a, b: torch.cholesky_solve(b, torch.linalg.cholesky(a @ a.mT)),
    "cholesky_inverse": lambda a, b: torch.cholesky_inverse(torch.linalg.cholesky(a @ a.mT)),
    "triangular": lambda a, b: torch.linalg.solve_triangular(a.tril(), b, upper=False),
    "triangular_right": lambda a, b: torch.linalg.solve_triangular(a.triu(), b.mT, upper=True, left=False),
    "lstsq": lambda a, b: torch.linalg.lstsq(b, a).solution,
    "lstsq_square": lambda a, b: torch.linalg.lstsq(a, b).solution,
    "lu": lambda a, b: torch.linalg.lu(a)[2],
    "qr": lambda a, b: torch.linalg.qr(b)[1].abs(),
    "qr_complete": lambda a, b: torch.linalg.qr(b, "complete")[1].abs(),
    "exp": lambda a, b: torch.matrix_exp(a * 0.3),
    "eigvalsh": lambda a, b: torch.linalg.eigvalsh(a + a.mT),
    "eigh": lambda a, b: torch.linalg.eigh(a + a.mT)[1].abs(),
    "svdvals": lambda a, b: torch.linalg.svdvals(b),
    "svd": lambda a, b: torch.linalg.svd(b, full_matrices=False)[0].abs(),
    "svd_full": lambda a, b: torch.linalg.svd(b)[2].abs(),
    "pinv": lambda a, b: torch.linalg.pinv(b),
    "rank": lambda a, b: torch.linalg.matrix_rank(b) * b.sum(),
    "cond": lambda a, b: torch.linalg.cond(a),
}
CALLS = {"batch": ("f64[k,3,3]", "f64[k,3,2]"), "size": ("f64[n,n]", "f64[n,2]"), "wide": ("f64[n,n]", "f64[n,4]"),
         "all": ("f64[k,n,n]", "f64[k,n,m]")}
# These have no gradient in PyTorch, of all matrices or of wide ones.
NO_GRADIENT = {"qr_complete", "svd_full"}


class Function(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, a, b):
        return FUNCTIONS[self.name](a, b)


def made(kind, at):
    k, n, m = {"batch": (at + 2, 3, 2), "size": (0, at + 2, 2), "wide": (0, at + 2, 4), "all": (at + 2, 5 - at, at + 2)}[kind]
    batch = [k] if kind in ("batch", "all") else []
    a = torch.randn(*batch, n, n, dtype=torch.float64) + 2 * torch.eye(n, dtype=torch.float64)
    return a.requires_grad_(), torch.randn(*batch, n, m, dtype=torch.float64).requires_grad_()


def traced(name, kind, tmp_path):
    path = tmp_path / f"{name}.pt"
    torch.jit.trace(Function(name), made(kind, 1), check_trace=False).save(str(path))
    return path


def has_gradient(name, kind):
    return name not in NO_GRADIENT and not (kind in ("wide", "all") and name in ("qr", "svd"))


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_gradients(name, kind, tmp_path, compiled, request):
    if kind in ("wide", "all") and name not in ("inv", "qr", "solve", "svdvals") and not request.config.getoption("--full"):
        pytest.skip("with --full")
    archive, graded = traced(name, kind, tmp_path), has_gradient(name, kind)
    mark = ":grad" if graded else ""
    method = "forward.grad" if graded else "forward"
    package = compiled(archive, [f"{method}({CALLS[kind][0]}{mark}, {CALLS[kind][1]}{mark})"]).open()
    for at in range(3):
        a, b = made(kind, at)
        expected = FUNCTIONS[name](a, b)
        got = package.call(method, a.detach(), b.detach())
        np.testing.assert_allclose(got[0], expected.detach(), rtol=1e-8, atol=1e-8)
        if not graded:
            continue
        gradients = torch.autograd.grad(expected.sum(), (a, b), allow_unused=True)
        names = dict(re.findall(r'"([^"]+)": %(\d+)', package.structure(method, a.detach(), b.detach())))
        for key, operand, gradient in zip("01", (a, b), gradients):
            found = got[int(names[key])] if key in names else 0 * operand.detach()
            np.testing.assert_allclose(found, 0 * operand.detach() if gradient is None else gradient, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", ["inv", "solve", "cholesky", "qr", "eigvalsh"])
def test_session(name, tmp_path, jit_run):
    archive = traced(name, "all", tmp_path)
    a, b = made("all", 2)
    outcome = jit_run(archive, a.detach(), b.detach(), flags=["--any-sizes", "--explain"])
    outcome.assert_close(FUNCTIONS[name](a, b).detach(), rtol=1e-8, atol=1e-8)
    assert "is compiled for each of its sizes" not in outcome.stderr


def test_vectors(saved, compiled):
    class Vectors(nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor):
            return torch.linalg.solve(a, b)

    archive, module = saved(Vectors())
    package = compiled(archive, ["forward(f64[n,n], f64[n])"]).open()
    for n in (2, 5):
        a, b = torch.randn(n, n, dtype=torch.float64), torch.randn(n, dtype=torch.float64)
        np.testing.assert_allclose(package.call("forward", a, b)[0], module(a, b), rtol=1e-8)


def test_vectors_of_batches(tmp_path, compiled, jit_run):
    """Or matrices for all batches: a session compiles those for their own sizes, a package refuses them."""
    class Systems(nn.Module):
        def forward(self, a, b):
            return torch.linalg.solve(a, b)

    path = tmp_path / "solve.pt"
    torch.jit.trace(Systems(), (torch.randn(4, 3, 3), torch.randn(4, 3)), check_trace=False).save(str(path))
    library = compiled(path, ["forward(f64[k,n,n], f64[j,m])"])
    package = library.open()
    for k, n in ((2, 3), (5, 4)):
        a, b = torch.randn(k, n, n, dtype=torch.float64), torch.randn(k, n, dtype=torch.float64)
        np.testing.assert_allclose(package.call("forward", a, b)[0], torch.linalg.solve(a, b), rtol=1e-8)
        jit_run(path, a, b, flags=["--any-sizes"]).assert_close(torch.linalg.solve(a, b), rtol=1e-8)
    a, b = torch.randn(5, 3, 3, dtype=torch.float64), torch.randn(3, 2, dtype=torch.float64)
    jit_run(path, a, b, flags=["--any-sizes"]).assert_close(torch.linalg.solve(a, b), rtol=1e-8)
    with pytest.raises(library.Error, match="expected equal sizes"):
        package.call("forward", a, b)


class Inverse(nn.Module):
    def forward(self, a: torch.Tensor):
        return torch.linalg.inv(a)


def test_not_square(saved, jit_run, compiled):
    archive, _ = saved(Inverse())
    jit_run(archive, torch.randn(2, 3), flags=["--any-sizes"]).assert_fails_with("linalg_inv")
    library = compiled(archive, ["forward(f32[n,m])"])
    package, a = library.open(), torch.randn(3, 3)
    np.testing.assert_allclose(package.call("forward", a)[0], torch.linalg.inv(a), rtol=1e-4, atol=1e-5)
    with pytest.raises(library.Error, match="expected equal sizes, got 2 and 3"):
        package.call("forward", torch.randn(2, 3))


def test_least_squares_of_other_rows(saved, compiled):
    class Least(nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor):
            return torch.linalg.lstsq(a, b)[0]

    archive, module = saved(Least())
    library = compiled(archive, ["forward(f64[m,n], f64[p,k])"])
    package = library.open()
    for rows in (3, 6):  # fewer than columns, and more
        a, b = torch.randn(rows, 4, dtype=torch.float64), torch.randn(rows, 2, dtype=torch.float64)
        np.testing.assert_allclose(package.call("forward", a, b)[0], module(a, b), rtol=1e-8)
    with pytest.raises(library.Error):
        package.call("forward", torch.randn(6, 4, dtype=torch.float64), torch.randn(5, 2, dtype=torch.float64))
