"""torch.autograd.grad in programs: its arguments, what depends on what, branches and loops, beside eager PyTorch."""

from typing import List, Optional

import pytest
import torch
from autograd_programs import Detached, Quartic, agrees  # noqa: F401 - agrees is a fixture
from torch import Tensor, nn


@pytest.mark.parametrize("outer", [False, True])
def test_gradients_of_gradients(outer, agrees):
    agrees(Quartic(), torch.rand(4, dtype=torch.float64, requires_grad=outer), outer=outer)


class HessianVector(nn.Module):
    def forward(self, x: Tensor, v: Tensor):
        x = x.detach().requires_grad_(True)
        energy = (x @ x.t()).exp().sum() + x.prod()
        g = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert g is not None
        return torch.autograd.grad([(g * v).sum()], [x])[0]


@pytest.mark.parametrize("flags", [[], ["--any-sizes"]], ids=["sizes", "any sizes"])
def test_hessian_times_vector(flags, agrees):
    x, v = torch.rand(4, 3, dtype=torch.float64), torch.rand(4, 3, dtype=torch.float64)
    agrees(HessianVector(), x, v, flags=flags)


class Hessian(nn.Module):
    """Row by row, each by a gradient in a loop."""

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        energy = (x.sin() * x.roll(1, 0)).sum().exp()
        g = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert g is not None
        rows: List[Tensor] = []
        for i in range(x.size(0)):
            row = torch.autograd.grad([g[i]], [x], retain_graph=True)[0]
            assert row is not None
            rows.append(row)
        return torch.stack(rows)


def test_hessian(agrees):
    agrees(Hessian(), torch.rand(5, dtype=torch.float64))


class Weighted(nn.Module):
    """Several outputs and inputs, weights of some."""

    def forward(self, x: Tensor, y: Tensor, weight: Tensor):
        x.requires_grad_(True)
        y.requires_grad_(True)
        a = x * y.exp()
        b = (x + y).sum()
        weights: Optional[List[Optional[Tensor]]] = [weight, None]
        return torch.autograd.grad([a, b], [x, y], weights, create_graph=True)


@pytest.mark.parametrize("weight", [torch.rand(3, 4, dtype=torch.float64), torch.rand(3, 4),
                                    torch.rand(2, 3, 4, dtype=torch.float64)], ids=["double", "float", "summed"])
def test_weights(weight, agrees):
    """A scripted program sums a weight that has more dimensions, where one in Python is an error."""
    agrees(torch.jit.script(Weighted()), torch.rand(3, 4, dtype=torch.float64), torch.rand(4, dtype=torch.float64), weight)


def test_a_gradient_of_weights(agrees):
    x, y, w = (torch.rand(*size, dtype=torch.float64, requires_grad=True) for size in ((3, 4), (4,), (3, 4)))
    agrees(Weighted(), x, y, w, outer=True)


class Unused(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        x.requires_grad_(True)
        y.requires_grad_(True)
        gradients = torch.autograd.grad([x.exp().sum()], [x, y], allow_unused=True)
        g, h = gradients[0], gradients[1]
        assert g is not None
        if h is None:
            return g, torch.zeros_like(y) - 1
        return g, h


def test_an_input_that_may_be_unused(agrees):
    agrees(Unused(), torch.rand(3, dtype=torch.float64), torch.rand(2, dtype=torch.float64))


def test_without_create_graph(agrees):
    agrees(Detached(), torch.rand(4, dtype=torch.float64, requires_grad=True), outer=True)


class Intermediate(nn.Module):
    """By what was computed, beside an equal computation; and by an input that the other input is computed from."""

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        y = x * 2
        z = x * 2
        energy = (y * z.sin()).sum()
        return torch.autograd.grad([energy], [y], retain_graph=True), torch.autograd.grad([energy], [x, y, z])


def test_intermediate_values(agrees):
    agrees(Intermediate(), torch.rand(4, dtype=torch.float64))


class TwoLeaves(nn.Module):
    def forward(self, x: Tensor):
        a = x.detach().requires_grad_(True)
        b = x.detach().requires_grad_(True)
        return torch.autograd.grad([(a * b.exp()).sum()], [a, b])


def test_leaves_of_one_tensor(agrees):
    agrees(TwoLeaves(), torch.rand(4, dtype=torch.float64))


class InPlace(nn.Module):
    def forward(self, x: Tensor):
        x.requires_grad_(True)
        y = x * 2
        y[0] *= 3
        y.add_(x.sin())
        with torch.no_grad():
            y.mul_(0.5)
            scale = x.sum()
        z = torch.zeros_like(x)
        z[1:] = y[1:] * scale
        return torch.autograd.grad([(y.exp() * z).sum()], [x, y])


def test_writes_in_place(agrees):
    agrees(InPlace(), torch.rand(4, dtype=torch.float64))


class Descent(nn.Module):
    """Steps down an energy: a gradient in each trip of a loop, a leaf that is written where gradients are off."""

    def forward(self, x: Tensor, steps: int):
        x = x.clone().detach().requires_grad_(True)
        for _ in range(steps):
            energy = (x.pow(2) - x.cos()).sum()
            g = torch.autograd.grad([energy], [x])[0]
            assert g is not None
            with torch.no_grad():
                x.sub_(0.1 * g)
        return x


@pytest.mark.parametrize("steps", [0, 1, 20])
def test_descent(steps, agrees):
    agrees(Descent(), torch.rand(4, dtype=torch.float64), steps)


class Branches(nn.Module):
    def forward(self, x: Tensor):
        x.requires_grad_(True)
        if bool(x.sum() > 1):
            energy = x.exp().sum()
        else:
            energy = (x * x).sum()
        for i in range(3):
            energy = energy * x[i].cos()
        g = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert g is not None
        return torch.autograd.grad([g.pow(2).sum()], [x])[0]


@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_branches_and_loops(shift, agrees):
    agrees(Branches(), torch.rand(3, dtype=torch.float64) * 0.3 + shift)


class Recurrent(nn.Module):
    """A loop that keeps what each trip makes, and a gradient of the gradient through it."""

    def forward(self, x: Tensor, steps: int):
        x.requires_grad_(True)
        h = torch.zeros_like(x)
        states: List[Tensor] = []
        for _ in range(steps):
            h = torch.tanh(h * 1.5) + x
            states.append(h)
        g = torch.autograd.grad([torch.stack(states).pow(2).sum()], [x], create_graph=True)[0]
        assert g is not None
        return g, torch.autograd.grad([g.pow(3).sum()], [x])


def test_what_a_loop_keeps(agrees):
    agrees(Recurrent(), torch.rand(4, dtype=torch.float64), 6)


class Captured(nn.Module):
    """In each trip a gradient through what was computed before the loop."""

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        y = x.exp()
        found: List[Tensor] = []
        for i in range(3):
            g = torch.autograd.grad([(y * y).sum() * float(i + 1)], [x], retain_graph=True)[0]
            assert g is not None
            found.append(g)
        return found


def test_a_gradient_through_what_was_before_the_loop(agrees):
    agrees(Captured(), torch.rand(4, dtype=torch.float64))


class Descending(nn.Module):
    """Until the gradient is small, with a new leaf in each trip."""

    def forward(self, x: Tensor):
        x = x.detach().requires_grad_(True)
        steps = 0
        while True:
            g = torch.autograd.grad([(x * x).sum()], [x])[0]
            assert g is not None
            if bool(g.abs().max() < 0.1):
                break
            x = (x - 0.1 * g).detach().requires_grad_(True)
            steps += 1
        return x, steps


def test_until_the_gradient_is_small(agrees):
    agrees(Descending(), torch.rand(4, dtype=torch.float64))


class Penalty(nn.Module):
    """The loss of a critic whose gradients should have length 1."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(64, 1)).double()

    def forward(self, real: Tensor, fake: Tensor, t: Tensor):
        mixed = (t * real + (1 - t) * fake).detach().requires_grad_(True)
        score = self.net(mixed)
        weights: Optional[List[Optional[Tensor]]] = [torch.ones_like(score)]
        g = torch.autograd.grad([score], [mixed], weights, create_graph=True)[0]
        assert g is not None
        return (g.flatten(1).norm(2, 1) - 1).pow(2).mean()


def test_a_gradient_penalty(agrees):
    agrees(Penalty(), *[torch.rand(size, dtype=torch.float64) for size in ((2, 1, 8, 8), (2, 1, 8, 8), (2, 1, 1, 1))])


class WithoutModes(nn.Module):
    """A gradient is taken in a mode of its own; the mode around it holds for what is made of it."""

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        energy = x.pow(3).sum()
        with torch.no_grad():
            g = torch.autograd.grad([energy], [x], create_graph=True)[0]
            assert g is not None
            h = g * 2
        return g.requires_grad, h.requires_grad, torch.autograd.grad([g.sum()], [x])


def test_where_gradients_are_off(agrees):
    agrees(WithoutModes(), torch.rand(4, dtype=torch.float64))


class ByParameters(nn.Module):
    """A step of training that the program takes itself."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3).double()

    def forward(self, x: Tensor):
        loss = self.linear(x).pow(2).mean()
        g = torch.autograd.grad([loss], [self.linear.weight, self.linear.bias])
        weight, bias = g[0], g[1]
        assert weight is not None and bias is not None
        return self.linear.weight - 0.1 * weight, self.linear.bias - 0.1 * bias


def test_by_parameters(agrees):
    agrees(ByParameters(), torch.rand(5, 4, dtype=torch.float64))


class Questions(nn.Module):
    def forward(self, x: Tensor):
        before = x.requires_grad
        y = x * 2
        x.requires_grad_(True)
        z = x * 2
        with torch.no_grad():
            w = x * 2
        if z.requires_grad:
            z = z + 1
        return before, x.requires_grad, y.requires_grad, z, w.requires_grad, (z > 1).requires_grad, torch.ones_like(z).requires_grad


def test_requires_grad(agrees):
    agrees(Questions(), torch.rand(3, dtype=torch.float64))


class ZeroGradients(nn.Module):
    """What does not change where its operand does a little requires a gradient all the same, and so does what was written over."""

    def forward(self, x: Tensor):
        copied, cleared, filled, drawn = x * 1.0, x * 1.0, x * 1.0, x * 1.0
        copied.copy_(torch.ones_like(x))
        cleared.zero_()
        filled.fill_(1.0)
        drawn.normal_()
        floor, sign = torch.floor(x), torch.sign(x)
        quotient = torch.div(x, 2.0, rounding_mode="floor")
        of_writes = [copied.requires_grad, cleared.requires_grad, filled.requires_grad, drawn.requires_grad]
        of_steps = [floor.requires_grad, sign.requires_grad, torch.angle(x).requires_grad, quotient.requires_grad, torch.bernoulli(x).requires_grad]
        return of_writes, of_steps, copied + cleared + filled + floor + sign + quotient


@pytest.mark.parametrize("on", [False, True])
def test_zero_gradients(on, agrees):
    agrees(ZeroGradients(), torch.rand(3, dtype=torch.float64).requires_grad_(on))


class Turned(nn.Module):
    """A mark within a branch holds after it; and one is taken away."""

    def forward(self, x: Tensor, y: Tensor, on: bool):
        if on:
            x.requires_grad_(True)
        y.requires_grad_(True)
        a = y.exp()
        y.requires_grad_(False)
        b = y * a
        return x.requires_grad, a.requires_grad, b.requires_grad, y.requires_grad


@pytest.mark.parametrize("on", [False, True])
def test_marks(on, agrees):
    agrees(Turned(), torch.rand(3, dtype=torch.float64), torch.rand(3, dtype=torch.float64), on)


class Versions(nn.Module):
    """A leaf stays one, however often it is written: what was made of it before counts too."""

    def forward(self, x: Tensor, steps: int):
        y = x.detach().requires_grad_(True)
        first, last = y[0], y[1:]
        energy = y.exp().sum()
        for _ in range(steps):
            with torch.no_grad():
                last.mul_(1.5)
                y.add_(0.1)
            energy = energy + y.exp().sum() + first * 3 - last.sum()
        return torch.autograd.grad([energy], [y])[0], y


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_versions_of_a_leaf(steps, agrees):
    agrees(Versions(), torch.rand(4, dtype=torch.float64), steps)


class MarkedElsewhere(nn.Module):
    """What a method does to its argument holds for the caller; a second mark changes nothing."""

    def prepare(self, x: Tensor):
        x.requires_grad_(True)

    def forward(self, x: Tensor):
        y = x * 2
        self.prepare(x)
        z = x * 3
        x.requires_grad_()
        z.requires_grad_()
        energy = (y * z * z * x).sum()
        return torch.autograd.grad([energy], [x, z])


def test_marked_by_a_method(agrees):
    agrees(MarkedElsewhere(), torch.rand(3, dtype=torch.float64))


class MaybeUnused(nn.Module):
    """What is marked has several names, in a list and in a dict."""

    def forward(self, x: Tensor, y: Tensor, z: Tensor):
        data = {"x": x}
        data["x"].requires_grad_(True)
        inputs = [x] + [t.requires_grad_(True) for t in [y, z]]
        energy = (data["x"] * y.detach() * (z > 0).to(x.dtype)).sum() * float(y.sum())
        found: List[Tensor] = []
        for g in torch.autograd.grad([energy], inputs, allow_unused=True):
            if g is not None:
                found.append(g)
        return found


def test_unused_by_what_stops_gradients(agrees):
    agrees(MaybeUnused(), *[torch.rand(3, dtype=torch.float64) for _ in range(3)])
