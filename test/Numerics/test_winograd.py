"""Convolutions by Winograd's tiles: how much they lose, and that strict numerics lose nothing."""

import random

import numpy as np
import pytest
import torch
from torch import nn

# What fast numerics may cost, of the largest result.
BUDGET = 1e-5


class Layer(nn.Module):
    """A convolution of 3x3 behind one that makes its image, and what often follows."""

    def __init__(self, channels, features, padding, ending):
        super().__init__()
        self.stem = nn.Conv2d(8, channels, 1)
        self.conv = nn.Conv2d(channels, features, 3, padding=padding, bias=ending != "norm")
        self.norm = nn.BatchNorm2d(features)
        self.same = nn.Conv2d(features, features, 3, padding=1)
        self.ending = ending

    def forward(self, x):
        x = self.conv(torch.relu(self.stem(x)))
        if self.ending == "relu":
            x = torch.relu(x)
        if self.ending == "norm":
            x = torch.relu(self.norm(x))
        if self.ending == "residual":
            x = torch.relu(self.same(x) + x)
        if self.ending == "shared":
            x = x * torch.sigmoid(self.same(x)) + x.mean((2, 3), keepdim=True)
        return x


def build(channels, features, padding, ending):
    torch.manual_seed(channels + features)
    layer = Layer(channels, features, padding, ending).eval()
    with torch.no_grad():
        for name in ("weight", "running_var"):
            getattr(layer.norm, name).uniform_(0.5, 1.5)
        layer.norm.running_mean.normal_()
    return layer


def outputs(jit_run, archive, image, *flags):
    outcome = jit_run(archive, image, flags=flags)
    outcome.assert_ok()
    return outcome.outputs[0]


def examine(saved, jit_run, layer, image, threads=1):
    """The results of fast numerics, which have to keep to the budget, and those of strict ones."""
    archive, reference = saved(layer)
    fast, strict = (outputs(jit_run, archive, image, f"--numerics={name}", f"--threads={threads}") for name in ("fast", "strict"))
    with torch.no_grad():
        exact = reference.double()(image.double()).numpy()
    assert fast.shape == exact.shape
    assert np.abs(fast - exact).max() <= BUDGET * np.abs(exact).max()
    assert np.abs(strict - exact).max() <= BUDGET / 4 * np.abs(exact).max()
    return fast, strict


CASES = {
    "one group": (1, 64, 64, (14, 14), 1, "relu"),
    "many groups": (2, 64, 96, (56, 50), 1, "norm"),
    "ragged both ways": (1, 64, 64, (29, 31), 1, "residual"),
    "no padding": (3, 48, 64, (17, 21), 0, "shared"),
    "wide padding": (1, 64, 128, (12, 13), 2, "none"),
    "channels that fill no vector": (1, 70, 75, (28, 28), 1, "residual"),
    "many channels": (2, 512, 256, (9, 16), 1, "norm"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_layer(saved, jit_run, case, threads):
    batch, channels, features, size, padding, ending = CASES[case]
    layer = build(channels, features, padding, ending)
    image = torch.randn(batch, 8, *size, generator=torch.Generator().manual_seed(0))
    fast, strict = examine(saved, jit_run, layer, image, threads)
    # By vectors of 8 this one gains nothing by tiles.
    narrow = torch.backends.cpu.get_cpu_capability() != "AVX512"
    assert (case == "wide padding" and narrow) or (fast != strict).any(), "expected a convolution by tiles"


@pytest.mark.parametrize("seed", range(10))
def test_random_layer(saved, jit_run, seed):
    choose = random.Random(seed)
    layer = build(choose.choice([3, 16, 17, 40, 64, 100, 128]), choose.choice([16, 33, 64, 80, 130]), choose.randint(0, 2),
                  choose.choice(["none", "relu", "norm", "residual", "shared"]))
    image = torch.randn(choose.randint(1, 3), 8, choose.randint(4, 40), choose.randint(4, 40),
                        generator=torch.Generator().manual_seed(seed))
    examine(saved, jit_run, layer, image, choose.randint(1, 2))


def test_strict_sums_are_exact_where_they_can_be(saved, jit_run):
    """Small whole numbers: each sum is one, however it is ordered, and no tile's fractions are."""
    layer = build(64, 64, 1, "none")
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.randint(-3, 4, parameter.shape))
        archive, reference = saved(layer)
        image = torch.randint(-3, 4, (1, 8, 28, 28)).float()
        expected = reference(image).numpy()
    assert (expected == np.round(expected)).all()
    np.testing.assert_array_equal(outputs(jit_run, archive, image, "--numerics=strict"), expected)
    assert (outputs(jit_run, archive, image, "--numerics=fast") != expected).any()


def test_gradients_are_sums_either_way(saved, jit_run):
    layer = build(32, 32, 1, "relu")
    archive, _ = saved(layer)
    image = torch.randn(1, 8, 16, 16).requires_grad_()
    runs = [jit_run(archive, image, flags=["--grad", f"--numerics={name}"]) for name in ("fast", "strict")]
    for run in runs:
        run.assert_ok()
    expected, = torch.autograd.grad(layer(image).sum(), image)
    for run in runs:
        np.testing.assert_allclose(run.gradient(0), expected, rtol=1e-4, atol=1e-4 * float(expected.abs().max()))


def test_unknown_numerics(saved, jit_run):
    archive, _ = saved(nn.ReLU())
    jit_run(archive, torch.ones(1), flags=["--numerics=loose"]).assert_fails_with("loose")
