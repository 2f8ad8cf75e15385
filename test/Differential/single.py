"""Writes programs of one to three operators with unusual parameters, on elements that are special more often than not."""

import random
import re

import values
from generator import failing_statement
from program import Program, Statement

KINDS = ["float32"] * 8 + ["float64"] * 3 + ["int64"] * 4 + ["int32", "uint8", "bool", "float16", "bfloat16"]
SIZES = ([], [0], [1], [3], [6], [2, 3], [3, 3], [4, 5], [1, 4], [2, 0], [2, 3, 4], [1, 1, 5], [1, 2, 4, 4], [2, 4, 3, 5], [1, 1, 3, 4, 4])
LARGE = ([40, 100], [3000], [2, 3, 400], [1, 8, 20, 30])  # of numbers that are counted, so that sums are large
OTHERS = (None, None, None, [], [1])  # sizes of the second tensor; None: those of the first

# What a hole may be filled with.
HOLES = {
    "dim": ("0", "-1", "1", "-2", "2"),
    # x without infinities and NaN, of which eager's ways of summing make what they make (docs/reliability.md)
    "x": ("torch.nan_to_num(x, 0.0, 3.0, -3.0)",),
    "dims": ("[0]", "[-1]", "[0, -1]", "[1]", "[]", "None"), "some": ("[0]", "[-1]", "[0, -1]", "[1]", "None"),
    "bool": ("True", "False"),
    "int": ("0", "1", "-1", "2", "-2", "3", "5", "63", "-7"),
    "float": ("0.0", "-0.0", "1.0", "-1.5", "inf", "-inf", "nan", "0.5", "2.0", "1e-40", "3", "-2", "0", "True"),
    "finite": ("0.0", "1.0", "-1.5", "0.5", "2.0", "3", "-2"),
    "rounding": ("None", '"trunc"', '"floor"'),
    "unary": ("abs", "neg", "sign", "sgn", "floor", "ceil", "trunc", "round", "frac", "sqrt", "rsqrt", "reciprocal", "exp", "expm1", "exp2", "log",
              "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc",
              "erfinv", "lgamma", "sigmoid", "logit", "sinc", "i0", "signbit", "isfinite", "isnan", "isposinf", "isneginf", "logical_not",
              "bitwise_not", "square", "deg2rad", "nan_to_num", "angle", "isreal", "positive", "relu"),
    "special": ("entr", "erfcx", "ndtri", "ndtr", "log_ndtr", "i0e", "i1", "i1e", "bessel_j0", "bessel_y0"),
    "binary": ("add", "sub", "mul", "div", "floor_divide", "remainder", "fmod", "pow", "maximum", "minimum", "fmax", "fmin", "atan2", "hypot",
               "copysign", "heaviside", "nextafter", "ldexp", "logaddexp", "logaddexp2", "xlogy", "gcd", "lcm", "bitwise_and", "bitwise_xor",
               "bitwise_left_shift", "bitwise_right_shift", "logical_xor", "eq", "lt", "ge", "ne", "rsub", "true_divide", "float_power", "dist"),
    "operator": ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "=="),
    "act": ("gelu", "silu", "mish", "softplus", "hardsigmoid", "logsigmoid", "leaky_relu", "tanhshrink", "softsign"),
    "loss": ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "soft_margin_loss", "binary_cross_entropy_with_logits"),
    "reduction": ('"none"', '"mean"', '"sum"'),
    "how": ('"sum"', '"prod"', '"mean"', '"amax"', '"amin"'),
    "way": ('"linear"', '"lower"', '"higher"', '"nearest"', '"midpoint"'),
    "ord": ("0", "1", "2", "inf", "-inf", "-1", "0.5", "3", "-2.5"),
    "pad": ('"constant"', '"reflect"', '"replicate"', '"circular"'),
    "pads": ("[1, 2]", "[-1, 1]", "[0, -2]", "[1, 1, 1, 1]", "[-1, 2, 0, 1]", "[2, -3]"),
    "mode": ('"bilinear"', '"nearest"', '"bicubic"'), "edge": ('"zeros"', '"border"', '"reflection"'),
    "order": ("0", "2", "3"), "k": ("1", "2", "3"), "s": ("1", "2", "3", "4"), "p": ("0", "1"), "d": ("1", "2"), "n": ("1", "2", "3", "5", "7"),
    "q": ("0.0", "1.0", "0.5", "0.25", "0.9"),
    "index": ("torch.tensor([0, -1, 0])", "torch.tensor([0, 0])", "torch.tensor([1, 0, 1])", "torch.tensor([0])"),
    "cunary": ("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "reciprocal", "square",
               "sgn", "neg", "rsqrt", "log10", "log1p", "expm1", "sigmoid", "conj_physical"),
    "complexop": ("+", "-", "*", "/", "**"), "norming": ('"backward"', '"ortho"', '"forward"'), "bag": ('"sum"', '"mean"', '"max"'),
    "resize": ('"nearest"', '"nearest-exact"', '"area"'), "smooth": ('"linear"', '"bilinear"', '"bicubic"'), "scale": ("0.5", "2.0", "1.7", "[1.0, 2.5]"),
    "type": ("float32", "float64", "int64", "int32", "uint8", "bool", "float16", "bfloat16"),
}

TEMPLATES = """torch.{unary}(x)|torch.{unary}(x)|torch.{unary}(x)|torch.special.{special}(x)|torch.{binary}(x, y)|torch.{binary}(x, y)|torch.{binary}(x, y)
torch.{binary}(x, {float})|torch.{binary}(x, {int})|x {operator} {int}|{int} {operator} x|x {operator} {float}|{float} {operator} x|x {operator} y
torch.div(x, y, rounding_mode={rounding})|torch.div(x, {float}, rounding_mode={rounding})|torch.add(x, y, alpha={int})|torch.sub(x, y, alpha={float})
torch.addcmul(x, y, y, value={float})|torch.addcdiv(x, y, x, value={float})|torch.lerp(x, y, {float})|torch.special.zeta(x, y)|torch.digamma(({x} + 0.25).detach())|torch.special.xlog1py(x, y)
torch.sort(x, dim={dim}, descending={bool}, stable=True)|torch.argsort(x, stable=True, dim={dim}, descending={bool})|torch.sort(x.detach(), dim={dim})[0]
torch.topk(x.detach(), {k}, {dim}, {bool})[0]|torch.kthvalue(x.detach(), {k}, {dim}, {bool})[0]|torch.mode({x}.detach(), {dim}, {bool})[0]|torch.median(x, {dim}, {bool})[0]
torch.median(x)|torch.nanmedian(x)|torch.nanmedian(x, {dim})[0]|torch.max(x, {dim})|torch.min(x, {dim})|torch.argmax(x, {dim})|torch.argmin(x)|torch.aminmax(x)
torch.unique({x}, return_inverse=True, return_counts=True)|torch.unique_consecutive(x)|torch.cummax(x, {dim})|torch.cummin(x, {dim})|torch.cumsum(x, {dim})
torch.cumprod(x, {dim})|torch.logcumsumexp(x, {dim})|torch.prod(x, {dim})|torch.sum(x, {dims}, {bool})|torch.mean(x, {dims})|torch.nansum(x)|torch.nanmean(x, {dims})
torch.logsumexp(x, {dims})|torch.softmax(x, {dim})|torch.log_softmax(x, {dim})|F.softmin(x, {dim})|torch.var(x, {some}, correction={int})
torch.std(x, {some}, correction={int}, keepdim={bool})|torch.var_mean({x}, {some}, correction={int})|torch.any(x, {dim})|torch.all(x)|torch.count_nonzero(x, {dim})
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
x.index_put([{index}], y, accumulate={bool})|torch.take_along_dim(x, torch.argsort(x, stable=True, dim=-1), -1)|torch.take_along_dim(x, torch.argsort(x, stable=True, dim=0), 0)|torch.gather(x, {dim}, torch.zeros_like(x, dtype=torch.int64))
F.{act}(x)|F.{act}(x)|F.threshold(x, {float}, {float})|F.hardtanh({x}, -2.0, 0.5)|F.hardshrink({x})|F.softshrink({x})|F.glu(x, {dim})|F.relu6({x})|F.hardswish({x})|F.selu({x})|F.celu({x})|F.softplus(x, {n}, {n})|F.elu({x}, {finite})|F.leaky_relu(x, {float})
F.{loss}(x, y, reduction={reduction})|F.huber_loss(x, y, reduction={reduction}, delta=0.5)|F.smooth_l1_loss(x, y, beta=0.0)|F.poisson_nll_loss(x, y, {bool}, {bool}, reduction={reduction})
F.gaussian_nll_loss(x, y, torch.abs(y), {bool})|F.hinge_embedding_loss(x, y, margin={float})|F.cosine_similarity(x, y, {dim})|F.pairwise_distance(x, y, {ord})
F.margin_ranking_loss(x, y, torch.sign(x), {float}, reduction={reduction})|F.kl_div(x, y, reduction={reduction}, log_target={bool})|torch.cdist(x, x, {ord})
F.cross_entropy(x, torch.argmax(x, 1), ignore_index={int}, label_smoothing={q}, reduction={reduction})|F.nll_loss(x, torch.argmax(x, 1), ignore_index={int}, reduction={reduction})
F.multi_margin_loss(x, torch.argmax(x, 1), p={k}, reduction={reduction})|F.multilabel_soft_margin_loss(x, y, reduction={reduction})|F.multilabel_margin_loss(x, torch.zeros_like(x, dtype=torch.int64))
F.pad(x, {pads}, {pad})|F.pad(x, {pads}, value={float})|F.max_pool1d(x, {k}, {s}, {p}, {d}, ceil_mode={bool})|F.max_pool2d(x, {k}, {s}, {p}, {d}, ceil_mode={bool})
F.avg_pool1d(x, {k}, {s}, {p}, {bool}, {bool})|F.avg_pool2d(x, {k}, {s}, {p}, {bool}, {bool})|F.avg_pool2d(x, {k}, {s}, {p}, {bool}, {bool}, {int})|F.lp_pool2d(x, {ord}, {k}, {s}, {bool})
F.adaptive_avg_pool1d(x, {n})|F.adaptive_avg_pool2d(x, [{n}, {n}])|F.adaptive_max_pool1d(x, {n})|F.unfold(x, {k}, {d}, {p}, {s})|F.local_response_norm(x, {n})
F.grid_sample({x}, torch.clamp({x}[:, :, :, :2], -3, 3), {mode}, {edge}, {bool})|F.pixel_unshuffle(x, 2)|F.pixel_shuffle(x, 2)|F.channel_shuffle(x, {k})
F.layer_norm(x, x.shape[-1:], eps=0.0)|F.group_norm(x, {k}, eps=0.0)|F.batch_norm(x, None, None, training=True, eps=0.0)|F.instance_norm(x, eps=0.0)|F.rms_norm(x, x.shape[-1:])
F.one_hot(x, {n})|torch.addmm(x, x, x, beta={int}, alpha={q})|torch.baddbmm(x, x, y, beta=0, alpha={n})|torch.addmv(x[0], x, x[0], beta=0.0)|torch.addr(x, x[:, 0], x[0], beta=0, alpha={int})
torch.outer(x, y)|torch.einsum("ii->i", x)|torch.einsum("...i,...i->...", x, y)|torch.einsum("ij,kj->", x, y)|torch.matrix_power(x, {int})|torch.linalg.matrix_norm({x}, {ord})
F.scaled_dot_product_attention(x, x, y, is_causal={bool}, scale={n})|F.scaled_dot_product_attention(x, x, x, attn_mask=torch.zeros(x.shape[-2], x.shape[-2], dtype=torch.bool))
x.to(torch.{type}) + {float}|torch.full_like(x, {int})|torch.cat([x, y], {dim})|torch.stack([x, y], {dim})|torch.cov(x)|torch.corrcoef(x)|torch.cross(x, y, dim={dim})|torch.vander(x, {n}, {bool})
torch.linspace({int}, {int}, {n}, dtype=torch.{type})|torch.arange({int}, {int}, {int}, dtype=torch.{type})|torch.arange({float}, 4, 0.7)|torch.polygamma({order}, ({x} + 0.25).detach())|torch.mvlgamma(x, {k})
torch.tensor_split(x, {n}, {dim})|torch.chunk(x, {n}, {dim})|torch.repeat_interleave(x, {k}, {dim})|x.repeat({k}, 0)|x.expand(2, -1)|torch.combinations(x, {k})|torch.block_diag(x, y)
F.conv1d(x, {x}[:, :, :{k}], None, {s}, {p}, {d})|F.conv1d(x, {x}[0, :, None, :{k}], None, {s}, "valid", {d}, x.shape[1])|F.conv1d(x, {x}[:, :, :{k}], {x}[:, 0, 0], 1, "same", {d})
F.conv2d(x, {x}[:, :, :{k}, :{k}], None, {s}, {p}, {d})|F.conv2d(x, {x}[0][:, None, :{k}, :{k}], {x}[0, :, 0, 0], {s}, [{p}, {p}], {d}, x.shape[1])|F.conv3d(x, {x}[:, :, :{k}, :{k}, :{k}], None, {s}, {p})
F.conv2d(x, {x}[:, :, :{k}, :{k}], None, 1, "same", {d})|F.conv_transpose1d(x, {x}[0, :, None, :{k}], None, {s}, {p}, 0, 1, {d})|F.conv_transpose1d(x, {x}[0, :, None, :{k}], None, {s}, {p}, 0, x.shape[1])
F.conv_transpose2d(x, {x}[0][:, None, :{k}, :{k}], None, {s}, {p}, 0, 1, {d})|F.conv_transpose2d(x, {x}[0][:, None, :{k}, :{k}], {x}[0, :, 0, 0], [{s}, {s}], {p}, 0, x.shape[1], {d})
torch.rnn_tanh_cell(x, x, torch.ones(x.shape[1], x.shape[1], dtype=x.dtype), x.t() @ x)|torch.gru_cell(x, x, torch.ones(3 * x.shape[1], x.shape[1], dtype=x.dtype), torch.ones(3 * x.shape[1], x.shape[1], dtype=x.dtype) * 0.25)
torch.lstm_cell(x, [x, x], torch.ones(4 * x.shape[1], x.shape[1], dtype=x.dtype), torch.ones(4 * x.shape[1], x.shape[1], dtype=x.dtype) * 0.5)
torch.view_as_real(torch.{cunary}(torch.complex(x, x.flip(0) + 0.25)))|torch.view_as_real(torch.{cunary}(torch.complex(x.detach(), torch.zeros_like(x))))|torch.abs(torch.complex({x}, {x}.flip(0)))
torch.angle(torch.complex({x}, {x}.flip(0)))|torch.view_as_real(torch.complex({x}, {x}.flip(0)) {complexop} torch.complex({x}.flip(-1), {x}))|torch.view_as_real(torch.complex({x}, {x}.flip(0)) {complexop} {finite})
torch.view_as_real(torch.polar(torch.abs({x}), {x}.flip(0)))|torch.view_as_real(torch.fft.fft({x}, {n}, {dim}, {norming}))|torch.view_as_real(torch.fft.rfft({x}, {n}, {dim}, {norming}))|torch.fft.irfft(torch.complex({x}, {x}), {n}, {dim})
torch.sum(torch.complex({x}, {x}.flip(0)), {dim}).real|torch.prod(torch.complex({x}, {x}.flip(0)), {dim}).imag|torch.complex(x, x.flip(0)) == torch.complex(x.flip(0), x)|torch.isnan(torch.complex(x, x.flip(0)))
F.embedding({index}, x, {int})|F.embedding({index}, x, scale_grad_by_freq={bool})|F.embedding_bag({index}, x, torch.tensor([0, 1, 3]), mode={bag}, include_last_offset={bool})
F.embedding_bag({index}, x, torch.tensor([0, 0]), mode={bag}, padding_idx=0)|x.as_strided([2, 2], [{s}, 1], {k})|x.as_strided([3, 2], [1, {p}])|torch.take(x, {index})|x.put({index}, y, {bool})
x.masked_fill(x > 0, {float})|x.masked_fill(x > 0, y)|torch.masked_select(x, x > 0)|x.masked_scatter(x > 0, x.flip(0))|x.scatter({dim}, torch.zeros_like(x, dtype=torch.int64), {float})
x.scatter(0, {index}.reshape(-1, 1), x[:1], reduce="multiply")|torch.select_scatter(x, x[0], 0, {int})|torch.slice_scatter(x, x[:1], 0, {int}, {int}, {s})|torch.diagonal_scatter(x, torch.diagonal(x, {int}) * 2, {int})
torch.linalg.det(x)|torch.slogdet({x})|torch.inverse(x @ x.mT + torch.eye(x.shape[-1], dtype=x.dtype))|torch.linalg.solve(x, x)|torch.linalg.cholesky(x @ x.mT)|torch.linalg.matrix_exp(x * 0.1)|torch.pinverse({x})
torch.linalg.svdvals(x)|torch.linalg.eigvalsh(x @ x.mT)|torch.trace(x)|torch.kron(x, y)|torch.tensordot(x, y, {k})|torch.linalg.multi_dot([{x}, {x}, {x}])|torch.linalg.norm(x, {ord}, {dims})|torch.dist(x, y, {ord})
F.interpolate(x, scale_factor={scale}, mode={resize})|F.interpolate({x}, scale_factor={scale}, mode={smooth}, align_corners={bool})|F.interpolate(x, size={n}, mode={resize})|F.interpolate({x}, size={n}, mode={smooth}, align_corners={bool})
F.fold(F.unfold(x, {k}, 1, {p}, {s}), x.shape[-2:], {k}, 1, {p}, {s})|torch.std_mean({x}, {some}, correction={int})|torch.aminmax(x, dim={dim}, keepdim={bool})|torch.argmax(x, {dim}, {bool})|torch.frexp(x)
torch.lerp(x, y, y)|F.prelu(x, x.flatten()[:1])|F.gelu(x, approximate="tanh")|torch.softmax(x, {dim}, dtype=torch.{type})|torch.cumsum(x, {dim}, dtype=torch.{type})|torch.sum(x, dtype=torch.{type})
torch.prod(x, dtype=torch.{type})|torch.mean(x, {dims}, dtype=torch.{type})|x.clone().mul_(y)|x.clone().add_(y, alpha={int})|x.clone().div_({float})|x.clone().pow_({float})|x.clone().clamp_(min={float})
x.clone().fill_diagonal_({float})|F.triplet_margin_loss(x, y, x.flip(0), {float}, {ord}, swap={bool}, reduction={reduction})|F.cosine_embedding_loss(x, x.flip(0), torch.sign(x[:, 0]), {float}, reduction={reduction})
torch.pdist(x, {ord})|torch.quantile(x, torch.tensor([0.25, 0.5], dtype=x.dtype), {dim}, interpolation={way})|int(x.sum())|float(x.max())|bool(x.any())|torch.allclose(x, y, equal_nan={bool})|torch.equal(x, y)
x.view(torch.{type})|torch.unflatten(x, 0, [-1, 1])|torch.movedim(x, 0, -1).reshape(-1)|torch.swapaxes(x, 0, -1).contiguous().view(-1)|torch.cartesian_prod(x, x)|torch.meshgrid(x, x, indexing="ij")
torch.histogram(x, {n})|torch.histc(x, {n})|F.group_norm(x, 1, x[0].flatten()[:1].expand(x.shape[1]))|F.batch_norm(x, torch.zeros(x.shape[1]), torch.ones(x.shape[1]), training={bool}, momentum={float})
F.bilinear(x, x, torch.ones(2, x.shape[-1], x.shape[-1], dtype=x.dtype))|F.linear(x, x, None)|F.linear(x, y, y)|torch.addbmm(x[0] @ x[0].mT, x, x.mT, beta={float})|torch.chain_matmul(x, x, x)|torch.mv(x, x[0])|torch.dot(x, x)"""
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
    if sizes in LARGE:
        return f"(torch.arange({count}) * {rng.randint(1, 96)} % 97 {rng.choice('+-')} {rng.choice((0, 20, 60))}).to(torch.{dtype}).reshape({sizes})"
    draw = (lambda: values.number(rng, dtype, False)) if is_tame else (lambda: element(rng, dtype))
    return f"torch.tensor([{', '.join(draw() for _ in range(count))}], dtype=torch.{dtype}).reshape({sizes})"


def filled(rng, template):
    return re.sub(r"\{(\w+)\}", lambda hole: rng.choice(HOLES[hole[1]]), template)


def attempted(rng):
    kind, sizes, is_tame = rng.choice(KINDS), rng.choice(SIZES), rng.random() < 0.4
    if rng.random() < 0.1:
        sizes, kind = rng.choice(LARGE), rng.choice(("float16", "bfloat16", kind))
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
