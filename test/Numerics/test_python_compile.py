"""jit_mlir.compile: modules and functions are scripted, exported or traced, the best that works, and report() says which."""

import functools
from typing import Optional

import numpy as np
import pytest
import torch
from torch import nn


def close(got, want):
    torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)


class Branches(nn.Module):
    """Only scripting keeps both branches."""

    def forward(self, x, bias: Optional[torch.Tensor] = None):
        if x.sum() > 0:
            x = x * 2
        return x if bias is None else x + bias


class Unscriptable(nn.Module):
    """Not TorchScript for its starred arguments; no data decides a branch."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, *tensors, scale=2):
        return [self.layer(x) * scale for x in tensors]


class OnlyTraceable(Unscriptable):
    """Neither TorchScript nor exportable: a branch on data."""

    def forward(self, *tensors):
        return sum(self.layer(x) for x in tensors) if bool(tensors[0].sum() > 0) else tensors[0]


def distance(a, b):
    return (a - b).square().sum(-1).sqrt()


def test_scripted(jit_mlir):
    for program in (jit_mlir.compile(Branches()), jit_mlir.compile(Branches(), (torch.ones(3),))):
        assert program.report().startswith("compile: scripted")
        for x in (torch.ones(3), -torch.ones(3)):
            close(program(x), Branches()(x))
            close(program(x, x), Branches()(x, x))


def scaled(x: torch.Tensor, by: int = 3, plus: float = 0.5, bias: Optional[torch.Tensor] = None, way: str = "it's"):
    y = x * by + plus if way == "it's" else x
    return y if bias is None else y + bias


def test_default_arguments_of_functions(jit_mlir):
    x = torch.randn(3)
    for program in (jit_mlir.compile(scaled), jit_mlir.compile(torch.jit.script(scaled))):
        close(program(x), scaled(x))
        close(program(x, 2), scaled(x, 2))
        close(program(x, 2, 1.0, x, "else"), scaled(x, 2, 1.0, x, "else"))


def test_functions(jit_mlir):
    a, b = torch.randn(3, 5), torch.randn(3, 5)
    for program in (jit_mlir.compile(distance), jit_mlir.compile(distance, (a, b)), jit_mlir.compile(torch.jit.script(distance))):
        close(program(a, b), distance(a, b))
    close(jit_mlir.compile(lambda a, b: a @ b.T, [a, b])(a, b), a @ b.T)
    close(jit_mlir.compile(functools.partial(distance, b=b), (a,))(a), distance(a, b))


def test_exported(jit_mlir):
    module = Unscriptable()
    x, y = torch.randn(3, 8), torch.randn(2, 8)
    program = jit_mlir.compile(module, (x, y))
    lines = program.report().splitlines()
    assert lines[0].startswith("compile: script: ") and lines[1].startswith("compile: exported")
    close(program(x, y), module(x, y))
    # Sizes of the example are not baked in.
    x, y = torch.randn(5, 8), torch.randn(7, 8)
    close(program(x, y), module(x, y))


def test_traced(jit_mlir):
    module = OnlyTraceable()
    x = torch.rand(3, 8)
    program = jit_mlir.compile(module, (x,))
    assert [line.split(":")[1].strip() for line in program.report().splitlines()[:2]] == ["script", "export"]
    assert "compile: traced: branches and loops are those that the example inputs took" in program.report()
    close(program(x), module(x))


@pytest.mark.parametrize("way, meaning", [("script", "scripted"), ("export", "exported"), ("trace", "traced")])
def test_a_way_that_was_asked_for(jit_mlir, way, meaning):
    module = nn.Sequential(nn.Linear(8, 4), nn.Tanh())
    x = torch.randn(3, 8)
    program = jit_mlir.compile(module, (x,), way=way)
    assert program.report().startswith(f"compile: {meaning}")
    close(program(x), module(x))


def test_what_torch_has_made(jit_mlir):
    module = nn.Linear(8, 4)
    x = torch.randn(3, 8)
    for made in (torch.jit.script(module), torch.jit.trace(module, x), torch.export.export(module, (x,))):
        close(jit_mlir.compile(made)(x), module(x))


def test_examples_of_other_libraries(jit_mlir):
    x = np.random.rand(3, 8).astype(np.float32)
    module = Unscriptable()
    for examples in ((x,), [x], x):
        (got,) = jit_mlir.compile(module, examples)(x)
        np.testing.assert_allclose(got, module(torch.from_numpy(x))[0].detach(), rtol=1e-4, atol=1e-5)


def test_training_goes_on_through_it(jit_mlir):
    module = Unscriptable()
    program = jit_mlir.compile(module, (torch.randn(3, 8),))
    grads = []
    for call in (program, module):
        x = torch.ones(3, 8, requires_grad=True)
        call(x)[0].square().sum().backward()
        grads.append(x.grad)
    close(*grads)


def test_any_sizes(jit_mlir):
    program = jit_mlir.compile(nn.Linear(8, 4), any_sizes=True)
    for rows in (2, 3, 5):
        assert program(torch.randn(rows, 8)).shape == (rows, 4)


@pytest.mark.parametrize("any_sizes", [None, False])
def test_sizes_that_change(jit_mlir, any_sizes):
    """By default the second size of a dimension opens it: rows here, then columns; 0 and 1 are sizes of their own."""
    class Rows(nn.Module):
        def forward(self, x, y):
            return torch.softmax(x @ y, -1), x.sum(0), x.flatten()[:2]

    module = Rows()
    program = jit_mlir.compile(torch.jit.script(module), any_sizes=any_sizes)
    for rows, inner, columns in [(3, 8, 4), (5, 8, 4), (7, 8, 4), (1, 8, 4), (0, 8, 4), (7, 8, 2), (9, 8, 6), (9, 3, 6), (3, 8, 4), (4, 5, 1)]:
        x, y = torch.randn(rows, inner), torch.randn(inner, columns)
        for got, expected in zip(program(x, y), module(x, y)):
            close(got, expected)


@torch.jit.script
def placed(x: torch.Tensor, at: int, axis: int):
    y = x.clone()
    y[:, at] = 0.0
    for i in range(at):
        y = y + x[:, i : i + 1]
    return y.sum(axis), y[at:], at * 2 + axis


def test_ints_that_change(jit_mlir):
    """An int that has had two values stays an argument where that can be (a place, here), else each has code of its own (a dimension)."""
    program = jit_mlir.compile(placed)
    x = torch.randn(4, 6)
    for at, axis in [(2, 0), (3, 0), (0, 0), (5, 0), (1, 1), (-1, 1), (4, 0), (-3, 1)]:
        for got, expected in zip(program(x, at, axis), placed(x, at, axis)):
            close(torch.as_tensor(got), torch.as_tensor(expected))
    with pytest.raises(Exception, match="6"):
        program(x, 6, 0)


@pytest.mark.parametrize("arguments, options, expected", [
    ((3,), {}, "expected a module or function of PyTorch, got int"),
    ((distance,), {"way": "guess"}, "expected one of the ways script, export, trace, got 'guess'"),
    ((distance,), {"way": "trace"}, "expected example_inputs for way='trace'"),
    ((torch.jit.script(distance),), {"way": "trace"}, "expected a module or function that is not scripted for way='trace'"),
    ((distance, {"a": 1}), {}, "expected example_inputs that are a tuple of arguments, got dict"),
    ((distance, (object(), 1)), {}, "expected arrays, numbers, strings and None as example_inputs, got object"),
])
def test_refusals(jit_mlir, arguments, options, expected):
    with pytest.raises(TypeError, match=f"^{expected}"):
        jit_mlir.compile(*arguments, **options)


def test_what_cannot_be_made_a_program(jit_mlir):
    with pytest.raises(jit_mlir.Error, match="with example_inputs it could be exported or traced\nscript: ") as refused:
        jit_mlir.compile(Unscriptable())
    assert refused.value.kind == "unsupported"
    with pytest.raises(jit_mlir.Error, match="\nscript: .*\nexport: .*\ntrace: .*hash_tensor") as refused:
        jit_mlir.compile(lambda x: torch.hash_tensor(x), (torch.eye(3),))
