"""What packages do beside plain layers: sizes by small tensors, branches on sizes, loops of exported programs; compared with PyTorch."""

from typing import List

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F


class Products(nn.Module):
    """As layers of einops are traced: products of sizes, each written in place."""

    def forward(self, x):
        sizes = list(x.shape)
        known = sizes[1] // 4
        known *= sizes[2] // 2
        total = sizes[0] * 1
        total *= known
        known *= 2
        return x.reshape(total, -1), x.reshape(-1, known)


def test_sizes_that_a_trace_multiplies_in_place(saved, jit_run):
    x = torch.randn(2, 8, 6)
    archive, reference = saved(torch.jit.trace(Products(), x))
    got = jit_run(archive, x)
    got.assert_close(reference(x))


class Axes(nn.Module):
    def forward(self, x):
        axes: List[int] = torch.arange(2, x.dim()).tolist()
        steps: List[int] = torch.arange(5, 0, -2).tolist()
        n = torch.floor(torch.as_tensor(3 * x.shape[-1] / 4)).long()
        return x.sum(axes), x[..., :int(n)] * steps[1], x[..., :int(torch.as_tensor([1, 2])[1])]


def test_sizes_and_dimensions_of_small_tensors(agrees):
    agrees(Axes(), torch.randn(2, 3, 5, 9))


class Doubles(nn.Module):
    def forward(self, x):
        size = torch.tensor([x.shape[-2], x.shape[-1]])
        return F.interpolate(x, size=(int(size[0] * 2), int(size[1] * 2)), mode="bilinear", align_corners=False)


class Resized(nn.Module):
    """The sizes of the image are tensors that the archive holds: only a call knows them."""

    def __init__(self):
        super().__init__()
        self.register_buffer("size", torch.tensor([5, 7]))

    def forward(self, x):
        y = F.interpolate(x, size=(int(self.size[0]), int(self.size[1])), mode="bilinear", align_corners=False)
        return y * torch.arange(int(self.size[1]))


def test_sizes_that_weights_hold(agrees, saved, compiled):
    x = torch.randn(1, 2, 3, 4)
    agrees(Doubles(), x)
    agrees(Resized(), x)
    archive, reference = saved(Resized())
    got = compiled(archive, ["forward(f32[1,2,3,4])"]).open().call("forward", x)
    np.testing.assert_allclose(got[0], reference(x), rtol=1e-5, atol=1e-6)


class Settles(nn.Module):
    """As kornia's Canny is exported: the body of the loop hands both variables on, and the loop gives one."""

    def forward(self, x):
        def changed(old, new):
            return ((old - new).abs() != 0).any()

        def step(old, new):
            strong = F.max_pool2d((new == 1).to(new.dtype), 3, 1, 1)
            return new.clone(), torch.where(new > 0.5, torch.maximum(new, strong), new)

        return torch.while_loop(changed, step, (-torch.ones(x.shape), x))[1]


def test_a_loop_that_gives_one_of_its_variables(jit_run, tmp_path):
    x = torch.rand(1, 1, 9, 9)
    x[0, 0, 4, 4] = 1
    path = tmp_path / "loop.pt2"
    torch.export.save(torch.export.export(Settles(), (x,)), path)
    got = jit_run(path, x)
    got.assert_close(Settles()(x))


@pytest.mark.parametrize("end", [3, 300, -1])
def test_a_part_whose_end_is_known_late(end, agrees):
    class Part(nn.Module):
        def __init__(self):
            super().__init__()
            self.end = float(end)

        def forward(self, x):
            n = torch.round(torch.full([], self.end).sqrt() ** 2 if self.end > 0 else torch.full([], self.end)).long()
            return x[:, :int(n)]

    agrees(Part(), torch.randn(2, 9))


class Curves(nn.Module):
    """As torchmetrics' curves: two turned rows of one table, where each is computed and read before the other is."""

    def forward(self, x):
        table = x.cumsum(0).reshape(40, 4)
        return table[:, 3].float().flip([0]), table[:, 1].float().flip([0])


def test_what_is_turned_is_there_when_it_is_read(agrees):
    agrees(Curves(), torch.arange(160))
