"""Forces are gradients of an energy inside the program, beside eager PyTorch: potentials, dynamics, nets of messages, training."""

import copy

import numpy as np
import pytest
import torch
from autograd_programs import EXACT, ForceLoss, LennardJones, Potential, agrees, eager, force_data, positions  # noqa: F401 - agrees is a fixture
from test_training import train_compiled, train_eagerly
from torch import Tensor, nn


def test_lennard_jones(agrees):
    agrees(LennardJones(), positions())


def test_lennard_jones_of_any_number_of_atoms(agrees):
    agrees(LennardJones(), positions(7), flags=["--any-sizes"])


@pytest.mark.parametrize("flags", [[], ["--any-sizes"]], ids=["sizes", "any sizes"])
@pytest.mark.parametrize("count", [1, 6])
def test_a_potential(count, flags, agrees):
    agrees(Potential().eval(), torch.randn(count, 3, dtype=torch.float64), flags=flags)


@pytest.mark.parametrize("flags", [[], ["--any-sizes"]], ids=["sizes", "any sizes"])
def test_a_gradient_of_forces(flags, agrees):
    x, energy, forces = force_data()
    agrees(ForceLoss().train(), x.requires_grad_(), energy, forces, outer=True, flags=flags)


def test_a_backward_pass_of_its_own(jit_mlir):
    """PyTorch differentiates a loss of forces, with the compiled program as one of its operators."""
    module = torch.jit.script(ForceLoss().train())
    data = [a.requires_grad_() for a in force_data()]
    expected, gradients = eager(module, data, outer=True)
    got, found = eager(jit_mlir.compile(module), data, outer=True)
    torch.testing.assert_close([got, *found], [expected, *gradients], **EXACT)


class Dynamics(nn.Module):
    """Velocity Verlet; the whole trajectory has a history."""

    def force(self, x: Tensor) -> Tensor:
        energy = (x.pow(2).sum(-1) + x.prod(-1)).sum()
        g = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert g is not None
        return -g

    def forward(self, x: Tensor, v: Tensor, steps: int):
        for _ in range(steps):
            v = v + 0.05 * self.force(x)
            x = x + 0.1 * v
        return x, v


@pytest.mark.parametrize("steps", [1, 5])
def test_dynamics(steps, agrees):
    x, v = torch.rand(3, 2, dtype=torch.float64), torch.rand(3, 2, dtype=torch.float64)
    agrees(Dynamics(), x.requires_grad_(), v.requires_grad_(), steps, outer=True)


class Strain(nn.Module):
    """Forces and the virial, by a strain of zeros."""

    def forward(self, x: Tensor, cell: Tensor):
        strain = torch.zeros_like(cell)
        strain.requires_grad_(True)
        x.requires_grad_(True)
        symmetric = 0.5 * (strain + strain.t())
        moved = x + x @ symmetric
        difference = moved.unsqueeze(0) - moved.unsqueeze(1)
        volume = torch.linalg.det(cell + cell @ symmetric)
        energy = (difference.pow(2).sum(-1) + 1).log().sum() * volume
        return energy, torch.autograd.grad([energy], [x, strain])


def test_virial(agrees):
    agrees(Strain(), torch.rand(4, 3, dtype=torch.float64), torch.eye(3, dtype=torch.float64) + torch.rand(3, 3, dtype=torch.float64))


class Graph(nn.Module):
    """A net of messages between neighbours, as force fields are: distances, a cutoff, sums by index, norms."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(3, 6)
        self.message = nn.Sequential(nn.Linear(8, 6), nn.SiLU(), nn.LayerNorm(6))
        self.last = nn.Linear(6, 1)
        self.double()

    def forward(self, x: Tensor, kinds: Tensor, edges: Tensor):
        x.requires_grad_(True)
        difference = x.index_select(0, edges[0]) - x.index_select(0, edges[1])
        distance = difference.norm(2, 1)
        cutoff = torch.where(distance < 3.0, 0.5 * (torch.cos(distance * 1.0471975512) + 1.0), torch.zeros_like(distance))
        h = self.embed(kinds)
        for _ in range(2):
            radial = torch.stack([distance, torch.exp(-distance * distance)], 1)
            m = self.message(torch.cat([h[edges[1]], radial], 1)) * cutoff.unsqueeze(1)
            h = h + torch.zeros_like(h).index_add(0, edges[0], m)
        energy = self.last(h).sum()
        g = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert g is not None
        return energy, -g


def molecule(requires_grad=False):
    x = positions(5, requires_grad)
    edges = torch.tensor([[i, j] for i in range(5) for j in range(5) if i != j]).t().contiguous()
    return x, torch.tensor([0, 1, 2, 1, 0]), edges


def test_a_net_of_messages(agrees):
    agrees(Graph(), *molecule())


def test_a_gradient_of_a_net_of_messages(agrees):
    agrees(Graph(), *molecule(requires_grad=True), outer=True)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True).double()
        self.embed = nn.Linear(3, 6).double()

    def forward(self, x: Tensor):
        x.requires_grad_(True)
        h = self.embed(x).unsqueeze(0)
        energy = self.attention(h, h, h)[0].pow(2).sum()
        g = torch.autograd.grad([energy], [x], create_graph=True)[0]
        assert g is not None
        return energy, g.pow(2).sum()


def test_a_gradient_of_attention(agrees):
    agrees(Attention().train(), positions(4, requires_grad=True), outer=True)


def test_training_by_forces(tmp_path):
    """jit-run --train: the loss is one of forces, and gradients go through these."""
    model, data = ForceLoss().train(), force_data()
    losses, trained = train_compiled(tmp_path, torch.jit.script(copy.deepcopy(model)), "sgd", ["--lr=0.05"], data, 4)
    expected = train_eagerly(model, torch.optim.SGD(model.parameters(), lr=0.05), data, 4)
    np.testing.assert_allclose(losses, expected, **EXACT)
    for name, parameter in model.named_parameters():
        np.testing.assert_allclose(trained[name], parameter.detach(), **EXACT)
