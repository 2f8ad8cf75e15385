"""Where the maximum of a window is that has several NaN: at the last of them, as in PyTorch, and there goes the gradient."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

NAN, INF = float("nan"), float("inf")
ROWS = torch.tensor([[NAN, NAN, 1.0], [NAN, 1.0, NAN], [1.0, NAN, NAN], [-INF, -INF, -INF], [INF, INF, 1.0], [1.0, 1.0, 1.0], [NAN, NAN, NAN]])

POOLS = {
    "max1": lambda x: F.max_pool1d(x, 3, return_indices=True),
    "max2": lambda x: F.max_pool2d(x.unsqueeze(1), (1, 3), return_indices=True),
    "max3": lambda x: F.max_pool3d(x.unsqueeze(1).unsqueeze(1), (1, 1, 3), return_indices=True),
    "padded": lambda x: F.max_pool1d(x, 3, padding=1, stride=3, return_indices=True),
    "adaptive1": lambda x: F.adaptive_max_pool1d(x, 2, return_indices=True),
    "adaptive2": lambda x: F.adaptive_max_pool2d(x.unsqueeze(1), (1, 1), return_indices=True),
    "adaptive3": lambda x: F.adaptive_max_pool3d(x.unsqueeze(1).unsqueeze(1), (1, 1, 1), return_indices=True),
    "fractional": lambda x: F.fractional_max_pool2d(x.unsqueeze(1), (1, 3), (1, 1), _random_samples=torch.full((7, 1, 2), 0.5), return_indices=True),
}


class Pool(nn.Module):
    def __init__(self, pool):
        super().__init__()
        self.pool = pool

    def forward(self, x):
        return self.pool(x.unsqueeze(1))


@pytest.mark.parametrize("pool", POOLS)
def test_the_last_nan(pool, saved, jit_run):
    archive, reference = saved(torch.jit.trace(Pool(POOLS[pool]), ROWS, check_trace=False))
    jit_run(archive, ROWS).assert_close(reference(ROWS), rtol=0, atol=0)


def test_its_gradient(saved, jit_run):
    archive, reference = saved(torch.jit.trace(Pool(lambda x: F.max_pool1d(x, 3)), ROWS, check_trace=False))
    x = ROWS.clone().requires_grad_(True)
    gradient, = torch.autograd.grad(reference(x).sum(), [x])
    outcome = jit_run(archive, x, flags=["--grad"])
    assert torch.equal(torch.from_numpy(outcome.gradient(0)), gradient)
