"""What programs and artifacts have in common: methods, called with arrays."""

import os
import re
from typing import Any, Callable, Optional, Union


def _argument_names(signature: str) -> list[str]:
    """["x", "steps"] of "forward(x: !jit.tensor, steps: i64 = default)"."""
    return re.findall(r"(?:\(|, )(\w+): ", signature)


class Method:
    """One method: call it."""

    def __init__(self, owner: "Methods", name: str) -> None:
        self._owner = owner
        self.name = name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Calls the method with arrays, numbers, strings, None, lists and tuples; gives arrays of the arguments' library."""
        owner = self._owner
        if owner._plain is not None and not named:
            result = owner._plain(self.name, arguments)
            if result is not NotImplemented:
                return result
        return owner._call(self.name, owner._positional(self.name, arguments, named))

    def graph_for(self, *arguments: Any, gradients: bool = False) -> str:
        """The graph that such a call runs, as MLIR: specialised and fused."""
        return self._owner._graph_for(self.name, arguments, gradients, drawn=False)

    def draw(self, *arguments: Any, gradients: bool = False) -> "Picture":
        """The same graph as a picture: notebooks show it."""
        return Picture(self._owner._graph_for(self.name, arguments, gradients, drawn=True))


class Picture:
    """An SVG image that stands alone."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Methods:
    """Its methods are attributes; calling it calls `forward`."""

    _signatures: list[str] = []
    _plain: Optional[Callable[[str, tuple[Any, ...]], Any]] = None  # the short way of a call that needs nothing of Python, or NotImplemented

    @property
    def methods(self) -> list[str]:
        """Each method with its arguments."""
        return list(self._signatures)

    def __getattr__(self, name: str) -> Method:
        if not name.startswith("__") and any(line.split("(")[0] == name for line in self._signatures):
            return Method(self, name)
        raise AttributeError(f"expected a method of the program ({'; '.join(self._signatures)}), got '{name}'")

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Calls `forward`; see Method."""
        if self._plain is not None and not named:
            result = self._plain("forward", arguments)
            if result is not NotImplemented:
                return result
        return self._call("forward", self._positional("forward", arguments, named))

    def _positional(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments in order: those by name must follow those by place without a gap."""
        if not named:
            return arguments
        names = next((_argument_names(line) for line in self._signatures if line.split("(")[0] == name), [])
        for key in named:
            if key not in names:
                raise TypeError(f"expected the arguments ({', '.join(names)}) of {name}, got '{key}'")
            if key in names[: len(arguments)]:
                raise TypeError(f"expected one value for the argument '{key}' of {name}, got two")
        rest = names[len(arguments) : len(arguments) + len(named)]
        for key in rest:
            if key not in named:
                raise TypeError(f"expected the argument '{key}' of {name} before those that follow it")
        return (*arguments, *(named[key] for key in rest))

    def graph_for(self, *arguments: Any, gradients: bool = False) -> str:
        """The graph that a call of `forward` runs, as MLIR: specialised and fused."""
        return self._graph_for("forward", arguments, gradients, drawn=False)

    def draw(self, *arguments: Any, gradients: bool = False) -> Picture:
        """The same graph as a picture: notebooks show it."""
        return Picture(self._graph_for("forward", arguments, gradients, drawn=True))

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def _graph_for(self, name: str, arguments: tuple[Any, ...], gradients: bool, drawn: bool) -> str:
        raise NotImplementedError
