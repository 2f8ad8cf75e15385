"""Arguments as programs know them: what TorchScript has no type of its own for, as what stands for it there."""

import enum
import sys
from typing import Any

# Nothing to be done about these, and about classes of arrays that were seen; what is of a class unknown here is looked at.
_KNOWN = {int, float, bool, str, complex, type(None)}

_DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64", "complex128", "bool",
           "qint8", "quint8", "qint32", "bfloat16", "quint4x2", "quint2x4", "bits1x8", "bits2x4", "bits4x2", "bits8", "bits16",
           "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "uint16", "uint32", "uint64"]
_MEMORY_FORMATS = ["contiguous_format", "preserve_format", "channels_last", "channels_last_3d"]


class Pairs(list[Any]):
    """The pairs of a dict."""

    is_dict = True


def _of_torch(value: Any) -> Any:
    """PyTorch's own constants: a dtype, layout or memory format is an int to a program, a device its name."""
    torch = sys.modules.get("torch")
    if torch is None:
        return value
    if isinstance(value, torch.device):
        return str(value)
    for kind, names in ((torch.dtype, _DTYPES), (torch.memory_format, _MEMORY_FORMATS), (torch.layout, ["strided", "sparse_coo"])):
        if isinstance(value, kind):
            name = str(value).removeprefix("torch.")
            return names.index(name) if name in names else value
    return value


def given(value: Any) -> Any:
    """A dict is the list of its pairs, a range a list, a member of an Enum its name and value."""
    kind = type(value)
    if kind is list or kind is tuple:
        if _KNOWN.issuperset(map(type, value)):
            return value
        return kind(map(given, value))
    if kind in _KNOWN:
        return value
    if hasattr(kind, "__dlpack__"):
        _KNOWN.add(kind)
        return value
    if kind is Pairs:
        return value
    if isinstance(value, dict):
        return Pairs((given(key), given(item)) for key, item in value.items())
    if isinstance(value, (list, range)):
        return list(map(given, value))
    if isinstance(value, tuple):
        return tuple(map(given, value))
    if isinstance(value, enum.Enum):
        return value.name, given(value.value)
    return _of_torch(value)


def device(name: str) -> Any:
    """A device that a program gives: PyTorch's where it is imported, else its name."""
    torch = sys.modules.get("torch")
    return name if torch is None else torch.device(name)
