"""Lists and dicts of module state that hold lists or objects, read and changed from call to call, compared with PyTorch."""

from typing import Dict, List

import pytest
import torch
from torch import Tensor, nn


class Recipe:
    def __init__(self, axes: List[int], scale: float, names: Dict[str, int]):
        self.axes = axes
        self.scale = scale
        self.names = names

    def total(self, more: List[int]) -> int:
        axes = list(self.axes)  # a copy that changes
        for m in more:
            axes.append(m)
        n = 0
        for a in axes:
            n += a
        return n


class Holder(nn.Module):
    """As layers of einops: recipes by the rank of what comes; one of them is in two containers."""

    by_rank: Dict[int, Recipe]
    all: List[Recipe]

    def __init__(self):
        super().__init__()
        shared = Recipe([3], 4.0, {"b": 1})
        self.by_rank = {2: Recipe([1, 2], 0.5, {"a": 2, "b": 3}), 3: shared}
        self.all = [Recipe([7], 1.5, {}), shared]


class Reads(Holder):
    def forward(self, x: Tensor, k: int):
        recipe = self.by_rank[x.dim()]
        y = x * recipe.scale + recipe.total([k, 1]) + self.all[1].axes[0] + len(self.all)
        for i in range(2):
            y = y * self.all[i].scale
        return y * self.all[k].scale, recipe.names["b"]


class ChangesList(Holder):
    def forward(self, x: Tensor):
        self.by_rank[x.dim()].axes.append(4)
        return x + len(self.by_rank[x.dim()].axes)


class ChangesAttribute(Holder):
    def forward(self, x: Tensor):
        self.by_rank[x.dim()].scale = 3.0
        return x * self.by_rank[x.dim()].scale


class ChangesDict(Holder):
    def forward(self, x: Tensor):
        self.by_rank[4] = Recipe([1], 2.0, {"a": 1})
        return x * self.by_rank[4].scale


@pytest.fixture(autouse=True)
def scripted():
    torch.jit.script(Recipe)


def test_objects_in_containers_of_a_module(saved, jit_mlir):
    archive, reference = saved(Reads())
    program = jit_mlir.load(archive)
    for x, k in ((torch.randn(2, 2), 1), (torch.randn(2, 2, 1), 0), (torch.randn(2, 2), 0)):
        (got, number), (want, expected) = program(x, k), reference(x, k)
        torch.testing.assert_close(got, want)
        assert number == expected
    with pytest.raises(jit_mlir.Error):
        program(torch.randn(2), 0)


def test_objects_in_containers_go_into_files(saved, compiled):
    archive, reference = saved(Reads())
    x = torch.randn(2, 2)
    got = compiled(archive, ["forward(f32[2,2], 1)"]).open().call("forward", x, 1)
    torch.testing.assert_close(torch.tensor(got[0]), reference(x, 1)[0])


@pytest.mark.parametrize("kind, reason", [
    (ChangesList, "expected no writes to what objects in a list or dict of module state hold, got one to those of 'by_rank'"),
    (ChangesAttribute, "'by_rank.0.1' holds a value of kind object, which is not supported"),
    (ChangesDict, "'by_rank.0.1' holds a value of kind object, which is not supported"),
])
def test_objects_that_change_are_refused(kind, reason, saved, jit_mlir):
    with pytest.raises(jit_mlir.Error, match=reason):
        jit_mlir.load(saved(kind())[0])(torch.randn(2, 2))


class Grows(nn.Module):
    counts: Dict[str, List[int]]
    rows: List[List[int]]
    pairs: Dict[int, Dict[str, float]]

    def __init__(self):
        super().__init__()
        self.counts = {"a": [1], "b": []}
        self.rows = [[1, 2], [3]]
        self.pairs = {1: {"x": 0.5}, 2: {}}

    def forward(self, x: Tensor, key: str):
        self.counts[key].append(len(self.counts["a"]))
        self.rows[1].append(self.rows[0][0] + len(self.rows[1]))
        self.pairs[2]["y"] = float(len(self.rows[1]))
        return x * self.counts[key][-1] + self.rows[1][-1], len(self.counts["b"]), self.pairs[2]["y"] + self.pairs[1]["x"]


def test_nested_containers_change_from_call_to_call(saved, jit_mlir):
    archive, reference = saved(Grows())
    program = jit_mlir.load(archive)
    x = torch.randn(3)
    for key in ("a", "b", "a", "b"):
        got, want = program(x, key), reference(x, key)
        torch.testing.assert_close(got[0], want[0])
        assert got[1:] == want[1:]


class Shares(nn.Module):
    a: Dict[str, List[int]]
    b: List[List[int]]

    def __init__(self):
        super().__init__()
        one = [1]
        self.a, self.b = {"x": one}, [one]

    def forward(self, x: Tensor):
        self.a["x"].append(2)
        return x + len(self.b[0])


def test_a_list_in_two_containers(saved, jit_mlir):
    archive, reference = saved(Shares())
    program = jit_mlir.load(archive)
    x = torch.zeros(1)
    for _ in range(3):
        torch.testing.assert_close(program(x), reference(x))
