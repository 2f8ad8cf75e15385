"""Images of bytes in other sizes: PyTorch rounds them to bytes after each dimension, by weights of 16 bits; so do we, bit by bit."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

SIZES = ([5, 5], [34, 18], [17, 40], [13, 23], [1, 2])


class Resized(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.options = options

    def forward(self, x):
        return F.interpolate(x, **self.options)


def check(jit_mlir, channels, **options):
    image = torch.randint(0, 256, (2, channels, 17, 23), dtype=torch.uint8)
    model = Resized(**options)
    result = jit_mlir.compile(torch.jit.trace(model, image))(image)
    torch.testing.assert_close(result, model(image), rtol=0, atol=0)


@pytest.mark.parametrize("antialias", (False, True))
@pytest.mark.parametrize("align_corners", (False, True))
@pytest.mark.parametrize("mode", ("bilinear", "bicubic"))
def test_sizes(mode, align_corners, antialias, jit_mlir):
    for size in SIZES:
        check(jit_mlir, 3, size=size, mode=mode, align_corners=align_corners, antialias=antialias)


@pytest.mark.parametrize("scale", (1.7, 0.6, 2.0))
@pytest.mark.parametrize("mode", ("bilinear", "bicubic"))
def test_scales(mode, scale, jit_mlir):
    check(jit_mlir, 5, scale_factor=scale, mode=mode, align_corners=False)


@pytest.mark.parametrize("mode", ("nearest", "nearest-exact"))
def test_nearest(mode, jit_mlir):
    check(jit_mlir, 3, size=[5, 40], mode=mode)


def test_what_pytorch_has_not_for_other_whole_numbers(jit_mlir):
    image = torch.ones(1, 3, 4, 4)
    program = jit_mlir.compile(torch.jit.trace(Resized(size=[5, 5], mode="bilinear"), image))
    with pytest.raises(jit_mlir.Error, match="expected elements that are uint8, f16, bf16, f32 and f64 in aten::upsample_bilinear2d, got i32"):
        program(image.to(torch.int32))
