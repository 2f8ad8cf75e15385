"""Floats moved to the values that integers would have, and the gradient that passes through within their range."""

import pytest
import torch
from torch import Tensor, nn

X = torch.linspace(-2, 2, 41).view(1, 41) * torch.tensor([[1.0], [3.0]])


class PerTensor(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -20, 25) * x


class ByTensors(nn.Module):
    def forward(self, x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
        return torch.fake_quantize_per_tensor_affine(x, scale, zero_point, 0, 255) * x


class PerChannel(nn.Module):
    def forward(self, x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
        return torch.fake_quantize_per_channel_affine(x, scale, zero_point, 0, -8, 7) * x


CASES = {
    "tensor": (PerTensor(), X), "halves": (PerTensor(), torch.tensor([0.05, 0.15, 0.25, -0.05, -0.15])), "double": (PerTensor(), X.double()),
    "tensors": (ByTensors(), X, torch.tensor([0.02]), torch.tensor([100], dtype=torch.int32)),
    "double channel": (PerChannel(), X.double(), torch.tensor([0.1, 0.3]), torch.tensor([0, -3], dtype=torch.int32)),
    "channel": (PerChannel(), X, torch.tensor([0.25, 0.5]), torch.tensor([0, -3], dtype=torch.int32)),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name, agrees):
    agrees(*CASES[name])


@pytest.mark.parametrize("name", ["tensor", "tensors", "channel"])
def test_gradient(name, saved, jit_run):
    module, x, *others = CASES[name]
    x = x.clone().requires_grad_()
    archive, _ = saved(module)
    got = jit_run(archive, x, *others, flags=["--grad"])
    got.assert_ok()
    module(x, *others).sum().backward()
    torch.testing.assert_close(torch.from_numpy(got.gradient(0)), x.grad, rtol=1e-5, atol=1e-6)
