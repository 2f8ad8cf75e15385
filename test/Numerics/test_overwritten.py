"""Programs that overwrite what they compute with: products, windows, norms and orders of a matrix that becomes their result. Where the
result is computed in the matrix's own memory, kernels must not store an element that they read later."""

import inspect
import sys

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor


def linear(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(p @ w + b)


def linear_t(p: Tensor, w: Tensor, b: Tensor):
    p.copy_((w @ p).relu())


def square(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(p @ p + b)


def gram(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(torch.softmax(p @ p.t(), -1) * b)


def attend(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(F.scaled_dot_product_attention(p[None, None], p[None, None], p[None, None])[0, 0] + 1)


def attend_to_others(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(F.scaled_dot_product_attention(p[None, None], w[None, None], w[None, None])[0, 0] * b)


def norm(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(F.layer_norm(p, [p.size(1)], b) + p)


def norm_of_columns(p: Tensor, w: Tensor, b: Tensor):
    p.copy_((p - p.mean(0)) / (p.std(0) + 1))


def softmax_of_columns(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(torch.softmax(p, 0))


def softmax_of_rows(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(torch.softmax(p, 1) + p)


def cumulated(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(p.cumsum(0) + 1)


def shift(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(F.pad(p[:-1], [0, 0, 1, 0]) + p)


def roll(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(torch.roll(p, 1, 0) * 2)


def gather(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(p[torch.arange(p.size(0)-1, -1, -1)] + p)


def conv(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(F.conv2d(p[None, None], w[None, None,:3, :3], padding=1)[0, 0].relu() + b)


def pool(p: Tensor, w: Tensor, b: Tensor):
    p.copy_(F.avg_pool2d(p[None, None], 3, 1, 1)[0, 0] + p)


def rows(p: Tensor, w: Tensor, b: Tensor):
    p[2:6] = (p @ w)[0:4] + b


def rows_that_overlap(p: Tensor, w: Tensor, b: Tensor):
    p[0:4] = torch.softmax(p[2:6] @ w, -1)


def two(p: Tensor, w: Tensor, b: Tensor):
    q = p @ w
    p.copy_(q + p)
    w.copy_(q.t() + w)


def chain(p: Tensor, w: Tensor, b: Tensor):
    p.mul_(2)
    p.copy_(p @ w)
    p.add_(b)
    p[1] = p[0] + w[0]
    w.copy_(p.sum(0) + w)


def two_that_meet(p: Tensor, w: Tensor, b: Tensor):
    s = p.sum(1, keepdim=True)
    p.div_(s)
    w.sub_(p.t() @ p)


def stats(p: Tensor, w: Tensor, b: Tensor):
    mean, variance = p.mean(), p.var()
    p.sub_(mean).div_(variance.sqrt())
    b.mul_(0.9).add_(p.mean(0))


PROGRAMS = [name for name, value in vars(sys.modules[__name__]).items() if inspect.isfunction(value) and value.__module__ == __name__]


def arguments(count):
    torch.manual_seed(count)
    return torch.rand(count, count), torch.rand(count, count) / count, torch.rand(count)


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("name", PROGRAMS)
def test_overwritten(jit_mlir, name, threads):
    function = globals()[name]
    program = jit_mlir.compile(function, threads=threads)
    for count in (33, 128):
        got, want = arguments(count), arguments(count)
        for _ in range(2):
            program(*got)
            function(*want)
        torch.testing.assert_close(got, want, rtol=2e-4, atol=1e-5)
