"""Lists, dicts, Optionals and tuples of tensors: whose elements are names of memory."""

from guide import NoChoice, line
from pointwise import new_tensor
from program import Statement
from views import views_of

LIST, DICT, OPTIONAL, PAIR = "List[Tensor]", "Dict[str, Tensor]", "Optional[Tensor]", "Tuple[Tensor, Tensor]"
CONTAINERS = []


def container(weight):
    """A production: gives statements and the annotations of the names that they make."""

    def note(make):
        CONTAINERS.append((weight, make))
        return make

    return note


def element(g):
    """What goes into a container: a name, a view of one, or something new."""
    return views_of(g, g.tensor(), *g.some([(0, 0), (0, 0), (1, 1), (1, 2)])) if g.chance(0.8) else new_tensor(g)


@container(5)
def new_list(g):
    name = g.fresh("l")
    word = g.some(["list", "list", "parts", "empty", "same"])
    if word == "empty":
        return line(f"{name}: {LIST} = []"), {name: LIST}
    if word == "same":
        return line(f"{name} = {g.name(LIST)}"), {name: LIST}
    if word == "parts":
        tensor = g.tensor(lambda value: value.dim() > 0 and 0 < value.size(0) < 6)
        return line(f"{name} = {tensor}.{g.some(['unbind(0)', 'chunk(2)', 'split(1)'])}"), {name: LIST}
    return line(f"{name} = [{', '.join(element(g) for _ in range(g.rng.randint(1, 3)))}]"), {name: LIST}


def some_list(g):
    # What unbind and split give is a tuple in eager PyTorch.
    return g.name(LIST, lambda value: isinstance(value, list))


@container(8)
def changed_list(g):
    name = some_list(g)
    count = len(g.values[name])
    index = g.below(count) if count else "0"
    return line(g.some([f"{name}.append({element(g)})", f"{name}.append({element(g)})", f"{name}[{index}] = {element(g)}", f"{name}.pop()",
                        f"{name}.pop({index})", f"{name}.insert({index}, {element(g)})", f"{name}.reverse()", f"{name} += [{element(g)}]",
                        f"{name}.extend([{element(g)}])"])), {}


@container(5)
def read_list(g):
    name = g.name(LIST, lambda value: len(value) > 0)
    tensor = g.fresh("t")
    index = g.below(len(g.values[name]))
    popped = [f"{name}.pop()"] if isinstance(g.values[name], list) else []
    text = g.some([f"{name}[{index}]", f"{name}[{index}]", f"torch.stack({name})", f"torch.cat({name})", f"{name}[-1]", *popped])
    return line(f"{tensor} = {text}"), {tensor: "Tensor"}


@container(4)
def over_elements(g):
    """Writes each element: of a list, of a dict, or each row of a tensor."""
    each, key = g.fresh("v"), g.fresh("i")
    body = [Statement(f"{each}.{g.some(['mul_(2)', 'add_(1)', 'zero_()', 'neg_()'])}")]
    if g.chance(0.3):
        return [Statement(f"for {each} in {g.tensor(lambda value: value.dim() > 0)}:", body)], {}
    if g.chance(0.3):
        name = g.name(DICT, lambda value: len(value) > 0)
        return [Statement(g.some([f"for {each} in {name}.values():", f"for {key}, {each} in {name}.items():"]), body)], {}
    name = g.name(LIST, lambda value: len(value) > 0)
    return [Statement(g.some([f"for {each} in {name}:", f"for {key}, {each} in enumerate({name}):"]), body)], {}


@container(3)
def derived_list(g):
    """A new list: of the same elements, or of what is made of each."""
    name, made, each = some_list(g), g.fresh("l"), g.fresh("v")
    text = g.some([f"{name} + [{element(g)}]", f"{name}[1:]", f"{name}[::-1]", f"{name}.copy()", f"[{each} * 2 for {each} in {name}]",
                   f"[{each}[:1] for {each} in {name}]", f"{name} + {name}"])
    return line(f"{made} = {text}"), {made: LIST}


@container(3)
def new_dict(g):
    name = g.fresh("d")
    if g.chance(0.3):
        return line(f"{name} = {g.name(DICT)}{g.some(['', '.copy()'])}"), {name: DICT}
    return line(f'{name} = {{"a": {element(g)}, "b": {element(g)}}}'), {name: DICT}


@container(4)
def changed_dict(g):
    name = g.name(DICT)
    key = g.some("abc")
    if key in g.values[name] and g.chance(0.3):
        return line(f'{name}["{key}"] {g.some(["+=", "*="])} 2'), {}
    return line(g.some([f'{name}["{key}"] = {element(g)}', f'{name}.update({{"{key}": {element(g)}}})',
                        f'{name}.setdefault("{key}", {element(g)})'])), {}


@container(4)
def read_dict(g):
    name = g.name(DICT, lambda value: len(value) > 0)
    key = g.some(list(g.values[name]))
    tensor = g.fresh("t")
    if g.chance(0.2) and len(g.values[name]) > 1:
        return line(f'{tensor} = {name}.pop("{key}")'), {tensor: "Tensor"}
    return line(f'{tensor} = {name}["{key}"]'), {tensor: "Tensor"}


@container(3)
def optional(g):
    """None in one branch, a name in the other; then read or written where it is there."""
    name, tensor = g.fresh("o"), g.fresh("t")
    condition = g.some([k for k, kind in g.kinds.items() if kind == "bool"])
    other = g.tensor()
    made = [Statement(f"{name}: {OPTIONAL} = None"), Statement(f"if {condition}:", [Statement(f"{name} = {element(g)}")])]
    used = g.some([f"{name}.mul_(2)", f"{name}.add_(1)", f"{name}.zero_()"])
    if g.chance(0.5):
        return [*made, Statement(f"if {name} is not None:", [Statement(used)])], {}
    taken = Statement(f"if {name} is not None:", [Statement(used), Statement(f"{tensor} = {name}")], [Statement(f"{tensor} = {other}")])
    return [*made, taken], {tensor: "Tensor"}


@container(2)
def optional_argument(g):
    name = g.name(OPTIONAL)
    tensor, kept = g.fresh("t"), g.fresh("o")
    body = [Statement(f"{tensor} = {kept}"), Statement(f"{kept}.{g.some(['mul_(2)', 'add_(1)', 'neg_()'])}")]
    g.rng.shuffle(body)
    taken = Statement(f"if {kept} is not None:", body, [Statement(f"{tensor} = {g.tensor()}")])
    return [Statement(f"{kept} = {name}"), taken], {tensor: "Tensor"}


@container(3)
def pair(g):
    name, one, other = g.fresh("p"), g.fresh("t"), g.fresh("t")
    if g.chance(0.4):
        two = g.tensor(lambda value: value.dim() > 0 and value.size(0) == 2)
        word = g.some(["unbind(0)", "chunk(2)"])
        return line(f"{one}, {other} = {two}.{word}"), {one: "Tensor", other: "Tensor"}
    make = Statement(f"{name} = ({element(g)}, {element(g)})")
    take = Statement(f"{one}, {other} = {name}") if g.chance(0.5) else Statement(f"{one} = {name}[{g.some('01')}]")
    return [make, take], {one: "Tensor", **({other: "Tensor"} if "," in take.head else {})}


def container_statements(g):
    statements, kinds = g.weighted(CONTAINERS)(g)
    if not statements:
        raise NoChoice
    return statements, kinds
