"""Packages for any number of images, f32[n,3,16,16]: convolutions, pooling, paddings, norms and shuffles, forwards and backwards,
compared with eager PyTorch; what is refused and why."""

import re

import numpy as np
import pytest
import torch
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


class Halves(nn.Module):
    """A part of each image is computed on and joined; whether a copy is one follows from strides."""

    def forward(self, x: torch.Tensor):
        one, other = torch.cat([x, x], 1).chunk(2, dim=1)
        y = torch.cat([one, other * 2.0], 1)
        b, c, h, w = y.size()
        y = y.view(b, 2, c // 2, h, w).transpose(1, 2).contiguous().view(b, c, h, w)
        y.relu_()
        part = y[:, 1:3].clone()
        part.contiguous().add_(1.0)
        return y, part


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


def agree_on_images(package, module, side):
    for count in IMAGES:
        x = torch.randn(count, 3, side, side)
        with torch.no_grad():
            expected = module(x)
        expected = expected if isinstance(expected, tuple) else (expected,)
        for one, other in zip(package.call("forward", x), expected, strict=True):
            agree(one, other)


@pytest.mark.parametrize("make", [Roll, Border, Shuffle, Indices, Halves, Volumes])
def test_any_number_of_images(saved, compiled, make):
    archive, module = saved(make())
    package = compiled(archive, ["forward(f32[n,3,16,16])"]).open()
    agree_on_images(package, module, 16)


class Weighed(nn.Module):
    """Each element of the result has a weight of its own: a plain sum does not tell where a gradient belongs."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor):
        y = self.net(x)
        return (y * torch.arange(y.numel()).sin().view(y.size())).sum()


def check_gradients(saved, compiled, net, sides, images):
    torch.manual_seed(1)
    module = Weighed(net)
    module(images[0])
    archive, module = saved(module)
    package = compiled(archive, [f"forward.grad(f32[n,3,{sides}]:grad)"]).open()
    for x in images:
        x = x.requires_grad_()
        module.zero_grad()
        result = module(x)
        result.backward()
        by_name = {"0": x.grad, **{path: weight.grad for path, weight in module.named_parameters()}}
        got = package.call("forward.grad", x.detach())
        agree(got[0], result.detach(), 1e-3, 1e-4)
        names = re.findall(r'"([^"]+)": %(\d+)', package.structure("forward.grad", x.detach()))
        assert {path for path, _ in names} == set(by_name)
        for path, index in names:
            agree(got[int(index)], by_name[path], 1e-3, 5e-4)


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients(saved, compiled, name):
    check_gradients(saved, compiled, NETWORKS[name](), "16,16", [torch.randn(count, 3, 16, 16) for count in IMAGES])


SIDED = {
    "strided": lambda: nn.Sequential(nn.Conv2d(3, 6, 3, 2, 1), nn.Tanh(), nn.Conv2d(6, 4, [3, 1], padding=[0, 2], dilation=[2, 1], groups=2)),
    "depthwise": lambda: nn.Sequential(nn.Conv2d(3, 6, 3, 2, groups=3), nn.Tanh(), nn.Conv2d(6, 6, 5, padding=2, groups=6)),
    "lower_side": lambda: nn.Sequential(nn.Conv2d(3, 4, 4, 3), nn.Tanh(), nn.Conv2d(4, 2, 1)),
    "up": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2), nn.Tanh(), nn.ConvTranspose2d(6, 2, 2, 2)),
    "line": lambda: nn.Sequential(nn.Flatten(2), nn.Conv1d(3, 4, 5, stride=3, padding=2)),
    "max": lambda: nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.MaxPool2d(3, 2, 1)),
    "max_ceil": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.MaxPool2d(3, 2, ceil_mode=True), nn.MaxPool2d(2, ceil_mode=True)),
    "mean": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.AvgPool2d([3, 2], 2, 1, count_include_pad=False)),
    "mean_ceil": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.AvgPool2d(3, 2, 1, ceil_mode=True), nn.AvgPool2d(2, ceil_mode=True, divisor_override=3)),
    "adaptive": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d([3, 5])),
    "one": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2)),
    "adaptive_max": lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveMaxPool2d(3)),
}


@pytest.mark.parametrize("name", SIDED)
def test_gradients_of_any_sides(saved, compiled, name):
    images = [torch.randn(2, 3, height, width) for height, width in ((9, 12), (10, 13), (11, 14), (16, 9), (14, 33))]
    check_gradients(saved, compiled, SIDED[name](), "h,w", images)


class Ceiled(nn.Module):
    def forward(self, x: torch.Tensor):
        values, places = functional.max_pool2d(x, 2, 3, 1, ceil_mode=True, return_indices=True)
        return (values, places, functional.max_pool2d(x, [2, 3], [3, 2], dilation=2, ceil_mode=True), functional.avg_pool2d(x, 2, 3, 1, ceil_mode=True),
                functional.avg_pool2d(x, 3, 2, ceil_mode=True, count_include_pad=False), functional.max_pool1d(x.flatten(2), 5, 3, ceil_mode=True),
                functional.avg_pool1d(x[0].flatten(1), 3, 2, 1, ceil_mode=True))


@pytest.mark.parametrize("call", ["f32[n,3,h,w]", "f32[2,3,7,w]"])
def test_ceil_mode(saved, compiled, call):
    archive, module = saved(Ceiled())
    package = compiled(archive, [f"forward({call})"]).open()
    for height in (3, 4, 5, 6, 7, 8) if "h" in call else (7,):
        for width in (5, 6, 7, 8, 9, 10):
            x = torch.randn(2, 3, height, width)
            for one, other in zip(package.call("forward", x), module(x), strict=True):
                agree(one, other)


def test_norms_of_any_number_of_images(saved, compiled):
    torch.manual_seed(1)
    archive, module = saved(Grouped().eval())
    package = compiled(archive, ["forward(f32[n,3,8,8])"]).open()
    agree_on_images(package, module, 8)


def test_training_mode(saved, compiled):
    """Running statistics after a call are those of a sample of as many elements as the call had."""
    torch.manual_seed(1)
    archive, module = saved(torch.jit.script(Grouped().train()))
    package = compiled(archive, ["forward(f32[n,3,8,8])"]).open()
    agree_on_images(package, module, 8)
    agree(package.state("batch.running_var"), module.batch.running_var)
    agree(package.state("batch.running_mean"), module.batch.running_mean)


class Sides(nn.Module):
    """What fully convolutional networks are made of."""

    def __init__(self):
        super().__init__()
        self.stem, self.wide = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 6, [3, 1], padding=[0, 2], dilation=[2, 1], groups=2)
        self.depthwise, self.up = nn.Conv2d(8, 16, 3, padding=1, groups=8), nn.ConvTranspose2d(16, 5, 3, 2, 1, 1)
        self.line = nn.Conv1d(3, 4, 5, stride=3, bias=False)

    def forward(self, x: torch.Tensor):
        y = self.stem(x)
        z = self.depthwise(y)
        return self.wide(y), z, self.up(z), self.line(x.flatten(2)), self.stem(x[0])


class Windows(nn.Module):
    def forward(self, x: torch.Tensor):
        values, places = functional.max_pool2d(x, 3, 2, 1, return_indices=True)
        mean = functional.avg_pool2d(x, [3, 2], 2, 1), functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False)
        least, where = functional.adaptive_max_pool2d(x, [2, 1], return_indices=True)
        return values, places, mean[0], mean[1], functional.adaptive_avg_pool2d(x, 1), functional.adaptive_avg_pool2d(x, [3, 2]), least, where


class Joined(nn.Module):
    """A U-Net's last steps: what is small takes the sides of what is large."""

    def __init__(self):
        super().__init__()
        self.large, self.small, self.out = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 6, 3, 2, 1), nn.Conv2d(10, 2, 1)
        self.norm, self.twice = nn.BatchNorm2d(6), nn.Upsample(scale_factor=2.0, mode="bilinear")

    def forward(self, x: torch.Tensor):
        large = torch.relu(self.large(x))
        small = torch.relu(self.norm(self.small(large)))
        same = functional.interpolate(small, size=[large.size(2), large.size(3)], mode="bilinear", align_corners=False)
        return self.out(torch.cat([large, same], 1)), self.twice(small), functional.interpolate(small, scale_factor=2.0)


SIDES = ((8, 8), (9, 14), (33, 7), (2, 600))


@pytest.mark.parametrize("make, call", [(Sides, "f32[n,3,h,w]"), (Sides, "f32[2,3,h,w]"), (Joined, "f32[n,3,h,w]"), (Windows, "f32[n,3,h,w]"), (Windows, "f32[2,3,8,w]")])
def test_any_height_and_width(saved, compiled, make, call):
    torch.manual_seed(1)
    archive, module = saved(make())
    package = compiled(archive, [f"forward({call})"]).open(threads=2)
    for height, width in SIDES:
        x = torch.randn(2, 3, 8 if "3,8" in call else height, width)
        with torch.no_grad():
            if make is Sides and height < 9:
                with pytest.raises(RuntimeError):
                    module(x)
                with pytest.raises(Exception, match="expected an input no smaller than the window of 5, got size [14]"):
                    package.call("forward", x)
                continue
            for one, other in zip(package.call("forward", x), module(x), strict=True):
                agree(one, other)


@pytest.mark.parametrize("dtype, tolerance", [("f16", 4e-3), ("f64", 1e-10)])
def test_other_element_types(saved, compiled, dtype, tolerance):
    torch.manual_seed(1)
    type_ = {"f16": torch.float16, "f64": torch.float64}[dtype]
    archive, module = saved(Sides().to(type_))
    package = compiled(archive, [f"forward({dtype}[n,3,h,w])"]).open()
    x = torch.randn(2, 3, 12, 9).to(type_)
    with torch.no_grad():
        for one, other in zip(package.call("forward", x), module(x), strict=True):
            np.testing.assert_allclose(torch.tensor(one).double(), other.double(), rtol=tolerance, atol=tolerance)


class Emptied(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        part = x[:, :, n:]
        return functional.adaptive_avg_pool2d(part, [3, 2]), functional.max_pool2d(part, 2, padding=1)


def test_nothing_along_a_pooled_dimension(saved, compiled):
    archive, module = saved(Emptied())
    library = compiled(archive, ["forward(f32[2,3,h,8], ?int)"])
    package, x = library.open(), torch.randn(2, 3, 6, 8)
    for one, other in zip(package.call("forward", x, 2), module(x, 2), strict=True):
        agree(one, other)
    with pytest.raises(RuntimeError):
        module(x, 6)
    with pytest.raises(library.Error, match="expected a size of 1 or more along a dimension that is pooled, got 0"):
        package.call("forward", x, 6)
