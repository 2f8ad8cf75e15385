"""Element types that PyTorch mostly stores: unsigned integers of 16 bits and more, and floats of eight. What it computes of them is computed, what
it refuses is refused."""

import subprocess

import numpy as np
import pytest
import torch
from conftest import tool
from torch import nn

FLOATS = [torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz]
UNSIGNED = [torch.uint16, torch.uint32, torch.uint64]
ALL = FLOATS + UNSIGNED


def bits(tensor):
    """The same bits as integers, which can be compared: no two NaN are equal."""
    return tensor.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()])


def assert_same(got, want):
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.is_floating_point:
        assert torch.equal(torch.isnan(got.float()), torch.isnan(want.float()))
        got, want = (torch.where(torch.isnan(t.float()), torch.zeros_like(t), t) for t in (got, want))
    assert torch.equal(bits(got.contiguous()), bits(want.contiguous()))


def function(text, arguments="x"):
    return torch.jit.CompilationUnit(f"def f({arguments}):\n    return {text}\n").f


def numbers(kind):
    """Each number of the type, or those at its ends."""
    if kind in FLOATS:
        return torch.arange(256, dtype=torch.uint8).view(kind)
    last = 2 ** (8 * kind.itemsize) - 1
    return torch.from_numpy(np.array([0, 1, 2, 3, 100, last // 2, last // 2 + 1, last - 1, last], {2: np.uint16, 4: np.uint32, 8: np.uint64}[kind.itemsize]))


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("other", [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64])
def test_every_number_is_converted(kind, other, jit_mlir):
    x = numbers(kind)
    if kind in FLOATS and not other.is_floating_point and not other.is_complex and other is not torch.bool:
        x = x[torch.isfinite(x.float())]  # what others become as integers is not defined
    to = function(f"x.to({other})")
    got, want = jit_mlir.compile(to)(x), to(x)
    assert torch.equal(got, want) if not (want.is_floating_point() or want.is_complex()) else torch.allclose(got, want, 0, 0, equal_nan=True)
    assert got.dtype == want.dtype


def around(kind):
    """Each number, what lies between two, a little more and less, and what no number of the type is near to."""
    x = numbers(kind).float()
    x = x[torch.isfinite(x)].unique()
    middle = (x[1:] + x[:-1]) / 2
    far = torch.tensor([0.0, -0.0, 1e-30, -1e-30, 1e-40, 240.0, 248.0, 256.0, 448.0, 464.0, 464.01, 480.0, 57344.0, 61440.0, 61439.0, 65536.0, 1e30, float("inf"), float("nan")])
    near = [torch.nextafter(m, torch.tensor(end)) for m in (x, middle) for end in (float("inf"), float("-inf"))]
    return torch.cat([x, middle, *near, far, -far])


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("source", [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool])
def test_floats_are_rounded(kind, source, jit_mlir):
    x = around(kind)
    x = x.to(source) if source.is_floating_point else torch.arange(-70, 70).to(source)
    to = function(f"x.to({kind})")
    assert_same(jit_mlir.compile(to)(x), to(x))


@pytest.mark.parametrize("kind", UNSIGNED)
@pytest.mark.parametrize("source", [torch.float32, torch.float64, torch.float16, torch.int64, torch.uint8, torch.bool])
def test_integers_are_converted(kind, source, jit_mlir):
    last = 2 ** (8 * kind.itemsize) - 1
    x = torch.tensor([0, 1, 2.6, 200.9, 30000], dtype=torch.float64)
    if source in (torch.float32, torch.float64):
        x = torch.cat([x, torch.tensor([last // 2, last // 2 + 1, last * 0.9], dtype=torch.float64)])
    x = x.to(source) if source is not torch.uint8 else torch.arange(256, dtype=torch.uint8)
    to = function(f"x.to({kind})")
    assert_same(jit_mlir.compile(to)(x), to(x))
    if source is torch.int64:
        assert_same(jit_mlir.compile(to)(torch.tensor([-1, -70000, 2**40 + 3])), to(torch.tensor([-1, -70000, 2**40 + 3])))


BOTH = ["x.clone()", "x.t().contiguous()", "x[:, 1:]", "x[1]", "x[torch.tensor([1, 0])]", "x[x != x[0, 0]]", "torch.cat([x, x], 1)", "torch.stack([x, x.flip(0)])",
        "x == x.flip(0)", "x != 2", "torch.where(x == x[0, 0], x, x.flip(0))", "x * x", "torch.zeros_like(x)", "torch.full_like(x, 3)", "x.new_full([2], 2)", "x.any()",
        "torch.isnan(x)", "x.repeat(2, 1)", "x.roll(1, 1)", "torch.nn.functional.pad(x, [1, 1], value=2.0)", "x.index_select(1, torch.tensor([2, 0]))", "x.expand(2, 2, 3)",
        "x[0, 1].item()", "torch.nn.functional.embedding(torch.tensor([1]), x)", "x.unfold(1, 2, 1)", "x.numel(), x.dtype", "x.repeat_interleave(2, 0)"]
OF_FLOATS = ["x.abs()", "x.index_put([torch.tensor([0])], x[1:])", "x.masked_select(x == x[0, 0])"]
OF_INTEGERS = ["x.sum()", "x.sum(0)", "x.prod(1)", "x.cumsum(1)", "x & x.flip(0)", "x * 2", "x | 1", "x ^ x.flip(0)", "x.sort(1)", "x.sort(1, True)", "x / 2", "x + 1.5", "x + torch.ones(3)", "x.float() + 1",
               "torch.sqrt(x)", "torch.unique(x)", "torch.equal(x, x.flip(0))"]


COMPUTED = [(kind, text) for kind in ALL for text in BOTH + (OF_FLOATS if kind in FLOATS else OF_INTEGERS)]


@pytest.mark.parametrize("kind, text", COMPUTED)
@pytest.mark.parametrize("any_sizes", [False, True])
def test_what_pytorch_computes(text, kind, any_sizes, jit_mlir):
    x = (torch.tensor([[3, 0, 200], [7, 100, 3]]) if kind in UNSIGNED else torch.tensor([[3.0, -0.0, 200.0], [-7.5, float("nan"), 3.0]])).to(kind)
    if kind in UNSIGNED:
        x[1, 1] = 2 ** (8 * kind.itemsize) - 3 if kind is not torch.uint64 else 2**63 - 1
    program = function(text)
    want = program(x)
    got = jit_mlir.compile(program, any_sizes=any_sizes)(x)
    for one, other in zip(*((v,) if not isinstance(v, tuple) else v for v in (got, want))):
        if isinstance(other, torch.Tensor) and other.dtype not in ALL:
            torch.testing.assert_close(one, other, rtol=1e-6, atol=0, equal_nan=True)
        elif isinstance(other, torch.Tensor):
            assert_same(one, other)
        else:
            assert one == other or one != one and other != other


REFUSED = ["x + 1", "x + x", "x - 1", "x < x", "x.max()", "x.argmax()", "-x", "x.clamp(0, 1)", "x.gather(0, torch.tensor([[0]]))", "torch.relu(x)", "x ** 2", "x * torch.ones(3, dtype=torch.int32)",
           "torch.cat([x, torch.ones([2, 3], dtype=torch.int32)])"]


@pytest.mark.parametrize("kind", [torch.float8_e4m3fn, torch.uint16])
@pytest.mark.parametrize("text", REFUSED)
def test_what_pytorch_refuses(text, kind, jit_mlir):
    x = torch.tensor([[3, 0, 100], [7, 1, 3]]).to(kind)
    program = function(text)
    with pytest.raises(RuntimeError):
        program(x)
    with pytest.raises(jit_mlir.Error, match="expected elements (other than|of one type in)"):
        jit_mlir.compile(program)(x)


class Quantized(nn.Module):
    """Weights that are stored in eight bits with a factor for each row, places in sixteen."""

    def __init__(self):
        super().__init__()
        weight = torch.randn(8, 4)
        factor = weight.abs().amax(1, True) / 448
        self.register_buffer("weight", (weight / factor).to(torch.float8_e4m3fn))
        self.register_buffer("factor", factor)
        self.register_buffer("places", torch.tensor([3, 1, 2], dtype=torch.uint16))
        self.register_buffer("cache", torch.zeros(3, 8, dtype=torch.float8_e5m2))

    def forward(self, x):
        y = x @ (self.weight.to(torch.float32) * self.factor).t()
        self.cache[1] = y[0].to(torch.float8_e5m2)
        return y[self.places.to(torch.int64)], self.cache.float(), self.weight


@pytest.fixture
def module():
    return Quantized().eval()


def agree(got, want):
    torch.testing.assert_close(got[0], want[0])
    torch.testing.assert_close(got[1], want[1])
    assert_same(got[2], want[2])


def test_they_are_state(module, saved, jit_mlir):
    archive, reference = saved(module)
    x = torch.randn(4, 4)
    program = jit_mlir.load(archive)
    for _ in range(2):
        agree(program(x), reference(x))
    assert_same(program.state("cache"), reference.cache)
    assert_same(program.state("places"), reference.places)


def test_packages_have_them(module, saved, jit_mlir, tmp_path):
    archive, reference = saved(module)
    x = torch.randn(4, 4)
    jit_mlir.load(archive).save(tmp_path / "model.so", (x,))
    artifact = jit_mlir.load(tmp_path / "model.so")
    for _ in range(2):
        agree(artifact(x), reference(x))
    assert_same(torch.as_tensor(artifact.state("cache")), reference.cache)


@pytest.mark.parametrize("kind", ALL)
def test_packages_take_them(kind, jit_mlir, tmp_path):
    x = numbers(kind)
    program = function("x.roll(1), x.to(torch.float32)")
    jit_mlir.compile(program).save(tmp_path / "model.so", (x,))
    got, want = jit_mlir.load(tmp_path / "model.so")(x), program(x)
    assert_same(got[0], want[0])
    assert torch.allclose(got[1], want[1], 0, 0, equal_nan=True)


def test_they_are_exported(module, jit_mlir, tmp_path):
    x = torch.randn(4, 4)
    exported = torch.export.export(module, (x,))
    torch.export.save(exported, tmp_path / "model.pt2")
    want = Quantized.forward(module, x)
    agree(jit_mlir.load(tmp_path / "model.pt2")(x), want)


@pytest.mark.parametrize("kind", ALL)
def test_torch_compile_has_them(kind, jit_mlir):
    def double(x):
        return torch.cat([x, x.roll(1)]), x.to(torch.float32) * 2

    x = numbers(kind)
    got = torch.compile(double, backend="jit_mlir", fullgraph=True)(x)
    want = double(x)
    assert_same(got[0], want[0])
    assert torch.allclose(got[1], want[1], 0, 0, equal_nan=True)


@pytest.mark.parametrize("kind", UNSIGNED)
def test_numpy_has_them(kind, jit_mlir):
    x = numbers(kind).numpy()
    got = jit_mlir.compile(function("x.flip(0)"))(x)
    assert got.dtype == x.dtype and np.array_equal(got, x[::-1])


@pytest.mark.parametrize("kind", ALL)
def test_jit_run_has_them(kind, saved):
    class Both(nn.Module):
        def forward(self, x):
            return x.to(torch.float32), x.to(torch.float32) * 2

    short = str(kind).split(".")[1].replace("float8_", "f8").replace("uint", "u")
    done = subprocess.run([tool("jit-run"), saved(Both())[0], f"--input={short}[3,5]"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.count("f32[3,5]") == 2, done


@pytest.mark.parametrize("out", [None, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("scales", ["tensor", "rows"])
@pytest.mark.parametrize("any_sizes", [False, True])
def test_scaled_products(out, scales, any_sizes, jit_mlir):
    class Scaled(nn.Module):
        def forward(self, a, b, of_a, of_b, bias):
            return torch._scaled_mm(a, b, of_a, of_b, bias=bias, out_dtype=out)

    a, b = torch.randn(16, 32).to(torch.float8_e4m3fn), torch.randn(48, 32).to(torch.float8_e4m3fn).t()
    of_a, of_b = (torch.rand(16, 1), torch.rand(1, 48)) if scales == "rows" else (torch.tensor(1.75), torch.tensor(0.5))
    given = (a, b, of_a, of_b, torch.randn(48, dtype=out or torch.float32) if out else torch.zeros(48))
    traced = torch.jit.trace(Scaled(), given)
    got, want = jit_mlir.compile(traced, any_sizes=any_sizes)(*given), traced(*given)
    assert got.dtype == want.dtype
    close = {torch.float32: 1e-5, torch.bfloat16: 1e-2}.get(out, 0.13)  # a step of the type
    torch.testing.assert_close(got.float(), want.float(), rtol=close, atol=close)


def test_types_that_are_not_handled_are_refused(jit_mlir):
    with pytest.raises(jit_mlir.Error, match="expected elements that are bool, int8 to int64, uint8 to uint64, float8 to float64"):
        jit_mlir.compile(function("x.clone()"))(torch.zeros(2, dtype=torch.float8_e8m0fnu))
