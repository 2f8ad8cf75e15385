"""Packages whose state data choose: the kind that it has next, and so the code for the next call."""

import numpy as np
import pytest
import torch
from running import leaves
from torch import nn


class Chosen(nn.Module):
    """Data choose which tensors a piece of state is, of which sizes, and a number beside it."""

    def __init__(self):
        super().__init__()
        self.s = torch.zeros(2)
        self.pair = (torch.zeros(3), torch.ones(1))
        self.count = 1

    def forward(self, x: torch.Tensor):
        if bool(x.sum() > 0):
            self.s = x * 2.0
            self.count = 1
        else:
            self.s = torch.cat([x, x])
            self.count = 2
        if bool(x[0] > 1):
            self.pair = (x, self.s)
        return self.s + 1.0, self.count

    @torch.jit.export
    def read(self):
        return self.s * 1.0, self.pair[0] + 1.0, self.pair[1] * 2.0, self.count


class Alike(nn.Module):
    """Of the same sizes in either way, and in one way as before."""

    def __init__(self):
        super().__init__()
        self.s = torch.zeros(2)
        self.t = torch.zeros(2)

    def forward(self, x: torch.Tensor):
        if bool(x.sum() > 0):
            self.s = x
        else:
            self.t = self.s + x
        return self.s * 2.0

    @torch.jit.export
    def read(self):
        return self.s + 1.0, self.t + 1.0


class Writes(nn.Module):
    """Writes in place what data chose, of which another name shows the same."""

    def __init__(self):
        super().__init__()
        self.s = torch.zeros(2)

    def forward(self, x: torch.Tensor):
        if bool(x.sum() > 0):
            self.s = x * 2.0
        else:
            self.s = torch.stack([x, x + 1.0])
        self.s[0] = 7.0
        return self.s + 1.0

    @torch.jit.export
    def read(self):
        self.s.mul_(2.0)
        return self.s + 1.0


class Nested(nn.Module):
    """A choice in a choice, of values of different kinds."""

    def __init__(self):
        super().__init__()
        self.s = [torch.zeros(2)]
        self.t = torch.zeros(1, 1)

    def forward(self, x: torch.Tensor):
        if bool(x[0] > 0):
            if bool(x[1] > 0):
                self.s = [x, x * 2.0]
            else:
                self.s = [x[:1], torch.outer(x, x)]
                self.t = x[:, None] + 0.0
        else:
            self.t = x[None]
        return self.t + 1.0, [item + 1.0 for item in self.s]

    @torch.jit.export
    def read(self):
        return self.t * 1.0, [item * 2.0 for item in self.s]


def agrees(package, archive, inputs):
    """Two orders of calls, the second after the state was set back."""
    for order in (inputs, inputs[::-1]):
        reference = torch.jit.load(str(archive))
        for x in order:
            for method, arguments in (("forward", (x,)), ("read", ())):
                got, want = list(leaves(getattr(package, method)(*arguments))), list(leaves(getattr(reference, method)(*arguments)))
                for one, other in zip(got, want, strict=True):
                    np.testing.assert_allclose(one, other, rtol=1e-6)
        package.reset()


INPUTS = [torch.tensor(x) for x in ([1.5, 1.0], [-1.0, -2.0], [2.0, -3.0], [-4.0, 5.0], [0.5, 0.25], [-1.0, -1.0], [-1.0, 0.5], [3.0, 1.0], [0.5, -2.0])]


@pytest.mark.parametrize("kind", [Chosen, Alike, Writes, Nested])
def test_data_choose_state(saved, compiled, jit_mlir, kind):
    archive, _ = saved(kind())
    library = compiled(archive, ["forward(f32[2])", "read()"], name=kind.__name__.lower())
    agrees(jit_mlir.load(library.path), archive, INPUTS)
