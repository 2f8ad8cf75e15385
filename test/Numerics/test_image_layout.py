"""Networks whose images keep their channels last while they are computed, against PyTorch."""

import numpy as np
import pytest
import torch
from torch import nn

from running import leaves


class Residual(nn.Module):
    """Sums of images that are padded for one reader only, under two strides."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 24, 7, stride=2, padding=3, bias=False)
        self.norm, self.pool = nn.BatchNorm2d(24), nn.MaxPool2d(3, 2, 1)
        self.first, self.second = nn.Conv2d(24, 24, 3, padding=1), nn.Conv2d(24, 24, 3, padding=1)
        self.down = nn.Conv2d(24, 40, 1, stride=2)

    def forward(self, x):
        x = self.pool(torch.relu(self.norm(self.stem(x))))
        x = torch.relu(x + self.second(torch.relu(self.first(x))))
        return self.down(x).mean((2, 3))


class Separable(nn.Module):
    """Depthwise convolutions of 3x3 and 5x5, with and without bias, strided and dilated."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, 32, 3, stride=2, padding=1), nn.ReLU6(),
            nn.Conv2d(32, 32, 3, padding=1, groups=32, bias=False), nn.BatchNorm2d(32), nn.ReLU6(), nn.Conv2d(32, 48, 1),
            nn.Conv2d(48, 48, 5, stride=2, padding=2, groups=48), nn.Hardswish(), nn.Conv2d(48, 20, 1),
            nn.Conv2d(20, 20, 3, padding=2, dilation=2, groups=20), nn.Sigmoid())

    def forward(self, x):
        return self.layers(x)


class Branches(nn.Module):
    """Concatenation, a slice of the channels, padding by another number, an image that is flattened."""

    def __init__(self):
        super().__init__()
        self.stem, self.left, self.right = nn.Conv2d(3, 32, 3), nn.Conv2d(32, 16, 1), nn.Conv2d(32, 16, 5, padding=2)
        self.last = nn.Conv2d(24, 18, 3)

    def forward(self, x):
        x = self.stem(x)
        x = torch.cat([self.left(x), torch.tanh(self.right(x))], 1)[:, 4:28]
        image = self.last(nn.functional.pad(x, (1, 2, 0, 1), value=0.5))
        return torch.flatten(nn.functional.avg_pool2d(image, 2), 1), image


class Groups(nn.Module):
    """Groups of several channels keep the order of the program, between neighbours that do not."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1, groups=4), nn.ReLU(),
                                    nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 64, 3, padding=1))

    def forward(self, x):
        return self.layers(x)


@pytest.mark.parametrize("network", [Residual, Separable, Branches, Groups])
@pytest.mark.parametrize("batch, size, threads", [(1, 30, 1), (2, 23, 2)])
def test_network(saved, jit_run, network, batch, size, threads):
    torch.manual_seed(0)
    archive, reference = saved(network().eval())
    image = torch.randn(batch, 3, size, size)
    with torch.no_grad():
        expected = list(leaves(reference(image)))
    outcome = jit_run(archive, image, flags=[f"--threads={threads}"])
    outcome.assert_ok()
    assert [o.shape for o in outcome.outputs] == [e.shape for e in expected]
    for got, want in zip(outcome.outputs, expected):
        assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()


def test_double_precision(saved, jit_run):
    archive, reference = saved(Residual().eval().double())
    image = torch.randn(1, 3, 26, 26, dtype=torch.float64)
    with torch.no_grad():
        expected = reference(image)
    outcome = jit_run(archive, image)
    outcome.assert_ok()
    np.testing.assert_allclose(outcome.outputs[0], expected, rtol=1e-12, atol=1e-12)
