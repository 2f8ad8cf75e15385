"""Arrays of whatever library the caller uses, in and out, without importing any that is not there already."""

import sys
from typing import Any, Callable, Iterator, Optional


def _torch() -> Any:
    return sys.modules.get("torch")


def is_torch(value: Any) -> bool:
    torch = _torch()
    return torch is not None and isinstance(value, torch.Tensor)


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


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


def needs_gradients(arguments: Any) -> bool:
    """Whether PyTorch would record a call for its backward pass."""
    asks = any(is_torch(leaf) and leaf.requires_grad for leaf in leaves(arguments))
    return asks and _torch().is_grad_enabled()


def rebuild(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The same lists and tuples around other leaves."""
    if not isinstance(value, (list, tuple)):
        return leaf(value)
    items = (rebuild(item, leaf) for item in value)
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def plain(value: Any) -> Any:
    """A tensor without its history and marks, which DLPack does not take; everything else as it is."""
    return rebuild(value, lambda leaf: leaf.detach().resolve_conj().resolve_neg() if is_torch(leaf) else leaf)


def _is_on_cuda(value: Any) -> bool:
    """By DLPack's number of CUDA's devices."""
    return hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] == 2


def cuda_stream(arguments: Any) -> Optional[int]:
    """The CUstream that arrays on a CUDA device are ready in: PyTorch's of this thread; else the default one, as DLPack has
    it. None where none of them is on such a device."""
    given = [leaf for leaf in leaves(arguments) if _is_on_cuda(leaf)]
    if not given:
        return None
    return _torch().cuda.current_stream().cuda_stream if any(map(is_torch, given)) else 0


def dense(value: Any) -> Any:
    """Arguments of a call in a stream, where strided tensors have to be copied by who knows how."""
    return rebuild(value, lambda leaf: leaf.contiguous() if is_torch(leaf) else leaf)


def is_array(value: Any) -> bool:
    return hasattr(value, "__dlpack__")


def importer(arguments: Any) -> Callable[[Any], Any]:
    """What makes results arrays of the arguments' library: torch's where one is torch's, else JAX's, else numpy's."""
    given = [leaf for leaf in leaves(arguments) if is_array(leaf)]
    if any(map(is_torch, given)) or (not given and _torch() is not None):
        return _torch().from_dlpack
    jax = sys.modules.get("jax")
    if jax is not None and any(isinstance(leaf, jax.Array) for leaf in given):
        return jax.dlpack.from_dlpack
    import numpy

    return numpy.from_dlpack


def wrap(value: Any, arguments: Any) -> Any:
    make = importer(arguments)
    return rebuild(value, lambda leaf: make(leaf) if is_array(leaf) else leaf)


class _Outline:
    """An array without its memory."""

    def __init__(self, array: Any) -> None:
        self.sizes, self.dtype = tuple(array.shape), array.dtype
        self.is_torch = is_torch(array)
        self.requires_grad = self.is_torch and array.requires_grad

    def filled(self) -> Any:
        if self.is_torch:
            return _torch().empty(self.sizes, dtype=self.dtype, requires_grad=self.requires_grad)
        import numpy

        return numpy.empty(self.sizes, self.dtype)


def outlined(arguments: Any) -> Any:
    """A call's arguments, to be kept without keeping memory."""
    return rebuild(arguments, lambda leaf: _Outline(leaf) if is_array(leaf) else leaf)


def filled(outlines: Any) -> Any:
    """Arguments of the same kinds, with anything in their arrays."""
    return rebuild(outlines, lambda leaf: leaf.filled() if isinstance(leaf, _Outline) else leaf)
