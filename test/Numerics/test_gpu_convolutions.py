"""Convolutions in exact f32 on a GPU, run as in test_gpu.py: threads find their places of the image once, and a table says where the
summands are."""

import numpy as np
import pytest
import torch
from torch import nn

from test_gpu import GPU, on_gpu  # noqa: F401


def check(on_gpu, conv, *size):  # noqa: F811
    on_gpu(nn.Sequential(conv, nn.ReLU()), torch.randn(size, dtype=conv.weight.dtype), kernels=["product"], rtol=1e-4, atol=1e-5)


# Channels, filters, taps, stride, padding, dilation, groups, size.
CASES = [(16, 24, 3, 1, 1, 1, 1, (12, 14)), (24, 40, 3, 2, 1, 1, 1, (17, 15)), (16, 16, 3, 1, 2, 2, 1, (9, 11)),
         (32, 48, (2, 3), 1, (0, 2), 1, 2, (8, 10)), (7, 130, 5, 3, 0, (1, 2), 1, (19, 23)), (3, 64, 7, 2, 3, 1, 1, (32, 31)),
         (64, 64, 1, 1, 0, 1, 1, (7, 7)), (64, 32, 1, 1, 0, 1, 1, (14, 14)), (48, 80, 1, 2, 0, 1, 1, (15, 15)),
         (65, 33, 1, 1, 0, 1, 1, (5, 13)), (64, 64, 3, 1, (1, 0), 1, 4, (9, 12)), (3, 20, 11, 4, 2, 1, 1, (35, 35))]


@pytest.mark.parametrize("channels,filters,taps,stride,padding,dilation,groups,size", CASES)
def test_convolutions(on_gpu, channels, filters, taps, stride, padding, dilation, groups, size):  # noqa: F811
    check(on_gpu, nn.Conv2d(channels, filters, taps, stride, padding, dilation, groups), 2, channels, *size)


def test_more_summands_than_a_table_has(on_gpu):  # noqa: F811
    """The table's halves are written in turns: few pieces of 81 slices, of which the first is short."""
    check(on_gpu, nn.Conv2d(143, 64, 3, padding=1), 20, 143, 13, 13)


def test_one_and_three_dimensions(on_gpu):  # noqa: F811
    check(on_gpu, nn.Conv1d(20, 32, 5, stride=2, padding=2, dilation=2), 3, 20, 77)
    check(on_gpu, nn.Conv3d(5, 32, 3, padding=(0, 1, 1)), 2, 5, 6, 7, 8)


def test_doubles(on_gpu):  # noqa: F811
    check(on_gpu, nn.Conv2d(12, 32, 3, stride=2, padding=1).double(), 2, 12, 13, 11)


class Gradients(nn.Module):
    def __init__(self, stride: int, padding: int, groups: int):
        super().__init__()
        self.stride, self.padding, self.groups = stride, padding, groups

    def forward(self, x, w):
        return (torch.conv2d(x, w, None, [self.stride, self.stride], [self.padding, self.padding], [1, 1], self.groups) ** 2).mean()


@pytest.mark.parametrize("stride,padding,groups,taps", [(1, 1, 1, 3), (2, 1, 1, 3), (1, 0, 2, 1), (2, 0, 1, 1), (2, 2, 1, 5)])
def test_gradients(saved, jit_run, stride, padding, groups, taps):
    """Of the image and of the filters, whose sums go along filters that are turned around and along places."""
    archive, reference = saved(Gradients(stride, padding, groups))
    x, w = torch.randn(3, 32, 13, 14).requires_grad_(), (torch.randn(48, 32 // groups, taps, taps) / 8).requires_grad_()
    got = jit_run(archive, x, w, flags=["--grad"], target=GPU)
    got.assert_ok()
    reference(x, w).backward()
    for number, leaf in enumerate((x, w)):
        np.testing.assert_allclose(got.gradient(number), leaf.grad, rtol=1e-3, atol=1e-5 * leaf.grad.abs().max().item())
