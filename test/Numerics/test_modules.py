"""What modules and classes are made of beside forward: containers, properties, hooks, operators of classes."""

from typing import Dict, List, Tuple

import pytest
import torch
from torch import Tensor, nn


@torch.jit.script
class Bag:
    """A class with the methods that Python's syntax calls."""

    def __init__(self, items: List[int]):
        self.items = items

    def __getitem__(self, i: int) -> int:
        return self.items[i]

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, n: int) -> bool:
        return n in self.items

    def __add__(self, n: int) -> int:
        return self.items[0] + n

    def __call__(self, x: Tensor) -> Tensor:
        return x * len(self.items)


class UsesClass(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, int, int, bool, int]:
        bag = Bag([3, 1, 2])
        return bag(x), bag[1], len(bag), 2 in bag, bag + 4


class ModuleContainers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.named = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})
        self.chain = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
        self.weights = nn.ParameterList([nn.Parameter(torch.rand(4)) for _ in range(2)])

    def forward(self, x: Tensor) -> Tensor:
        for i, layer in enumerate(self.layers):
            x = layer(x) + i
        for name, layer in self.named.items():
            x = layer(x) * len(name)
        x = x + self.layers[1](x) + self.named["tanh"](x)
        for layer in self.chain[:2]:
            x = layer(x)
        for weight in self.weights:
            x = x * weight
        return self.chain(x)


class WithProperty(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 3.0

    @property
    def doubled(self) -> float:
        return self.scale * 2

    def forward(self, x: Tensor) -> Tensor:
        return x * self.doubled


def halve(module, inputs: Tuple[Tensor]) -> Tuple[Tensor]:
    return (inputs[0] / 2,)


def add_input(module, inputs: Tuple[Tensor], output: Tensor):
    return output + inputs[0]


class Inner(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 4


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(halve)
        self.inner.register_forward_hook(add_input)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + 1


class Constants(nn.Module):
    sizes: Tuple[int, int]
    __constants__ = ["names", "sizes"]
    table: Dict[str, int]

    def __init__(self):
        super().__init__()
        self.names = ["a", "bc"]
        self.sizes = (2, 3)
        self.table = {"x": 5}

    def forward(self, x: Tensor) -> Tensor:
        for name in self.names:
            x = x + len(name)
        return x * self.sizes[0] + self.table["x"]


class Stateful(nn.Module):
    count: int

    def __init__(self):
        super().__init__()
        self.count = 0
        self.register_buffer("total", torch.zeros(2))

    def bump(self, by: int):
        self.count += by

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        self.bump(2)
        self.total += x
        self.total[0] = self.total[0] + self.count
        return self.total.clone(), self.count


@pytest.mark.parametrize("module, x", [
    (UsesClass, torch.rand(2)), (ModuleContainers, torch.rand(3, 4)), (WithProperty, torch.rand(2)), (Hooked, torch.rand(2)),
    (Constants, torch.rand(2)), (Stateful, torch.rand(2)),
], ids=lambda value: getattr(value, "__name__", ""))
def test_module(module, x, saved, jit_run):
    archive, reference = saved(module())
    jit_run(archive, x).assert_close(reference(x))


class Anchored(nn.Module):
    """State that is a list of tensors, which the module replaces, writes and makes longer."""

    anchors: List[Tensor]

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2))
        self.anchors = [torch.ones(2), torch.arange(3.0)]

    def forward(self, x: Tensor):
        self.anchors = [anchor * 2 for anchor in self.anchors]
        self.anchors[1].add_(x)
        self.anchors.append(x)
        return self.anchors, len(self.anchors)


class SharesAnchors(Anchored):
    def __init__(self):
        super().__init__()
        self.anchors = [self.scale, torch.ones(3)]

    def forward(self, x: Tensor):
        self.scale.add_(1)
        self.anchors = [anchor for anchor in self.anchors]
        return self.anchors[0] + x.sum(), self.scale


class RepeatsAnchors(SharesAnchors):
    def __init__(self):
        super().__init__()
        self.anchors = [self.anchors[1], self.anchors[1]]

    def forward(self, x: Tensor):
        self.anchors[0].add_(1)
        self.anchors = [anchor for anchor in self.anchors]
        return self.anchors[1] + x.sum()


def test_a_list_of_tensors_that_is_state(jit_mlir):
    scripted = torch.jit.script(Anchored())
    program = jit_mlir.compile(scripted)
    for n in range(3):
        x = torch.arange(3.0) * n
        torch.testing.assert_close(program(x), scripted(x))


@pytest.mark.parametrize("module", [SharesAnchors, RepeatsAnchors])
def test_a_list_of_tensors_that_other_state_shares(module, saved, jit_run):
    archive, _ = saved(module())
    jit_run(archive, torch.ones(3)).assert_fails_with("expected a list of tensors that nothing else has in slot 'anchors'")
