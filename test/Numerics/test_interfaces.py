"""Interfaces of several classes: modules of lists and dicts by a place that the call says, objects that functions get."""

import pytest
import torch
from torch import Tensor, nn


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Plus(nn.Module):
    def __init__(self, by: int):
        super().__init__()
        self.by = by
        self.linear = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.by


class Twice(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class ByNumber(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Plus(1), Twice(), Plus(2)])

    def forward(self, x: Tensor, at: int):
        layer: Layer = self.layers[at]
        return layer.forward(x)


class ByTrip(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Plus(1), Twice(), Plus(2), Twice()])

    def forward(self, x: Tensor):
        for i in range(2):
            total = torch.zeros_like(x)
            for j in range(2):
                layer: Layer = self.layers[i * 2 + j]
                total += layer.forward(x)
            x = total / 2
        return x


class Layers(nn.ModuleList):
    pass


class ByNumberInASubclass(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = Layers([Plus(1), Twice()])

    def forward(self, x: Tensor, at: int):
        layer: Layer = self.layers[at]
        return layer.forward(x) * 3


class ByData(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Plus(1), Twice(), Plus(2)])

    def forward(self, x: Tensor, at: Tensor):
        layer: Layer = self.layers[int(at)]
        return layer.forward(x) - 1


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"plus": Plus(1), "twice": Twice()})

    def forward(self, x: Tensor, name: str):
        layer: Layer = self.layers[name]
        return layer.forward(x)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_by_a_number(at, agrees):
    agrees(ByNumber(), torch.rand(2, 3), at)


def test_of_a_list_of_a_class_of_its_own(agrees):
    agrees(ByNumberInASubclass(), torch.rand(2, 3), 1)


def test_by_the_number_of_a_trip(agrees):
    agrees(ByTrip(), torch.rand(2, 3))


@pytest.mark.parametrize("at", [0, 1, 2])
def test_by_what_data_say(at, agrees):
    agrees(ByData(), torch.rand(2, 3), torch.tensor(at))


@pytest.mark.parametrize("name", ["plus", "twice"])
def test_by_a_name(name, saved, jit_mlir):
    archive, loaded = saved(ByName())
    x = torch.rand(2, 3)
    torch.testing.assert_close(jit_mlir.load(archive)(x, name), loaded(x, name))


def test_by_a_name_of_none(saved, jit_mlir):
    archive, _ = saved(ByName())
    with pytest.raises(jit_mlir.Error, match="expected the place of one of 2 modules"):
        jit_mlir.load(archive)(torch.rand(2, 3), "minus")


@pytest.mark.parametrize("module, place", [(ByNumber(), 3), (ByNumber(), -1), (ByData(), torch.tensor(7))])
def test_no_such_module(module, place, saved, jit_run):
    archive, loaded = saved(module)
    with pytest.raises(Exception):
        loaded(torch.rand(2, 3), place)
    jit_run(archive, torch.rand(2, 3), place).assert_fails_with("expected the place of one of 3 modules")


@torch.jit.interface
class Step:
    def apply(self, x: Tensor) -> Tensor:
        pass


@torch.jit.script
class Adds:
    def __init__(self, by: int):
        self.by = by

    def apply(self, x: Tensor) -> Tensor:
        return x + self.by


@torch.jit.script
class Scales:
    def __init__(self, by: float):
        self.by = by

    def apply(self, x: Tensor) -> Tensor:
        return x * self.by


def applied(step: Step, x: Tensor) -> Tensor:
    return step.apply(x) - 1


class GivesObjects(nn.Module):
    def forward(self, x: Tensor):
        return applied(Adds(2), x), applied(Scales(0.5), x)


def test_functions_that_get_objects(agrees):
    agrees(GivesObjects(), torch.rand(3))
