"""What the tests of torch.autograd.grad in programs share: energies, and the comparison with eager PyTorch."""

import numpy as np
import pytest
import torch
from conftest import clone
from running import leaves
from torch import Tensor, nn

EXACT = dict(rtol=1e-10, atol=1e-10)


def with_grad(arguments):
    """Fresh leaves that require what the arguments require."""
    return [a.detach().clone().requires_grad_(a.requires_grad) if isinstance(a, Tensor) else clone(a) for a in arguments]


def eager(program, arguments, outer=False):
    """The result; with outer=True, for each argument that requires one, the gradient of the sum of what has a history."""
    inputs = with_grad(arguments)
    result = program(*inputs)
    if not outer:
        return result, []
    outputs = [r for r in tensors(result) if r.requires_grad]
    wanted = [a for a in inputs if isinstance(a, Tensor) and a.requires_grad]
    gradients = []
    if outputs and wanted:
        gradients = torch.autograd.grad(sum(o.sum() for o in outputs), wanted, allow_unused=True)
    return result, [torch.zeros_like(w) if g is None else g for w, g in zip(wanted, gradients)]


def tensors(value):
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


@pytest.fixture
def agrees(saved, jit_run):
    """A module's results are those of eager PyTorch; with outer=True the gradients of its results too."""

    def check(module, *arguments, outer=False, flags=()):
        archive, _ = saved(torch.jit.script(module))
        expected, gradients = eager(module, arguments, outer)
        outcome = jit_run(archive, *with_grad(arguments), flags=[*flags, *["--grad"] * outer])
        outcome.assert_close(expected, **EXACT)
        if outer:
            wanted = [i for i, a in enumerate(arguments) if isinstance(a, Tensor) and a.requires_grad]
            for i, gradient in zip(wanted, gradients):
                np.testing.assert_allclose(outcome.gradient(i), gradient.detach(), **EXACT)
        return outcome

    return check


def positions(count=5, requires_grad=False):
    grid = torch.cartesian_prod(*[torch.arange(3, dtype=torch.float64)] * 3)[:count]
    return (grid * 1.1 + 0.05 * torch.randn(count, 3, dtype=torch.float64)).requires_grad_(requires_grad)


class LennardJones(nn.Module):
    """Energy and forces of a cluster."""

    def energy(self, x: Tensor) -> Tensor:
        difference = x.unsqueeze(0) - x.unsqueeze(1)
        squared = difference.pow(2).sum(-1) + torch.eye(x.size(0), dtype=x.dtype)
        inverse = (1.0 / squared).pow(3) * (1 - torch.eye(x.size(0), dtype=x.dtype))
        return 2.0 * (inverse * inverse - inverse).sum()

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        energy = self.energy(x)
        gradient = torch.autograd.grad([energy], [x])[0]
        assert gradient is not None
        return energy, -gradient


class Potential(nn.Module):
    """A small net as energy, with forces that a loss can be made of."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8), nn.SiLU(), nn.Linear(8, 1)).double()

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        energy = self.net(x).sum()
        gradient = torch.autograd.grad([energy], [x], create_graph=self.training)[0]
        assert gradient is not None
        return energy, -gradient


class ForceLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.potential = Potential()

    def forward(self, x: Tensor, energy: Tensor, forces: Tensor):
        got, push = self.potential(x)
        return (got - energy).pow(2) + (push - forces).pow(2).mean()


def force_data(count=6):
    return [torch.randn(size, dtype=torch.float64) for size in ((count, 3), (), (count, 3))]


class Quartic(nn.Module):
    """Gradients of gradients, three deep."""

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        energy = (x.pow(4) * x.sin()).sum()
        first = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert first is not None
        second = torch.autograd.grad([first.sum()], [x], create_graph=True)[0]
        assert second is not None
        third = torch.autograd.grad([second.sum()], [x], retain_graph=True)[0]
        return first, second, third


class Detached(nn.Module):
    """Without create_graph a gradient has no history."""

    def forward(self, x: Tensor):
        energy = x.pow(3).sum()
        g = torch.autograd.grad([energy], [x], retain_graph=True)[0]
        assert g is not None
        return energy * g, g.requires_grad, energy.requires_grad, energy.detach().requires_grad
