"""Statements that write memory which is there: through views of every kind."""

import torch
from guide import NoChoice, line
from pointwise import operand, scalar
from views import views_of

WRITES = []


def write(weight):
    def note(make):
        WRITES.append((weight, make))
        return make

    return note


def place(g, test=lambda value: True):
    """An expression that names memory, mostly through views."""
    for _ in range(5):
        text = views_of(g, element_or_name(g), *g.some([(0, 0), (1, 1), (1, 2), (2, 3)]))
        if test(g.value(text)):
            return text
    raise NoChoice


def element_or_name(g):
    """A tensor in scope, or in a list or dict in scope."""
    if g.chance(0.15):
        names = [name for name, kind in g.kinds.items() if kind == "List[Tensor]" and g.values[name]]
        if names:
            name = g.rng.choice(names)
            return f"{name}[{g.below(len(g.values[name]))}]"
    if g.chance(0.1):
        names = [name for name, kind in g.kinds.items() if kind == "Dict[str, Tensor]" and g.values[name]]
        if names:
            name = g.rng.choice(names)
            return f'{name}["{g.some(g.values[name])}"]'
    return g.tensor()


def is_float(value):
    return value.is_floating_point()


@write(10)
def with_number(g):
    text = place(g)
    value = g.value(text)
    if value.dtype == torch.bool:
        return line(f"{text}.{g.some(['logical_not_()', 'fill_(True)', 'zero_()'])}")
    return line(f"{text}.{g.some(['mul_', 'add_', 'sub_', 'fill_', 'mul_', 'add_'])}({scalar(g, value)})")


@write(10)
def with_tensor(g):
    text = place(g)
    other = operand(g, g.value(text))
    return line(f"{text}.{g.some(['mul_', 'add_', 'sub_', 'copy_', 'copy_', 'add_'])}({other})")


@write(7)
def of_itself(g):
    text = place(g, is_float)
    call = g.some(["relu_()", "zero_()", "neg_()", "abs_()", "clamp_(-0.5, 0.5)", "clamp_(min=0.0)", "sigmoid_()", "tanh_()", "sin_()",
                   "div_(2.0)", "round_()", "clamp_min_(0.25)", "cos_()", "square_()", "floor_()"])
    if g.chance(0.1):  # modules with `inplace`
        modules = [f"F.relu({text}, inplace=True)", f"F.leaky_relu({text}, 0.1, True)", f"F.hardsigmoid({text}, True)",
                   f"F.silu({text}, inplace=True)", f"F.threshold({text}, 0.1, 2.0, True)", f"F.dropout({text}, 0.5, False, True)", f"F.mish({text}, True)"]
        if not g.with_gradients:  # at NaN PyTorch's depend on how many elements there are
            modules += [f"F.elu({text}, inplace=True)", f"F.hardswish({text}, True)", f"F.hardtanh({text}, -0.5, 0.5, True)"]
        return line(g.some(modules))
    return line(f"torch.{call[:-2]}({text})" if call in ("relu_()", "tanh_()", "sin_()") and g.chance(0.3) else f"{text}.{call}")


@write(4)
def masked(g):
    text = place(g)
    value = g.value(text)
    mask = f"{text} > {scalar(g, value)}"
    if value.dtype == torch.bool:
        mask = text
    return line(f"{text}.masked_fill_({mask}, {scalar(g, value)})")


def index(g, value):
    """What stands in brackets: the text of a place in a tensor."""
    words = [] if value.dim() else ["..."]
    for size in value.shape[: g.rng.randint(1, max(value.dim(), 1))]:
        if size == 0:
            words.append(":")
            continue
        start = g.rng.randrange(size)
        words.append(g.some([g.below(size), ":", f"{start}:", f":{g.integer(start + 1)}", "::2", f"{start}:{start + 2}", "-1"]))
    if value.dim() > 1 and g.chance(0.1):
        words = ["...", g.below(value.size(-1))]
    return ", ".join(words)


def assigns(g, value):
    """TorchScript reads True as 1, which bools do not take."""
    return "=" if value.dtype == torch.bool else g.some(["=", "=", "+=", "*=", "-="])


@write(14)
def assignment(g):
    name = views_of(g, element_or_name(g), *g.some([(0, 0), (0, 0), (1, 1)]))
    target = f"{name}[{index(g, g.value(name))}]"
    value = g.value(target)
    other = scalar(g, value) if g.chance(0.4) else operand(g, value)
    return line(f"{target} {assigns(g, value)} {other}")


@write(6)
def assignment_by_tensor(g):
    name = element_or_name(g)
    value = g.value(name)
    if not value.dim() or not value.size(0):
        raise NoChoice
    rows = g.rng.sample(range(value.size(0)), g.rng.randint(1, min(2, value.size(0))))
    mask = f"{name} > {scalar(g, value)}" if value.dtype != torch.bool else name
    chosen = g.some([mask, f"torch.tensor({rows})", str(rows), mask])
    target = f"{name}[{chosen}]"
    return line(f"{target} {assigns(g, value)} {scalar(g, value) if g.chance(0.6) else operand(g, g.value(target))}")


@write(6)
def augmented(g):
    """`x += y` is a write where x is a tensor."""
    name = g.tensor(lambda value: value.dtype != torch.bool)
    other = scalar(g, g.values[name]) if g.chance(0.5) else operand(g, g.values[name])
    return line(f"{name} {g.some(['+=', '*=', '-='])} {other}")


@write(3)
def by_index_tensor(g):
    text = place(g, lambda value: value.dim() > 0 and value.size(0) > 0)
    value = g.value(text)
    row = g.below(value.size(0))
    rows = f"torch.tensor([{row}])"
    number = scalar(g, value)
    source = f"torch.ones_like({text}[0:1])"
    calls = [f"index_fill_(0, {rows}, {number})", f"index_add_(0, {rows}, {source})", f"index_copy_(0, {rows}, {source})"]
    return line(f"{text}.{g.some(calls)}")


@write(3)
def out(g):
    text = place(g, is_float)
    value = g.value(text)
    one, other = operand(g, value, True), operand(g, value, True)
    call = g.some([f"torch.add({one}, {other}, out={text})", f"torch.mul({one}, {other}, out={text})", f"torch.sin({one}, out={text})"])
    shape = torch.broadcast_shapes(g.value(one).shape, g.value(other).shape if other in call else ())
    if shape != value.shape:  # it would be resized
        raise NoChoice
    return line(call)


@write(2)
def sizes(g):
    """Writes of sizes and strides; the memory stays. Of an argument seldom: no door can hand other sizes back, so that is refused."""
    wants_argument = g.chance(0.02)
    name = g.tensor(lambda value: value.dim() > 0 and (wants_argument or all(value is not given for given in g.values["given"])))
    return line(f"{name}.{g.some(['unsqueeze_(0)', 'squeeze_()', 'transpose_(0, -1)', 't_()', 'unsqueeze_(-1)'])}")


@write(2)
def others(g):
    text = place(g, is_float)
    value = g.value(text)
    one = operand(g, value)
    calls = ["triu_()", "cumsum_(0)", f"addcmul_({one}, {one})", f"lerp_({one}, 0.5)", "fill_diagonal_(1.0)",
             f"addcdiv_({one}, torch.tensor(2.0))"]
    return line(f"{text}.{g.some(calls)}")
