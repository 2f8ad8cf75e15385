"""State is read by any of its names, from programs and from packages."""

import pytest
import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))
        self.register_buffer("again", self.count)

    def forward(self, x):
        self.count.add_(1.0)
        return x + self.again


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Counter()
        self.second = self.first

    def forward(self, x):
        return self.first(x) + self.second(x)


NAMES = ["first.count", "first.again", "second.count", "second.again"]


def test_a_submodule_and_a_buffer_with_two_names(saved, jit_mlir, tmp_path):
    archive, reference = saved(Twice())
    program = jit_mlir.load(archive)
    program.save(tmp_path / "twice.so", "forward(f32[2])")
    for compiled in (program, jit_mlir.load(tmp_path / "twice.so")):
        assert torch.equal(torch.as_tensor(compiled(torch.ones(2))), torch.full([2], 5.0))
        assert all(torch.equal(torch.as_tensor(compiled.state(name)), torch.full([2], 2.0)) for name in NAMES)
        for other in ("second", "first.count.", "firstly.count"):
            with pytest.raises(jit_mlir.Error, match="expected a"):
                compiled.state(other)
    assert torch.equal(reference(torch.ones(2)), torch.full([2], 5.0))
