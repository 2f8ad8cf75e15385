"""Branches and loops: on flags, on sizes and on data; with trip counts that are known, given or found."""

from guide import NoChoice
from pointwise import new_tensor
from program import Statement

CONTROL = []
SHORT = (1, 1, 2, 2, 3, 3, 4, 5)  # statements of a body


def control(weight):
    def note(make):
        CONTROL.append((weight, make))
        return make

    return note


def condition(g):
    """Of a flag, an int, a size, an Optional, or of data."""
    flags = [name for name, kind in g.kinds.items() if kind == "bool"]
    numbers = [name for name, kind in g.kinds.items() if kind == "int"]
    tensor = g.tensor()
    known = flags * 3 + [f"not {flag}" for flag in flags] + [f"{n} > {g.values[n] - g.rng.randint(0, 1)}" for n in numbers]
    rank = g.values[tensor].dim()
    sizes = [f"{tensor}.size({g.rng.randrange(rank)}) > {g.rng.randint(1, 4)}"] if rank else [f"{tensor}.dim() == 0"]
    data = [f"bool({tensor}.sum() > 0)", f"bool(({tensor} > 0).any())", f"float({tensor}.sum()) > 0.5"]
    return g.some(g.some([group for group in (known, known, sizes, data) if group]))


@control(6)
def branch(g):
    body = g.block(g.produce, *[g.some(SHORT)] * 2)
    orelse = g.block(g.produce, 1, 2) if g.chance(0.5) else []
    return [Statement(f"if {condition(g)}:", body, orelse)], {}


@control(4)
def chosen(g):
    """A name that is one of two things."""
    name = g.tensor() if g.chance(0.4) else g.fresh("t")
    one, other = (g.tensor() if g.chance(0.5) else new_tensor(g) for _ in range(2))
    return [Statement(f"if {condition(g)}:", [Statement(f"{name} = {one}")], [Statement(f"{name} = {other}")])], {name: "Tensor"}


@control(3)
def chosen_at_once(g):
    made, one, other = g.fresh("t"), g.tensor(), g.tensor()
    if g.chance(0.3):  # names change places
        return [Statement(f"{one}, {other} = {other}, {one}")], {}
    return [Statement(f"{made} = {one} if {condition(g)} else {other}")], {made: "Tensor"}


def trip_counts(g):
    numbers = [name for name, kind in g.kinds.items() if kind == "int" and 0 <= g.values[name] <= 5]
    return numbers * 2 + [str(g.rng.randint(0, 4))]


@control(6)
def counted_loop(g):
    each = g.fresh("i")
    limits = trip_counts(g)
    tensor = g.tensor()
    if g.values[tensor].dim() and g.values[tensor].size(0) <= 5:
        limits.append(f"{tensor}.size(0)")
    limit = g.some(limits)
    g.loops += 1
    g.values[each], g.kinds[each] = 0, "int"
    body = g.block(g.produce, *[g.some(SHORT)] * 2)
    del g.values[each], g.kinds[each]
    g.loops -= 1
    if g.chance(0.2):
        body.append(Statement(f"if {condition(g)}:", [Statement(g.some(["break", "continue"]))]))
        g.rng.shuffle(body)
    return [Statement(f"for {each} in range({limit}):", body)], {}


@control(2)
def while_loop(g):
    """Ends after four trips at the latest."""
    count = g.fresh("k")
    g.loops += 1
    g.values[count], g.kinds[count] = 0, "count"
    body = g.block(g.produce, *[g.some(SHORT)] * 2)
    del g.values[count], g.kinds[count]
    g.loops -= 1
    test = f"{count} < {g.rng.randint(1, 4)}"
    if g.chance(0.6):
        test += f" and {condition(g)}"
    return [Statement(f"{count} = 0"), Statement(f"while {test}:", [Statement(f"{count} += 1"), *body])], {}


def steps(g, whole, one, other):
    """What a loop may do to two names and to the tensor that they are parts of."""
    return [f"{one} {g.some(['*=', '+='])} 0.5", f"{other} = {one} {g.some('+-*')} {other}", f"{one}, {other} = {other}, {one}",
            f"{one}.copy_({other})", f"{whole} = {whole} * 0.5", f"{whole}[{g.some('01')}] += {other}", f"{one} = {whole}[{g.some('01')}]",
            f"{other} = {one}", f"{other} = torch.tanh({other})"]


@control(4)
def recurrence(g):
    """Names that are parts of one memory before a loop, which writes some of them and puts others in place of the rest."""
    whole = g.floating(lambda value: value.dim() > 0 and value.size(0) > 1)
    one, other, each = g.fresh("t"), g.fresh("t"), g.fresh("i")
    pair = f"{whole}[:2]" if g.chance(0.5) else f"torch.stack([{whole}[0], {whole}[1]])"
    parts = g.some([f"{whole}[0], {whole}[1]", f"{pair}.unbind(0)", f"{pair}.chunk(2)", f"{pair}.clone().unbind(0)"])
    body = [Statement(step) for step in g.rng.sample(steps(g, whole, one, other), g.rng.randint(2, 5))]
    body = [Statement(f"if {condition(g)}:", [step]) if g.chance(0.3) else step for step in body]
    return [Statement(f"{one}, {other} = {parts}"), Statement(f"for {each} in range({g.some(trip_counts(g))}):", body)], {one: "Tensor", other: "Tensor"}


@control(1)
def without_gradients(g):
    return [Statement("with torch.no_grad():", g.block(g.produce, *[g.some(SHORT)] * 2))], {}


def control_statements(g):
    if g.depth >= 2 or g.loops >= 2:
        raise NoChoice
    return g.weighted(CONTROL)(g)
