"""Arrays of whatever library the caller uses, in and out, without importing any that is not there already."""

import sys
from typing import Any, Callable, Iterator


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


def needs_gradients(arguments: Any) -> bool:
    """Whether PyTorch would record a call for its backward pass."""
    asks = any(is_torch(leaf) and leaf.requires_grad for leaf in leaves(arguments))
    return asks and _torch().is_grad_enabled()


def rebuild(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """The same lists and tuples around other leaves."""
    if isinstance(value, (list, tuple)):
        return type(value)(rebuild(item, leaf) for item in value)
    return leaf(value)


def plain(value: Any) -> Any:
    """A tensor without its history, which DLPack does not take; everything else as it is."""
    return rebuild(value, lambda leaf: leaf.detach() if is_torch(leaf) else leaf)


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
