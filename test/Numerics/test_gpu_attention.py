"""Two products of halves with a softmax between them are one kernel, run as in test_gpu.py, against PyTorch."""

import math

import pytest
import torch
from test_gpu import on_gpu  # noqa: F401
from torch import nn
from torch.nn import functional

TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 2e-2}


class Halves(nn.Module):
    """Attention of halves for a caller with floats."""

    def __init__(self, inner, dtype):
        super().__init__()
        self.inner, self.dtype = inner, dtype

    def forward(self, query, key, value, *others):
        query, key, value = (t.to(self.dtype) for t in (query, key, value))
        return self.inner(query, key, value, *others).float()


class Causal(nn.Module):
    def forward(self, query, key, value):
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


class Plain(nn.Module):
    def forward(self, query, key, value):
        return functional.scaled_dot_product_attention(query, key, value)


class Masked(nn.Module):
    """A mask of bools: queries that see nothing get zeros."""

    def forward(self, query, key, value, mask):
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


class Biased(nn.Module):
    """As written by hand: a scale, numbers added, a causal mask, a softmax in f32, and something done with the result."""

    def forward(self, query, key, value, bias):
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1)) + bias.to(query.dtype)
        later = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).triu(1)
        shares = torch.softmax(scores.masked_fill(later, float("-inf")), -1, dtype=torch.float32).to(query.dtype)
        return torch.relu(torch.matmul(shares, value) + 1)


class Packed(nn.Module):
    """Heads as transformers have them: parts of one projection, side by side in the rows."""

    def forward(self, query, key, value):
        heads = [t.view(t.size(0), t.size(1), 2, 32).transpose(1, 2) for t in (query, key, value)]
        made = functional.scaled_dot_product_attention(heads[0], heads[1], heads[2])
        return made.transpose(1, 2).reshape(query.size())


def check(on_gpu, module, dtype, *arguments, only=("attention", "pointwise"), chip=None):  # noqa: F811
    traced = torch.jit.trace(Halves(module, dtype), arguments)
    return on_gpu(traced, *arguments, kernels=["attention"], only=only, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype], chip=chip)


# Whole blocks of queries and keys and parts of such; heads of whole matrices, ones that are filled up, two sizes.
@pytest.mark.parametrize("queries,keys,head,width", [(64, 64, 32, 32), (100, 130, 64, 64), (17, 200, 80, 80), (70, 96, 128, 128),
                                                     (33, 35, 40, 24), (16, 65, 20, 17)])
def test_sizes(on_gpu, queries, keys, head, width):  # noqa: F811
    check(on_gpu, Plain(), torch.float16, torch.randn(2, queries, head) * 3, torch.randn(2, keys, head), torch.randn(2, keys, width))


def test_bf16(on_gpu):  # noqa: F811
    check(on_gpu, Plain(), torch.bfloat16, torch.randn(3, 50, 64), torch.randn(3, 70, 64), torch.randn(3, 70, 64))


@pytest.mark.parametrize("size", [64, 150])
def test_causal(on_gpu, size):  # noqa: F811
    check(on_gpu, Causal(), torch.float16, *(torch.randn(1, 2, size, 64) for _ in range(3)))


def test_queries_that_see_nothing(on_gpu):  # noqa: F811
    mask = torch.rand(70, 140) > 0.5
    mask[3], mask[20, :130], mask[21, 8:] = False, False, False
    check(on_gpu, Masked(), torch.float16, torch.randn(2, 70, 32), torch.randn(2, 140, 32), torch.randn(2, 140, 32), mask)


def test_written_by_hand(on_gpu):  # noqa: F811
    check(on_gpu, Biased(), torch.float16, torch.randn(2, 2, 72, 64), torch.randn(2, 2, 72, 64), torch.randn(2, 2, 72, 64),
          torch.randn(2, 72, 72))


def test_heads_side_by_side(on_gpu):  # noqa: F811
    check(on_gpu, Packed(), torch.float16, *(torch.randn(2, 40, 64) for _ in range(3)))


def test_growing_scores(on_gpu):  # noqa: F811
    """The largest score of a row is in its last block."""
    query, key = torch.ones(1, 16, 32), torch.linspace(0.1, 4, 256)[None, :, None].expand(1, 256, 32).contiguous()
    check(on_gpu, Plain(), torch.float16, query, key, torch.randn(1, 256, 32))


def test_huge_scores(on_gpu):  # noqa: F811
    """Numbers of a mask that are as small as floats get: a query of which all keys have it sees all of them alike."""
    mask = torch.zeros(70, 100)
    mask[5], mask[30:, 50:] = torch.finfo(torch.float32).min, torch.finfo(torch.float32).min
    check(on_gpu, Added(), torch.bfloat16, *(torch.randn(2, size, 32) for size in (70, 100, 100)), mask)


class Added(nn.Module):
    """A mask of numbers on scores in f32."""

    def forward(self, query, key, value, mask):
        scores = torch.matmul(query, key.transpose(-2, -1)).float() + mask
        return torch.matmul(torch.softmax(scores, -1).to(query.dtype), value)


# Groups of four warps have 128 queries and 128 keys at a time.
@pytest.mark.parametrize("queries,keys,head,width", [(128, 128, 64, 64), (64, 64, 128, 128), (200, 300, 64, 64), (140, 260, 128, 128),
                                                     (130, 96, 80, 48), (72, 200, 24, 104)])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_warpgroups(on_gpu, dtype, queries, keys, head, width):  # noqa: F811
    arguments = torch.randn(2, queries, head) * 2, torch.randn(2, keys, head), torch.randn(2, keys, width)
    check(on_gpu, Plain(), dtype, *arguments, chip="sm_90a")


@pytest.mark.parametrize("size,head", [(128, 64), (300, 64), (200, 128)])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_causal_warpgroups(on_gpu, dtype, size, head):  # noqa: F811
    check(on_gpu, Causal(), dtype, *(torch.randn(1, 2, size, head) for _ in range(3)), chip="sm_90a")


@pytest.mark.parametrize("batch,queries", [(1, 130), (3, 130), (2, 64)])
def test_heads_side_by_side_of_warpgroups(on_gpu, batch, queries):  # noqa: F811
    check(on_gpu, Packed(), torch.float16, *(torch.randn(batch, queries, 64) for _ in range(3)), chip="sm_90a")


def test_masks_of_warpgroups(on_gpu):  # noqa: F811
    mask = torch.rand(150, 200) > 0.5
    mask[3], mask[20, :130], mask[21, 8:] = False, False, False
    check(on_gpu, Masked(), torch.float16, torch.randn(2, 150, 32), torch.randn(2, 200, 32), torch.randn(2, 200, 32), mask, chip="sm_90a")
    check(on_gpu, Biased(), torch.float16, *(torch.randn(2, 2, 136, 64) for _ in range(3)), torch.randn(2, 136, 136), chip="sm_90a")


class Weights(nn.Module):
    """The shares are a result of their own."""

    def forward(self, query, key, value):
        shares = torch.softmax(torch.matmul(query, key.transpose(-2, -1)), -1)
        return torch.cat([torch.matmul(shares, value), shares], -1)


def test_shares_that_somebody_else_has(on_gpu):  # noqa: F811
    arguments = torch.randn(2, 40, 32), torch.randn(2, 50, 32), torch.randn(2, 50, 32)
    traced = torch.jit.trace(Halves(Weights(), torch.float16), arguments)
    on_gpu(traced, *arguments, kernels=["mma", "rows"], rtol=4e-3, atol=4e-3)
