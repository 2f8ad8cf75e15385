"""What runs in eager mode under observation: PyTorch's undefined behaviour is no program, and rounding is not settled."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

SAME_EVERYWHERE = ("aten::fill_", "aten::zero_")  # writes of which order does not matter
INEXACT = {torch.float32: (2.0**-23, 2.0**-10, 2.0**13), torch.float64: (2.0**-50, 2.0**-20, 2.0**30),
           torch.float16: (2.0**-10, 2.0**-4, 2.0**6), torch.bfloat16: (2.0**-7, 2.0**-3, 2.0**4)}
FACTORING = ("linalg_", "cholesky", "inverse")  # what rounds whole numbers, too


class Undefined(Exception):
    """PyTorch computes something here, and does not say what."""


def places(tensor):
    """The elements of its storage that a tensor names, as a tensor of its sizes."""
    found = torch.full((), tensor.storage_offset(), dtype=torch.int64)
    for size, stride in zip(tensor.shape, tensor.stride()):
        found = found.unsqueeze(-1) + torch.arange(size) * stride
    return found.flatten() * tensor.element_size()


def written(func, args):
    """The tensors that a call of an operator writes."""
    for parameter, value in zip(func._schema.arguments, args):
        if parameter.alias_info is not None and parameter.alias_info.is_write and isinstance(value, torch.Tensor):
            yield value


def by_place(func, args, kwargs):
    """All arguments in the schema's order."""
    rest = func._schema.arguments[len(args):]
    return [*args, *(kwargs.get(parameter.name) for parameter in rest)]


def shares(one, other):
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def is_dense(tensor):
    """Whether strides alone say that no element is named twice."""
    return torch.ops.aten.is_non_overlapping_and_dense(tensor) or tensor.numel() < 2


def check_overlap(name, target, others):
    shared = [other for other in others if other is not target and other.numel() and shares(other, target)]
    if not shared and is_dense(target):
        return
    mine = places(target)
    if name not in SAME_EVERYWHERE and mine.unique().numel() != mine.numel():
        raise Undefined(f"{name} writes an element twice")
    for other in shared:
        is_same = other.shape == target.shape and other.stride() == target.stride() and other.storage_offset() == target.storage_offset()
        if not is_same and torch.isin(places(other), mine).any():
            raise Undefined(f"{name} reads what it writes")


def check_conversion(source, dtype):
    """C++ says nothing of a float that an integer type does not hold."""
    if source.is_floating_point() and not dtype.is_floating_point and not dtype.is_complex and dtype != torch.bool:
        limits = torch.iinfo(dtype)
        good = torch.isfinite(source) & (source > float(max(limits.min, -2**62)) - 1) & (source < float(min(limits.max, 2**62)) + 1)
        if not bool(good.all()):
            raise Undefined("a float that the integer type does not hold")


def check_places(func, args):
    """Of two values for one place nobody says which stays."""
    target, indices = args[0], args[1]
    if func._schema.name == "aten::index_put_" and not (len(args) > 3 and args[3]):
        named = torch.arange(target.numel()).reshape(target.shape)
        for_all = named[tuple(slice(None) if i is None else i for i in indices)]
        if for_all.unique().numel() != for_all.numel() and args[2].numel() > 1:
            raise Undefined("two values for one place")


class Mode(TorchDispatchMode):
    @classmethod
    def _should_skip_dynamo(cls):
        return False  # else torch.compile is imported, which takes seconds


class Watch(Mode):
    """Raises Undefined instead of running what has no defined result."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = func._schema.name
        every = by_place(func, args, kwargs)
        others = [leaf for leaf in tree_flatten(every)[0] if isinstance(leaf, torch.Tensor)]
        sizes = [(target, target.shape) for target in written(func, every)]
        for target, _ in sizes:
            check_overlap(name, target, others)
            for other in others:
                check_conversion(other, target.dtype)
        if name in ("aten::_to_copy", "aten::to"):
            check_conversion(args[0], kwargs.get("dtype") or args[0].dtype)
        if name == "aten::index_put_":
            check_places(func, every)
        result = func(*args, **kwargs)
        for target, before in sizes:
            if target.shape != before:  # an out= tensor has taken the result's
                check_overlap(name, target, others)
        return result


class Noise(Mode):
    """Before an operator reads floats, it moves each by about as much as rounding may have: what then differs is not settled."""

    def __init__(self, seed):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def moved(self, value, rounds_exact=False, rounded_as=None):
        if isinstance(value, torch.Tensor) and value.is_complex():
            return torch.view_as_complex(self.moved(torch.view_as_real(value.detach().resolve_conj()), rounds_exact))
        if not isinstance(value, torch.Tensor) or value.dtype not in INEXACT or not value.numel():
            return value
        step, grid, limit = INEXACT[rounded_as or value.dtype]
        wide = value.detach().double()
        is_exact = ((wide / grid).round() * grid == wide) & (wide.abs() < limit) & (not rounds_exact)
        noise = torch.randn(value.shape, generator=self.generator, dtype=torch.float64) * (2 * step)
        return torch.where(is_exact, wide, wide * (1 + noise)).to(value.dtype)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        targets = list(written(func, by_place(func, args, kwargs)))
        is_view = not targets and any(result.alias_info is not None for result in func._schema.returns)
        if is_view or func._schema.name in ("aten::detach", "aten::_local_scalar_dense", "aten::is_same_size"):
            return func(*args, **kwargs)
        is_target = lambda value: any(value is target for target in targets)
        if func._schema.name.endswith("_"):  # it reads what it writes
            for target in targets:
                if (target.dtype in INEXACT or target.is_complex()) and target.numel() and torch._debug_has_internal_overlap(target) != 1:
                    target.copy_(self.moved(target))
        rounds_exact = any(word in func._schema.name for word in FACTORING)
        given, named = tree_map(lambda value: value if is_target(value) else self.moved(value, rounds_exact), (args, kwargs))
        result = func(*given, **named)
        if not func._schema.name.endswith("_"):
            self.move_widened(targets, tree_flatten((given, named))[0])
        return result

    def move_widened(self, targets, operands):
        """`out=` may be of a wider type than that which the operator rounds to."""
        kinds = [leaf.dtype for leaf in operands
                 if isinstance(leaf, torch.Tensor) and leaf.dtype in INEXACT and not any(leaf is target for target in targets)]
        widest = min(kinds, key=lambda kind: INEXACT[kind][0], default=None)
        for target in targets:
            if widest and target.dtype in INEXACT and INEXACT[widest][0] > INEXACT[target.dtype][0]:
                target.copy_(self.moved(target, rounds_exact=True, rounded_as=widest))
