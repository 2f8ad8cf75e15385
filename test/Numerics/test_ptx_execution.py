"""What we ship for NVIDIA's GPUs, run instruction by instruction where there is none: the PTX by the machine of unittests/Ptx, the
driver's calls by the stand-in of unittests/Cuda in front of it; against PyTorch. Streams work late there, and what the manual of PTX
leaves undefined is an error."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
import torch
from conftest import tool
from torch import nn
from torch.nn import functional

DRIVER = tool("jit-run").parents[1] / "unittests" / "Cuda" / "driver"
pytestmark = pytest.mark.skipif(not (DRIVER / "libcuda.so.1").exists(), reason="the driver of the unit tests is not built")
CHIPS = ["sm_80", "sm_90", "sm_90a"]


@pytest.fixture
def on_machine(saved, jit_run, monkeypatch, tmp_path):
    """Runs a module by its PTX; gives jit-run's Outcome, `check` whether it is PyTorch's result, and the PTX by `texts`."""
    monkeypatch.setenv("LD_LIBRARY_PATH", str(DRIVER))

    class Machine:
        kept = tmp_path / "kept"

        def run(self, module, *arguments, chip="sm_80", flags=(), seed=0, target="cuda"):
            self.kept.mkdir(exist_ok=True)
            monkeypatch.setenv("JIT_FAKE_CUDA_SEED", str(seed))
            monkeypatch.setenv("JIT_FAKE_CUDA_KEEP", str(self.kept))
            self.archive, self.reference = saved(module)
            return jit_run(self.archive, *arguments, flags=[f"--chip={chip}", *flags] if chip else flags, target=target)

        def check(self, module, *arguments, rtol=None, atol=None, **options):
            outcome = self.run(module, *arguments, **options)
            with torch.no_grad():
                outcome.assert_close(self.reference(*arguments), rtol=rtol, atol=atol)
            return outcome

        def text(self):
            return "".join(path.read_text() for path in sorted(self.kept.glob("*.ptx")))

    return Machine()


@pytest.mark.parametrize("target,chip", [("cuda", "sm_90a"), ("cuda:0", "sm_90a"), ("cuda:1", "sm_80")])
def test_one_of_several_devices(on_machine, target, chip):
    """Code is for the device that runs it."""
    on_machine.check(nn.Linear(7, 5), torch.randn(3, 7), chip=None, target=target)
    assert re.search(r"\.target (\w+)", on_machine.text())[1] == chip


def test_a_device_that_is_not_there(on_machine):
    outcome = on_machine.run(nn.Linear(7, 5), torch.randn(3, 7), target="cuda:2")
    assert outcome.code == 1 and "expected a CUDA device of number 2, got CUDA error 101" in outcome.stderr


class Pointwise(nn.Module):
    def forward(self, x, bias):
        return functional.gelu(x * 0.5 + bias), torch.sigmoid(x) * torch.tanh(x), (x > bias) & (x < 1), torch.where(x > 0, bias, x)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("shape", [(7,), (33, 20), (16, 64)])
def test_pointwise(on_machine, chip, shape):
    on_machine.check(Pointwise(), torch.randn(shape), torch.randn(shape[-1]), chip=chip)


class Functions(nn.Module):
    def forward(self, x):
        return (torch.exp(x), torch.log(x.abs() + 0.1), torch.sin(x * 50), torch.erf(x), torch.pow(x.abs(), 1.7), torch.sqrt(x.abs()),
                torch.rsqrt(x.abs() + 1), torch.floor(x), torch.round(x * 3), torch.atan2(x, x + 2), torch.expm1(x), x.double().exp())


def test_functions(on_machine):
    on_machine.check(Functions(), torch.randn(5, 21) * 3)


class Differences(nn.Module):
    def forward(self, x):
        y = x * 3.3
        return y - x * 3.3, (y > 0) & (y - x * 3.3 != 0), y * y - y * y


def test_a_product_that_is_read_twice_has_one_value(on_machine):
    """Contracted into one of its sums alone it would differ from itself by a rounding."""
    outcome = on_machine.run(Differences(), torch.randn(1000))
    outcome.assert_ok()
    assert not any(output.any() for output in outcome.outputs)


class Types(nn.Module):
    def forward(self, x):
        return x.double() * 2, x.half() + 1, x.to(torch.int64) // 3, x.to(torch.uint8), (x > 50).float(), x.to(torch.bfloat16).float()


def test_element_types(on_machine):
    on_machine.check(Types(), torch.rand(9, 12) * 100, rtol=1e-2)


class Reductions(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return x.sum(self.dim), x.amax(self.dim), x.argmin(self.dim), x.var(self.dim), (x > 0).all(self.dim), x.double().prod(self.dim)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dim,shape", [(1, (5, 3)), (1, (9, 200)), (1, (3, 1025)), (0, (300, 6))])
def test_reductions(on_machine, chip, dim, shape):
    on_machine.check(Reductions(dim), torch.randn(shape), chip=chip)


class Rows(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight), nn.init.normal_(self.norm.bias)

    def forward(self, x):
        return self.norm(x), torch.softmax(x, -1), torch.log_softmax(x, 0)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("shape", [(4, 17), (6, 300)])
def test_rows(on_machine, chip, shape):
    on_machine.check(Rows(shape[1]), torch.randn(shape), chip=chip)


class Product(nn.Module):
    def forward(self, x, y):
        return torch.relu(x @ y)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("rows,depth,columns", [(5, 7, 3), (40, 33, 70), (64, 64, 64)])
def test_products(on_machine, chip, rows, depth, columns):
    on_machine.check(Product(), torch.randn(rows, depth), torch.randn(depth, columns), chip=chip)


@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_products_by_tensor_cores(on_machine, chip, dtype):
    x, y = torch.randn(48, 64).to(dtype), torch.randn(64, 72).to(dtype)
    on_machine.check(HalfProduct(dtype), x.float(), y.float(), chip=chip, rtol=2e-2, atol=2e-2)
    assert "mma.sync" in on_machine.text() and "ldmatrix" in on_machine.text()


class HalfProduct(nn.Module):
    def __init__(self, dtype: torch.dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, x, y):
        return (x.to(self.dtype) @ y.to(self.dtype)).float()


class TransposedProduct(HalfProduct):
    """Both factors lie the other way."""

    def forward(self, x, y):
        return (x.to(self.dtype).t() @ y.to(self.dtype).t()).float()


def rounded(x):
    """The nearest f32 with 10 bits behind the point."""
    return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


# Factors that are copied, and ones that are gathered.
@pytest.mark.parametrize("rows,depth,columns", [(32, 64, 32), (17, 33, 70)])
def test_tf32(on_machine, rows, depth, columns):
    x, y = torch.randn(rows, depth), torch.randn(depth, columns)
    outcome = on_machine.run(Product(), x, y, flags=["--gpu-tf32"])
    outcome.assert_close(on_machine.reference(rounded(x), rounded(y)), rtol=1e-4, atol=1e-4)
    assert "mma.sync.aligned.m16n8k8.row.col.f32.tf32" in on_machine.text()


@pytest.mark.parametrize("module,sizes", [(HalfProduct, (64, 64, 64)), (HalfProduct, (136, 320, 72)), (TransposedProduct, (72, 128, 64))])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_products_by_warpgroups(on_machine, module, sizes, dtype):
    rows, depth, columns = sizes
    x, y = torch.randn(rows, depth), torch.randn(depth, columns)
    if module is TransposedProduct:
        x, y = x.t().contiguous(), y.t().contiguous()
    on_machine.check(module(dtype), x, y, chip="sm_90a", rtol=4e-2, atol=4e-2)
    assert "wgmma.mma_async" in on_machine.text()


@pytest.mark.parametrize("chip", CHIPS)
def test_long_sums_of_halves_in_pieces(on_machine, chip):
    on_machine.check(HalfProduct(torch.float16), torch.randn(72, 1160) / 4, torch.randn(1160, 64) / 4, chip=chip, rtol=4e-2, atol=4e-2)
    assert "_joined_" in on_machine.text()


class Attention(nn.Module):
    def __init__(self, causal: bool):
        super().__init__()
        self.causal = causal

    def forward(self, query, key, value):
        return functional.scaled_dot_product_attention(query.half(), key.half(), value.half(), is_causal=self.causal).float()


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("causal,length", [(False, 40), (True, 72)])
def test_attention(on_machine, chip, causal, length):
    on_machine.check(Attention(causal), *(torch.randn(1, 2, length, 32) for _ in range(3)), chip=chip, rtol=4e-3, atol=4e-3)


@pytest.mark.parametrize("causal,length,head", [(False, 128, 64), (False, 200, 128), (True, 260, 64), (True, 130, 128)])
def test_attention_by_warpgroups(on_machine, causal, length, head):
    on_machine.check(Attention(causal), *(torch.randn(1, 2, length, head) for _ in range(3)), chip="sm_90a", rtol=4e-3, atol=4e-3)
    assert "wgmma.mma_async" in on_machine.text() and "mma.sync" not in on_machine.text()


class HeadsTogether(nn.Module):
    def forward(self, query, key, value):
        heads = [t.half().view(t.size(0), t.size(1), 2, 64).transpose(1, 2) for t in (query, key, value)]
        return functional.scaled_dot_product_attention(heads[0], heads[1], heads[2]).transpose(1, 2).float()


def test_heads_side_by_side_by_warpgroups(on_machine):
    on_machine.check(HeadsTogether(), *(torch.randn(2, 130, 128) for _ in range(3)), chip="sm_90a", rtol=4e-3, atol=4e-3)
    assert "wgmma.mma_async" in on_machine.text()


@pytest.mark.parametrize("chip", CHIPS)
def test_convolution(on_machine, chip):
    module = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, stride=2), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 5, 1))
    on_machine.check(module, torch.randn(2, 3, 9, 11), chip=chip, rtol=1e-3, atol=1e-4)


class HalfConvolution(nn.Module):
    def __init__(self, channels: int, dtype: torch.dtype, filters: int = 24):
        super().__init__()
        self.dtype: torch.dtype = dtype
        self.weight = nn.Parameter(torch.randn(filters, channels, 3, 3) / (3 * channels**0.5))

    def forward(self, x):
        return torch.relu(torch.conv2d(x.to(self.dtype), self.weight.to(self.dtype), None, [1, 1], [1, 1])).float()


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("channels", [16, 12, 3, 2])
def test_convolution_of_halves(on_machine, chip, dtype, channels):
    """Channels are stored side by side, with zeros behind them that make them whole pieces, and copied by pieces; two are gathered."""
    tolerance = 4e-3 if dtype == torch.float16 else 3e-2
    on_machine.check(HalfConvolution(channels, dtype), torch.randn(2, channels, 9, 12), chip=chip, rtol=tolerance, atol=tolerance)
    assert ("channels" in on_machine.text()) == ("cp.async.cg" in on_machine.text()) == (channels > 2)
    assert "mma.sync" in on_machine.text() and "wgmma" not in on_machine.text()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("channels,filters,pixels", [(16, 64, (9, 12)), (12, 72, (8, 8)), (3, 64, (11, 6)), (40, 136, (5, 14)),
                                                     (16, 128, (9, 12)), (3, 120, (9, 7))])
def test_convolution_by_warpgroups(on_machine, dtype, channels, filters, pixels):
    tolerance = 4e-3 if dtype == torch.float16 else 3e-2
    on_machine.check(HalfConvolution(channels, dtype, filters), torch.randn(2, channels, *pixels), chip="sm_90a", rtol=tolerance,
                     atol=tolerance)
    assert "wgmma.mma_async" in on_machine.text() and "mma.sync" not in on_machine.text() and "cp.async.cg" in on_machine.text()


class Filtered(nn.Module):
    def forward(self, x, filters):
        return torch.conv2d(x, filters, None, [1, 1], [1, 1])


@pytest.mark.parametrize("channels,is_staged", [(16, True), (6, True), (1, False)])
def test_convolution_in_tf32(on_machine, channels, is_staged):
    """Channels are rounded as they are stored side by side, and nowhere else."""
    x, filters = torch.randn(2, channels, 9, 12), torch.randn(24, channels, 3, 3)
    outcome = on_machine.run(Filtered(), x, filters, flags=["--gpu-tf32"])
    outcome.assert_close(on_machine.reference(rounded(x), rounded(filters)), rtol=1e-4, atol=1e-4)
    kernels = {re.search(r"_([a-z]+)_\d+\(", text)[1]: text for text in on_machine.text().split(".entry ")[1:]}
    assert "ldmatrix" in kernels["mma"] and "cvt.rna.tf32" not in kernels["mma"] or not is_staged
    assert ("channels" in kernels) == is_staged and ("cvt.rna.tf32" in kernels.get("channels", "")) == is_staged


@pytest.mark.parametrize("channels,filters,pixels", [(16, 64, (9, 12)), (6, 72, (8, 8)), (40, 136, (5, 14)), (3, 128, (9, 7))])
def test_convolution_in_tf32_by_warpgroups(on_machine, channels, filters, pixels):
    x, filters = torch.randn(2, channels, *pixels), torch.randn(filters, channels, 3, 3)
    outcome = on_machine.run(Filtered(), x, filters, flags=["--gpu-tf32"], chip="sm_90a")
    outcome.assert_close(on_machine.reference(rounded(x), rounded(filters)), rtol=1e-4, atol=1e-4)
    text = on_machine.text()
    assert re.search(r"wgmma.mma_async.sync.aligned.m64n\d+k8.f32.tf32.tf32", text) and "mma.sync" not in text


@pytest.mark.parametrize("sizes", [(2, 3), (5, 64)])
def test_open_sizes(on_machine, sizes):
    on_machine.check(Rows(sizes[1]), torch.randn(sizes), flags=["--any-sizes"], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_orders(on_machine, seed):
    """Blocks, warps and copies in other orders."""
    on_machine.check(Rows(100), torch.randn(6, 100), seed=seed)


class Recurrent(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("layer", [nn.LSTM, nn.GRU])
def test_a_loop_is_one_kernel(on_machine, layer, chip, seed):
    """Its blocks meet between phases; the machine says where they should have."""
    on_machine.check(Recurrent(layer(12, 8)), torch.randn(5, 2, 12), chip=chip, seed=seed, rtol=1e-4, atol=1e-5)
    assert "atom.global.add.u32" in on_machine.text() and "fence.acq_rel.gpu" in on_machine.text()


class AlongBoth(nn.Module):
    def forward(self, g, x, b):
        return g * b, (g * x).sum(0), g.sum(1), (g * x + b).sum(), (g - x).amax(0)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("sizes", [(3461, 136), (901, 516)])
def test_sums_along_both_dimensions(on_machine, sizes, seed):
    """Rows of a warp, of which the last block has one, and rows of a block, whose last threads have no column; what all rows are
    reduced to has the same bits from run to run, in whatever order blocks come."""
    arguments = torch.randn(sizes), torch.randn(sizes), torch.randn(sizes[1])
    outcome = on_machine.check(AlongBoth(), *arguments, rtol=1e-3, atol=1e-3, seed=seed)
    assert len(re.findall(r"\.entry \w*rows", on_machine.text())) == 1 and not re.search(r"\.entry \w*pieces", on_machine.text())
    again = on_machine.run(AlongBoth(), *arguments, seed=seed + 7)
    assert all(np.array_equal(one, other) for one, other in zip(outcome.outputs, again.outputs))


@pytest.mark.parametrize("stride", [1, 2])
def test_a_filter_of_its_own_for_each_channel(on_machine, stride):
    on_machine.check(nn.Sequential(nn.Conv2d(8, 8, 3, stride, padding=1, groups=8), nn.ReLU6()), torch.randn(2, 8, 9, 9), rtol=1e-4, atol=1e-5)


class Steps(nn.Module):
    def forward(self, x, weight):
        h = torch.zeros(x.size(1), 8)
        for step in range(x.size(0) * 2):
            h = torch.tanh(x[step % x.size(0)] @ weight + h @ weight)
        return h


@pytest.mark.parametrize("seed", range(2))
def test_a_loop_whose_places_are_remainders_is_one_kernel(on_machine, seed):
    """The bounds of the loop say that each place is one of the tensor's: the host has nothing to check in a trip."""
    x, weight = torch.randn(3, 2, 8), torch.randn(8, 8, requires_grad=True)
    outcome = on_machine.run(Steps(), x, weight, flags=["--grad"], seed=seed)
    outcome.assert_ok()
    on_machine.reference(x, weight).sum().backward()
    np.testing.assert_allclose(outcome.gradient(1), weight.grad, rtol=1e-3, atol=1e-4)
    assert len(re.findall(r"\.entry \w*loop", on_machine.text())) == 2


def test_package(saved, compiled, monkeypatch):
    archive, reference = saved(nn.Sequential(nn.Linear(16, 33), nn.GELU(), nn.LayerNorm(33), nn.Softmax(-1)))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(DRIVER))
    path = compiled(archive, ["forward(f32[3,16])"], "--target=cuda", "--chip=sm_90a").path
    x = torch.randn(3, 16)
    np.save(path.with_suffix(".npy"), x.numpy())
    run = subprocess.run([sys.executable, "-c", RUN_PACKAGE, path, tool("jit-run").parents[2], *sys.path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    got = np.load(path.with_suffix(".out.npy"))
    np.testing.assert_allclose(got, reference(x).detach(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("chips,taken", [("sm_90a,sm_80", ("sm_90a", "sm_80")), ("sm_80,sm_90a", ("sm_80", "sm_80")), ("", ("sm_90a", None))])
def test_package_for_several_kinds_of_gpus(saved, compiled, monkeypatch, installed, chips, taken):
    """Of the devices the first is 9.0, the second 8.0; without names it is for the first and what comes later."""
    monkeypatch.setenv("LD_LIBRARY_PATH", str(DRIVER))
    archive, reference = saved(HalfProduct(torch.float16))
    path = compiled(archive, ["forward(f32[64,128], f32[128,64])"], "--target=cuda", *([f"--chip={chips}"] if chips else [])).path
    a, b = half_arguments(64, 128, 64)
    for device, chip in enumerate(taken):
        kept = path.with_suffix(f".{device}")
        kept.mkdir()
        environment = os.environ | {"JIT_FAKE_CUDA_KEEP": str(kept), "PYTHONPATH": str(installed)}
        np.savez(path.with_suffix(".npz"), a=a, b=b)
        run = subprocess.run([sys.executable, "-c", RUN_ON, path, str(device)], capture_output=True, text=True, env=environment)
        if chip is None:
            assert run.stderr.endswith("expected a GPU of compute capability 9.0 or later, got one of 8.0\n"), run.stderr
            continue
        assert run.returncode == 0, run.stderr
        assert re.search(r"\.target (\w+)", (kept / "0.ptx").read_text())[1] == chip
        np.testing.assert_allclose(np.load(path.with_suffix(".npy")), reference(a, b).float(), rtol=4e-2, atol=4e-2)


RUN_ON = """
import pathlib, sys
import numpy as np
import jit_mlir
path = pathlib.Path(sys.argv[1])
given = np.load(path.with_suffix(".npz"))
result = jit_mlir.load(path, target="cuda:" + sys.argv[2])(given["a"], given["b"])
np.save(path.with_suffix(".npy"), np.asarray(result).astype(np.float32))
"""
RUN_PACKAGE = """
import pathlib, sys
sys.path += sys.argv[3:]
import numpy as np
from artifacts import Library
path = pathlib.Path(sys.argv[1])
x = np.load(path.with_suffix(".npy"))
module = Library(path).open()
for _ in range(3):
    result = module.call("forward", x)[0]
np.save(path.with_suffix(".out.npy"), np.asarray(result))
"""


def without(pattern, number=0):
    """Leaves out the match of this number."""

    def change(text):
        matches = list(re.finditer(pattern, text))
        assert len(matches) > number, f"expected {pattern} in the PTX"
        return text[: matches[number].start()] + text[matches[number].end() :]

    return change


def instead(pattern, replacement):
    def change(text):
        changed, count = re.subn(pattern, replacement, text, count=1)
        assert count, f"expected {pattern} in the PTX"
        return changed

    return change


def half_arguments(rows, depth, columns):
    return torch.randn(rows, depth), torch.randn(depth, columns)


MMA = HalfProduct(torch.float16), half_arguments(64, 128, 64), "sm_80"
WGMMA = HalfProduct(torch.float16), half_arguments(128, 320, 64), "sm_90a"
# Keys and values go round in their stages.
ATTENTION = Attention(False), tuple(torch.randn(1, 1, 512, 64) for _ in range(3)), "sm_90a"
# Slices go round in four stages.
CONVOLUTION = HalfConvolution(64, torch.float16, 64), (torch.randn(1, 64, 9, 12),), "sm_90a"
# What is wrong with a program's PTX, and that program.
# The second time that blocks meet is behind the product, which many blocks share.
RECURRENT = Recurrent(nn.LSTM(12, 24)), (torch.randn(3, 2, 12),), "sm_80"
# A row is longer than what the runtime rounds memory up by.
ROWS = Product(), (torch.randn(40, 33), torch.randn(33, 300)), "sm_80"
FAULTS = {
    "first barrier left out": (MMA, without(r"bar\.sync[^;]*;")),
    "last barrier left out": (MMA, without(r"bar\.sync[^;]*;(?![\s\S]*bar\.sync)")),
    "copies not waited for": (MMA, instead(r"cp\.async\.wait_group(\s*)\d+;", r"cp.async.wait_group\g<1>9;")),
    "copies not committed": (MMA, without(r"cp\.async\.commit_group;")),
    "matrix not transposed": (MMA, instead(r"x4\.trans\.shared", "x4.shared")),
    "shared memory not aligned": (MMA, instead(r"(ldmatrix[^\[]*\[%\w+)(\+\d+)?\]", r"\1+8]")),
    "store beyond the end": (MMA, instead(r"(st\.global[^\[]*\[%rd\d+)(\+\d+)?\]", r"\1+1048576]")),
    "wgmma not committed": (WGMMA, without(r"wgmma\.commit_group\.sync\.aligned;", 1)),
    "wgmma not waited for": (WGMMA, instead(r"wgmma\.wait_group\.sync\.aligned(\s*)0;", r"wgmma.wait_group.sync.aligned\g<1>1;")),
    "barriers not fenced": (WGMMA, without(r"fence\.mbarrier_init\.release\.cluster;")),
    "barriers not announced": (WGMMA, without(r"bar\.sync[^;]*;")),
    "too few bytes expected": (WGMMA, instead(r"(arrive\.expect_tx[^;]*, )(%?\w+);", r"\g<1>64;")),
    "full stage not awaited": (WGMMA, instead(r"@P1 bra\.uni|@p bra", "bra.uni")),
    "attention not fenced": (ATTENTION, without(r"wgmma\.fence\.sync\.aligned;", 1)),
    "attention not committed": (ATTENTION, without(r"wgmma\.commit_group\.sync\.aligned;")),
    "attention not waited for": (ATTENTION, instead(r"wgmma\.wait_group\.sync\.aligned(\s*)0;", r"wgmma.wait_group.sync.aligned\g<1>1;")),
    "attention's barriers not fenced": (ATTENTION, without(r"fence\.mbarrier_init\.release\.cluster;")),
    "attention expects too few bytes": (ATTENTION, instead(r"(arrive\.expect_tx[^;]*, )(%?\w+);", r"\g<1>64;")),
    "convolution's copies not fenced": (CONVOLUTION, without(r"fence\.proxy\.async[^;]*;")),
    "convolution's copies not waited for": (CONVOLUTION, instead(r"cp\.async\.wait_group(\s*)\d+;", r"cp.async.wait_group\g<1>9;")),
    "convolution's barrier left out": (CONVOLUTION, without(r"bar\.sync[^;]*;")),
    "convolution not committed": (CONVOLUTION, without(r"wgmma\.commit_group\.sync\.aligned;")),
    "a stage filled that is read": (CONVOLUTION, lambda text: re.sub(r"wgmma\.wait_group\.sync\.aligned(\s*)1;", r"wgmma.wait_group.sync.aligned\g<1>2;", text)),
    "convolution not waited for": (CONVOLUTION, instead(r"wgmma\.wait_group\.sync\.aligned(\s*)0;", r"wgmma.wait_group.sync.aligned\g<1>1;")),
    "arrival not fenced": (RECURRENT, without(r"fence\.acq_rel\.gpu;", 2)),
    "meeting not fenced": (RECURRENT, without(r"fence\.acq_rel\.gpu;", 3)),
    "meetings not waited for": (RECURRENT, lambda text: re.sub(r"@%p\d+ bra[^;]*;(?=\s*fence\.acq_rel\.gpu;\s*\$)", "", text)),
    "block not at the meeting": (RECURRENT, without(r"bar\.sync[^;]*;(?=\s*@%p\d+ bra[^;]*;\s*fence)", 1)),
    "changes read through the read-only path": (RECURRENT, instead(r"(fence\.acq_rel\.gpu;[\s\S]*?)ld\.global\.b32", r"\1ld.global.nc.b32")),
    "swizzle of 64 bytes": (WGMMA, lambda text: re.sub(r"\b46116862\d{11}\b", lambda found: str(int(found[0]) + (1 << 62)), text, count=1)),
    "bound off by one": (ROWS, instead(r"(setp\.gt\.u32\s+%p\d+, %r\d+, )39;", r"\g<1>40;")),
    "a stage left too early": (ATTENTION, instead(r"(mov\.b32\s+%r\d+, )8;", r"\g<1>1;")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(on_machine, jit_run, monkeypatch, tmp_path, fault):
    (module, arguments, chip), change = FAULTS[fault]
    expected = on_machine.check(module, *arguments, chip=chip, rtol=4e-2, atol=4e-2).outputs
    changed = tmp_path / "changed"
    changed.mkdir()
    texts = {path.name: path.read_text() for path in sorted(on_machine.kept.glob("*.ptx"))}
    number, text = next((name, text) for name, text in texts.items() if module is ROWS[0] or re.search(r"mma|atom\.", text))
    (changed / number).write_text(change(text))
    monkeypatch.setenv("JIT_FAKE_CUDA_IMAGES", str(changed))
    outcome = jit_run(on_machine.archive, *arguments, flags=[f"--chip={chip}"], target="cuda")
    is_same = outcome.code == 0 and all(np.allclose(a, b, rtol=1e-3, atol=1e-3) for a, b in zip(outcome.outputs, expected))
    assert not is_same, "the fault was not noticed"
    assert outcome.code >= 0, outcome.stderr


def test_a_wait_left_out_is_noticed(on_machine, monkeypatch):
    module, arguments, chip = MMA
    expected = on_machine.check(module, *arguments, chip=chip, rtol=4e-2, atol=4e-2).outputs
    monkeypatch.setenv("JIT_FAKE_CUDA_LEAVE_OUT", "cuStreamSynchronize")
    outcome = on_machine.run(module, *arguments, chip=chip)
    assert outcome.code != 0 or not np.allclose(outcome.outputs[0], expected[0]), "the fault was not noticed"


CALLS = ["cuInit", "cuDeviceGetCount", "cuDevicePrimaryCtxRetain", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuMemAlloc_v2", "cuMemHostAlloc",
         "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuStreamCreate", "cuStreamSynchronize", "cuLaunchKernel",
         *(OF_LOOPS := ["cuLaunchCooperativeKernel", "cuOccupancyMaxActiveBlocksPerMultiprocessor"])]


@pytest.mark.parametrize("call", CALLS)
def test_errors_of_the_driver(on_machine, monkeypatch, call):
    """An error of any call is an error of the program, not its end; memory of the host that stays is a wish."""
    module, arguments = RECURRENT[:2] if call in OF_LOOPS else (Product(), (torch.randn(4, 5), torch.randn(5, 6)))
    for number in (1, 2):
        monkeypatch.setenv("JIT_FAKE_CUDA_FAIL", f"{call}:{number}")
        outcome = on_machine.run(module, *arguments)
        assert outcome.code == 0 or "CUDA error 999" in outcome.stderr, outcome.stderr
        assert outcome.code == 0 or "CUDA error 999" in outcome.stderr, outcome.stderr
