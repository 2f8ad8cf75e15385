"""torch.autograd.grad in programs: forces are gradients of an energy, beside eager PyTorch."""

import copy
from typing import List, Optional

import numpy as np
import pytest
import torch
from conftest import clone
from running import leaves
from test_training import train_compiled, train_eagerly
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


def test_lennard_jones(agrees):
    agrees(LennardJones(), positions())


def test_lennard_jones_of_any_number_of_atoms(agrees):
    agrees(LennardJones(), positions(7), flags=["--any-sizes"])


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


@pytest.mark.parametrize("flags", [[], ["--any-sizes"]], ids=["sizes", "any sizes"])
@pytest.mark.parametrize("count", [1, 6])
def test_a_potential(count, flags, agrees):
    agrees(Potential().eval(), torch.randn(count, 3, dtype=torch.float64), flags=flags)


class ForceLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.potential = Potential()

    def forward(self, x: Tensor, energy: Tensor, forces: Tensor):
        got, push = self.potential(x)
        return (got - energy).pow(2) + (push - forces).pow(2).mean()


def force_data(count=6):
    return [torch.randn(size, dtype=torch.float64) for size in ((count, 3), (), (count, 3))]


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


class Detached(nn.Module):
    """Without create_graph a gradient has no history."""

    def forward(self, x: Tensor):
        energy = x.pow(3).sum()
        g = torch.autograd.grad([energy], [x], retain_graph=True)[0]
        assert g is not None
        return energy * g, g.requires_grad, energy.requires_grad, energy.detach().requires_grad


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


# ---- Errors: PyTorch's words ----


class Fault(nn.Module):
    def forward(self, x: Tensor, y: Tensor, which: int):
        if which == 0:
            return torch.autograd.grad([(y * y).sum()], [y])
        x.requires_grad_(True)
        if which == 1:
            return torch.autograd.grad([(x * x).sum()], [y])
        if which == 2:
            return torch.autograd.grad([x * x], [x])
        if which == 3:
            return torch.autograd.grad([(x * x).sum(), y.sum()], [x])
        weights: Optional[List[Optional[Tensor]]] = [y]
        if which == 4:
            return torch.autograd.grad([x * x], [x], weights)
        if which == 5:
            return torch.autograd.grad([x * x, x], [x], weights)
        g = torch.autograd.grad([(x * 3).sum()], [x], create_graph=True)[0]
        assert g is not None
        if which == 6:
            return torch.autograd.grad([g.sum()], [x])
        y.requires_grad_(True)
        return torch.autograd.grad([(x * x).sum()], [x, y])


@pytest.mark.parametrize("which", range(8))
def test_errors(which, saved, jit_run):
    x, y = torch.rand(3), torch.rand(2)
    archive, reference = saved(torch.jit.script(Fault()))
    with pytest.raises(RuntimeError) as error:
        reference(x.clone(), y.clone(), which)
    message = str(error.value).strip().splitlines()[-1].removeprefix("RuntimeError: ").replace("0of", "0 of").replace("1of", "1 of")
    jit_run(archive, x, y, which).assert_fails_with(message)


def test_argument_that_requires_none(saved, jit_run):
    """The mark of the call's argument decides, as in eager PyTorch."""
    archive, reference = saved(torch.jit.script(Detached()))
    x = torch.rand(3)
    with pytest.raises(RuntimeError, match="does not require grad"):
        reference(x)
    jit_run(archive, x).assert_fails_with("element 0 of tensors does not require grad and does not have a grad_fn")


def test_ints_have_no_gradient(saved, jit_run):
    archive, reference = saved(torch.jit.script(LennardJones()))
    message = "Only Tensors of floating point and complex dtype can require gradients"
    with pytest.raises(RuntimeError, match=message):
        reference(torch.arange(6).view(2, 3))
    jit_run(archive, torch.arange(6).view(2, 3)).assert_fails_with(message)


class UsedByData(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        x.requires_grad_(True)
        y.requires_grad_(True)
        energy = x.sum()
        if bool(energy > 100.0):
            energy = energy * y.sum()
        return torch.autograd.grad([energy], [x, y], allow_unused=True)


def test_a_use_that_data_tell_is_refused(saved, jit_run):
    archive, _ = saved(torch.jit.script(UsedByData()))
    outcome = jit_run(archive, torch.rand(3), torch.rand(3))
    outcome.assert_fails_with("expected to know whether an output depends on element 1 of the inputs: it depends on the data")


class Backward(nn.Module):
    def forward(self, x: Tensor):
        x.requires_grad_(True)
        (x * x).sum().backward()
        return x.grad


def test_backward_is_refused(saved, jit_run):
    archive, _ = saved(torch.jit.script(Backward()))
    jit_run(archive, torch.rand(3)).assert_fails_with("aten::backward", "not supported")


# ---- Traces and exported programs hold the backward pass itself ----


class Traced(nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_(True)
        energy = (x * x * x).sum()
        (g,) = torch.autograd.grad(energy, x, create_graph=True)
        return energy, -g


def test_a_trace(tmp_path, jit_run):
    x = torch.rand(4, dtype=torch.float64)
    path = tmp_path / "traced.pt"
    torch.jit.trace(Traced(), x, check_trace=False).save(path)
    jit_run(path, x).assert_close(Traced()(x), **EXACT)


def test_an_exported_program(tmp_path, jit_run):
    x = torch.rand(4, dtype=torch.float64)
    path = tmp_path / "exported.pt2"
    torch.export.save(torch.export.export(Traced(), (x,)), path)
    jit_run(path, x).assert_close(Traced()(x), **EXACT)


def test_a_graphs_text(tmp_path, jit_run):
    path = tmp_path / "graph.txt"
    path.write_text(str(torch.jit.script(Quartic()).inlined_graph))
    x = torch.rand(4, dtype=torch.float64)
    jit_run(path, x).assert_close(Quartic()(x.clone()), **EXACT)


@pytest.mark.parametrize("module, call, counts", [(LennardJones(), "forward(f64[5,3])", [5]),
                                                   (Potential().eval(), "forward(f64[n,3])", [4, 9])], ids=["sizes", "any sizes"])
def test_a_package(module, call, counts, saved, compiled):
    archive, _ = saved(torch.jit.script(module))
    package = compiled(archive, [call]).open()
    for count in counts:
        x = positions(count)
        for got, want in zip(package.call("forward", x), leaves(module(x.clone())), strict=True):
            np.testing.assert_allclose(got, want, **EXACT)
