"""Arrays of whatever library the caller uses, in and out, without importing any that is not there already."""

import functools
import sys
from typing import Any, Callable, Iterator, Optional


def _torch() -> Any:
    return sys.modules.get("torch")


def is_torch(value: Any) -> bool:
    torch = _torch()
    return torch is not None and isinstance(value, torch.Tensor)


def _any_is(values: Any, kind: type) -> bool:
    for value in values:
        if isinstance(value, kind) or isinstance(value, (list, tuple)) and _any_is(value, kind):
            return True
    return False


def has_tensors(arguments: Any) -> bool:
    """Whether one of them is PyTorch's, in lists and tuples too."""
    torch = _torch()
    return torch is not None and _any_is(arguments, torch.Tensor)


def leaves(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple, dict)):
        return [value]
    found: list[Any] = []
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (list, tuple, dict)):
            found += leaves(item)
        else:
            found.append(item)
    return found


def paths(values: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each leaf with its place: "1.0" is the first element of the second value."""
    for index, value in enumerate(values):
        if isinstance(value, (list, tuple)):
            yield from paths(value, f"{prefix}{index}.")
        else:
            yield f"{prefix}{index}", value


def marked(arguments: Any) -> list[bool]:
    """For each array of the arguments, in order, whether its gradient is asked for."""
    return [is_torch(leaf) and leaf.requires_grad for leaf in leaves(arguments) if is_array(leaf)]


def _any_requires_grad(values: Any, tensor: type) -> bool:
    for value in values:  # each call comes here: no generator
        if isinstance(value, tensor):
            if value.requires_grad:  # type: ignore[attr-defined]
                return True
        elif isinstance(value, (list, tuple)) and _any_requires_grad(value, tensor):
            return True
    return False


def needs_gradients(arguments: Any) -> bool:
    """Whether PyTorch would record a call for its backward pass."""
    torch = _torch()
    return torch is not None and torch.is_grad_enabled() and _any_requires_grad(arguments, torch.Tensor)


def rebuild(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The same lists, tuples and dicts around other leaves; keys stay."""
    if isinstance(value, dict):
        return {key: rebuild(item, leaf) for key, item in value.items()}
    if not isinstance(value, (list, tuple)):
        return leaf(value)
    items = [rebuild(item, leaf) if isinstance(item, (list, tuple, dict)) else leaf(item) for item in value]
    if type(value) is tuple:
        return tuple(items)
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


class ReadOnly:
    """An array that a call may not write: it is a copy of the caller's, or another argument shows its memory by a copy."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def _is_lazy(tensor: Any) -> bool:
    """Whether its elements are conjugates or negatives of those in its memory: a call gets a copy."""
    return bool(tensor.is_conj() or tensor.is_neg())


def plain(value: Any) -> Any:
    """Tensors without their history, which DLPack does not take; everything else as it is."""
    torch = _torch()
    if torch is None:
        return value
    tensor = torch.Tensor
    copied = set()

    def leaf(value: Any) -> Any:
        if not isinstance(value, tensor):
            return value
        if _is_lazy(value):
            copied.add(value.untyped_storage().data_ptr())
        return value.detach() if value.requires_grad else value

    def sharer(value: Any) -> Any:
        return ReadOnly(value) if isinstance(value, tensor) and value.untyped_storage().data_ptr() in copied else value

    value = rebuild(value, leaf)
    return rebuild(value, sharer) if copied else value


def _is_on_cuda(value: Any) -> bool:
    """By DLPack's number of CUDA's devices."""
    return hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] == 2


def cuda_stream(arguments: Any) -> Optional[int]:
    """The CUstream that arrays on a CUDA device are ready in: PyTorch's of this thread; else the default one, as DLPack has
    it. None where none of them is on such a device."""
    given = [leaf for leaf in leaves(arguments) if _is_on_cuda(leaf)]
    if not given:
        return None
    tensor = next(filter(is_torch, given), None)
    return _torch().cuda.current_stream(tensor.device).cuda_stream if tensor is not None else 0


def _holds(tensor: Any, address: int) -> bool:
    """Whether an address is one of a tensor's memory."""
    memory = tensor.untyped_storage()
    return bool(memory.data_ptr() <= address < memory.data_ptr() + memory.nbytes())


def _changed(arguments: Any, path: str) -> Any:
    """The argument at a path, whose sizes are to change."""
    value = arguments
    for index in path.split("."):
        value = value[int(index)]
    if not is_torch(value) or _is_lazy(value):
        raise TypeError(f"expected a torch.Tensor as argument {path}, whose sizes the program changes in place, got {type(value).__name__}")
    return value


def restride(arguments: Any, path: str, elements: Any, strides: list[int], offset: int) -> None:
    """Gives an argument the sizes of `elements`, which its memory has already, from `offset` elements behind its first on."""
    value = _changed(arguments, path)
    value.as_strided_(elements.shape, strides, value.storage_offset() + offset)


def reshape(arguments: Any, changes: list[tuple[str, list[int], list[int], int, Any]]) -> None:
    """Gives arguments the sizes, strides and address that a program changed in place, as `x.t_()` does. They keep their memory, which
    becomes larger where the elements lie elsewhere."""
    for path, sizes, strides, address, elements in changes:
        value = _changed(arguments, path)
        if 0 not in sizes and not _holds(value, address):
            value.resize_(sizes).copy_(_torch().from_dlpack(elements))
            continue
        offset = (address - value.data_ptr()) // value.element_size() if value.numel() else 0
        value.as_strided_(sizes, strides, value.storage_offset() + offset)


def dense(value: Any) -> Any:
    """Arguments of a call in a stream, where strided tensors have to be copied by who knows how."""
    return rebuild(value, lambda leaf: leaf.contiguous() if is_torch(leaf) else leaf)


def dense_or_read_only(value: Any) -> Any:
    """As `dense`, of a call that may write its arguments."""
    def leaf(value: Any) -> Any:
        return value if not is_torch(value) or value.is_contiguous() else ReadOnly(value.contiguous())

    return rebuild(value, leaf)


def is_array(value: Any) -> bool:
    return hasattr(value, "__dlpack__")


def _tensor_on_host(array: Any) -> Any:
    """torch.from_dlpack without its questions of devices and streams, which take longer than a small call."""
    torch = _torch()
    return getattr(torch._C, "_from_dlpack", torch.from_dlpack)(array.__dlpack__())


def _any_array(values: Any) -> bool:
    for value in values:
        if is_array(value) or isinstance(value, (list, tuple)) and _any_array(value):
            return True
    return False


@functools.cache
def _numpy_importer() -> Callable[[Any], Any]:
    import numpy

    return numpy.from_dlpack


def _of_numpy(array: Any) -> Any:
    return _numpy_importer()(array)  # not before there is an array: results that are numbers need none


def importer(arguments: Any, is_of_torch: bool) -> Callable[[Any], Any]:
    """What makes results arrays of the arguments' library: torch's where one is torch's, else JAX's, else numpy's."""
    if is_of_torch or (_torch() is not None and not _any_array(arguments)):
        return _torch().from_dlpack
    jax = sys.modules.get("jax")
    if jax is not None and _any_is(arguments, jax.Array):
        return jax.dlpack.from_dlpack
    return _of_numpy


def wrap(value: Any, arguments: Any, is_on_host: bool = False, is_of_torch: Optional[bool] = None) -> Any:
    """`is_on_host`: results are in the memory of the CPU; `is_of_torch`: whether arguments are PyTorch's, where that is known."""
    make = importer(arguments, has_tensors(arguments) if is_of_torch is None else is_of_torch)
    if is_on_host and make is getattr(_torch(), "from_dlpack", None):
        make = _tensor_on_host
    if is_array(value):  # as mostly
        return make(value)
    return rebuild(value, lambda leaf: make(leaf) if is_array(leaf) else leaf)
