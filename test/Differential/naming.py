"""Programs about names: few tensors of two sizes under many names, which loops and branches put in each other's place and write through.

A square tensor is a view of itself in several ways, so that nearly any name can become nearly any other; numbers stay small.
"""

import control
from guide import NoChoice, line
from program import Statement

SIDE = 3


def squares(g):
    return [name for name, kind in g.kinds.items() if kind == "Tensor" and g.values[name].shape == (SIDE, SIDE)]


def rows(g):
    return [name for name, kind in g.kinds.items() if kind == "Tensor" and g.values[name].shape == (SIDE,)]


def condition(g):
    """Mostly of data: what is settled leaves names that are known."""
    if g.chance(0.3):
        return control.condition(g)
    return f"bool({g.some(squares(g) + rows(g))}.sum() > {g.rng.randint(-2, 3)})"


def place(g):
    counters = [name for name, kind in g.kinds.items() if kind == "int" and name.startswith("i")]
    return f"{g.some(counters)} % {SIDE}" if counters and g.chance(0.3) else str(g.rng.randrange(-SIDE, SIDE))


def number(g):
    return g.some(["0.5", "-0.5", "1.5", "-1", "1", "2"])


def row(g):
    """The text of a row that is there."""
    square = g.some(squares(g))
    views = [f"{square}[{place(g)}]", f"{square}[:, {place(g)}]", f"{square}.diagonal()", f"{square}.view(-1)[{g.rng.randrange(6)}:][:{SIDE}]"]
    return g.some(rows(g) * 2 + views)


def square(g):
    name = g.some(squares(g))
    return g.some([name, name, f"{name}.t()", f"{name}[:]", f"{name}.view_as({name})"])


def new_row(g):
    return g.some([f"{row(g)} + {number(g)}", f"{row(g)} * 0.5", f"torch.tanh({row(g)})", f"({row(g)} - {row(g)}) * 0.5"])


def new_square(g):
    return g.some([f"{square(g)} * 0.5", f"{square(g)} + {row(g)}", f"{square(g)}.clone()", f"torch.tanh({square(g)})",
                   f"torch.where({square(g)} > 0.5, {square(g)}, {square(g)} * 0.5)", f"({row(g)} * 1).expand({SIDE}, {SIDE})"])


def bound(g):
    """A name, new or old, becomes a tensor that is there or a new one."""
    if g.chance(0.5):
        name = g.some(squares(g)) if g.loops or g.chance(0.4) else g.fresh("t")
        old, new = square(g), new_square(g)
    else:
        name = g.some(rows(g)) if rows(g) and (g.loops or g.chance(0.4)) else g.fresh("t")
        old, new = row(g), new_row(g)
    return line(f"{name} = {old if old != name and g.chance(0.6) else new}"), {name: "Tensor"}


def swapped(g):
    names = g.some([squares(g), rows(g)])
    if len(names) < 2:
        raise NoChoice
    one, other = g.rng.sample(names, 2)
    return line(f"{one}, {other} = {other}, {one}"), {}


def chosen(g):
    name, other = g.some(squares(g)), square(g)
    return line(f"{name} = {other} if {condition(g)} else {square(g)}"), {}


def element(g):
    names = squares(g)
    name, items = g.some(names), g.fresh("l")
    made = Statement(f"{items} = [{g.some(names)}, {g.some(names)}]")
    taken = Statement(f"{name} = {items}[{place(g)} % 2]")
    put = Statement(f"{items}[{g.rng.randrange(2)}] = {new_square(g) if g.chance(0.5) else square(g)}")
    return [made, *([put] if g.chance(0.5) else []), taken], {}


def written(g):
    if g.chance(0.5):
        target = row(g)
        other = number(g) if g.chance(0.5) else row(g)
        if target.isidentifier() or target.endswith("]"):
            return line(f"{target} {g.some(['+=', '*=', '-='])} {other}") if other != target else line(f"{target} *= 0.5"), {}
        return line(f"{target}.{g.some(['add_', 'mul_', 'copy_', 'sub_'])}({other if '.' not in other[:-2] else new_row(g)})"), {}
    target = g.some(squares(g))
    other = g.some([number(g), row(g), square(g)])
    return line(f"{target} {g.some(['+=', '-='])} {other}") if g.chance(0.6) else line(f"{target}.mul_(0.5)"), {}


def loop(g, produce):
    each, head = g.fresh("i"), g.some(["range(2)", "range(3)", "range(a)", "range(4)"])
    g.loops += 1
    g.values[each], g.kinds[each] = 0, "int"
    body = g.block(produce, 2, 6)
    del g.values[each], g.kinds[each]
    g.loops -= 1
    if g.chance(0.25):
        head = f"{condition(g)} and {each} < 4"
        return [Statement(f"{each} = 0"), Statement(f"while {head}:", [Statement(f"{each} += 1"), *body])], {}
    return [Statement(f"for {each} in {head}:", body)], {}


def branch(g, produce):
    body = g.block(produce, 1, 3)
    return [Statement(f"if {condition(g)}:", body, g.block(produce, 1, 2) if g.chance(0.5) else [])], {}


def first_statements(g):
    """The names that a program about names begins with."""
    made = {"p": "x * 1", "q": g.some(["p", "p.t()", "x * 0.5"]), "r": g.some(["p[0]", "q[:, 1]", "x[2] * 1"])}
    return [statement for name, text in made.items() for statement in line(f"{name} = {text}") if g.runs(statement, {name: "Tensor"})]


def naming_statements(g):
    deep = g.depth >= 3 or g.loops >= 2
    weights = [(30, bound), (8, swapped), (6, chosen), (3, element), (30, written)]
    controls = [] if deep else [(14 if g.depth else 25, loop), (18, branch)]
    make = g.weighted(weights + controls)
    return make(g, g.produce) if make in (loop, branch) else make(g)
