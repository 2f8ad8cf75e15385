"""Writes programs of one to three operators with unusual parameters, on elements that are special more often than not."""

import random
import re

import values
from generator import failing_statement
from program import Program, Statement

KINDS = ["float32"] * 8 + ["float64"] * 3 + ["int64"] * 4 + ["int32", "uint8", "bool", "float16", "bfloat16"]
SIZES = ([], [0], [1], [3], [6], [2, 3], [3, 3], [4, 5], [1, 4], [2, 0], [2, 3, 4], [1, 1, 5], [1, 2, 4, 4], [2, 4, 3, 5], [1, 1, 3, 4, 4])
OTHERS = (None, None, None, [], [1])  # sizes of the second tensor; None: those of the first

# What a hole may be filled with.
HOLES = {
    "dim": ("0", "-1", "1", "-2", "2"),
    "dims": ("[0]", "[-1]", "[0, -1]", "[1]", "[]", "None"),
    "bool": ("True", "False"),
    "int": ("0", "1", "-1", "2", "-2", "3", "5", "63", "-7"),
    "float": ("0.0", "-0.0", "1.0", "-1.5", "inf", "-inf", "nan", "0.5", "2.0", "1e-40", "3", "-2", "0", "True"),
    "rounding": ("None", '"trunc"', '"floor"'),
    "unary": ("abs", "neg", "sign", "sgn", "floor", "ceil", "trunc", "round", "frac", "sqrt", "rsqrt", "reciprocal", "exp", "expm1", "exp2", "log",
              "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc",
              "erfinv", "lgamma", "digamma", "sigmoid", "logit", "sinc", "i0", "signbit", "isfinite", "isnan", "isposinf", "isneginf", "logical_not",
              "bitwise_not", "square", "deg2rad", "nan_to_num", "angle", "isreal", "positive", "relu"),
    "special": ("entr", "erfcx", "ndtri", "ndtr", "log_ndtr", "i0e", "i1", "i1e", "psi", "bessel_j0", "bessel_y0"),
    "binary": ("add", "sub", "mul", "div", "floor_divide", "remainder", "fmod", "pow", "maximum", "minimum", "fmax", "fmin", "atan2", "hypot",
               "copysign", "heaviside", "nextafter", "ldexp", "logaddexp", "logaddexp2", "xlogy", "gcd", "lcm", "bitwise_and", "bitwise_xor",
               "bitwise_left_shift", "bitwise_right_shift", "logical_xor", "eq", "lt", "ge", "ne", "rsub", "true_divide", "float_power", "dist"),
    "operator": ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "=="),
    "act": ("relu6", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "hardtanh", "hardsigmoid", "hardswish", "hardshrink", "softshrink",
            "logsigmoid", "leaky_relu", "tanhshrink", "softsign"),
    "loss": ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "soft_margin_loss", "binary_cross_entropy_with_logits"),
    "reduction": ('"none"', '"mean"', '"sum"'),
    "how": ('"sum"', '"prod"', '"mean"', '"amax"', '"amin"'),
    "way": ('"linear"', '"lower"', '"higher"', '"nearest"', '"midpoint"'),
    "ord": ("0", "1", "2", "inf", "-inf", "-1", "0.5", "3", "-2.5"),
    "pad": ('"constant"', '"reflect"', '"replicate"', '"circular"'),
    "pads": ("[1, 2]", "[-1, 1]", "[0, -2]", "[1, 1, 1, 1]", "[-1, 2, 0, 1]", "[2, -3]"),
    "mode": ('"bilinear"', '"nearest"', '"bicubic"'), "edge": ('"zeros"', '"border"', '"reflection"'),
    "k": ("1", "2", "3"), "s": ("1", "2", "3", "4"), "p": ("0", "1"), "d": ("1", "2"), "n": ("1", "2", "3", "5", "7"),
    "q": ("0.0", "1.0", "0.5", "0.25", "0.9"),
    "index": ("torch.tensor([0, -1, 0])", "torch.tensor([0, 0])", "torch.tensor([1, 0, 1])", "torch.tensor([0])"),
    "type": ("float32", "float64", "int64", "int32", "uint8", "bool", "float16", "bfloat16"),
}

TEMPLATES = """torch.{unary}(x)|torch.{unary}(x)|torch.{unary}(x)|torch.special.{special}(x)|torch.{binary}(x, y)|torch.{binary}(x, y)|torch.{binary}(x, y)
torch.{binary}(x, {float})|torch.{binary}(x, {int})|x {operator} {int}|{int} {operator} x|x {operator} {float}|{float} {operator} x|x {operator} y
torch.div(x, y, rounding_mode={rounding})|torch.div(x, {float}, rounding_mode={rounding})|torch.add(x, y, alpha={int})|torch.sub(x, y, alpha={float})
torch.addcmul(x, y, y, value={float})|torch.addcdiv(x, y, x, value={float})|torch.lerp(x, y, {float})|torch.special.zeta(x, y)|torch.special.xlog1py(x, y)
torch.sort(x, dim={dim}, descending={bool}, stable=True)|torch.argsort(x, stable=True, dim={dim}, descending={bool})|torch.sort(x, dim={dim})[0]
torch.topk(x, {k}, {dim}, {bool})[0]|torch.kthvalue(x, {k}, {dim}, {bool})[0]|torch.mode(x, {dim}, {bool})[0]|torch.median(x, {dim}, {bool})[0]
torch.median(x)|torch.nanmedian(x)|torch.nanmedian(x, {dim})[0]|torch.max(x, {dim})|torch.min(x, {dim})|torch.argmax(x, {dim})|torch.argmin(x)|torch.aminmax(x)
torch.unique(x, return_inverse=True, return_counts=True)|torch.unique_consecutive(x)|torch.cummax(x, {dim})|torch.cummin(x, {dim})|torch.cumsum(x, {dim})
torch.cumprod(x, {dim})|torch.logcumsumexp(x, {dim})|torch.prod(x, {dim})|torch.sum(x, {dims}, {bool})|torch.mean(x, {dims})|torch.nansum(x)|torch.nanmean(x, {dims})
torch.logsumexp(x, {dims})|torch.softmax(x, {dim})|torch.log_softmax(x, {dim})|F.softmin(x, {dim})|torch.var(x, {dims}, correction={int})
torch.std(x, {dims}, correction={int}, keepdim={bool})|torch.var_mean(x, {dims}, correction={int})|torch.any(x, {dim})|torch.all(x)|torch.count_nonzero(x, {dim})
torch.amax(x, {dims})|torch.amin(x, {dims}, {bool})|torch.linalg.vector_norm(x, {ord}, {dims})|torch.norm(x, {ord}, {dim})|torch.renorm(x, {ord}, {dim}, 1.5)
torch.quantile(x, {q}, {dim}, interpolation={way})|torch.nanquantile(x, {q}, {dim}, interpolation={way})|F.normalize(x, {ord}, {dim}, 0.0)
torch.clamp(x, {float}, {float})|torch.clamp(x, max={float})|torch.clamp(x, y, x)|torch.nan_to_num(x, {float}, {float}, {float})|torch.round(x, decimals={int})
torch.logit(x, {float})|torch.searchsorted(torch.sort(x)[0], y, right={bool})|torch.bucketize(x, torch.tensor([-1.0, 0.0, 0.0, 2.0]), right={bool})
torch.isin(x, y, invert={bool})|torch.histc(x, {n}, -1, 2)|torch.bincount(x.flatten(), minlength={n})|torch.where(x > 0, x, {float})|torch.where(x == y, x, y)
torch.isclose(x, y, equal_nan={bool})|torch.diff(x, {k}, {dim})|torch.trapezoid(x, dim={dim})|torch.roll(x, {int}, {dim})|torch.rot90(x, {int}, [0, 1])
torch.tril(x, {int})|torch.triu(x, {int})|torch.diag_embed(x, {int})|torch.diagonal(x, {int})|torch.diag(x, {int})|torch.flip(x, [{dim}])|torch.narrow(x, {dim}, -1, 1)
x.unfold({dim}, {k}, {s})|torch.index_select(x, {dim}, torch.tensor([0, 0]))|x[{index}]|x.index_add(0, {index}, x[{index}], alpha={int})
x.index_reduce(0, {index}, x[{index}], "prod", include_self={bool})|x.index_copy(0, torch.tensor([1, 0]), x[:2])|x.index_fill({dim}, torch.tensor([-1]), {float})
x.scatter_reduce({dim}, torch.zeros_like(x, dtype=torch.int64), x, {how}, include_self={bool})|x.scatter_add({dim}, torch.zeros_like(x, dtype=torch.int64), x)
x.index_put([{index}], y, accumulate={bool})|torch.take_along_dim(x, torch.argsort(x, stable=True, dim={dim}), {dim})|torch.gather(x, {dim}, torch.zeros_like(x, dtype=torch.int64))
F.{act}(x)|F.{act}(x)|F.threshold(x, {float}, {float})|F.hardtanh(x, -2.0, 0.5)|F.glu(x, {dim})|F.softplus(x, {float}, {float})|F.elu(x, {float})|F.leaky_relu(x, {float})
F.{loss}(x, y, reduction={reduction})|F.huber_loss(x, y, reduction={reduction}, delta=0.5)|F.smooth_l1_loss(x, y, beta=0.0)|F.poisson_nll_loss(x, y, {bool}, {bool}, reduction={reduction})
F.gaussian_nll_loss(x, y, torch.abs(y), {bool})|F.hinge_embedding_loss(x, y, margin={float})|F.cosine_similarity(x, y, {dim})|F.pairwise_distance(x, y, {ord})
F.margin_ranking_loss(x, y, torch.sign(x), {float}, reduction={reduction})|F.kl_div(x, y, reduction={reduction}, log_target={bool})|torch.cdist(x, x, {ord})
F.cross_entropy(x, torch.argmax(x, 1), ignore_index={int}, label_smoothing={q}, reduction={reduction})|F.nll_loss(x, torch.argmax(x, 1), ignore_index={int}, reduction={reduction})
F.multi_margin_loss(x, torch.argmax(x, 1), p={k}, reduction={reduction})|F.multilabel_soft_margin_loss(x, y, reduction={reduction})|F.multilabel_margin_loss(x, torch.zeros_like(x, dtype=torch.int64))
F.pad(x, {pads}, {pad})|F.pad(x, {pads}, value={float})|F.max_pool1d(x, {k}, {s}, {p}, {d}, ceil_mode={bool})|F.max_pool2d(x, {k}, {s}, {p}, {d}, ceil_mode={bool})
F.avg_pool1d(x, {k}, {s}, {p}, {bool}, {bool})|F.avg_pool2d(x, {k}, {s}, {p}, {bool}, {bool})|F.avg_pool2d(x, {k}, {s}, {p}, {bool}, {bool}, {int})|F.lp_pool2d(x, {ord}, {k}, {s}, {bool})
F.adaptive_avg_pool1d(x, {n})|F.adaptive_avg_pool2d(x, [{n}, {n}])|F.adaptive_max_pool1d(x, {n})|F.unfold(x, {k}, {d}, {p}, {s})|F.local_response_norm(x, {n})
F.grid_sample(x, torch.clamp(x[:, :, :, :2], -3, 3), {mode}, {edge}, {bool})|F.pixel_unshuffle(x, 2)|F.pixel_shuffle(x, 2)|F.channel_shuffle(x, {k})
F.layer_norm(x, x.shape[-1:], eps=0.0)|F.group_norm(x, {k}, eps=0.0)|F.batch_norm(x, None, None, training=True, eps=0.0)|F.instance_norm(x, eps=0.0)|F.rms_norm(x, x.shape[-1:])
F.one_hot(x, {n})|torch.addmm(x, x, x, beta={int}, alpha={float})|torch.baddbmm(x, x, y, beta=0, alpha={int})|torch.addmv(x[0], x, x[0], beta=0.0)|torch.addr(x, x[:, 0], x[0], beta=0, alpha={int})
torch.outer(x, y)|torch.einsum("ii->i", x)|torch.einsum("...i,...i->...", x, y)|torch.einsum("ij,kj->", x, y)|torch.matrix_power(x, {int})|torch.linalg.matrix_norm(x, {ord})
F.scaled_dot_product_attention(x, x, y, is_causal={bool}, scale={float})|F.scaled_dot_product_attention(x, x, x, attn_mask=torch.zeros(x.shape[-2], x.shape[-2], dtype=torch.bool))
x.to(torch.{type}) + {float}|torch.full_like(x, {int})|torch.cat([x, y], {dim})|torch.stack([x, y], {dim})|torch.cov(x)|torch.corrcoef(x)|torch.cross(x, y, dim={dim})|torch.vander(x, {n}, {bool})
torch.linspace({int}, {int}, {n}, dtype=torch.{type})|torch.arange({int}, {int}, {int}, dtype=torch.{type})|torch.arange({float}, 4, 0.7)|torch.polygamma({k}, x)|torch.mvlgamma(x, {k})
torch.tensor_split(x, {n}, {dim})|torch.chunk(x, {n}, {dim})|torch.repeat_interleave(x, {k}, {dim})|x.repeat({k}, 0)|x.expand(2, -1)|torch.combinations(x, {k})|torch.block_diag(x, y)"""
TEMPLATES = [template for line in TEMPLATES.splitlines() for template in line.split("|") if template.strip()]


def element(rng, dtype):
    """One element as text: few different ones, so that some are equal."""
    if dtype == "bool":
        return rng.choice(("True", "False"))
    if dtype in values.FLOATS:
        special = ("nan", "inf", "-inf", "-0.0", "0.0", "1e-40", "88.5", "-104.0")
        return rng.choice(special) if rng.random() < 0.25 else str(rng.randint(-6, 6) / 2)
    return str(rng.choice(values.EXTREMES[dtype])) if rng.random() < 0.15 else str(rng.randint(0 if dtype == "uint8" else -4, 4))


def tensor(rng, dtype, sizes, is_tame):
    count = 1
    for size in sizes:
        count *= size
    draw = (lambda: values.number(rng, dtype, False)) if is_tame else (lambda: element(rng, dtype))
    return f"torch.tensor([{', '.join(draw() for _ in range(count))}], dtype=torch.{dtype}).reshape({sizes})"


def filled(rng, template):
    return re.sub(r"\{(\w+)\}", lambda hole: rng.choice(HOLES[hole[1]]), template)


def attempted(rng):
    kind, sizes, is_tame = rng.choice(KINDS), rng.choice(SIZES), rng.random() < 0.4
    other = rng.choice(OTHERS)
    call = [tensor(rng, kind, sizes, is_tame), tensor(rng, rng.choice([kind, kind, rng.choice(KINDS)]), sizes if other is None else other, is_tame)]
    count = rng.choice((1, 1, 1, 2, 3))
    body = [Statement(f"r{i} = {filled(rng, rng.choice(TEMPLATES))}") for i in range(count)]
    for i in range(1, count):  # now and then of what is before it
        if rng.random() < 0.5:
            body[i].head = re.sub(r"\bx\b", "r0", body[i].head)
    return Program("x: Tensor, y: Tensor", body, [f"r{i}" for i in range(count)], [f"({', '.join(call)})"])


def generate_single(seed):
    """The program of a seed: PyTorch runs it."""
    for attempt in range(400):
        program = attempted(random.Random(f"single {seed} {attempt}"))
        if failing_statement(program) is None:
            return program
    return None
