"""Plain products left to a library, run as in test_gpu.py: in the emulation the plan's products are computed on this CPU."""

import re

import pytest
import torch
from test_gpu import GPU
from torch import nn


class Products(nn.Module):
    """Either order of either factor, a batch, one factor for all of it, and one that goes on."""

    def forward(self, a, b, c, bias):
        return a @ b, a.t() @ a, b.t() @ a.t(), torch.bmm(c, c.transpose(1, 2)), torch.matmul(c, b), torch.relu(a @ b + bias)


class Halves(nn.Module):
    def __init__(self, dtype: torch.dtype):
        super().__init__()
        self.dtype: torch.dtype = dtype
        self.products = Products()

    def forward(self, a, b, c, bias):
        return [r.float() for r in self.products(a.to(self.dtype), b.to(self.dtype), c.to(self.dtype), bias.to(self.dtype))]


def run(saved, jit_run, module, tmp_path, *arguments, tolerance=1e-4):
    """Both ways; the kernels of the first one."""
    traced = torch.jit.trace(module, arguments)
    archive, reference = saved(traced)
    dump = tmp_path / "ir"
    for flags in ([f"--dump-ir={dump}", "--gpu-libraries=on"], ["--gpu-libraries=off"]):
        got = jit_run(archive, *arguments, flags=flags, target=GPU)
        with torch.no_grad():
            got.assert_close(reference(*arguments), rtol=tolerance, atol=tolerance)
    return next(dump.glob("forward-0/*codegen.mlir")).read_text()


def arguments(m, n, k):
    return torch.randn(m, k), torch.randn(k, n), torch.randn(3, m, k), torch.randn(n)


def test_products(saved, jit_run, tmp_path):
    lowered = run(saved, jit_run, Products(), tmp_path, *arguments(40, 24, 33))
    # The product that goes on is a kernel of our own.
    assert len(set(re.findall(r"@forward_product_\d+", lowered))) == 1


@pytest.mark.parametrize("dtype,tolerance", [(torch.float16, 8e-3), (torch.bfloat16, 6e-2)])
def test_products_of_halves(dtype, tolerance, saved, jit_run, tmp_path):
    run(saved, jit_run, Halves(dtype), tmp_path, *(t / 2 for t in arguments(40, 24, 64)), tolerance=tolerance)


def test_what_is_asked_for_and_missing(saved, jit_run):
    try:
        import ctypes

        ctypes.CDLL("libcublasLt.so.13")
        pytest.skip("this process finds cublasLt")
    except OSError:
        pass
    archive, _ = saved(Products())
    outcome = jit_run(archive, *arguments(40, 24, 33), flags=["--gpu-libraries=on"], target="cuda")
    if GPU == "cuda" and outcome.code == 0:
        pytest.skip("the tool finds an older cublasLt")
    outcome.assert_fails_with("expected cublasLt (libcublasLt.so.13, .12 or .11) for --gpu-libraries, got none")
