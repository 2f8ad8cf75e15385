"""A program: a tree of statements, the Python that it is, and the calls that are made of it."""

import ast
import dataclasses
import functools
import itertools
import json
import linecache
import math
import re
from typing import Dict, List, Optional, Tuple

HEAD = """import torch
import torch.nn.functional as F
from math import inf, nan
from torch import Tensor
from typing import Dict, List, Optional, Tuple
"""
_numbers = itertools.count()


@functools.cache
def names():
    """What the text of a program and of its calls may name. Only who runs programs waits for PyTorch."""
    import torch

    return {"torch": torch, "F": torch.nn.functional, "Tensor": torch.Tensor, "Dict": Dict, "List": List, "Optional": Optional, "Tuple": Tuple,
            "nan": math.nan, "inf": math.inf}


@dataclasses.dataclass
class Statement:
    """One line, and for `if`, `for` and `while` what stands below it."""

    head: str
    body: list["Statement"] = dataclasses.field(default_factory=list)
    orelse: list["Statement"] = dataclasses.field(default_factory=list)

    def lines(self, indent):
        """Pairs of a line and the statement that it belongs to."""
        yield "    " * indent + self.head, self
        if self.head.endswith(":"):
            yield from below(self.body, indent + 1, self)
        if self.orelse:
            yield "    " * indent + "else:", self
            yield from below(self.orelse, indent + 1, self)

    def text(self):
        return "\n".join(line for line, _ in self.lines(0))


def blocks(body):
    """Each list of statements in a tree, outermost first."""
    yield body
    for statement in body:
        yield from blocks(statement.body)
        yield from blocks(statement.orelse)


def below(statements, indent, owner):
    for statement in statements:
        yield from statement.lines(indent)
    if not statements:
        yield "    " * indent + "pass", owner


@dataclasses.dataclass
class Program:
    """`parameters` as in a `def`; `results` are names; `calls` are tuples of arguments, as Python, and made one after another.

    `state` has buffers by name, as Python: with any the program is a module. A `def` in the body stands before the program.
    """

    parameters: str
    body: list[Statement]
    results: list[str]
    calls: list[str]
    state: dict[str, str] = dataclasses.field(default_factory=dict)

    def lines(self):
        functions = [statement for statement in self.body if statement.head.startswith("def ")]
        for function in functions:
            yield from function.lines(0)
            yield "", None
        if self.state:
            yield "class program(torch.nn.Module):", None
            yield "    def __init__(self):", None
            yield "        super().__init__()", None
            for name, value in self.state.items():
                yield f'        self.register_buffer("{name}", {value})', None
            yield "", None
        indent = 1 if self.state else 0
        head = f"forward(self, {self.parameters})" if self.state else f"program({self.parameters})"
        yield f"{'    ' * indent}def {head}:", None
        for statement in self.body:
            yield from () if statement in functions else statement.lines(indent + 1)
        yield f"{'    ' * indent}    return {', '.join(self.results)}", None

    def source(self):
        return "\n".join(line for line, _ in self.lines()) + "\n"

    def text(self):
        """A file that stands alone."""
        return f"{HEAD}\n\n{self.source()}\n\nCALLS = [\n" + "".join(f"    {call},\n" for call in self.calls) + "]\n"

    def maker(self):
        """What makes the function or a module with its first state; and the name of its file, under which TorchScript and tracebacks
        find its lines."""
        file = f"differential_program_{next(_numbers)}.py"
        source = self.source()
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        scope = {**names(), "__name__": "differential"}
        exec(compile(source, file, "exec"), scope)
        made = scope["program"]
        return (made if self.state else lambda: made), file

    def arguments(self, call):
        return eval(self.calls[call], dict(names()))

    def with_detach(self):
        """The program with `.detach()` in the place of `.data`: of the same values, but autograd sees what is written through it."""
        return Program.from_json(json.loads(re.sub(r"\.data\b(?!\()", ".detach()", json.dumps(self.as_json()))))

    def size(self):
        return len(list(below(self.body, 0, None)))

    def as_json(self):
        return dataclasses.asdict(self)

    @staticmethod
    def from_json(value):
        return Program(**{**value, "body": _statements(value["body"])})


    @staticmethod
    def from_source(source, calls):
        """Of the text of one function that ends in its only `return`, or of a module as lines() writes it, after those that it calls."""
        *called, top = (node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
        function, state = top, {}
        if isinstance(top, ast.ClassDef):
            made, function = top.body
            state = {call.value.args[0].value: ast.unparse(call.value.args[1]) for call in made.body[1:]}
            del function.args.args[0]
        *body, last = function.body
        results = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
        return Program(ast.unparse(function.args), _parsed([*called, *body]), list(map(ast.unparse, results)), list(calls), state)


def _parsed(nodes):
    return [Statement(ast.unparse(node).split("\n")[0], _parsed(getattr(node, "body", [])), _parsed(getattr(node, "orelse", [])))
            for node in nodes if not isinstance(node, ast.Pass)]


def _statements(values):
    return [Statement(value["head"], _statements(value["body"]), _statements(value["orelse"])) for value in values]


def forget(file):
    linecache.cache.pop(file, None)
