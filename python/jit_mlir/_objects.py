"""Objects, NamedTuples and members of Enums, which calls give and get as tuples: the layouts of docs/call-spec.md.

A layout is None where a value is what it is, else a list: a word, and what belongs to it. An object of a Python class is
copied on its way into a call, as by PyTorch: what the program assigns to its attributes does not reach it.
"""

import collections
import enum
import functools
import sys
from typing import Any, Optional

Layout = Optional[list[Any]]


class Object:
    """An object that a program gave, of a class that this process does not have: its attributes alone."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


# ---------------------------------------------------------------- into a call


def _is_held_by_torch(value: Any) -> bool:
    """Whether a call of PyTorch's would work on this object and not on a copy."""
    torch = sys.modules.get("torch")
    return hasattr(value, "_c") or torch is not None and isinstance(value, torch._C.ScriptObject)


def _attribute(value: Any, name: str, class_name: str) -> Any:
    try:
        found = getattr(value, name)
    except AttributeError:
        raise TypeError(f"expected an object with the attribute '{name}' of {class_name}, got {type(value).__name__}") from None
    if isinstance(found, (list, dict)) and _is_held_by_torch(value):
        raise TypeError(f"expected an object of a class of Python for {class_name}, whose attribute '{name}' can change, "
                        "got one that TorchScript holds")
    return found


def entering(layout: Layout, value: Any) -> Any:
    """The value as a call takes it."""
    if layout is None or value is None:
        return value
    tag, parts = layout[0], layout[1:]
    if tag == "optional":
        return entering(parts[0], value)
    if tag.endswith("object"):
        name, attributes = parts[0], parts[1:]
        if type(value) is tuple and len(value) == len(attributes):  # of its attributes, as other callers give it
            return tuple(entering(part, item) for (_, part), item in zip(attributes, value))
        if tag == "changing object" and _is_held_by_torch(value):
            raise TypeError(f"expected an object of a class of Python for {name}, whose attributes the program assigns, "
                            "got one that TorchScript holds")
        return tuple(entering(part, _attribute(value, key, name)) for key, part in attributes)
    if tag == "list" and isinstance(value, (list, tuple)):
        return [entering(parts[0], item) for item in value]
    if tag == "dict" and isinstance(value, dict):
        return {entering(parts[0], key): entering(parts[1], item) for key, item in value.items()}
    if tag == "namedtuple":
        parts = [part for _, part in parts[1:]]
    if tag in ("tuple", "namedtuple") and isinstance(value, tuple) and len(value) == len(parts):
        return tuple(map(entering, parts, value))
    return value  # as it is: a member of an Enum, or of another type, which the call refuses


# ---------------------------------------------------------------- out of a call


def _python_class(name: str) -> Any:
    """What this process has under the name that TorchScript gave a class, or None."""
    path = [part for part in name.split(".")[1:] if not part.startswith("___torch_mangle_")]
    return getattr(sys.modules.get(".".join(path[:-1]) or "__main__"), path[-1], None)


@functools.cache
def _made_enum(name: str, members: tuple[tuple[str, Any], ...]) -> Any:
    return enum.Enum(name, members)


@functools.cache
def _made_named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    return collections.namedtuple(name, fields)  # type: ignore[misc]


@functools.cache
def _made_class(name: str) -> Any:
    return type(name, (Object,), {})


def _enum(name: str, members: tuple[tuple[str, Any], ...]) -> Any:
    found = _python_class(name)
    if isinstance(found, type) and issubclass(found, enum.Enum) and tuple((m.name, m.value) for m in found) == members:
        return found
    return _made_enum(name.rpartition(".")[2], members)


def _named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    found = _python_class(name)
    if isinstance(found, type) and issubclass(found, tuple) and getattr(found, "_fields", None) == fields:
        return found
    return _made_named_tuple(name.rpartition(".")[2], fields)


def _object_class(name: str) -> Any:
    found = _python_class(name)
    torch = sys.modules.get("torch")
    is_module = torch is not None and isinstance(found, type) and issubclass(found, torch.nn.Module)
    return found if isinstance(found, type) and not is_module else _made_class(name.rpartition(".")[2])


def _object(name: str, attributes: dict[str, Any]) -> Any:
    kind = _object_class(name)
    made = kind.__new__(kind)
    for key, value in attributes.items():
        setattr(made, key, value)
    return made


def leaving(layout: Layout, value: Any) -> Any:
    """What a call has given, in Python's classes."""
    if layout is None or value is None:
        return value
    tag, parts = layout[0], layout[1:]
    if tag == "optional":
        return leaving(parts[0], value)
    if tag == "list":
        return [leaving(parts[0], item) for item in value]
    if tag == "dict":
        return {leaving(parts[0], key): leaving(parts[1], item) for key, item in value.items()}
    if tag == "tuple":
        return tuple(map(leaving, parts, value))
    name, members = parts[0], parts[1:]
    if tag == "enum":
        return _enum(name, tuple(map(tuple, members)))[value[0]]
    items = [leaving(part, item) for (_, part), item in zip(members, value)]
    names = tuple(key for key, _ in members)
    return _named_tuple(name, names)(*items) if tag == "namedtuple" else _object(name, dict(zip(names, items)))
