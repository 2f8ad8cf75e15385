"""Functions of two tensors that the program calls: what they write is their caller's, and they return in branches and loops."""

import control
from guide import NoChoice
from program import Statement, blocks
from views import views_of

PARAMETERS = {"p": "Tensor", "q": "Tensor", "flag": "bool"}
CONDITIONS = ("flag", "not flag", "bool(p.sum() > 0)", "bool((q > 0).any())")


def returned(g, count):
    return f"return {', '.join(g.some(['p', 'q', 'p', 'q', 'p.t()', 'q[:1]', 'p + 1', 'q.detach()']) for _ in range(count))}"


def body_of(g, given, count):
    """Statements about the parameters alone, which are what the caller gives; some return, and the last one does."""
    values, kinds = g.values, g.kinds
    g.values, g.kinds = {**values, **given}, dict(PARAMETERS)
    try:
        body = g.block(g.produce, 2, 5)
    finally:
        g.values, g.kinds = values, kinds
    for _ in range(g.rng.randint(1, 2)):
        place = g.some([body, *filter(None, blocks(body))])
        place.insert(g.rng.randint(0, len(place)), Statement(f"if {g.some(CONDITIONS)}:", [Statement(returned(g, count))]))
    return [*body, Statement(returned(g, count))]


def call(g, name, count, ranks):
    """A call of a function that there is, and the names of its results. With other ranks eager PyTorch assigns what TorchScript does not."""
    given = [views_of(g, g.tensor(), *g.some([(0, 0), (0, 0), (1, 1)])) for _ in ranks]
    if [g.value(text).dim() for text in given] != ranks:
        raise NoChoice
    made = [g.fresh("t") if g.chance(0.7) else g.tensor() for _ in range(count)]
    return Statement(f"{', '.join(made)} = {name}({', '.join(given)}, {control.condition(g)})"), dict.fromkeys(made, "Tensor")


def function_statements(g):
    if g.functions and g.chance(0.4):
        statement, kinds = call(g, *g.some(g.functions.values()))
        return [statement], kinds
    if g.depth or g.loops:
        raise NoChoice
    name, count = g.fresh("f"), g.some([1, 1, 2])
    given = {parameter: g.values[g.tensor()] for parameter in "pq"} | {"flag": g.chance(0.5)}
    parameters = ", ".join(f"{parameter}: {kind}" for parameter, kind in PARAMETERS.items())
    body = body_of(g, given, count)
    known = name, count, [given[parameter].dim() for parameter in "pq"]
    statement, kinds = call(g, *known)
    g.functions[name] = known
    return [Statement(f"def {name}({parameters}):", body), statement], kinds
