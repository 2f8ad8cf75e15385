"""Images in other sizes: scales that keep or double a size, filters of many elements, and sizes that the call or data tell."""

import subprocess

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

CLOSE = dict(rtol=1e-5, atol=1e-5)
MODES = {"linear": 1, "nearest": 2, "nearest-exact": 2, "bilinear": 2, "bicubic": 2, "trilinear": 3}


class ByScale(nn.Module):
    def __init__(self, mode, scale, antialias=False):
        super().__init__()
        self.mode, self.scale, self.antialias = mode, scale, antialias

    def forward(self, x: Tensor):
        return F.interpolate(x, scale_factor=self.scale, mode=self.mode, antialias=self.antialias)


class ToSizeOf(nn.Module):
    """To the size of another image."""

    def __init__(self, mode, corners=None):
        super().__init__()
        self.mode, self.corners = mode, corners

    def forward(self, x: Tensor, y: Tensor):
        return F.interpolate(x, size=y.shape[2:], mode=self.mode, align_corners=self.corners)


class ToSizeOfData(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        height, width = int(y[0]), int(y[1])
        return F.interpolate(x, size=(height, width), mode="bilinear", align_corners=False)


def traced(module, x):
    return torch.jit.trace(module.eval(), x)


def image(rank, size):
    torch.manual_seed(rank * size)
    return torch.randn(1, 4, *[size] * rank)


@pytest.mark.parametrize("scale", [1.05, 0.95, 2.05])
@pytest.mark.parametrize("mode", MODES)
def test_scales_that_keep_or_double_a_size(mode, scale, saved, jit_run):
    x = image(MODES[mode], 10)
    archive, reference = saved(traced(ByScale(mode, scale), x))
    jit_run(archive, x).assert_close(reference(x), **CLOSE)


@pytest.mark.parametrize("scale", [1.05, 0.4, 1.7])
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_antialiased(mode, scale, saved, jit_run):
    x = image(2, 11)
    archive, reference = saved(traced(ByScale(mode, scale, antialias=True), x))
    jit_run(archive, x).assert_close(reference(x), **CLOSE)


def test_a_scale_whose_meaning_is_that_of_the_memory_format(saved, jit_run):
    """PyTorch takes other elements of an image in channels_last."""
    x = image(2, 64)
    archive, _ = saved(traced(ByScale("nearest", 2.01), x))
    outcome = subprocess.run([jit_run.tool, archive, "--input=f32[1,4,64,64]"], capture_output=True, text=True)
    assert outcome.returncode == 1 and "where the memory format tells which elements are nearest" in outcome.stderr


def test_infinities(saved, jit_run):
    """An element that is infinite makes its neighbours infinite, and no NaN of them."""
    x = image(2, 5)
    x[0, 0, 2, 2] = float("inf")
    archive, reference = saved(ToSizeOf("bilinear", False))
    y = torch.empty(1, 1, 10, 10)
    jit_run(archive, x, y).assert_close(reference(x, y), **CLOSE)


OPEN = [(mode, corners) for mode in MODES for corners in ([None] if "nearest" in mode else [False, True])]


@pytest.mark.parametrize("mode, corners", OPEN)
def test_open_sizes(mode, corners, saved, jit_run):
    archive, reference = saved(ToSizeOf(mode, corners))
    for old, new in ((5, 8), (6, 6), (7, 3), (3, 1)):
        x, y = image(MODES[mode], old), image(MODES[mode], new)
        outcome = jit_run(archive, x, y, flags=["--any-sizes", "--explain"])
        assert "is compiled for each of its sizes" not in outcome.stderr
        outcome.assert_close(reference(x, y), **CLOSE)


@pytest.mark.parametrize("mode, scale", [("bilinear", 1.05), ("bicubic", 1.7), ("nearest", 1.5), ("nearest-exact", 0.6)])
def test_open_sizes_by_scale(mode, scale, saved, jit_run):
    archive, reference = saved(traced(ByScale(mode, scale), image(2, 9)))
    for size in (9, 30):
        x = image(2, size)
        outcome = jit_run(archive, x, flags=["--any-sizes", "--explain"])
        assert "is compiled for each of its sizes" not in outcome.stderr
        outcome.assert_close(reference(x), **CLOSE)


def test_an_open_size_that_a_scale_keeps(saved, jit_run):
    archive, _ = saved(traced(ByScale("nearest", 1.05), image(2, 9)))
    jit_run(archive, image(2, 9), flags=["--any-sizes"]).assert_fails_with("memory format tells which elements are nearest")


def test_a_size_that_data_tell(saved, jit_run):
    archive, reference = saved(ToSizeOfData())
    for size in ((3, 8), (5, 5)):
        given = image(2, 5), torch.tensor(size)
        jit_run(archive, *given).assert_close(reference(*given), **CLOSE)
    jit_run(archive, image(2, 5), torch.tensor([0, 4])).assert_fails_with("expected sizes of 1 or more, got 0")


def test_packages(saved, compiled):
    archive, reference = saved(ToSizeOf("bicubic", False))
    module = compiled(archive, ["forward(f32[1,c,h,w], f32[1,d,k,l])"]).open()
    for old, new in ((5, 8), (7, 3)):
        x, y = image(2, old), image(2, new)
        np.testing.assert_allclose(module.call("forward", x, y)[0], reference(x, y), **CLOSE)


def test_gradients(saved, jit_run):
    archive, reference = saved(ToSizeOf("bilinear", False))
    x, y = image(2, 5).requires_grad_(True), image(2, 8)
    outcome = jit_run(archive, x, y, flags=["--any-sizes", "--grad"])
    gradient, = torch.autograd.grad(reference(x, y).sum(), [x])
    np.testing.assert_allclose(outcome.gradient(0), gradient, **CLOSE)
