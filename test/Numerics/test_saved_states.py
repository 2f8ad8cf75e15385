"""Classes with a __getstate__ and __setstate__ of their own in archives: what __setstate__ assigns is what the program has."""

from typing import Dict, List, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn


class Packed(nn.Module):
    """Saves its weight transposed, and a number beside."""

    scale: int
    bias: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.weight = torch.rand(3, 4)
        self.bias = torch.rand(3)
        self.scale = 3

    def forward(self, x: Tensor):
        y = torch.matmul(x, self.weight.t()) * self.scale
        bias = self.bias
        return y if bias is None else y + bias

    @torch.jit.export
    def __getstate__(self):
        return self.weight, self.bias, self.scale, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[Tensor, Optional[Tensor], int, bool]):
        self.weight = state[0]
        self.bias = state[1]
        self.scale = state[2]
        self.training = state[3]


class Unpacked(nn.Module):
    """Names, nested parts, constants and a dict; some attributes of its own making."""

    def __init__(self):
        super().__init__()
        self.tensors = {"a": torch.rand(3), "b": torch.rand(1, 3)}
        self.sizes = [1, 2, 3]
        self.pair = (2, 0.5)
        self.name = "plain"

    def forward(self, x: Tensor):
        y = x * self.tensors["a"] + self.tensors["b"] * self.pair[1]
        return y * self.sizes[self.pair[0]], self.name == "again", len(self.sizes)

    @torch.jit.export
    def __getstate__(self):
        return {"a": self.tensors["a"], "b": self.tensors["b"]}, (self.sizes, self.pair)

    @torch.jit.export
    def __setstate__(self, state: Tuple[Dict[str, Tensor], Tuple[List[int], Tuple[int, float]]]):
        tensors, rest = state
        sizes, pair = rest
        self.tensors = tensors
        self.sizes = sizes
        self.pair = (pair[0], rest[1][1])
        self.name = "again"
        self.training = False


class Holding(nn.Module):
    def __init__(self):
        super().__init__()
        self.packed, self.other, self.unpacked = Packed(), Packed(), Unpacked()
        self.shared = self.packed

    def forward(self, x: Tensor):
        y = self.packed(x) + self.shared(x) + self.other(x)
        return self.unpacked(y)


@pytest.mark.parametrize("kind", [Packed, Holding])
def test_states_that_are_assigned(kind, agrees):
    agrees(kind(), torch.rand(2, 4))


def test_numbers_and_names(agrees):
    agrees(Unpacked(), torch.rand(2, 3))


class Computed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.rand(3)

    def forward(self, x: Tensor):
        return x * self.weight

    @torch.jit.export
    def __getstate__(self):
        return self.weight, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[Tensor, bool]):
        self.weight = state[0] * 2
        self.training = state[1]


def test_a_state_that_is_computed_with_is_refused(saved, jit_run):
    archive, _ = saved(Computed())
    jit_run(archive, torch.rand(3)).assert_fails_with("its __setstate__ does more than to assign parts of what that gave")
