"""What eager PyTorch computes, operator by operator, for `jit-diff --recorded`. Needs PyTorch alone, and nothing else of this package."""

import collections
import os
import sys
import types

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

_OWN = (os.path.dirname(torch.__file__), os.path.abspath(__file__))
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)


def _line():
    """"model.py:12": the innermost line that is neither PyTorch's nor ours."""
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith(_OWN):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}" if frame else ""


def _operator(function):
    """"mul" of `aten.mul_.Tensor`, of `Tensor.__mul__` and of `torch.mul`; None of what is no operator."""
    name = getattr(function, "__name__", "").split(".")[0]
    return name.strip("_") if name and name not in ("__get__", "__set__") else None


class _Values:
    """By line and operator: the values in the order in which they were made."""

    def __init__(self):
        self.of = collections.defaultdict(list)

    def add(self, function, result):
        operator = _operator(function)
        if operator and isinstance(result, torch.Tensor) and result.layout == torch.strided:
            with _disable_current_modes():
                self.of[_line(), operator].append(result.detach().clone())


class _Functions(TorchFunctionMode):
    """What the program calls: `linear` as one operator."""

    def __init__(self, values):
        super().__init__()
        self.values = values

    def __torch_function__(self, function, classes, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(function, _FUNCTIONS):
            self.values.add(function, result)
        return result


class _Dispatched(TorchDispatchMode):
    """What PyTorch makes of it."""

    def __init__(self, values):
        super().__init__()
        self.values = values

    def __torch_dispatch__(self, function, classes, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        self.values.add(function, result)
        return result


def record(program, args, path):
    """Calls `program(*args)`, a module or function that is not compiled, and writes an .npz file with the values of its operators by line,
    and its results. Gives the result."""
    functions, dispatched = _Values(), _Values()
    with torch.no_grad(), _Functions(functions), _Dispatched(dispatched):
        result = program(*args)
    # Where an operator of the program is made of others, those of its own name count for nothing.
    arrays = {}
    for (line, operator), values in ({**dispatched.of, **functions.of}).items():
        for number, value in enumerate(values):
            arrays[f"{line} aten.{operator}#{number}"] = value
    for number, leaf in enumerate(_leaves(result)):
        arrays[f"result#{number}"] = leaf
    np.savez(path, **{name: np.ascontiguousarray(value.numpy(force=True)).reshape(value.shape) for name, value in arrays.items() if value.dtype != torch.bfloat16})
    return result


def _leaves(value):
    if isinstance(value, torch.Tensor):
        yield value.detach()
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, (bool, int, float)):
        yield torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)
