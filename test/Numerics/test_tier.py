"""Code of a baseline gives the bits that optimised code gives."""

import numpy as np
import pytest
import torch
from architectures import torchvision
from torch import nn


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")


class Pointwise(nn.Module):
    """What is contracted, in loops with and without sums, and functions of the C library."""

    def forward(self, x, y):
        a = x * y + x - y * 0.3
        b = torch.sigmoid(a) * torch.tanh(x) + torch.erf(y).exp()
        return b, (b * a).sum(-1), torch.softmax(a * 3 - b, -1), (a.abs() + 1.5).lgamma(), b.std(0)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(12, 20)
        self.norm = nn.LayerNorm(20)

    def forward(self, x):
        return self.norm(self.lstm(x)[0])


NETWORKS = {
    "pointwise": lambda: (Pointwise(), (torch.randn(37, 53), torch.randn(37, 53))),
    "recurrent": lambda: (Recurrent(), (torch.randn(9, 3, 12),)),
    "attention": lambda: (nn.TransformerEncoderLayer(32, 4, 48, batch_first=True), (torch.randn(2, 11, 32),)),
    "resnet18": lambda: (torchvision().models.resnet18(weights=None), (torch.randn(1, 3, 64, 64),)),
    "mobilenet_v3_small": lambda: (torchvision().models.mobilenet_v3_small(weights=None), (torch.randn(1, 3, 64, 64),)),
    "efficientnet_b0": lambda: (torchvision().models.efficientnet_b0(weights=None), (torch.randn(1, 3, 64, 64),)),
    "swin_t": lambda: (torchvision().models.swin_t(weights=None), (torch.randn(1, 3, 64, 64),)),
}


def flat(value):
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, (tuple, list)) else [np.asarray(value)]


@pytest.fixture(params=NETWORKS)
def network(request, tmp_path):
    torch.manual_seed(0)
    module, inputs = NETWORKS[request.param]()
    path = str(tmp_path / "network.pt")
    with torch.no_grad():
        torch.jit.trace(module.eval(), inputs, check_trace=False).save(path)
    return path, module, [x.numpy() for x in inputs]


def test_networks(jit_mlir, network):
    path, module, inputs = network
    baseline, optimised = [flat(jit_mlir.load(path, tier=tier)(*inputs)) for tier in ("baseline", "optimised")]
    program = jit_mlir.load(path, tier="both")
    for _ in range(5):
        assert [x.tobytes() for x in flat(program(*inputs))] == [x.tobytes() for x in optimised]
    with torch.no_grad():
        eager = flat(module(*map(torch.from_numpy, inputs)))
    for quick, slow, expected in zip(baseline, optimised, eager, strict=True):
        assert quick.tobytes() == slow.tobytes()
        np.testing.assert_allclose(quick, expected, rtol=2e-3, atol=2e-4)


def test_gradients(jit_mlir, tmp_path):
    torch.manual_seed(0)
    module = nn.Sequential(nn.Conv2d(3, 8, 3), nn.GELU(), nn.Flatten(), nn.LayerNorm(288), nn.Linear(288, 5), nn.Softmax(-1))
    path = str(tmp_path / "module.pt")
    torch.jit.trace(module, torch.randn(2, 3, 8, 8)).save(path)
    inputs = [torch.linspace(-2, 2, 384).reshape(2, 3, 8, 8).requires_grad_() for _ in range(3)]
    for tier, x in zip(("baseline", "optimised"), inputs):
        jit_mlir.load(path, tier=tier)(x).square().sum().backward()
    module(inputs[2]).square().sum().backward()
    assert inputs[0].grad.numpy().tobytes() == inputs[1].grad.numpy().tobytes()
    torch.testing.assert_close(inputs[0].grad, inputs[2].grad)


def test_compile(jit_mlir):
    torch.manual_seed(0)
    x = torch.randn(4, 6)
    compiled = [jit_mlir.compile(torch.nn.GELU(), [x], tier=tier)(x) for tier in ("baseline", "optimised")]
    assert torch.equal(*compiled)


def test_torch_compile(jit_mlir):
    from jit_mlir import dynamo

    torch.manual_seed(0)
    x = torch.randn(4, 6)
    made = []
    for tier in ("baseline", "optimised"):
        torch._dynamo.reset()
        made.append(torch.compile(lambda x: torch.softmax(x * 3 + 1, -1).sin(), backend=dynamo.backend, options={"tier": tier})(x))
    assert torch.equal(*made)


def test_refusal(jit_mlir, tmp_path):
    with pytest.raises(TypeError, match="expected tier 'baseline', 'optimised' or 'both', got 'fast'"):
        jit_mlir.load(str(tmp_path / "network.pt"), tier="fast")
