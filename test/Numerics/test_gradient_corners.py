"""Gradients where a derivative has a choice or a rule has structure: ties, zeros, infinities, NaN, indices that meet. Every
element of an output has a weight of its own, so that a gradient that goes to the wrong place is seen."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from operator_cases import trace

INF, NAN = math.inf, math.nan
# NaN is where eager computes in vectors: behind them, of some activations it makes other gradients.
NANS = [NAN] * 32
LINE = [*NANS, -800.0, -4.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 20.0, 20.5, 800.0]
TIES = [[1.0, 2.0, 2.0], [3.0, 3.0, 3.0], [0.0, NAN, 5.0]]
PAIRS = [1.0, 2.0, 3.0, NAN, 1.0, -2.0, 0.0, 5.0], [2.0, 2.0, 1.0, 1.0, NAN, 3.0, 0.0, -3.0]
ZEROS = [[2.0, 3.0, 4.0, 5.0], [2.0, 0.0, 4.0, 5.0], [0.0, 3.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.0]]
GRID = torch.linspace(-2, 3, 36).view(6, 6).sin().tolist()
SPREAD = [[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]]
ROWS = torch.tensor([[0, 2, 2], [1, 1, 0]])

CASES = {
    # ---- one number against another ----
    "maximum": (torch.maximum, *PAIRS),
    "minimum": (torch.minimum, *PAIRS),
    "fmax": (torch.fmax, *PAIRS),
    "fmin": (torch.fmin, *PAIRS),
    "clamp": (lambda x: x.clamp(-1, 3), LINE),
    "clamp the wrong way round": (lambda x: x.clamp(3, -1), LINE),
    "clamp by tensors": (torch.clamp, [-2.0, -1.0, 0.0, 1.0, 2.0, NAN, 3.0, 0.0], [-1.0] * 6 + [4.0, 5.0], [1.0] * 6 + [2.0, 5.0]),
    "clamp_min by a tensor": (torch.clamp_min, [-2.0, -1.0, 0.0, NAN, 1.0], [-1.0, -1.0, -1.0, -1.0, NAN]),
    "clamp_max by a tensor": (torch.clamp_max, [-2.0, -1.0, 0.0, NAN, 1.0], [-1.0, -1.0, -1.0, -1.0, NAN]),
    "copysign": (torch.copysign, [-2.0, 0.0, 3.0, NAN], [1.0, 1.0, -1.0, 1.0]),
    "atan2": (torch.atan2, [0.0, 1.0, 2.0], [1.0, 0.0, -1.0]),
    "atan2 at the origin": (torch.atan2, [0.0, 0.0, 1e-200, -1e-300, 1e30], [0.0, -0.0, 1e-200, 1e-300, 1e30]),
    "zeta": (lambda y: torch.special.zeta(torch.tensor([2.0, 3.0, 1.5], dtype=torch.float64), y), [0.5, 2.0, 3.0]),
    "det of no inverse": (torch.linalg.det, [[1.0, 2.0], [1.0, 2.0]]),
    "det of zeros, of one of several": (torch.det, [[[0.0, 0.0], [0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]]]),
    "renorm of what has NaN": (lambda x: torch.renorm(x, 2, 0, 1.5), [[3.0, 4.0], [NAN, 1.0], [0.5, 0.5], [0.0, 0.0]]),
    "renorm by the largest": (lambda x: torch.renorm(x, INF, 0, 1.5), [[3.0, 4.0], [NAN, 1.0], [0.5, 0.5], [0.0, 0.0]]),
    "hypot": (torch.hypot, [3.0, 1.0, 0.0], [4.0, 0.0, 0.0]),
    "fmod": (torch.fmod, [5.0, -5.0, 7.5], [3.0, 3.0, -2.0]),
    "remainder": (torch.remainder, [5.0, -5.0, 7.5], [3.0, 3.0, -2.0]),
    "xlogy": (torch.xlogy, [0.0, 0.0, 1.0, 0.0, 1.0, NAN, 0.0], [0.0, -1.0, 0.0, 2.0, -1.0, 1.0, NAN]),
    "logaddexp": (torch.logaddexp, [INF, 1.0, -INF, 800.0], [1.0, -INF, 2.0, -800.0]),
    "pow": (torch.pow, [0.0, 0.0, 2.0, 3.0], [0.0, 2.0, 0.0, -1.0]),
    "where hides NaN": (lambda x: torch.where(x > 0, x.log(), x), [-1.0, 0.0, 2.0]),
    "masked_fill": (lambda x, v: x.masked_fill(torch.tensor([True, False, True]), v.sum()), [NAN, 1.0, 2.0], [3.0, 4.0]),
    "nan_to_num": (torch.nan_to_num, [0.0, NAN, INF, -INF]),
    "nan_to_num of what flows back without bounds": (lambda x: torch.nan_to_num(x, 0.0, 3.0, -3.0) * INF, [1.0, NAN, -INF]),
    "round to decimals": (lambda x: torch.round(x, decimals=308), [0.5, -2.0]),
    "polar": (lambda r, angle: torch.view_as_real(torch.polar(r, angle)), [-1.5, 0.0, -0.0, 2.0], [0.5, 1.0, -2.0, 3.0]),
    "cdist by the largest": (lambda x, y: torch.cdist(x, y, INF), SPREAD, [[0.0, 1.0, 3.0], [3.0, 3.0, 3.0], [1.0, 2.0, 2.0]]),
    "pdist by the largest": (lambda x: torch.pdist(x, INF), [[0.0, 0.0], [1.0, 1.0], [2.0, -2.0], [2.0, -2.0]]),
    "quantiles of rows that hold NaN": (lambda x: torch.quantile(x, torch.tensor([0.25, 0.5], dtype=x.dtype), 1), TIES[:1] + TIES[2:]),
    "nanquantile of NaN alone": (lambda x: torch.nanquantile(x, 0.5, 1), [[NAN, NAN, NAN], [1.0, NAN, 3.0]]),
    "sinc": (torch.sinc, [0.0, 1e-200, 0.5, -2.0, NAN]),
    "logit": (torch.logit, [-0.5, 0.25, 0.5, 1.5, NAN]),
    "logit with eps": (lambda x: torch.logit(x, 0.1), [*NANS, -0.5, 0.0, 0.1, 0.5, 0.9, 1.0]),
    # ---- activations ----
    **{f.__name__: (f, LINE) for f in (
        F.relu, F.relu6, F.leaky_relu, F.elu, F.celu, F.selu, F.gelu, F.silu, F.mish, F.softplus, F.hardtanh,
        F.hardsigmoid, F.hardswish, F.hardshrink, F.softshrink, F.logsigmoid)},
    "gelu by tanh": (lambda x: F.gelu(x, approximate="tanh"), [-20.0, -1.0, 0.0, 2.0, 20.0, NAN]),
    "threshold": (lambda x: F.threshold(x, 1.0, 5.0), LINE),
    # ---- reductions ----
    **{f"scatter_reduce by {how}{'' if own else ' of sources'}": (
        lambda x, s, how=how, own=own: x.scatter_reduce(1, ROWS, s, how, include_self=own),
        [[1.0, 2.0, 0.0], [3.0, 0.0, 2.0]], [[2.0, 0.0, 2.0], [3.0, 0.0, 3.0]])
       for how in ("sum", "mean", "prod", "amax", "amin") for own in (True, False)},
    "amax": (lambda x: x.amax(1), TIES),
    "amin of all": (lambda x: x.amin(), SPREAD),
    "max of all": (lambda x: x.max(), SPREAD),
    "min of NaN": (lambda x: x.min(), TIES),
    "max.dim": (lambda x: x.max(0)[0], TIES),
    "min.dim": (lambda x: x.min(1, keepdim=True)[0], TIES),
    "aminmax": (lambda x: torch.cat(torch.aminmax(x, dim=1)), SPREAD),
    "prod": (lambda x: x.prod(1), ZEROS),
    "prod of all": (lambda x: x.prod(), ZEROS[0]),
    "prod of a number": (lambda x: x.prod(), 0.0),
    "cumsum": (lambda x: x.cumsum(1), GRID),
    "cumprod": (lambda x: x.cumprod(1), ZEROS),
    "cumprod of a number": (lambda x: x.cumprod(0), 0.0),
    "std": (lambda x: x.std(1), SPREAD),
    "std of one": (lambda x: x.std(1), [[1.0], [2.0]]),
    "var of too few": (lambda x: x.var(1, correction=2), [[1.0, 2.0], [2.0, 4.0]]),
    "var of far too few in all": (lambda x: x.var(correction=3), [1.0, 2.0]),
    "var of far too few": (lambda x: x.var(1, correction=3), [[1.0, 2.0], [2.0, 4.0]]),
    "var_mean": (lambda x: torch.cat(torch.var_mean(x, dim=1, correction=0)), SPREAD),
    "std_mean": (lambda x: torch.cat(torch.std_mean(x, dim=1, correction=1)), SPREAD),
    "logsumexp": (lambda x: x.logsumexp(1), [[0.0, 1.0], [INF, 1.0], [-INF, 1.0], [800.0, 801.0]]),
    "softmax": (lambda x: x.softmax(1), GRID),
    "log_softmax": (lambda x: x.log_softmax(0), GRID),
    **{f"norm {p}": (lambda x, p=p: torch.linalg.vector_norm(x, p, dim=1), [[0.0, 0.0], [0.0, 2.0], [3.0, -3.0]])
       for p in (0.5, 1, 1.5, 2, 3, INF, -INF)},
    "norm of a matrix": (lambda x: x.norm(), GRID),
    "normalize": (lambda x: F.normalize(x), [[3.0, 4.0], [0.0, 0.0]]),
    # ---- elements that move ----
    "cat": (lambda x, y: torch.cat([x, y, x], 1), GRID, ZEROS + ZEROS[:2]),
    "stack": (lambda x, y: torch.stack([x, y], 1), PAIRS[0], PAIRS[1]),
    "index": (lambda x: x.view(3, 2, 6)[ROWS, :, ROWS], GRID),
    "index_put": (lambda x, v: x.index_put((ROWS[0], ROWS[1]), v), GRID, [1.0, 2.0, 3.0]),
    "index_put that adds": (lambda x, v: x.index_put((ROWS,), v, accumulate=True), GRID, [1.0] * 6),
    "index_select": (lambda x: x.index_select(1, ROWS[0]), GRID),
    "embedding": (lambda w: F.embedding(ROWS, w), GRID),
    "embedding with padding": (lambda w: F.embedding(ROWS, w, padding_idx=1), GRID),
    "embedding by frequency": (lambda w: F.embedding(ROWS, w, scale_grad_by_freq=True), GRID),
    "gather": (lambda x: x.gather(1, ROWS), GRID),
    "take_along_dim": (lambda x: torch.take_along_dim(x, ROWS - 2, 1), GRID[:2]),
    "take_along_dim of all": (lambda x: torch.take_along_dim(x, ROWS), GRID),
    "scatter": (lambda x, s: x.scatter(0, ROWS[:, :2], s), GRID, [[1.0, 2.0], [3.0, 4.0]]),
    "scatter_add": (lambda x, s: x.scatter_add(1, ROWS, s), GRID, SPREAD),
    "flip": (lambda x: x.flip(0), GRID),
    "roll": (lambda x: x.roll((1, -2), (0, 1)), GRID),
    "tril": (lambda x: x.tril(-1), GRID),
    "triu": (lambda x: x.triu(2), GRID),
    "diagonal": (lambda x: x[:4].diagonal(1), GRID),
    "diagonal below": (lambda x: x[:, :4].diagonal(-3, 1, 0), GRID),
    "sort": (lambda x: x.sort(1, descending=True)[0], GRID),
    "topk": (lambda x: x.topk(2, 0)[0], GRID),
    "pad": (lambda x: F.pad(x, (1, -2, 0, 3), value=2.0), GRID),
    "reflected": (lambda x: F.pad(x[None], (2, 1), "reflect"), GRID),
    "replicated": (lambda x: F.pad(x[None], (2, -1), "replicate"), GRID),
    "wrapped": (lambda x: F.pad(x[None], (-2, 3), "circular"), GRID),
    "unfold": (lambda x: x.unfold(1, 3, 2), GRID),
    "unfold with gaps": (lambda x: x.unfold(0, 2, 3), GRID),
    "im2col": (lambda x: F.unfold(x[None, None], (2, 3), dilation=(2, 1), padding=(1, 0), stride=(3, 2)), GRID),
    "col2im": (lambda x: F.fold(x.view(1, 4, 9), (4, 4), (2, 2)), GRID),
    # ---- pools ----
    "max_pool1d": (lambda x: F.max_pool1d(x[None], 3, 2, 1), GRID),
    "max_pool2d": (lambda x: F.max_pool2d(x[None, None], 3, 2, 1, ceil_mode=True), GRID),
    "max_pool2d of ties": (lambda x: F.max_pool2d(x[None, None], 2, 1), SPREAD),
    "max_pool2d dilated": (lambda x: F.max_pool2d(x[None], 2, 1, 0, 2), GRID),
    "max_pool3d": (lambda x: F.max_pool3d(x.view(1, 3, 3, 4), 2, 1), GRID),
    "avg_pool1d": (lambda x: F.avg_pool1d(x[None], 3, 2, 1), GRID),
    "avg_pool2d": (lambda x: F.avg_pool2d(x[None], 3, 2, 1, ceil_mode=True, count_include_pad=False), GRID),
    "avg_pool2d divided": (lambda x: F.avg_pool2d(x[None], (2, 3), (3, 1), divisor_override=7), GRID),
    "avg_pool3d": (lambda x: F.avg_pool3d(x.view(1, 3, 3, 4), 2, 2, 1), GRID),
    "adaptive_avg_pool1d": (lambda x: F.adaptive_avg_pool1d(x[None], 4), GRID),
    "adaptive_avg_pool2d": (lambda x: F.adaptive_avg_pool2d(x[None], (1, 3)), GRID),
    "adaptive_avg_pool2d ragged": (lambda x: F.adaptive_avg_pool2d(x[None], (4, 5)), GRID),
    "adaptive_max_pool1d": (lambda x: F.adaptive_max_pool1d(x[None], 4), GRID),
    "adaptive_max_pool2d": (lambda x: F.adaptive_max_pool2d(x[None], (4, 2)), GRID),
}


def weighted(function):
    """Each element of the result with a weight of its own."""

    def call(*tensors):
        result = function(*tensors)
        return result * torch.linspace(1, 2, result.numel(), dtype=result.dtype).view(result.shape)

    return call


@pytest.mark.filterwarnings("ignore:(var|std)")
@pytest.mark.parametrize("case", CASES)
def test_the_gradient_is_eagers(case, tmp_path, jit_run):
    function, values = weighted(CASES[case][0]), CASES[case][1:]
    arguments = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    function(*arguments).sum().backward()
    program = trace(function, arguments)
    program.save(str(tmp_path / "case.pt"))
    outcome = jit_run(tmp_path / "case.pt", *arguments, flags=["--grad"])
    outcome.assert_ok()
    for number, argument in enumerate(arguments):
        np.testing.assert_allclose(outcome.gradient(number), argument.grad.numpy(), rtol=1e-7, atol=1e-12, err_msg=f"gradient {number}")
