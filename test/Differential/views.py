"""Expressions that name part of a tensor's memory, all of it in another order, or a copy of it where PyTorch has to make one."""

from guide import NoChoice

VIEWS = []


def view(weight, rank=0):
    """A production: from the text of an expression and its value, of that many dimensions at least, to the view's text."""

    def note(make):
        VIEWS.append((weight, rank, make))
        return make

    return note


def views_of(g, text, least, most):
    """`least` to `most` views, one of the other."""
    for _ in range(g.rng.randint(least, most)):
        text = one_view(g, text)
    return text


def one_view(g, text):
    for _ in range(6):
        value = g.value(text)
        make = g.weighted([(weight, make) for weight, rank, make in VIEWS if value.dim() >= rank])
        try:
            made = make(g, text, value)
            g.value(made)
            return made
        except Exception:  # what PyTorch does not take
            continue
    raise NoChoice


def dim_of(g, value):
    dim = g.rng.randrange(value.dim())
    return dim, str(dim - value.dim() if g.chance(0.3) else dim)


@view(6, 1)
def element(g, text, value):
    dim, word = dim_of(g, value)
    index = g.below(value.size(dim))
    if g.chance(0.3):
        return f"{text}.select({word}, {index})"
    if dim == value.dim() - 1 and dim > 0 and g.chance(0.5):
        return f"{text}[..., {index}]"
    return f"{text}[{':, ' * dim}{index}]"


@view(8, 1)
def piece(g, text, value):
    dim, word = dim_of(g, value)
    size = value.size(dim)
    start = g.rng.randint(0, max(size - 1, 0))
    stop = g.rng.randint(start, size + 1)
    if g.chance(0.25):
        return f"{text}.narrow({word}, {start}, {min(stop, size) - start})"
    first = g.some(["", str(start), str(start - size) if size else "", g.integer(start)])
    last = g.some(["", str(stop), "-1", g.integer(stop)])
    step = g.some(["", "", ":2", ":3"])
    return f"{text}[{':, ' * dim}{first}:{last}{step}]"


@view(5, 2)
def order(g, text, value):
    one, other = (dim_of(g, value)[1] for _ in range(2))
    dims = list(range(value.dim()))
    g.rng.shuffle(dims)
    choices = [f"transpose({one}, {other})", f"permute({', '.join(map(str, dims))})", f"movedim({one}, {other})",
               f"moveaxis({one}, {other})", f"swapaxes({one}, {other})", "mT"]
    return f"{text}.{g.some(choices + (['t()', 'T'] if value.dim() == 2 else []))}"


def factors(g, text, value):
    """Sizes of as many elements, as text."""
    count, sizes = value.numel(), []
    if value.dim() == 2 and g.chance(0.3):
        return [g.size(text, 1), g.size(text, 0)] if g.chance(0.5) else [g.size(text, 0), g.size(text, 1)]
    while len(sizes) < 2 and g.chance(0.6):
        size = g.some([n for n in range(1, 9) if count % n == 0])
        sizes.append(g.integer(size))
        count //= size
    sizes.append("-1" if g.chance(0.6) else g.integer(count))
    g.rng.shuffle(sizes)
    return sizes


@view(7)
def shape(g, text, value):
    method = g.some(["view", "view", "reshape"])
    return f"{text}.{method}({', '.join(factors(g, text, value))})"


@view(3)
def flat(g, text, value):
    dims = sorted(g.rng.choices(range(max(value.dim(), 1)), k=2))
    return f"{text}.{g.some(['view(-1)', 'reshape(-1)', 'flatten()', f'flatten({dims[0]}, {dims[1]})', 'ravel()'])}"


@view(1, 1)
def unflat(g, text, value):
    dim, word = dim_of(g, value)
    size = g.some([n for n in range(1, 5) if value.size(dim) % n == 0])
    return f"{text}.unflatten({word}, [{size}, {value.size(dim) // size}])"


@view(3)
def more_dims(g, text, value):
    dim = g.rng.randint(0, value.dim())
    return g.some([f"{text}.unsqueeze({dim})", f"{text}[None]", f"{text}[..., None]", f"{text}.unsqueeze(-1)"])


@view(2, 1)
def fewer_dims(g, text, value):
    return f"{text}.{g.some(['squeeze()', f'squeeze({dim_of(g, value)[1]})'])}"


@view(4, 1)
def part(g, text, value):
    dim, word = dim_of(g, value)
    size = value.size(dim)
    if size < 2:
        raise NoChoice
    first = g.rng.randint(1, size - 1)
    parts = g.some([f"chunk(2, {word})", f"split({first}, {word})", f"unbind({word})", f"tensor_split(2, {word})",
                    f"split([{first}, {size - first}], {word})"])
    return f"{text}.{parts}[{g.some(['0', '1', '-1'])}]"


@view(3, 2)
def diagonal(g, text, value):
    offset = g.some(["", "1", "-1"])
    dims = g.rng.sample(range(value.dim()), 2)
    return f"{text}.diagonal({offset})" if g.chance(0.6) else f"{text}.diagonal({offset or 0}, {dims[0]}, {dims[1]})"


@view(2, 1)
def windows(g, text, value):
    dim, word = dim_of(g, value)
    size = g.rng.randint(1, max(1, min(3, value.size(dim))))
    return f"{text}.unfold({word}, {size}, {g.rng.randint(max(1, size - g.chance(0.3)), 3)})"


@view(2)
def by_strides(g, text, value):
    """Within the memory that the tensor itself reaches."""
    reach = sum((size - 1) * stride for size, stride in zip(value.shape, value.stride()))
    if not value.numel():
        raise NoChoice
    sizes = [g.rng.randint(1, 3) for _ in range(g.rng.randint(1, 2))]
    strides = [g.rng.randint(1, 4) for _ in sizes]
    if g.chance(0.3):
        offset = g.rng.randint(0, 3)
        start = offset
    else:
        offset, start = None, value.storage_offset()
    if start + sum((n - 1) * s for n, s in zip(sizes, strides)) > value.storage_offset() + reach:
        raise NoChoice
    return f"{text}.as_strided({sizes}, {strides}{'' if offset is None else f', {offset}'})"


@view(2)
def wide(g, text, value):
    """Elements that several places name: to be read."""
    sizes = [g.integer(3) if size == 1 and g.chance(0.7) else "-1" for size in value.shape]
    if g.chance(0.5):
        sizes = ["2", *sizes]
    return f"{text}.expand({', '.join(sizes)})" if sizes else f"{text}.expand(3)"


@view(3)
def same(g, text, value):
    return f"{text}.{g.some(['detach()', 'contiguous()', f'view_as({text})', f'expand_as({text})', 'data'])}"


@view(4)
def converted(g, text, value):
    """A copy, unless it has that element type already."""
    kind = g.some(["float32", "float32", "float64", str(value.dtype)[6:], "int64", "bool"])
    method = {"float32": "float()", "float64": "double()", "int64": "long()", "bool": "to(torch.bool)"}.get(kind, f"to(torch.{kind})")
    other = g.tensor()
    words = [method, f"to(torch.{kind})", f"to({other})", f"to({other}.dtype)"]
    # TorchScript's own type_as copies where eager's does not.
    words += [f"type_as({other})"] if g.values[other].dtype != value.dtype else []
    return f"{text}.{g.some(words)}"


@view(2)
def of_complex(g, text, value):
    """Parts and conjugates, which are views."""
    if not value.is_complex():
        raise NoChoice
    turned = ["mH", "adjoint()"] if value.dim() > 1 else []
    made = g.some(["real", "imag", "conj()", "resolve_conj()", "conj_physical()", "view_as_real", *turned])
    return f"torch.view_as_real({text})" if made == "view_as_real" else f"{text}.{made}"


@view(1)
def copies(g, text, value):
    return f"{text}.{g.some(['clone()', 'flip(0)', 'roll(1)', 'contiguous()', f'reshape_as({text})'])}"
