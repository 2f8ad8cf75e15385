"""Archives of models whose weights are bytes, and whose inputs become bytes by the range that each call's have: the values of
PyTorch's engine for x86, one rounding of a float apart. Where layers follow on one another such a difference may take a number
between two bytes to the other one, so that some outputs differ by what one byte is worth."""

import pathlib
import subprocess
import zipfile
from typing import List

import numpy as np
import pytest
import torch
from conftest import tool
from running import leaves
from torch import Tensor, nn
from torch.ao.quantization import float16_dynamic_qconfig, per_channel_dynamic_qconfig, quantize_dynamic

pytestmark = pytest.mark.filterwarnings("ignore")
EPSILON = np.finfo(np.float32).eps


def assert_close_layers(got, expected, worth=0.02):
    """Nearly all elements within a rounding of the largest, each within `worth` of it."""
    got.assert_ok()
    expected = list(leaves(expected))
    assert [o.shape for o in got.outputs] == [e.shape for e in expected]
    for mine, want in zip(got.outputs, expected):
        error = np.abs(mine - want) / np.abs(want).max()
        assert error.max() <= worth, error.max()
        assert np.median(error) <= 1e-5, np.median(error)


# ---------------------------------------------------------------- one layer

SHAPES = {"normal": lambda x: x, "shifted": lambda x: x + 3, "positive": lambda x: x.abs(), "negative": lambda x: -x.abs(),
          "small": lambda x: x * 1e-5, "tiny": lambda x: x * 1e-40, "zero": lambda x: x * 0, "large": lambda x: x * 1e6,
          "three": lambda x: x.view(5, 1, 24)}


def inputs():
    """Of each kind; the first ones reach as far up as down, so that many numbers lie between two bytes."""
    found = [shape(torch.randn(5, 24)) for shape in SHAPES.values()]
    for x in found[:8]:
        x[0, :2] = torch.stack([x.abs().max(), -x.abs().max()])
    return found + [torch.randn(5, 24).clamp(-0.5, 0.5) for _ in range(4)]


class Layers(nn.Module):
    """Several weights on several inputs."""

    def __init__(self, packed, is_reduced: bool):
        super().__init__()
        self.a, self.b, self.c, self.d = packed
        self.is_reduced = is_reduced

    def forward(self, xs: List[Tensor]) -> List[Tensor]:
        ys: List[Tensor] = []
        for x in xs:
            ys.append(torch.ops.quantized.linear_dynamic(x, self.a, self.is_reduced))
            ys.append(torch.ops.quantized.linear_dynamic(x, self.b, self.is_reduced))
            ys.append(torch.ops.quantized.linear_relu_dynamic(x, self.c, self.is_reduced))
            ys.append(torch.ops.quantized.linear_dynamic(x, self.d, self.is_reduced))
        return ys


def packed(weight, bias, zeros, by_channels):
    # CPUs without an instruction for it stop a sum of two products at 32,767 in PyTorch; there it has to stay below.
    largest = 100 if torch.cpu._is_vnni_supported() else 50
    if by_channels:
        scales = weight.abs().amax(1).double() / largest
        integers = torch.quantize_per_channel(weight, scales, torch.full([weight.size(0)], zeros).cumsum(0) // 4, 0, torch.qint8)
    else:
        integers = torch.quantize_per_tensor(weight, weight.abs().max().item() / largest, zeros, torch.qint8)
    return torch.ops.quantized.linear_prepack(integers, bias)


@pytest.mark.parametrize("is_reduced", [False, True])
@pytest.mark.parametrize("by_channels", [False, True])
def test_one_layer(by_channels, is_reduced, saved, jit_run):
    weight, bias = torch.randn(10, 24), torch.randn(10)
    weights = [packed(weight, given, zeros, by_channels) for given in (None, bias) for zeros in (0, 3)]
    archive, reference = saved(torch.jit.script(Layers(weights, is_reduced)))
    xs = inputs()
    got = jit_run(archive, xs)
    got.assert_ok()
    expected = list(leaves(reference(xs)))
    assert len(got.outputs) == len(expected)
    for number, (mine, want) in enumerate(zip(got.outputs, expected)):
        np.testing.assert_allclose(mine, want, rtol=0, atol=2 * EPSILON * np.abs(want).max(), err_msg=f"output {number}")


def test_without_elements(saved, jit_run):
    archive, reference = saved(quantize_dynamic(nn.Sequential(nn.Linear(6, 4)).eval(), {nn.Linear}))
    x = torch.randn(0, 6)
    jit_run(archive, x).assert_close(reference(x))


def test_nothing_but_nan_comes_of_nan(saved, jit_run):
    archive, _ = saved(quantize_dynamic(nn.Sequential(nn.Linear(6, 4)).eval(), {nn.Linear}))
    x = torch.randn(3, 6)
    x[1, 2] = torch.nan
    got = jit_run(archive, x)
    got.assert_ok()
    assert np.isnan(got.outputs[0]).all()


@pytest.mark.parametrize("x", [torch.randn(2, 6).double(), torch.randn(6), torch.randn(2, 5)])
def test_inputs_that_pytorch_refuses(x, saved, jit_run):
    archive, _ = saved(quantize_dynamic(nn.Sequential(nn.Linear(6, 4)).eval(), {nn.Linear}))
    jit_run(archive, x).assert_fails_with("expected")


class BytesProduct(nn.Module):
    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return torch._int_mm(a, b)


def test_a_product_of_bytes(agrees):
    a, b = (torch.randint(-128, 128, size, dtype=torch.int8) for size in ((20, 32), (32, 24)))
    agrees(BytesProduct(), a, b, rtol=0, atol=0)
    got = agrees(BytesProduct(), a, b, rtol=0, atol=0, flags=["--any-sizes", "--explain"])
    assert "is compiled for each of its sizes" not in got.stderr


# ---------------------------------------------------------------- networks


def perceptron():
    return nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 32, bias=False), nn.ReLU(), nn.Linear(32, 10)).eval()


BY_TENSOR, BY_CHANNELS = {nn.Linear}, {nn.Linear: per_channel_dynamic_qconfig}


@pytest.mark.parametrize("rows", [1, 7])
@pytest.mark.parametrize("spec", [BY_TENSOR, BY_CHANNELS], ids=["tensor", "channels"])
@pytest.mark.parametrize("how", ["scripted", "traced", "frozen"])
def test_perceptron(how, spec, rows, saved, jit_run):
    module, x = quantize_dynamic(perceptron(), spec), torch.randn(rows, 24)
    program = torch.jit.trace(module, torch.randn(2, 24)) if how == "traced" else torch.jit.script(module)
    archive, reference = saved(torch.jit.freeze(program) if how == "frozen" else program)
    assert_close_layers(jit_run(archive, x), reference(x))


@pytest.mark.parametrize("rows", [0, 1, 7, 40])
def test_perceptron_of_open_sizes(rows, saved, jit_run):
    archive, reference = saved(quantize_dynamic(perceptron(), BY_CHANNELS))
    x = torch.randn(rows, 24)
    got = jit_run(archive, x, flags=["--any-sizes", "--explain"])
    assert "is compiled for each of its sizes" not in got.stderr
    if rows:
        assert_close_layers(got, reference(x))
    else:
        got.assert_close(reference(x))


class Block(nn.Module):
    """A layer of a transformer."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm = nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        y = nn.functional.scaled_dot_product_attention(self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x)))
        x = self.norm(x + self.out(y.transpose(1, 2).flatten(2)))
        return x + self.narrow(nn.functional.gelu(self.wide(x)))


@pytest.mark.parametrize("spec", [BY_TENSOR, BY_CHANNELS], ids=["tensor", "channels"])
@pytest.mark.parametrize("flags", [[], ["--any-sizes"]], ids=["known", "open"])
def test_transformer(flags, spec, saved, jit_run):
    archive, reference = saved(quantize_dynamic(Block().eval(), spec))
    x = torch.randn(3, 11, 32)
    got = jit_run(archive, x, flags=flags)
    got.assert_ok()
    want = reference(x).detach().numpy()
    error = np.abs(got.outputs[0] - want) / np.abs(want).max()
    assert error.max() <= 0.02 and error.mean() <= 1e-3, (error.max(), error.mean())


def test_weights_of_halves(saved, jit_run):
    module = quantize_dynamic(perceptron(), {nn.Linear: float16_dynamic_qconfig})
    archive, reference = saved(module)
    x = torch.randn(5, 24)
    jit_run(archive, x).assert_close(reference(x))


class Wide(nn.Module):
    """Rows longer than a vector, columns beyond whole tiles, and rows of two dimensions."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(150, 71), nn.ReLU(), nn.Linear(71, 66))

    def forward(self, x):
        return self.layers(x)


@pytest.mark.parametrize("cpu", ["native", "alderlake", "x86-64-v3"])
def test_packages(cpu, saved, compiled):
    if cpu == "alderlake" and not {"avx_vnni", "gfni", "vaes"} <= set(pathlib.Path("/proc/cpuinfo").read_text().split()):
        pytest.skip("this CPU has no AVX-VNNI")
    archive, reference = saved(quantize_dynamic(Wide().eval(), BY_CHANNELS))
    module = compiled(archive, ["forward(f32[n,m,150])", "forward(f32[1,1,150])", "forward(f32[4,3,150])"], f"--cpu={cpu}").open(threads=2)
    for rows in ((1, 1), (2, 5), (4, 3), (60, 7)):
        x = torch.randn(*rows, 150)
        (got,), want = module.call("forward", x), reference(x).numpy()
        error = np.abs(got - want) / np.abs(want).max()
        assert error.max() <= 0.02 and np.median(error) <= 1e-5


# ---------------------------------------------------------------- cells


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.cells = kind(8, 12, **options)

    def forward(self, x: Tensor) -> Tensor:
        return self.cells(x)[0]


RECURRENT = {"lstm": (nn.LSTM, {}), "gru": (nn.GRU, {}), "deep": (nn.LSTM, {"num_layers": 2, "bidirectional": True}),
             "batches first": (nn.GRU, {"bidirectional": True, "batch_first": True})}


@pytest.mark.parametrize("dtype", [torch.qint8, torch.float16])
@pytest.mark.parametrize("name", RECURRENT)
def test_recurrent(name, dtype, saved, jit_run):
    kind, options = RECURRENT[name]
    module = quantize_dynamic(Recurrent(kind, **options).eval(), {nn.LSTM, nn.GRU}, dtype=dtype)
    archive, reference = saved(module)
    x = torch.randn(6, 3, 8)
    assert_close_layers(jit_run(archive, x), reference(x))


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTMCell(8, 6), nn.GRUCell(6, 6)
        self.tanh, self.relu = nn.RNNCell(6, 6), nn.RNNCell(6, 6, nonlinearity="relu")

    def forward(self, x: Tensor):
        h, c = self.lstm(x)
        return c, self.relu(self.tanh(self.gru(h)))


def test_cells(saved, jit_run):
    archive, reference = saved(quantize_dynamic(Cells().eval(), {nn.LSTMCell, nn.GRUCell, nn.RNNCell}))
    x = torch.randn(3, 8)
    assert_close_layers(jit_run(archive, x), reference(x))


# ---------------------------------------------------------------- refusals


def changed(archive, member, change):
    result = archive.with_name("changed.pt")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(result, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            new.writestr(info.filename, change(content) if info.filename.endswith(member) else content)
    return result


BAD = {
    "a storage that is cut off": ("data/0", lambda b: b[:-1], "holds 1151"),
    "an axis that is not there": ("data.pkl", lambda b: b.replace(b"K\x00t", b"K\x02t", 1), "expected an axis below 2, got 2"),
    "another scheme": ("data.pkl", lambda b: b.replace(b"per_channel_affine", b"per_channel_affinf"), "are not handled"),
    "no bias beside the weight": ("data.pkl", lambda b: b.replace(b"N\x86", b"\x85", 1), "expected a weight and a bias"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_parameters(name, saved, jit_run):
    member, change, message = BAD[name]
    archive, _ = saved(quantize_dynamic(perceptron(), BY_CHANNELS))
    jit_run(changed(archive, member, change), torch.randn(2, 24)).assert_fails_with(message)


class Static(nn.Module):
    """Integers between layers too."""

    def __init__(self):
        super().__init__()
        self.quantize, self.dequantize = torch.ao.quantization.QuantStub(), torch.ao.quantization.DeQuantStub()
        self.conv, self.linear = nn.Conv2d(3, 4, 3), nn.Linear(4, 2)
        self.sum = torch.ao.nn.quantized.FloatFunctional()

    def forward(self, x):
        y = self.conv(self.quantize(x))
        return self.dequantize(self.linear(self.sum.add(y, y).mean([2, 3])))


def test_integers_between_layers_are_reported(saved, jit_run):
    module = Static().eval()
    module.qconfig = torch.ao.quantization.get_default_qconfig("x86")
    torch.ao.quantization.prepare(module, inplace=True)
    module(torch.randn(1, 3, 8, 8))
    archive, _ = saved(torch.ao.quantization.convert(module))
    report = subprocess.run([tool("jit-translate"), "--report", archive], capture_output=True, text=True)
    assert report.returncode == 1, report.stderr
    for missing in ("quantize_per_tensor", "quantized::conv2d", "quantized::add", "quantized::linear", "Conv2dPackedParamsBase"):
        assert missing in report.stdout, f"{missing} in {report.stdout}"
    jit_run(archive, torch.randn(1, 3, 8, 8)).assert_fails_with("Conv2dPackedParamsBase")
