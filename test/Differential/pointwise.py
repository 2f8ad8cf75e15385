"""Expressions that make new tensors: pointwise, reductions, creations, and choices."""

import torch
from views import views_of

EXPRESSIONS = []


def expression(weight):
    def note(make):
        EXPRESSIONS.append((weight, make))
        return make

    return note


def new_tensor(g):
    """The text of a new tensor's value, or of one that may share memory."""
    return g.weighted(EXPRESSIONS)(g)


def scalar(g, value=None):
    """A number as text that suits a tensor's element type."""
    if value is not None and value.is_complex():
        return g.some(["2.0", "-1", "1j", "0.5j", "(1-2j)"])
    if value is not None and not value.is_floating_point():
        return g.some(["True", "False"]) if value.dtype == torch.bool else str(g.rng.randint(-3, 5))
    names = [name for name, kind in g.kinds.items() if kind in ("int", "float")]
    if names and g.chance(0.2):
        return g.rng.choice(names)
    return g.some(["2.0", "0.5", "-1.5", "3", "0.25", "-1", "1.0", "0.1"])


def fits(value, target):
    """Whether a value broadcasts to a tensor's sizes."""
    sizes = value.shape
    return len(sizes) <= target.dim() and all(n in (1, m) for n, m in zip(reversed(sizes), reversed(target.shape)))


def operand(g, target, same_type=False):
    """An expression that broadcasts to a tensor's sizes, of a type that can be written to it."""
    def suits(value):
        return fits(value, target) and (value.dtype == target.dtype if same_type else torch.can_cast(value.dtype, target.dtype))

    if g.chance(0.75):
        names = [name for name, kind in g.kinds.items() if kind == "Tensor" and suits(g.values[name])]
        if names and g.chance(0.7):
            return g.rng.choice(names)
        for _ in range(6):  # a view that happens to fit
            text = views_of(g, g.tensor(), 1, 2)
            if suits(g.value(text)):
                return text
        if names:
            return g.rng.choice(names)
    kind = str(target.dtype)
    if target.dim() and g.chance(0.5):
        sizes = ", ".join(map(str, target.shape[g.rng.randrange(target.dim()):]))
        return f"torch.{g.some(['ones', 'zeros'])}([{sizes}], dtype={kind})"
    return f"torch.tensor({scalar(g, target)}, dtype={kind})"


@expression(8)
def unary(g):
    name = g.floating()
    method = g.some(["abs", "neg", "relu", "tanh", "sigmoid", "sin", "cos", "square", "sign", "floor", "round", "exp", "clone", "isnan",
                     "isfinite", "logical_not", "erf", "reciprocal"])
    return f"torch.{method}({source(g, name)})"


def source(g, name):
    return views_of(g, name, 1, 2) if g.chance(0.35) else name


@expression(14)
def binary(g):
    name = g.tensor()
    if g.chance(0.4) and g.values[name].dtype != torch.bool:
        return f"{name} {g.some('+-*')} {scalar(g, g.values[name])}"
    text = source(g, name)
    other = operand(g, g.value(text))
    word = g.some(["+", "-", "*", "+", "*", "maximum", "minimum", "<", ">=", "==", "/"])
    return f"torch.{word}({text}, {other})" if word.isalpha() else f"{text} {word} {other}"


@expression(3)
def integer(g):
    name = g.tensor(lambda value: not value.is_floating_point())
    other = g.some(["3", "-2", "7", "2"])
    return g.some([f"{name} // {other}", f"{name} % {other}", f"~{name}", f"{name} & 6", f"{name} * {name}", f"-{name}", f"{name}.abs()",
                   f"{name} * 1000003", f"{name} ^ 5"])


@expression(1)
def complex_numbers(g):
    name = g.tensor(lambda value: value.dtype in (torch.float32, torch.float64))
    other = g.tensor(lambda value: value.dtype == g.values[name].dtype and value.shape == g.values[name].shape)
    return f"torch.complex({name}, {other})"


@expression(3)
def remainder(g):
    name = g.floating()
    return g.some([f"{name} % 2.0", f"{name} // 0.75", f"torch.fmod({name}, 1.5)", f"torch.remainder({name}, -1.5)"])


@expression(4)
def clamp(g):
    name = g.floating()
    return g.some([f"{name}.clamp(-0.5, 0.5)", f"{name}.clamp(min=0.25)", f"torch.clamp({name}, max=1.0)", f"torch.relu({name})"])


@expression(5)
def choice(g):
    name = g.tensor()
    other = operand(g, g.values[name])
    mask = g.tensor(lambda value: value.dtype == torch.bool) if g.chance(0.4) else f"{name} > {scalar(g)}"
    return f"torch.where({mask}, {name}, {other})" if g.chance(0.7) else f"{name}.masked_fill({mask}, {scalar(g, g.values[name])})"


@expression(7)
def reduction(g):
    name = g.tensor(lambda value: value.dim() > 0)
    value = g.values[name]
    dim = g.rng.randrange(value.dim())
    text = source(g, name)
    return g.some([f"{text}.sum()", f"{name}.sum({dim})", f"{name}.sum({dim}, keepdim=True)", f"{name}.mean({dim})", f"{text}.mean()",
                   f"{name}.amax({dim})", f"{name}.amin({dim}, keepdim=True)", f"{text}.max()", f"{text}.min()", f"{name}.any()",
                   f"({name} > 0).all({dim})", f"{name}.argmax({dim})", f"{name}.prod({dim})", f"{name}.cumsum({dim})",
                   f"{name}.max({dim})[0]", f"torch.softmax({name}, {dim})"])


@expression(5)
def creation(g):
    name = g.tensor()
    kind = str(g.values[name].dtype)
    size = g.integer(g.rng.randint(0, 5))
    return g.some([f"torch.zeros_like({name})", f"torch.ones_like({name})", f"torch.arange({size})", f"torch.zeros([{size}, 3])",
                   f"torch.full([{size}], 1.5)", f"{name}.new_zeros([2, {size}])", f"torch.zeros([2, 3], dtype={kind})",
                   f"torch.arange(6, dtype=torch.float32).view(2, 3)", f"torch.empty_like({name}).fill_({scalar(g, g.values[name])})",
                   f"{name}.clone()", f"torch.eye(3)", f"torch.tensor([0.5, -1.0, 2.0])"])


@expression(12)
def view_alone(g):
    return views_of(g, g.tensor(), 1, 3)


@expression(4)
def joined(g):
    name = g.tensor(lambda value: value.dim() > 0)
    other = g.tensor(lambda value: value.shape == g.values[name].shape) if g.chance(0.7) else name
    return f"torch.{g.some(['cat', 'stack'])}([{name}, {other}], {g.rng.randrange(g.values[name].dim())})"


@expression(4)
def gathered(g):
    name = g.tensor(lambda value: value.dim() > 0 and value.size(0) > 0)
    rows = g.values[name].size(0)
    picked = ", ".join(str(g.rng.randrange(rows)) for _ in range(g.rng.randint(1, 3)))
    return g.some([f"{name}[torch.tensor([{picked}])]", f"{name}[[{picked}]]", f"{name}.index_select(0, torch.tensor([{picked}]))",
                   f"{name}[{name} > 0]", f"torch.triu({name})", f"{name}.repeat_interleave(2, 0)"])


@expression(2)
def product(g):
    name = g.floating(lambda value: value.dim() == 2)
    other = g.floating(lambda value: value.dim() == 2 and value.size(0) == g.values[name].size(1) and value.dtype == g.values[name].dtype)
    return f"{name} @ {other}"


@expression(3)
def updated(g):
    """The functional twins of writes."""
    name = g.tensor(lambda value: value.dim() > 0 and value.size(0) > 0)
    row = g.below(g.values[name].size(0))
    return g.some([f"torch.select_scatter({name}, {name}[0], 0, {row})", f"torch.slice_scatter({name}, {name}[:1], 0, 0, 1)",
                   f"{name}.index_fill(0, torch.tensor([{row}]), 0)"])
