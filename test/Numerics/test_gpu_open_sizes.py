"""GPU kernels for any sizes, run as in test_gpu.py: against PyTorch."""

import pytest
import torch
from test_gpu import GPU, Gelu
from torch import nn


class Chain(nn.Module):
    """Results of two sizes, one of them computed; what is between them is scratch."""

    def forward(self, x, y):
        rows = torch.sigmoid(x * y + x)
        return rows.tanh(), rows.unsqueeze(0).expand(3, x.size(0), x.size(1)) * 2


class Reshapes(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        return x.reshape(rows, -1) + 1, x.transpose(0, 1) * 2, x.contiguous().view(-1) - x.size(1), torch.full([rows, 2], 3.0)


class Sums(nn.Module):
    def forward(self, x):
        return x.sum(1), x.mean(0), torch.softmax(x, -1), x.amax()


class Halves(nn.Module):
    def forward(self, x, mask):
        return (x.half() * 2).float(), mask & (x > 0), torch.where(mask, x, -x).any()


PROGRAMS = {
    "gelu": (Gelu, lambda n, m: [torch.randn(n, m), torch.randn(m), 0.5]),
    "chain": (Chain, lambda n, m: [torch.randn(n, m), torch.randn(n, m)]),
    "reshapes": (Reshapes, lambda n, m: [torch.randn(n, m)]),
    "sums": (Sums, lambda n, m: [torch.randn(n, m)]),
    "halves": (Halves, lambda n, m: [torch.randn(n, m), torch.randn(n, m) > 0]),
}


# Rows that are whole vectors and such that are not; fewer elements than threads, and more.
@pytest.mark.parametrize("sizes", [(2, 3), (5, 64), (301, 1022)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name, sizes, saved, jit_run):
    program, arguments = PROGRAMS[name]
    archive, reference = saved(program())
    given = arguments(*sizes)
    outcome = jit_run(archive, *given, flags=["--any-sizes", "--explain"], target=GPU)
    with torch.no_grad():
        # Sums of up to a thousand numbers, in another order.
        outcome.assert_close(reference(*given), rtol=1e-4, atol=1e-4)
    assert "is compiled for each of its sizes" not in outcome.stderr


class Selected(nn.Module):
    def forward(self, x, y):
        chosen = torch.masked_select(x, x > y)
        return chosen * 2 + 1, chosen.sum()


@pytest.mark.parametrize("above", [-10.0, 0.0, 10.0])
def test_sizes_of_data(above, saved, jit_run):
    """The host reads how many elements there are before it asks for their memory."""
    archive, reference = saved(Selected())
    x = torch.randn(30, 41)
    jit_run(archive, x, torch.full_like(x, above), target=GPU).assert_close(reference(x, torch.full_like(x, above)), rtol=1e-4, atol=1e-4)


def test_sizes_that_do_not_meet(saved, jit_run):
    """What a guard refuses is compiled for its sizes, whose error is PyTorch's."""
    archive, _ = saved(Chain())
    outcome = jit_run(archive, torch.randn(3, 4), torch.randn(5, 4), flags=["--any-sizes"], target=GPU)
    assert outcome.code != 0 and "size" in outcome.stderr


def test_products_are_compiled_for_their_sizes(saved, jit_run):
    """Tiles are of known sizes."""
    archive, reference = saved(nn.Linear(8, 20))
    x = torch.randn(17, 8)
    outcome = jit_run(archive, x, flags=["--any-sizes", "--explain"], target=GPU)
    with torch.no_grad():
        outcome.assert_close(reference(x))
    assert "forward is compiled for each of its sizes" in outcome.stderr and "expected static sizes" in outcome.stderr
