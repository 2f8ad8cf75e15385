"""Ways through the compiler: a door in, and a way that the code is made and run."""

import pathlib
import re

import torch
from oracle import Packaged, held, run


class NotWritten(Exception):
    """PyTorch itself has no such form of the program."""


class OfTensors(torch.nn.Module):
    """One call of a program as a module of its tensors, for doors that take no other arguments; its results are tensors too."""

    def __init__(self, function, arguments):
        super().__init__()
        self.function = function
        self.arguments = list(arguments)
        self.tensors = [value for _, value in held(self.arguments) if isinstance(value, torch.Tensor)]

    def forward(self, *tensors):
        given = iter(tensors)

        def filled(value):
            if isinstance(value, (list, tuple)):
                return type(value)(map(filled, value))
            return next(given) if isinstance(value, torch.Tensor) else value

        result = self.function(*map(filled, self.arguments))
        return tuple(value for _, value in held(result) if isinstance(value, torch.Tensor))


def write_script(function, arguments, path):
    torch.jit.script(function).save(str(path))


def write_trace(module, arguments, path):
    torch.jit.trace(module, tuple(value.clone() for value in arguments), check_trace=False).save(str(path))


def write_export(module, arguments, path):
    torch.export.save(torch.export.export(module, tuple(value.clone() for value in arguments)), str(path))


def compiled(function, backend):
    """As torch.compile runs it, which may split it where Dynamo cannot follow, and makes it anew for other arguments."""
    torch._dynamo.reset()
    return torch.compile(function, backend=backend)


DOORS = {"script": write_script, "trace": write_trace, "export": write_export}


def call_text(arguments, open_sizes):
    """A call in the words of jit-compile; with `open_sizes` all that may be open are names: no sizes of tensors that are strided."""
    from jit_mlir._compiler import call_text

    def opened(tensor):
        return tensor[1] + re.sub(r"\b([2-9]|[1-9]\d+)\b", r"n\1", tensor[2])

    text = call_text("forward", arguments)
    return re.sub(r"(?<![:\w])([a-z]+\d*)(\[[\d,]*\])(?!:)", opened, text) if open_sizes else text


class Prepared:
    """A program at a door: what eager runs, its calls, and the file that the compiler reads."""

    def __init__(self, program, way, folder):
        self.way = way
        self.make, _ = program.maker()
        self.program = program
        self.calls = [program.arguments(call) for call in range(len(program.calls))]
        self.state = list(program.state)
        self.path = pathlib.Path(folder) / ("program.pt2" if way.door == "export" else "program.pt")
        if way.door in ("trace", "export"):
            self.calls = self.calls[:1]
            make, self.make = self.make, lambda: OfTensors(make(), self.first)
            self.first = self.calls[0]
            self.calls = [tuple(self.make().tensors)]
            self.state = [f"function.{name}" for name in self.state]
            if not self.calls[0]:
                raise NotWritten("no tensors")
        if way.door == "compile":
            return
        try:
            DOORS[way.door](self.make(), self.calls[0], self.path)
        except Exception as error:
            raise NotWritten(" ".join(str(error).split())[:200]) from error

    def opened(self, jit_mlir):
        if self.way.door == "compile":
            from jit_mlir import dynamo

            dynamo.reset()
            return compiled(self.make(), dynamo.backend)
        options = dict(self.way.options)
        if not self.way.package:
            return jit_mlir.load(self.path, **options)
        program = jit_mlir.load(self.path)
        package = self.path.with_suffix(".so")
        calls = [call_text(call, self.way.wants_other_sizes) for call in self.calls]
        program.save(package, *dict.fromkeys(calls))
        return Packaged(jit_mlir.load(package), self.make())

    def written(self):
        """What PyTorch itself runs of the file, or of the graphs that a backend is given."""
        if self.way.door == "compile":
            return compiled(self.make(), "aot_eager")
        return torch.export.load(self.path).module() if self.way.door == "export" else torch.jit.load(str(self.path))

    def left(self):
        """Why a part of the program was left to PyTorch, where a door does that."""
        if self.way.door != "compile":
            return ""
        from jit_mlir import dynamo

        return next((graph.reason for graph in dynamo.graphs() if graph.reason), "")

    def eager(self):
        """What each call shows in eager PyTorch; it raises where PyTorch does, and where it would but for `.data`, a write through which
        to what the backward pass has saved makes the gradient that of no function."""
        watched = self.program.with_detach()
        if self.way.gradients and watched != self.program:
            make, _ = watched.maker()
            list(run(make(), self.calls, self.state, True))
        return list(run(self.make(), self.calls, self.state, self.way.gradients))

    def how(self, wanted):
        """run()'s arguments for others than eager."""
        return self.calls, self.state, self.way.gradients, [call.chosen for call in wanted]
