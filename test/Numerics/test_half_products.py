"""Products of f16 and bf16: sums are f32, whatever form the factors have, and are rounded once."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

import architectures

HALVES = [torch.float16, torch.bfloat16]


class Layer(nn.Module):
    """NumPy has no bf16: arguments and results are f32."""

    def __init__(self, layer, dtype):
        super().__init__()
        self.layer, self.dtype = layer.to(dtype), dtype

    def forward(self, x):
        return self.layer(x.to(self.dtype)).to(torch.float32)


class Both(nn.Module):
    """A product of two arguments."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, a, b):
        return (a.to(self.dtype) @ b.to(self.dtype)).to(torch.float32)


class Turned(Both):
    def forward(self, a, b):
        return (a.to(self.dtype).t() @ b.to(self.dtype).t()).to(torch.float32)


@pytest.fixture(params=["native", "x86-64-v3", "x86-64"])
def run(request, jit_run, compiled):
    """run(archive, *arguments): the result, by this CPU's instructions, which may multiply pairs of bf16, and by those that
    every one of the last years has, and by none for halves."""

    def native(archive, *arguments):
        outcome = jit_run(archive, *arguments)
        outcome.assert_ok()
        return outcome.outputs[0]

    def older(archive, *arguments):
        sizes = ",".join(f"f32[{','.join(map(str, argument.shape))}]" for argument in arguments)
        return compiled(archive, [f"forward({sizes})"], f"--cpu={request.param}").open().call("forward", *arguments)[0]

    return native if request.param == "native" else older


def check(run, path, module, dtype, *arguments):
    """Against f64 of the same halves: sums of f32 in any order and one rounding."""
    torch.jit.trace(module, arguments, check_trace=False).save(str(path))
    got = run(path, *arguments)
    module.double().dtype = torch.float64
    with torch.no_grad():
        expected = module(*(argument.to(dtype).double() for argument in arguments)).numpy()
    assert got.shape == expected.shape
    unit = 2.0 ** (-11 if dtype == torch.float16 else -8)
    np.testing.assert_allclose(got, expected, rtol=1.01 * unit, atol=2e-5 * np.abs(expected).max())


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("rows,inputs,outputs", [(64, 128, 96), (1, 256, 512), (7, 33, 5), (130, 1030, 31), (3, 2, 1)])
def test_linear(run, tmp_path, dtype, rows, inputs, outputs):
    check(run, tmp_path / "layer.pt", Layer(nn.Linear(inputs, outputs), dtype), dtype, torch.randn(rows, inputs))


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("kind", [Both, Turned])
@pytest.mark.parametrize("m,k,n", [(96, 128, 160), (65, 34, 17), (48, 51, 64), (1, 64, 200)])
def test_matrices(run, tmp_path, dtype, kind, m, k, n):
    a, b = torch.randn(m, k), torch.randn(k, n)
    arguments = (a, b) if kind is Both else (a.t().contiguous(), b.t().contiguous())
    check(run, tmp_path / "product.pt", kind(dtype), dtype, *arguments)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("a,b", [((2, 3, 40, 64), (2, 3, 64, 40)), ((5, 1, 64), (5, 64, 300)), ((4, 17, 9), (9, 11))])
def test_batches(run, tmp_path, dtype, a, b):
    check(run, tmp_path / "product.pt", Both(dtype), dtype, torch.randn(a), torch.randn(b))


LAYERS = {"3x3": nn.Conv2d(16, 32, 3, padding=1), "depthwise": nn.Conv2d(8, 8, 3, groups=8), "line": nn.Conv1d(6, 10, 5, stride=2),
          "1x1": nn.Conv2d(32, 24, 1), "transposed": nn.ConvTranspose2d(4, 6, 3, stride=2)}


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("layer", LAYERS)
def test_convolutions(run, tmp_path, dtype, layer):
    layer = copy.deepcopy(LAYERS[layer])
    sizes = (2, layer.in_channels, 40) if isinstance(layer, nn.Conv1d) else (2, layer.in_channels, 14, 15)
    check(run, tmp_path / "layer.pt", Layer(layer, dtype), dtype, torch.randn(sizes))


@pytest.mark.parametrize("dtype", HALVES)
def test_infinite_and_undefined_factors(run, tmp_path, dtype):
    """What is no number shows in the sums that it belongs to, and in no others."""
    layer = Layer(nn.Linear(32, 40), dtype)
    x = torch.randn(20, 32)
    x[3, 5], x[7, 31], x[11, 0] = float("nan"), float("inf"), -float("inf")
    torch.jit.trace(layer, x).save(str(tmp_path / "layer.pt"))
    got = run(tmp_path / "layer.pt", x)
    with torch.no_grad():
        expected = layer(x).numpy()
    np.testing.assert_array_equal(np.isnan(got), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(expected))


@pytest.mark.parametrize("dtype", HALVES)
def test_open_rows(jit_run, tmp_path, dtype):
    layer = Layer(nn.Sequential(nn.Linear(64, 96), nn.GELU(), nn.Linear(96, 32)), dtype)
    program = torch.export.export(layer, (torch.randn(6, 64),), dynamic_shapes=({0: torch.export.Dim("rows", max=512)},))
    torch.export.save(program, str(tmp_path / "layer.pt2"))
    for rows in (1, 6, 67):
        x = torch.randn(rows, 64)
        with torch.no_grad():
            expected = layer(x)
        jit_run(tmp_path / "layer.pt2", x).assert_close(expected, rtol=2e-2, atol=2e-2)


class Network(nn.Module):
    """The first result of one of the architectures."""

    def __init__(self, module, dtype):
        super().__init__()
        self.module, self.dtype = module.to(dtype), dtype

    def forward(self, *arguments):
        value = self.module(*(a.to(self.dtype) if a.is_floating_point() else a for a in arguments))
        while not isinstance(value, torch.Tensor):
            value = value[0]
        return value.to(torch.float32)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", ["llama", "resnet18"])
def test_networks(jit_run, tmp_path, name, dtype):
    """Long chains round at every step: as far from the exact result as PyTorch is, or a quarter more."""
    module, arguments = architectures.build(name)
    network = Network(module.eval(), dtype)
    with torch.no_grad():
        torch.jit.trace(network, arguments, check_trace=False, strict=False).save(str(tmp_path / "network.pt"))
        eager = network(*arguments)
        halves = [a.to(dtype).double() if a.is_floating_point() else a for a in arguments]
        exact = Network(module, torch.float64)(*halves)
    outcome = jit_run(tmp_path / "network.pt", *arguments)
    outcome.assert_ok()
    error = np.abs(outcome.outputs[0] - exact.numpy()).max()
    assert 0 < error <= 1.25 * float((eager - exact).abs().max())
