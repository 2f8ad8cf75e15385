"""Variants for any sizes: values as eager's, and no variant for each size where the program allows one for all."""

import pytest
import torch
from torch import nn


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, x):
        return torch.softmax(self.layers(x), -1)


class Attention(nn.Module):
    def forward(self, q, k, v):
        scores = torch.matmul(q, k.transpose(-1, -2)) / (q.size(-1) ** 0.5)
        return torch.matmul(torch.softmax(scores, -1), v), scores.amax(-1)


class Reshapes(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        flat = x.reshape(rows, -1)
        return flat.mean(0), x.flatten(1).sum(1, keepdim=True) / flat.size(1), x.unsqueeze(1).transpose(0, 1).contiguous().view(-1)


class Refolds(nn.Module):
    """Two open sizes become one, and one becomes two."""

    def forward(self, x, y):
        z = x.flatten().view(x.size(0), x.size(1))
        return z + y, x.flatten().view(x.size(1), 2, -1).sum(1)


class Creations(nn.Module):
    def forward(self, x):
        return torch.zeros_like(x) + 1, torch.full([x.size(0), 2], 3.0), x.expand(3, x.size(0), x.size(1)) * 2


class Halves(nn.Module):
    def forward(self, x, mask):
        return (x.half() * 2).float(), mask & (x > 0), torch.where(mask, x, -x).any()


class Feedforward(nn.Module):
    """Products of open rows: two open sizes, a residual after one, a sum too long for one pass, columns that fill no vector."""

    def __init__(self):
        super().__init__()
        self.wide, self.narrow = nn.Linear(20, 1200), nn.Linear(1200, 20)
        self.odd = nn.Linear(20, 33, bias=False)
        self.mix = nn.Parameter(torch.randn(20, 70))

    def forward(self, x):
        y = x + self.narrow(torch.nn.functional.gelu(self.wide(x)))
        return y, torch.relu(self.odd(y)), x + torch.tanh(x) @ self.odd.weight.t() @ self.odd.weight, torch.matmul(x, self.mix).abs()


class Batched(nn.Module):
    def forward(self, x, y):
        return torch.bmm(x, y)


class Grids(nn.Module):
    """Sizes that a call has, and one that data tell."""

    def forward(self, x, y):
        a, b = torch.meshgrid([x, y], indexing="xy")
        steps = torch.arange(1, int((y > 0).sum().item()) + 1)
        return torch.cartesian_prod(x, y, x), a * b, torch.cartesian_prod(steps, -steps), torch.cartesian_prod(y)


PROGRAMS = {
    "perceptron": (Perceptron, lambda n: [torch.randn(n, 16)]),
    "attention": (Attention, lambda n: [torch.randn(2, n, 8), torch.randn(2, n + 2, 8), torch.randn(2, n + 2, 4)]),
    "reshapes": (Reshapes, lambda n: [torch.randn(n, 3, 4)]),
    "refolds": (Refolds, lambda n: [torch.randn(2 * n, 2 * n + 2), torch.randn(2 * n, 2 * n + 2)]),
    "grids": (Grids, lambda n: [torch.randn(n // 8 + 2), torch.randn(n)]),
    "creations": (Creations, lambda n: [torch.randn(n, 5)]),
    "feedforward": (Feedforward, lambda n: [torch.randn(n, n // 2 + 3, 20)]),
    "batched": (Batched, lambda n: [torch.randn(n, 6, 24), torch.randn(n, 24, 40)]),
    "halves": (Halves, lambda n: [torch.randn(n, 5), torch.randn(n, 5) > 0]),
}


@pytest.mark.parametrize("rows", [2, 7, 130])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name, rows, saved, jit_run):
    program, arguments = PROGRAMS[name]
    archive, reference = saved(program())
    given = arguments(rows)
    outcome = jit_run(archive, *given, flags=["--any-sizes", "--threads=2", "--explain"])
    with torch.no_grad():
        outcome.assert_close(reference(*given))
    assert "is compiled for each of its sizes" not in outcome.stderr


@pytest.mark.parametrize("sizes", [(1, 16), (0, 16)])
def test_sizes_that_are_settled(sizes, saved, jit_run):
    archive, reference = saved(Perceptron())
    x = torch.randn(sizes)
    with torch.no_grad():
        jit_run(archive, x, flags=["--any-sizes"]).assert_close(reference(x))


def test_a_program_that_needs_its_sizes_is_compiled_for_them(saved, jit_run):
    archive, reference = saved(nn.Conv2d(3, 4, 3))
    x = torch.randn(2, 3, 8, 8)
    outcome = jit_run(archive, x, flags=["--any-sizes", "--explain"])
    with torch.no_grad():
        outcome.assert_close(reference(x))
    assert "forward is compiled for each of its sizes" in outcome.stderr


def test_gradients(saved, jit_run):
    archive, reference = saved(Perceptron())
    x = torch.randn(6, 16, requires_grad=True)
    outcome = jit_run(archive, x, flags=["--any-sizes", "--explain", "--grad"])
    outcome.assert_ok()
    (reference(x)[:, 0] * 0).sum().backward()
    reference(x).sum().backward()
    torch.testing.assert_close(torch.from_numpy(outcome.gradient(0)), x.grad, rtol=1e-4, atol=1e-6)
    assert "is compiled for each of its sizes" not in outcome.stderr
