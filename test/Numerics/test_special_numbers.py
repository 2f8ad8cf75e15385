"""Operators on NaN and infinities where PyTorch's own way of computing decides what comes out; found by scripts/differential --single."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

NAN, INF = float("nan"), float("inf")
ROWS = torch.tensor([[1.0, NAN, -2.0, 3.0], [NAN, 1.0, 2.0, INF], [-INF, 0.5, NAN, 1.0], [NAN, NAN, NAN, NAN]])

CASES = {
    "multi_margin_loss adds no NaN": lambda x: F.multi_margin_loss(x, torch.tensor([0, 1, 3, 2]), reduction="none"),
    "multi_margin_loss by squares": lambda x: F.multi_margin_loss(x, torch.tensor([0, 1, 3, 2]), p=2, reduction="none"),
    "multilabel_margin_loss adds no NaN": lambda x: F.multilabel_margin_loss(x, torch.tensor([[0, 2, -1, 0], [1, -1, 0, 0], [3, 1, -1, 0], [0, 1, 2, 3]]),
                                                                             reduction="none"),
    "trapezoid that begins with an infinity": lambda x: torch.trapezoid(x, dim=0),
    "trapezoid that ends with an infinity": lambda x: torch.trapezoid(x, dx=0.5),
    "median of what holds NaN": lambda x: torch.median(x, 1),
    "median of columns": lambda x: torch.median(x, 0, keepdim=True),
    "trapezoid of one number": lambda x: torch.trapezoid(x[1:2, 2:], dim=0),
    "logit of a negative eps": lambda x: torch.logit(x, -1.5),
    "Bessel's functions of infinities": lambda x: [getattr(torch.special, "bessel_" + name)(x) for name in ("j0", "j1", "y0", "y1")],
    "elu of 0 with an infinite alpha": lambda x: F.elu(torch.where(torch.isnan(x), 0.0, x), INF),
    "complex exp": lambda x: torch.view_as_real(torch.exp(torch.complex(torch.nan_to_num(x, 0.5, INF, -INF), torch.tensor([0.0, -0.0, 1.0, -2.0])))),
    "complex exp of minus infinity": lambda x: torch.view_as_real(torch.exp(torch.complex(torch.full_like(x, -INF), x))),
    "nanquantile of infinities": lambda x: [torch.nanquantile(x, 0.25, 1, interpolation=way) for way in ("lower", "higher", "nearest")],
    "medians of nothing": lambda x: [torch.median(x[:0]), torch.nanmedian(x[:0])],
    "embedding_bag of rows that hold NaN": lambda x: [F.embedding_bag(torch.tensor([2, 1, 2]), torch.nan_to_num(x) + torch.tensor([[NAN], [INF], [0.0], [1.0]]), torch.tensor([0, 1]),
                                                                      mode=mode, padding_idx=1) for mode in ("sum", "mean", "max")],
    "std_mean of nothing": lambda x: torch.std_mean(x[:0], correction=-1),
    "attention hides no NaN": lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(4, 4, dtype=torch.bool).tril()),
    "attention hides no infinity": lambda x: F.scaled_dot_product_attention(x[:1, 3:] * INF, x[:1, 3:], x[:1, 3:], attn_mask=x[:1, 3:] < 0),
    "hypot of an infinity beside NaN": lambda x: [torch.hypot(x, x.flip(0)), torch.hypot(x.double(), x.double().flip(1))],
    "polygamma of infinities": lambda x: [torch.polygamma(n, torch.tensor([INF, -INF, NAN, 0.5, -1.5])) for n in (1, 2, 3)],
    "zeta of infinities": lambda x: [torch.special.zeta(x, torch.full_like(x, q)) for q in (0.5, 1.0, 2.5, -1.5)],
    "zeta of a large exponent": lambda x: torch.special.zeta(torch.tensor([[2147483648.0], [40.0], [200.0], [30.0]], dtype=torch.float64),
                                                             torch.tensor([1.0, 40.0, 3.0, -2.5], dtype=torch.float64)),
    "cdist by the largest takes no NaN": lambda x: torch.cdist(x[:1], torch.nan_to_num(x), INF),
    "cdist of points without coordinates": lambda x: [torch.cdist(x[:, :0], x[:3, :0], p) for p in (0.0, 1.0, 2.0, INF)],
    "nan_to_num's quantile": lambda x: torch.quantile(x, torch.tensor([0.25, 0.5]), 1),
    "mode of what is NaN alone": lambda x: torch.mode(x[3:], 1),
}

ELEMENT_TYPES = {
    "block_diag of a number": lambda x: torch.block_diag(x.half(), x.double()[0, 0]),
    "cosine_similarity of a wider number": lambda x: F.cosine_similarity(torch.nan_to_num(x).half(), torch.nan_to_num(x).double()[0, 0], 1),
    "cosine_similarity of a whole number": lambda x: F.cosine_similarity(torch.nan_to_num(x).half(), torch.tensor(2), 1),
    "huber_loss is of its input's type": lambda x: F.huber_loss(x, x.double()[0, 1] + 0.5, reduction="none", delta=0.5),
    "huber_loss of a wider target": lambda x: F.huber_loss(x, x.double() * 0.7),
    "margin_ranking_loss negates its target first": lambda x: F.margin_ranking_loss(x.to(torch.uint8), x.double() - 2, x.to(torch.uint8)),
    "einsum sums no size of 1": lambda x: torch.einsum("ij,kj->", x[:1].to(torch.int32), x[:1].to(torch.int32) * 2147483647),
    "einsum sums alone what the other is repeated along": lambda x: torch.einsum("ij,kj->", x.to(torch.int32), x[:, :1].to(torch.int32) * 2147483647),
    "einsum sums what each has alone in 64 bits": lambda x: torch.einsum("ij,kj->", x.to(torch.int32), x.to(torch.int32) * 2147483647),
    "einsum of one sums in 64 bits": lambda x: torch.einsum("ij->i", x.to(torch.uint8)),
    "round of 16 bits to many decimals": lambda x: [torch.round(x.half() * 0.7, decimals=n) for n in (-1, 2, 5, 8)],
    "trigamma at the ends": lambda x: torch.polygamma(1, torch.tensor([INF, -INF, 2.0])),
    "bilinear of whole numbers": lambda x: F.bilinear(x.to(torch.int32), x.to(torch.int32), torch.ones(2, 3, 3, dtype=torch.int32)),
    "sums of numbers that are rounded first": lambda x: [torch.sum((x * 1e9).to(torch.int32), dtype=torch.float16), torch.prod(x + 2048.25, dtype=torch.bfloat16).float(),
                                                          torch.sum(x * 0.7, [0], dtype=torch.int32)],
    "means of halves whose sum is no half": lambda x: [(x + 40000).half().mean(), (x + 40000).half().mean(1), torch.mean(x + 70000, 1, dtype=torch.float16),
                                                       torch.mean(x + 2048.25, 1, dtype=torch.float16), F.mse_loss(x.half() + 240, x.half(), reduction="mean")],
    "softmax of numbers that are rounded first": lambda x: [function(x * 0.05 + 2048.25, 1, dtype=torch.float16) for function in (torch.softmax, torch.log_softmax)],
    "equal of two types": lambda x: torch.tensor([torch.equal(x, x.double()), torch.equal(x, x[0].double()), torch.equal(x, x.to(torch.int32))]),
    "movedim of a number": lambda x: torch.movedim(x[0, 0], 0, -1),
    "attention whose scores are no halves": lambda x: F.scaled_dot_product_attention(x.half() * 100, x.half() * 100, x.half()),
    "diag_embed of bools": lambda x: torch.diag_embed(x > 2, -1),
    "addbmm of whole numbers": lambda x: torch.addbmm(x.to(torch.uint8), torch.ones(4, 2, 5, dtype=torch.uint8) * 9, torch.ones(4, 5, 3, dtype=torch.uint8) * 7, alpha=2),
    "addr of bools": lambda x: [torch.addr(x > 2, x[:, 0] > 0, x[0] > 1, beta=beta, alpha=alpha) for beta, alpha in ((1, 1), (0, -2), (3, 0))],
    "addr of three types": lambda x: torch.addr(x.half(), x[:, 0].double(), x[0].to(torch.int32), beta=0),
    "cosine_similarity of bools and numbers": lambda x: F.cosine_similarity(x > 1, x[0, 0], 1),
    "linspace of whole numbers as its elements hold them": lambda x: [torch.linspace(-1, -2, 7, dtype=torch.uint8), torch.linspace(0.5, 3.7, 5, dtype=torch.int64)],
}
NUMBERS = torch.tensor([[1.0, 2.0, 5.5], [0.0, 3.0, 7.0]])

# Rows without 0, with one and with more.
PRODUCTS = torch.tensor([[2.0, INF, 3.0, -1.0], [NAN, 2.0, 3.0, 4.0], [2.0, 0.0, 4.0, 5.0], [INF, 0.0, 3.0, 2.0], [0.0, NAN, 0.0, 2.0], [0.0, 0.0, INF, 1.0],
                         [3.0, 1e-45, 2.0, 0.5], [1e30, 0.0, 1e30, 3.0], [0.0, 0.0, 2.0, 3.0]])

# The gradient by the tensor of a sum of what comes out times 1, 2, ...
GRADIENTS = {
    "logit of a negative eps": (lambda x: torch.logit(x, -1.5), torch.tensor([0.25, 0.75, -0.5, 2.0])),
    "mode of ties is the last": (lambda x: torch.mode(x, -1)[0], torch.tensor([[0.75, 0.75, -0.16, 1.64], [2.0, -0.25, 3.0, -0.25]])),
    "median of ties": (lambda x: torch.median(x), torch.tensor([1.0, 2.0, 2.0, 3.0, 2.0])),
    "median of NaN": (lambda x: torch.median(x), ROWS),
    "nansum of an infinite gradient": (lambda x: torch.nansum(x) ** -1.0, torch.tensor([0.5, NAN, -0.5])),
    "huber_loss of infinities": (lambda x: F.huber_loss(x, torch.zeros(4, 4), delta=0.5), ROWS),
    "smooth_l1_loss of infinities": (lambda x: F.smooth_l1_loss(x, torch.zeros(4, 4), beta=0.5), ROWS),
    "nanmedian of ties": (torch.nanmedian, torch.tensor([1.0, 2.0, NAN, 2.0, 3.0, 2.0])),
    "i1 of NaN": (torch.special.i1, torch.tensor([NAN, 0.0, 1e-40, -2.0], dtype=torch.float64)),
    "i1e of NaN": (torch.special.i1e, torch.tensor([NAN, 0.0, 1e-40, -2.0], dtype=torch.float64)),
    "prelu of an infinity": (lambda x: F.prelu(x, x[1:2] * 2), torch.tensor([INF, 0.5, -2.0, 0.0])),
    "var of too few elements": (lambda x: torch.var(x, correction=4), torch.tensor([1.0, 2.0, 3.0, 6.0])),
    "var of one number": (lambda x: torch.var(x[0], [-1], correction=2), torch.tensor([1.0])),
    "xlog1py in the wider type": (lambda x: torch.special.xlog1py(x, torch.tensor([1.1, 3.0], dtype=torch.float16)), torch.tensor([0.7, 0.0])),
    "attention of queries that see nothing": (lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=torch.tensor([[True, False], [False, False]])),
                                              torch.tensor([[1.5, 0.5], [-1.0, 2.0]])),
    "complex exp of real numbers": (lambda x: torch.view_as_real(torch.exp(torch.complex(x, x * 0.0))), torch.tensor([0.5, -INF, 1.0])),
    "complex sqrt where a part is 0": (lambda x: torch.view_as_real(torch.sqrt(torch.complex(x, x.flip(0)))), torch.tensor([0.0, -2.0, 0.5, 3.0, 4.0, 0.0])),
    "complex sqrt of negative numbers": (lambda x: torch.view_as_real(torch.sqrt(torch.complex(x, x * 0.0))), torch.tensor([-4.0, -0.25, 9.0])),
    "complex acosh where a square has no real part": (lambda x: torch.view_as_real(torch.acosh(torch.complex(x, x))), torch.tensor([1.0, -1.0, 0.5])),
    "complex rsqrt on the imaginary axis": (lambda x: torch.view_as_real(torch.rsqrt(torch.complex(x * 0.0, x))), torch.tensor([2.0, -0.5])),
    "complex sgn of 0": (lambda x: torch.view_as_real(torch.sgn(torch.complex(x, x.flip(0)))), torch.tensor([0.0, 1.0, -2.0, 0.0])),
    "cat of nothing along any dimension": (lambda x: torch.cat([torch.cat([x[:0], x[:0]], 1), x]), torch.tensor([1.0, 2.0])),
    "a gradient of zero that meets an infinite slope": (lambda x: torch.stack([function(torch.exp(x)) for function in (
        torch.sign, torch.floor, torch.ceil, torch.round, torch.trunc, torch.angle, lambda y: torch.round(y, decimals=2),
        lambda y: torch.div(y, 2.0, rounding_mode="floor"), lambda y: torch.copysign(torch.ones_like(y), y))]), torch.tensor([1000.0, 1.0])),
    "a write over an infinite slope": (lambda x: torch.stack([write(torch.exp(x) * 1.0) for write in (
        lambda y: y.zero_(), lambda y: y.fill_(2.0), lambda y: y.fill_(torch.tensor(2.0)), lambda y: y.copy_(torch.ones(2)))]),
                                       torch.tensor([1000.0, 1.0])),
    "a part that is written over infinite slopes": (lambda x: torch.exp(x).select_scatter(torch.tensor(1.0), 0, 0), torch.tensor([1000.0, 1000.0, 1.0])),
    "prod beside infinities and NaN": (lambda x: x.prod(1), PRODUCTS[:2]),
    "prod where 0 is somewhere": (lambda x: x.prod(1), PRODUCTS),
    "prod of all where 0 is somewhere": (lambda x: torch.stack([x[row].prod() for row in range(len(x))]), PRODUCTS),
    "prod of one column": (lambda x: x[:, :1].prod(1), PRODUCTS),
    "cumprod beside infinities and NaN": (lambda x: x.cumprod(1), PRODUCTS[:2]),
    "cumprod where 0 is somewhere": (lambda x: x.cumprod(1), PRODUCTS),
    "cumprod of one column": (lambda x: x[:, :1].cumprod(1), PRODUCTS),
    "cumprod of columns": (lambda x: x.cumprod(0), PRODUCTS),
    "prod of columns": (lambda x: x.prod(0), PRODUCTS),
    "scatter_reduce to NaN": (lambda x: x.scatter_reduce(1, torch.zeros(4, 4, dtype=torch.int64), x * 2, "amin"), ROWS),
}


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


@pytest.mark.parametrize("case", CASES)
def test_values(case, saved, jit_run):
    archive, reference = saved(torch.jit.trace(Calls(CASES[case]), ROWS, check_trace=False))
    jit_run(archive, ROWS).assert_close(reference(ROWS), rtol=1e-6, atol=0)


@pytest.mark.parametrize("case", ELEMENT_TYPES)
def test_element_types(case, saved, jit_run):
    archive, reference = saved(torch.jit.trace(Calls(ELEMENT_TYPES[case]), NUMBERS, check_trace=False))
    jit_run(archive, NUMBERS).assert_close(reference(NUMBERS), rtol=1e-6, atol=0)


def test_einsum_of_what_pytorch_refuses(jit_mlir):
    program = jit_mlir.compile(torch.jit.trace(Calls(lambda x: torch.einsum("ij,kj->k", x, x)), NUMBERS))
    with pytest.raises(jit_mlir.Error, match="operands of one element type, each summed over what it alone has"):
        program(NUMBERS.to(torch.int32))


def test_bags_that_end_early_are_an_error(jit_mlir):
    ends_early = Calls(lambda x: F.embedding_bag(torch.tensor([1, 0, 1]), x, torch.tensor([0, 2]), include_last_offset=True))
    program = jit_mlir.compile(torch.jit.trace(ends_early, NUMBERS))
    with pytest.raises(jit_mlir.Error, match="expected the number of indices, 3, as the last offset of embedding_bag"):
        program(NUMBERS)


SLOPES = {
    "complex": lambda x: torch.gradient(x),
    "complex by a number": lambda x: torch.gradient(x, spacing=2.0, edge_order=2),
    "complex by a number along a dimension": lambda x: torch.gradient(x, spacing=0.25, dim=1),
    "complex by places": lambda x: torch.gradient(x, spacing=[torch.tensor([0.0, 1.0, 3.0]), torch.tensor([0.5, 1.0, 4.0, 5.0])], edge_order=2),
    "wide complex by places": lambda x: torch.gradient(x.to(torch.complex128), spacing=[torch.tensor([0.0, 1.0, 3.0])], dim=[0]),
    "whole numbers": lambda x: torch.gradient((torch.view_as_real(x) * 8).to(torch.int32), dim=0),
}


@pytest.mark.parametrize("case", SLOPES)
def test_slopes(case, jit_mlir):
    x = torch.randn(3, 4, dtype=torch.complex64)
    program = jit_mlir.compile(torch.jit.trace(Calls(SLOPES[case]), x, check_trace=False))
    torch.testing.assert_close(list(program(x)), list(SLOPES[case](x)))


@pytest.mark.parametrize("case", GRADIENTS)
def test_gradients(case, jit_mlir):
    function, x = GRADIENTS[case]
    program = jit_mlir.compile(torch.jit.trace(Calls(function), x, check_trace=False))
    gradients = []
    for call in (function, program):
        argument = x.clone().requires_grad_()
        result = call(argument)
        (result * torch.arange(1.0, result.numel() + 1).reshape(result.shape)).sum().backward()
        gradients.append(argument.grad)
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-6, atol=0, equal_nan=True)


LESS_THAN_FULL_RANK = {"ones": torch.ones(3, 3), "tall": torch.ones(4, 2), "wide": torch.ones(2, 4), "zeros": torch.zeros(3, 3),
                       "one row too many": torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])}


@pytest.mark.parametrize("full", (True, False))
@pytest.mark.parametrize("matrix", LESS_THAN_FULL_RANK)
def test_singular_vectors_of_less_than_full_rank(matrix, full, jit_mlir):
    x = LESS_THAN_FULL_RANK[matrix].double()
    left, values, right = jit_mlir.compile(torch.jit.trace(Calls(lambda x: torch.linalg.svd(x, full_matrices=full)), x, check_trace=False))(x)
    torch.testing.assert_close(left.mT @ left, torch.eye(left.shape[1], dtype=x.dtype))
    torch.testing.assert_close(right @ right.mT, torch.eye(right.shape[0], dtype=x.dtype))
    torch.testing.assert_close(left[:, : len(values)] * values @ right[: len(values)], x)
