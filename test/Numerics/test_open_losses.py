"""Losses of any number of examples, compiled for open sizes: values and gradients as in eager PyTorch; sizes that do not go together."""

import re

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional


class CrossEntropy(nn.Module):
    def __init__(self, weight: bool = False, smoothing: float = 0.0):
        super().__init__()
        self.register_buffer("weight", torch.tensor([0.5, 2.0, 1.0, 3.0]) if weight else None)
        self.smoothing = smoothing

    def forward(self, x: torch.Tensor, classes: torch.Tensor):
        return functional.cross_entropy(x, classes, self.weight, ignore_index=2, label_smoothing=self.smoothing)


class Probabilities(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        wanted = torch.softmax(y, 1)
        return functional.cross_entropy(x, wanted) + functional.kl_div(x.log_softmax(1), wanted, reduction="batchmean") + \
            functional.binary_cross_entropy_with_logits(x, wanted) + functional.poisson_nll_loss(x, wanted)


class Distances(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return functional.mse_loss(x, y) + functional.l1_loss(x, y, reduction="sum") + functional.smooth_l1_loss(x, y) + \
            functional.huber_loss(x, y) + functional.soft_margin_loss(x, y.sign())


class Margins(nn.Module):
    def forward(self, x: torch.Tensor, classes: torch.Tensor):
        labels = torch.stack([classes, (classes + 1) % 4, -torch.ones_like(classes), classes], 1)
        return functional.multi_margin_loss(x, classes) + functional.multilabel_margin_loss(x, labels) + \
            functional.triplet_margin_loss(x, x.flip(0), x.roll([1], [1]))


def classes(count):
    return torch.arange(count) * 7 % 4


def check(saved, compiled, module, call, make):
    archive, module = saved(module)
    package = compiled(archive, [f"forward.grad({call})"]).open()
    for count in (2, 3, 7):
        x, y = torch.randn(count, 4, requires_grad=True), make(count)
        expected = module(x, y)
        expected.backward()
        got = package.call("forward.grad", x.detach(), y)
        names = dict(re.findall(r'"([^"]+)": %(\d+)', package.structure("forward.grad", x.detach(), y)))
        np.testing.assert_allclose(got[0], expected.detach(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(got[int(names["0"])], x.grad, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("module", [CrossEntropy(), CrossEntropy(weight=True), CrossEntropy(True, 0.1), Margins()],
                         ids=["plain", "weighted", "smoothed", "margins"])
def test_classes(saved, compiled, module):
    check(saved, compiled, module, "f32[n,4]:grad, i64[n]", classes)


@pytest.mark.parametrize("module", [Probabilities(), Distances()], ids=["probabilities", "distances"])
def test_pairs(saved, compiled, module):
    check(saved, compiled, module, "f32[n,4]:grad, f32[n,4]", lambda count: torch.randn(count, 4))


def test_classes_of_pixels(saved, compiled):
    archive, module = saved(CrossEntropy(weight=True))
    package = compiled(archive, ["forward(f32[n,4,h,w], i64[n,h,w])"]).open()
    for sizes in ((2, 3, 5), (3, 2, 2)):
        x, y = torch.randn(sizes[0], 4, *sizes[1:]), torch.randint(0, 4, sizes)
        np.testing.assert_allclose(package.call("forward", x, y)[0], module(x, y), rtol=1e-4)


def test_another_number_of_targets(saved, compiled):
    archive, module = saved(CrossEntropy())
    library = compiled(archive, ["forward(f32[n,4], i64[m])"])
    x, y = torch.randn(3, 4), classes(2)
    with pytest.raises(RuntimeError):
        module(x, y)
    with pytest.raises(ValueError, match="xpected .*batch_size"):
        CrossEntropy()(x, y)
    with pytest.raises(library.Error, match="expected equal sizes, got 3 and 2"):
        library.open().call("forward", x, y)


class Between(nn.Module):
    def forward(self, x: torch.Tensor):
        n = x.size(0)
        return torch.linspace(-1.0, 3.0, n), torch.linspace(0, 7, n - 2, dtype=torch.int64), torch.linspace(2.0, 5.0, n - 1, dtype=torch.float64)


def test_linspace(saved, compiled):
    archive, module = saved(Between())
    library = compiled(archive, ["forward(f32[n])"])
    package = library.open()
    for count in (2, 3, 4, 9):
        for got, expected in zip(package.call("forward", torch.randn(count)), module(torch.randn(count)), strict=True):
            assert got.dtype == expected.numpy().dtype
            np.testing.assert_allclose(got, expected, rtol=2e-7 if got.dtype == np.float32 else 0)
