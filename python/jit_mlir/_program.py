"""Programs: opened from a file or made from a module, called with arrays."""

import os
import pathlib
import tempfile
from typing import Any, Callable, Optional, Sequence, Union

from . import _core
from ._arrays import is_torch, needs_gradients, plain, wrap

DTYPES = {"uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float16": "f16", "float32": "f32",
           "float64": "f64", "bool": "bool", "bfloat16": "bf16"}


def _spec(value: Any) -> str:
    """What a call says of an argument, in the grammar of jit-compile: "f32[1,512]"."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return "?float"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_spec, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    name = str(value.dtype).rsplit(".", 1)[-1]
    return f"{DTYPES[name]}[{','.join(map(str, value.shape))}]"


class Method:
    """One method of a program: call it."""

    def __init__(self, program: "Program", name: str) -> None:
        self._program = program
        self.name = name

    def __call__(self, *arguments: Any) -> Any:
        """Calls the method with arrays, numbers, strings, None, lists and tuples.

        Where one of the arguments is a tensor that requires a gradient, the results do too, as in PyTorch. Raises Error;
        a call of a kind that was not there before is compiled first.
        """
        if needs_gradients(arguments):
            from ._autograd import call

            return call(self._program._session, self.name, arguments)
        given = plain(arguments)
        return wrap(self._program._session.call(self.name, given, [], False), arguments)

    def graph_for(self, *arguments: Any, gradients: bool = False) -> str:
        """The graph that such a call runs, as MLIR: specialised and fused."""
        marked = [is_torch(argument) and argument.requires_grad for argument in arguments]
        return self._program._session.graph_for(self.name, plain(arguments), marked, gradients)


class Program:
    """A compiled program and the state of its modules. Threads may share it."""

    def __init__(self, session: _core.Session) -> None:
        self._session = session
        self._signatures = session.methods().splitlines()

    @property
    def methods(self) -> list[str]:
        """Each method with its arguments."""
        return list(self._signatures)

    def __getattr__(self, name: str) -> Method:
        if not name.startswith("__") and any(line.split("(")[0] == name for line in self.__dict__.get("_signatures", ())):
            return Method(self, name)
        raise AttributeError(f"expected a method of the program ({'; '.join(self.__dict__.get('_signatures', ()))}), got '{name}'")

    def __call__(self, *arguments: Any) -> Any:
        """Calls `forward`; see Method."""
        return Method(self, "forward")(*arguments)

    def graph_for(self, *arguments: Any, gradients: bool = False) -> str:
        """The graph that a call of `forward` runs."""
        return Method(self, "forward").graph_for(*arguments, gradients=gradients)

    def report(self) -> str:
        """What compilations so far did and left undone, and why, with the lines of the Python program."""
        return self._session.report()

    def state(self, path: str) -> Any:
        """The module's state at a path of its state_dict, a copy."""
        return wrap(self._session.state(path), ())

    def reset(self) -> None:
        """Back to the state that the program was saved with."""
        self._session.reset()

    def save(self, path: Union[str, os.PathLike[str]], *calls: Any, name: str = "", weights: str = "", cpu: str = "") -> None:
        """Compiles calls ahead of time: to a shared object (.so), an object (.o) or a static library (.a), with a C header.

        A call is a sequence of arguments for `forward`, or a text: "forward(f32[1,512], 16000)".
        """
        texts = [call if isinstance(call, str) else f"forward({', '.join(map(_spec, call))})" for call in calls]
        self._session.save(os.fspath(path), texts, name, weights, cpu)


def load(path: Union[str, os.PathLike[str]], *, threads: int = 1, target: str = "cpu", any_sizes: bool = False) -> Program:
    """Opens a TorchScript archive (.pt), an exported program (.pt2), or MLIR. PyTorch is not needed.

    With `any_sizes`, calls that differ in sizes alone share their code, where the program can be compiled so.
    """
    return Program(_core.Session(os.fspath(path), threads, target, True, any_sizes))


def _to_torchscript(function: Any, example_inputs: Optional[Sequence[Any]]) -> Any:
    import torch

    if isinstance(function, torch.jit.ScriptModule):
        return function
    if example_inputs is not None:
        module = function if isinstance(function, torch.nn.Module) else _as_module(function)
        return torch.jit.trace(module, tuple(example_inputs), check_trace=False)
    if isinstance(function, torch.nn.Module):
        return torch.jit.script(function)
    raise TypeError("expected a module, or example_inputs to trace the function with")


def _as_module(function: Callable[..., Any]) -> Any:
    """A module whose forward is the function: only modules can be saved."""
    import torch

    class Function(torch.nn.Module):
        def forward(self, *arguments: Any) -> Any:
            return function(*arguments)

    return Function()


def compile(module_or_function: Any, example_inputs: Optional[Sequence[Any]] = None, *, threads: int = 1,
            target: str = "cpu") -> Program:
    """Compiles a module or function of PyTorch: scripted, or where there are example inputs traced with them.

    The program has the module's weights as they are now. To train a module, see torch.compile(backend="jit_mlir").
    """
    scripted = _to_torchscript(module_or_function, example_inputs)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.pt"
        scripted.save(str(path))
        return load(path, threads=threads, target=target)
