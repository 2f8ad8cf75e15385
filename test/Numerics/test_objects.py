"""Objects as arguments and results: calls from Python copy them in and out, as PyTorch's do."""

import enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn


class Point:
    def __init__(self, x: Tensor, scale: float, names: List[str]):
        self.x = x
        self.scale = scale
        self.names = names

    def moved(self, by: float):
        self.x = self.x + by
        return self.x * self.scale


class Segment:
    def __init__(self, a: Point, b: Point, length: Optional[int]):
        self.a = a
        self.b = b
        self.length = length


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Named(NamedTuple):
    color: Color
    x: Tensor


def moved_twice(p: Point, by: float) -> Tuple[Tensor, Tensor, int]:
    first = p.moved(by)
    return first, p.moved(by), len(p.names)


def two(p: Point, q: Point, both: Tuple[Point, int]) -> Tensor:
    """Two arguments that are one object for the caller are two here."""
    p.x = p.x + 1
    r, n = both
    return p.x * 100 + q.x * 10 + r.x * n


def written(p: Point) -> Tensor:
    p.x.add_(1)
    p.names.append("c")
    return p.x * len(p.names)


def end_of(s: Segment, second: bool) -> Tuple[Tensor, Optional[int]]:
    return s.b.x if second else s.a.x, s.length


def made(x: Tensor, names: List[str]) -> Tuple[Point, int]:
    p = Point(x, 2.0, names)
    p.moved(1.0)
    return p, 3


def segment(x: Tensor) -> Segment:
    return Segment(Point(x, 1.0, ["a"]), Point(x * 2, 3.0, ["b", "c"]), None)


def chosen(first: bool) -> Color:
    return Color.RED if first else Color.BLUE


def colors(c: Color, x: Tensor) -> Tuple[Named, List[Color], Dict[str, Color], Optional[Color]]:
    return Named(c, x + 1), [c, Color.BLUE], {"c": c}, None


def point():
    return Point(torch.arange(3.0), 0.5, ["a", "b"])


def same(got, want):
    if isinstance(want, Tensor):
        return isinstance(got, Tensor) and got.dtype == want.dtype and torch.equal(got, want)
    if isinstance(want, dict):
        return isinstance(got, dict) and list(got) == list(want) and all(same(got[key], want[key]) for key in want)
    if hasattr(want, "_fields") and got._fields != want._fields:  # PyTorch makes a class of its own
        return False
    if isinstance(want, (list, tuple)):
        return isinstance(got, list) == isinstance(want, list) and len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, (Point, Segment)):
        return type(got) is type(want) and same(vars(got), vars(want))
    return got is want if isinstance(want, enum.Enum) else type(got) is type(want) and got == want


CALLS = [
    (moved_twice, lambda: (point(), 1.5)),
    (two, lambda: (point(), point(), (point(), 3))),
    (two, lambda: (lambda p: (p, p, (p, 2)))(point())),
    (written, lambda: (point(),)),
    (end_of, lambda: (Segment(point(), Point(torch.ones(2), 1.0, []), 4), True)),
    (end_of, lambda: (Segment(point(), Point(torch.ones(2), 1.0, []), None), False)),
    (made, lambda: (torch.ones(2), ["n"])),
    (segment, lambda: (torch.ones(2),)),
    (chosen, lambda: (True,)),
    (chosen, lambda: (False,)),
    (colors, lambda: (Color.RED, torch.ones(2))),
]


@pytest.mark.parametrize(("function", "make"), CALLS, ids=[f"{f.__name__}-{i}" for i, (f, _) in enumerate(CALLS)])
def test_a_call_takes_and_gives_objects_as_eager_does(function, make, jit_mlir):
    scripted = torch.jit.script(function)
    ours, theirs = make(), make()
    want = scripted(*theirs)
    got = jit_mlir.compile(scripted)(*ours)
    assert same(got, want), f"{got}, expected {want}"
    assert same(ours, theirs)  # what is left of the arguments, too


def test_a_class_that_python_does_not_have_gives_its_attributes(jit_mlir, tmp_path, monkeypatch):
    for function in (segment, end_of):
        torch.jit.script(function).save(str(tmp_path / f"{function.__name__}.pt"))
    for name in ("Point", "Segment"):
        monkeypatch.delitem(globals(), name)
    got = jit_mlir.load(tmp_path / "segment.pt")(torch.ones(2))
    assert isinstance(got, jit_mlir.Object) and type(got).__name__ == "Segment"
    assert repr(got.b).startswith("Point(x=tensor([2., 2.]), scale=3.0, names=['b', 'c']")
    assert torch.equal(jit_mlir.load(tmp_path / "end_of.pt")(got, True)[0], torch.full((2,), 2.0))


def test_gradients_by_attributes(jit_mlir):
    scripted = torch.jit.script(moved_twice)
    ours, theirs = point(), point()
    for p, run in ((ours, jit_mlir.compile(scripted)), (theirs, scripted)):
        p.x.requires_grad_()
        run(p, 1.5)[1].sum().backward()
    assert torch.equal(ours.x.grad, theirs.x.grad)


def test_an_object_without_an_attribute_is_refused(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(moved_twice))
    with pytest.raises(TypeError, match="expected an object with the attribute 'x' of __torch__.*Point, got int"):
        program(3, 1.0)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(3.0))
        self.inner = nn.Linear(3, 3)
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) * self.weight


def reading(self, input: Tuple[Tensor], output: Tensor):
    return self.inner(input[0]) * self.weight + output


def assigning(self, input: Tuple[Tensor], output: Tensor):
    self.calls = self.calls + 1
    return output * self.calls


def hook_of(layer, function):
    """The function of a hook, which takes the module."""
    layer.register_forward_hook(function)
    scripted = torch.jit.script(layer)
    return scripted, next(iter(scripted._forward_hooks.values()))


def test_modules_as_arguments(jit_mlir):
    layer, hook = hook_of(Layer(), reading)
    x = torch.rand(2, 3)
    with torch.no_grad():
        torch.testing.assert_close(jit_mlir.compile(hook)(layer, (x,), x), hook(layer, (x,), x))


def test_a_module_whose_attributes_are_assigned_is_refused(jit_mlir):
    """PyTorch would change the caller's."""
    layer, hook = hook_of(Layer(), assigning)
    with pytest.raises(TypeError, match="whose attributes the program assigns, got one that TorchScript holds"):
        jit_mlir.compile(hook)(layer, (torch.ones(3),), torch.ones(3))
