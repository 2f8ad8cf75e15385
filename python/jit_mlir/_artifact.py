"""Programs compiled ahead of time: opened from a shared object, without the compiler."""

import ast
import dataclasses
import functools
import os
import re
from typing import Any, Callable

from . import _runtime
from ._arrays import cuda_stream, dense_or_read_only, needs_gradients, plain, restride, wrap
from ._errors import refusal
from ._given import device, given
from ._methods import Methods
from ._threads import shared_by


@dataclasses.dataclass
class _Changed:
    """What a method returns, and of each argument whose sizes it changes in place its path, strides, offset and elements."""

    value: Any
    arguments: list[tuple[str, list[int], int, Any]]


@functools.cache
def _structure(text: str) -> Callable[[list[Any]], Any]:
    """What makes a method's value of its flat results: "(%0, [%1, None])" says how."""
    # Quoted strings stay; results are names of Python.
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    parts[::2] = [re.sub(r"%(\d+)", r"_\1", part) for part in parts[::2]]
    tree = ast.parse("".join(parts), mode="eval")

    def build(node: Any, results: list[Any]) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return results[int(node.id[1:])]
        if isinstance(node, ast.Dict):
            return {build(key, results): build(value, results) for key, value in zip(node.keys, node.values)}
        if isinstance(node, ast.Call) and node.func.id == "either":
            condition, one, other = node.args
            return build(one if build(condition, results) else other, results)
        if isinstance(node, ast.Call) and node.func.id == "complex":
            return complex(build(node.args[0], results))
        if isinstance(node, ast.Call) and node.func.id == "changed":
            parts = [build(part, results) for part in node.args]
            return _Changed(parts[0], list(zip(*(parts[first::4] for first in range(1, 5)), strict=True)))
        if isinstance(node, ast.Call) and node.func.id == "device":
            return device(build(node.args[0], results))
        if isinstance(node, ast.Call) and node.func.id == "parts":
            rows, places = (build(part, results) for part in node.args)
            bounds = [int(place) for place in places]
            return [rows[start:end] for start, end in zip(bounds, bounds[1:])]
        if isinstance(node, ast.Call):
            parts = [list(build(part, results)) for part in node.args]
            return parts[0] if node.func.id == "unbind" else sum(parts, [])  # else "concat", of lists
        items = [build(item, results) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)

    return lambda results: build(tree.body, results)


def returned(structure: str, results: list[Any], arguments: tuple[Any, ...]) -> Any:
    """What a call returns of its flat results; changes the arguments' sizes where it changed them in place."""
    result = _structure(structure)(results)
    if not isinstance(result, _Changed):
        return result
    for path, strides, offset, elements in result.arguments:
        if elements is not None:  # data may choose that nothing changes
            restride(arguments, path, elements, strides, offset)
    return result.value


class Artifact(Methods):
    """A program that jit-compile or Program.save has compiled, and the state of its modules. Threads may share it.

    It runs the calls that it was compiled for; others are refused by an Error that says which there are. Where an argument of one
    for "cuda" is on its device, so are the results: the call neither waits nor copies them, and state stays there.
    """

    def __init__(self, path: str, threads: int, weights: str, device: int) -> None:
        self._native = _runtime.Artifact(os.path.abspath(path), shared_by(threads), weights, device)
        self.is_for_cuda = self._native.target() == "cuda"
        self._plain = None if self.is_for_cuda else self._native.call_plain
        self._description = self._native.description()
        self._signatures = [line.split(" -> ")[0] for line in self._description.splitlines() if not line.startswith(" ")]

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        arguments = given(arguments)
        if needs_gradients(arguments):
            raise refusal("invalid argument", "expected arguments without gradients, as the artifact holds no backward pass that "
                          "PyTorch could go on with: call it under torch.no_grad(), or load the program that it was made of")
        stream = cuda_stream(arguments) if self.is_for_cuda else None
        values = plain(arguments)
        structure, results = self._native.call(name, values if stream is None else dense_or_read_only(values), stream)
        return returned(structure, wrap(results, arguments, is_on_host=stream is None), arguments)

    def _graph_for(self, name: str, arguments: tuple[Any, ...], gradients: bool, drawn: bool) -> str:
        raise refusal("unsupported", "expected a program, got an artifact, which holds machine code and no graph")

    def report(self) -> str:
        """The calls that it was compiled for, a line for each, with their results."""
        return self._description

    def state(self, path: str) -> Any:
        """The module's state at a path of its state_dict, where calls write it; a copy."""
        return wrap(self._native.state(path), ())

    def reset(self) -> None:
        """Back to the state that the program was saved with."""
        self._native.reset()

    def save(self, *arguments: Any, **options: Any) -> None:
        """Refused: the file is there already."""
        raise refusal("unsupported", "expected a program, got an artifact: copy its file")
