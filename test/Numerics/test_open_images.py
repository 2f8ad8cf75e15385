"""Packages for any number of images, f32[n,3,16,16]: convolutions, pooling, paddings, norms and shuffles, forwards and backwards,
compared with eager PyTorch; what is refused and why."""

import re

import numpy as np
import pytest
import torch
from artifacts import refusal
from torch import nn
from torch.nn import functional

IMAGES = (2, 3, 5)


class Roll(nn.Module):
    def forward(self, x: torch.Tensor):
        return x.roll([-2, 3], [2, 3])


class Border(nn.Module):
    def forward(self, x: torch.Tensor):
        mirrored = functional.pad(x, [1, 2, 3, 0], mode="reflect")
        edges = functional.pad(x, [2, 1, -1, 4], mode="replicate")
        return mirrored, edges, functional.pad(x, [3, 2, 1, 0], mode="circular"), functional.pad(x, [-2, 1, 0, -3], value=2.0)


class Shuffle(nn.Module):
    def forward(self, x: torch.Tensor):
        wide = functional.pixel_shuffle(torch.cat([x, x, x, x], 1), 2)
        return wide, functional.pixel_unshuffle(wide, 4), functional.channel_shuffle(wide.repeat(1, 2, 1, 1), 3)


class Indices(nn.Module):
    def forward(self, x: torch.Tensor):
        values, places = functional.max_pool2d(x, 3, 2, 1, return_indices=True)
        least, where = functional.adaptive_max_pool2d(x, [5, 3], return_indices=True)
        return values, places, least, where, functional.max_pool1d(x.flatten(2), 5, 3, ceil_mode=True)


class Volumes(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x.unflatten(2, [4, 4])
        return functional.max_pool3d(x, 2), functional.avg_pool3d(x, [2, 2, 3], 1, [1, 0, 1]), functional.adaptive_avg_pool3d(x, [3, 4, 5])


class Grouped(nn.Module):
    """A training step's norms have statistics of their own; running ones change."""

    def __init__(self):
        super().__init__()
        self.group, self.instance, self.batch = nn.GroupNorm(2, 6), nn.InstanceNorm2d(6, affine=True), nn.BatchNorm2d(6)
        self.conv = nn.Conv2d(3, 6, 3, groups=3, padding=1)

    def forward(self, x: torch.Tensor):
        x = self.conv(x)
        return self.group(x), self.instance(x), self.batch(x)


def pooled(layer):
    return nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), layer, nn.Flatten(), nn.LazyLinear(3))


NETWORKS = {
    "max": lambda: pooled(nn.MaxPool2d(3, 2, 1)),
    "max_ceil": lambda: pooled(nn.MaxPool2d(3, 2, ceil_mode=True)),
    "mean": lambda: pooled(nn.AvgPool2d(3, 2, 1)),
    "mean_ceil": lambda: pooled(nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False)),
    "adaptive": lambda: pooled(nn.AdaptiveAvgPool2d([3, 5])),
    "adaptive_even": lambda: pooled(nn.AdaptiveAvgPool2d([4, 1])),
    "adaptive_max": lambda: pooled(nn.AdaptiveMaxPool2d(3)),
    "grouped": lambda: nn.Sequential(nn.Conv2d(3, 6, 3, 2, 1, groups=3), nn.ReLU(), nn.Conv2d(6, 4, 3, dilation=2, bias=False)),
    "transposed": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2), nn.Tanh()),
    "norms": lambda: nn.Sequential(nn.Conv2d(3, 6, 3), nn.GroupNorm(2, 6), nn.GELU(), nn.InstanceNorm2d(6, affine=True)),
    "shuffled": lambda: nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.PixelShuffle(2), nn.ChannelShuffle(2), nn.PixelUnshuffle(4)),
    "padded": lambda: nn.Sequential(nn.ReflectionPad2d(2), nn.Conv2d(3, 4, 3), nn.ReplicationPad2d([1, 0, 2, 1]), nn.Tanh()),
}


def agree(got, expected, rtol=1e-4, atol=1e-5):
    assert got.shape == tuple(expected.shape) and got.dtype == expected.numpy().dtype
    np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol)


@pytest.mark.parametrize("make", [Roll, Border, Shuffle, Indices, Volumes])
def test_any_number_of_images(saved, compiled, make):
    archive, module = saved(make())
    package = compiled(archive, ["forward(f32[n,3,16,16])"]).open()
    for count in IMAGES:
        x = torch.randn(count, 3, 16, 16)
        expected = module(x)
        expected = expected if isinstance(expected, tuple) else (expected,)
        for one, other in zip(package.call("forward", x), expected, strict=True):
            agree(one, other)


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients(saved, compiled, name):
    """Each element of the result has a weight of its own: a plain sum does not tell where a gradient belongs."""
    class Weighed(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = NETWORKS[name]()

        def forward(self, x: torch.Tensor):
            y = self.net(x)
            return (y * torch.arange(y.numel()).sin().view(y.size())).sum()

    torch.manual_seed(1)
    module = Weighed()
    module(torch.randn(2, 3, 16, 16))
    archive, module = saved(module)
    package = compiled(archive, ["forward.grad(f32[n,3,16,16]:grad)"]).open()
    for count in IMAGES:
        x = torch.randn(count, 3, 16, 16, requires_grad=True)
        module.zero_grad()
        result = module(x)
        result.backward()
        by_name = {"0": x.grad, **{path: weight.grad for path, weight in module.named_parameters()}}
        got = package.call("forward.grad", x.detach())
        agree(got[0], result.detach(), 1e-3, 1e-4)
        names = re.findall(r'"([^"]+)": %(\d+)', package.structure("forward.grad", x.detach()))
        assert {path for path, _ in names} == set(by_name)
        for path, index in names:
            agree(got[int(index)], by_name[path], 1e-3, 2e-4)


def test_norms_of_any_number_of_images(saved, compiled):
    torch.manual_seed(1)
    archive, module = saved(Grouped().eval())
    package = compiled(archive, ["forward(f32[n,3,8,8])"]).open()
    for count in IMAGES:
        x = torch.randn(count, 3, 8, 8)
        with torch.no_grad():
            for one, other in zip(package.call("forward", x), module(x), strict=True):
                agree(one, other)


def test_training_mode(saved, compiled):
    """Running statistics after a call are those of a sample of as many elements as the call had."""
    torch.manual_seed(1)
    archive, module = saved(torch.jit.script(Grouped().train()))
    package = compiled(archive, ["forward(f32[n,3,8,8])"]).open()
    for count in IMAGES:
        x = torch.randn(count, 3, 8, 8)
        with torch.no_grad():
            for one, other in zip(package.call("forward", x), module(x), strict=True):
                agree(one, other)
    agree(package.state("batch.running_var"), module.batch.running_var)
    agree(package.state("batch.running_mean"), module.batch.running_mean)


def test_open_height_is_refused(saved, tmp_path):
    said = refusal(saved(nn.MaxPool2d(2), "pool")[0], tmp_path / "libpool.so", "--call=forward(f32[2,3,h,8])")
    assert "expected static sizes in the last 2 dimensions in aten.max_pool2d_with_indices, got '!jit.tensor<[2,3,?,8],f32>'" in said, said
