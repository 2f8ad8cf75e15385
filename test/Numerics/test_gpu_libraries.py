"""Plain products and convolutions left to libraries, run as in test_gpu.py: in the emulation the plan's products and
convolutions are computed on this CPU."""

import re
import subprocess
import sys

import numpy as np
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


def convolution(dimensions, *sizes, **options):
    return getattr(nn, f"Conv{dimensions}d")(*sizes, **options)


CONVOLUTIONS = {
    "plain": (convolution(2, 5, 24, 3), (2, 5, 12, 11)),
    "padded": (convolution(2, 5, 24, 3, padding=(1, 2)), (2, 5, 7, 6)),
    "steps": (convolution(2, 5, 24, (5, 3), stride=(2, 3), padding=2, bias=False), (2, 5, 11, 14)),
    "steps that leave a rest": (convolution(2, 3, 16, 3, stride=2, padding=1), (1, 3, 10, 12)),
    "taps apart": (convolution(2, 4, 16, 3, dilation=(2, 3), padding=3), (2, 4, 9, 12)),
    "groups": (convolution(2, 6, 48, 3, groups=3, padding=1), (2, 6, 8, 7)),
    "one tap": (convolution(2, 20, 24, 1), (3, 20, 5, 8)),
    "one tap in steps": (convolution(2, 20, 24, 1, stride=2), (3, 20, 5, 8)),
    "one image": (convolution(2, 4, 16, 3, padding=1), (4, 9, 8)),
    "one dimension": (convolution(1, 6, 16, 5, stride=2, padding=2), (2, 6, 41)),
    "three dimensions": (convolution(3, 2, 16, (2, 3, 3), padding=1), (2, 2, 4, 6, 5)),
    "transposed": (nn.ConvTranspose2d(8, 16, 4, stride=2, padding=1), (2, 8, 5, 6)),
    "followed": (nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 20, 3, padding=1), nn.MaxPool2d(2)), (2, 3, 8, 8)),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name, saved, jit_run, tmp_path):
    module, sizes = CONVOLUTIONS[name]
    lowered = run(saved, jit_run, module.eval(), tmp_path, torch.randn(sizes))
    assert "@forward_product" not in lowered


class HalfConvolutions(nn.Module):
    """A convolution alone, and one that goes on."""

    def __init__(self, dtype: torch.dtype):
        super().__init__()
        self.dtype: torch.dtype = dtype
        self.weight = nn.Parameter(torch.randn(24, 4, 3, 3) / 6)
        self.bias = nn.Parameter(torch.randn(24))

    def forward(self, x):
        x, weight, bias = x.to(self.dtype), self.weight.to(self.dtype), self.bias.to(self.dtype)
        plain = torch.conv2d(x, weight, None, [1, 1], [1, 1])
        return plain.float(), torch.relu(torch.conv2d(x, weight, bias, [2, 2], [1, 1])).float()


@pytest.mark.parametrize("dtype,tolerance", [(torch.float16, 8e-3), (torch.bfloat16, 6e-2)])
def test_convolutions_of_halves(dtype, tolerance, saved, jit_run, tmp_path):
    lowered = run(saved, jit_run, HalfConvolutions(dtype), tmp_path, torch.randn(2, 4, 8, 9), tolerance=tolerance)
    assert "@forward_product" not in lowered


def test_gradients_of_convolutions(saved, jit_run):
    """Those of images are convolutions too; those of filters stay ours."""
    archive, _ = saved(nn.Conv2d(16, 24, 3, padding=1))
    x = torch.randn(2, 16, 20, 20, requires_grad=True)
    host = jit_run(archive, x, flags=["--grad"], target="cpu")
    device = jit_run(archive, x, flags=["--grad", "--gpu-libraries=on"], target=GPU)
    host.assert_ok(), device.assert_ok()
    np.testing.assert_allclose(device.gradient(0), host.gradient(0), rtol=1e-3, atol=1e-5)


def finds(library):
    """Asked of a process of its own, as the tool is: this one may have loaded a stand-in of that name for another test."""
    return subprocess.run([sys.executable, "-c", f"import ctypes; ctypes.CDLL({library!r})"], capture_output=True).returncode == 0


def test_kernels_where_libraries_are_missing(saved, jit_run, tmp_path):
    """With auto, as this machine has them."""
    archive, reference = saved(nn.Conv2d(3, 16, 3))
    x, dump = torch.randn(2, 3, 8, 8), tmp_path / "ir"
    with torch.no_grad():
        jit_run(archive, x, flags=[f"--dump-ir={dump}", "--gpu-libraries=auto"], target=GPU).assert_close(reference(x), rtol=1e-4, atol=1e-4)
    lowered = next(dump.glob("forward-0/*codegen.mlir")).read_text()
    assert ("@forward_product" in lowered) != any(map(finds, ["libcudnn.so.9", "libcudnn.so.8"]))


MISSING = {
    "libcublasLt.so.13": (Products(), arguments(40, 24, 33), "expected cublasLt (libcublasLt.so.13, .12 or .11) for --gpu-libraries, got none"),
    "libcudnn.so.9": (nn.Conv2d(3, 16, 3), [torch.randn(1, 3, 9, 9)], "expected cuDNN (libcudnn.so.9 or .8) for --gpu-libraries, got none"),
}


@pytest.mark.parametrize("library", MISSING)
def test_what_is_asked_for_and_missing(library, saved, jit_run):
    if finds(library):
        pytest.skip(f"this process finds {library}")
    module, given, message = MISSING[library]
    archive, _ = saved(module)
    outcome = jit_run(archive, *given, flags=["--gpu-libraries=on"], target="cuda")
    if GPU == "cuda" and outcome.code == 0:
        pytest.skip("the tool finds an older one")
    outcome.assert_fails_with(message)
