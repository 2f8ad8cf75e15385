"""Functions of one argument over floats of every size, against double precision. benchmarks/ulp.py looks at all of them."""

import pytest
import torch

from conftest import tool
from running import JitRun

# The largest error in units in the last place.
BOUNDS = {"exp": 1, "exp2": 2, "expm1": 2, "log": 1, "log2": 1.1, "log10": 2, "log1p": 2.1, "sin": 2, "cos": 2, "tan": 2, "asin": 1,
          "acos": 1, "atan": 1, "sinh": 2, "cosh": 2, "tanh": 2.6, "asinh": 2, "acosh": 2, "atanh": 2, "erf": 1.1, "sigmoid": 2,
          "sqrt": 0.5, "rsqrt": 1.5, "reciprocal": 0.5}


def some_floats():
    """Bits at even distances: every exponent, subnormal numbers, infinities and NaN among them."""
    bits = torch.arange(-(2**31), 2**31, 2**16 + 1, dtype=torch.int64).to(torch.int32)
    special = torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1e-45, -1e-45, 3.4028235e38, 1.0, -1.0])
    return torch.cat([bits.view(torch.float32), special])


class EachFunction(torch.nn.Module):
    def __init__(self, names):
        super().__init__()
        self.functions = [getattr(torch, name) for name in names]

    def forward(self, x):
        return tuple(function(x) for function in self.functions)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The argument, and each function's values of it."""
    x, folder = some_floats(), tmp_path_factory.mktemp("functions")
    torch.jit.trace(EachFunction(BOUNDS), x[:4], check_trace=False).save(str(folder / "functions.pt"))
    outcome = JitRun(tool("jit-run"), folder)(folder / "functions.pt", x)
    outcome.assert_ok()
    return x, dict(zip(BOUNDS, map(torch.from_numpy, outcome.outputs)))


@pytest.mark.parametrize("name", BOUNDS)
def test_a_function(name, results):
    x, values = results
    got, want = values[name], getattr(torch, name)(x.double())
    rounded = want.float()
    assert torch.equal(got.isnan(), rounded.isnan())
    infinite = rounded.isinf()
    assert torch.equal(got[infinite], rounded[infinite])
    finite = rounded.isfinite()
    if name == "sigmoid":
        finite &= want > 2.0**-126  # below it is zero, as PyTorch's
    size = rounded[finite].abs()
    spacing = (torch.nextafter(size, torch.tensor(float("inf"))).double() - size.double()).clamp(max=2.0**104)
    units = (got[finite].double() - want[finite]).abs() / spacing
    worst = units.argmax()
    assert units[worst] <= BOUNDS[name] + 0.01, f"{name}({x[finite][worst].item():.9g}) is {units[worst]:.2f} ulp off"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_mantissa_and_exponent(dtype, saved, jit_run):
    """Exact over the whole range, subnormal numbers and powers of two among it."""
    powers = 2.0 ** torch.arange(-1074, 1024, dtype=torch.float64)
    x = torch.cat([powers, -powers * 1.5, torch.nextafter(powers, torch.zeros(())), torch.tensor([0.0, -0.0])]).to(dtype)
    x = x[x.isfinite()]

    class Frexp(torch.nn.Module):
        def forward(self, x):
            return torch.frexp(x)

    path, _ = saved(torch.jit.script(Frexp()))
    outcome = jit_run(path, x)
    outcome.assert_ok()
    for got, want in zip(outcome.outputs, torch.frexp(x)):
        assert torch.equal(torch.from_numpy(got), want)


def test_expm1_of_small_doubles(saved, jit_run):
    class Expm1(torch.nn.Module):
        def forward(self, x):
            return torch.expm1(x)

    powers = 10.0 ** torch.arange(-320, 3, dtype=torch.float64)
    x = torch.cat([powers, -powers, powers * 3.3, -powers * 3.3, torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), 709.7, -37.0, -37.5, -1e300], dtype=torch.float64)])
    outcome = jit_run(saved(torch.jit.script(Expm1()))[0], x)
    outcome.assert_ok()
    got, want = torch.from_numpy(outcome.outputs[0]), torch.expm1(x)
    torch.testing.assert_close(got, want, rtol=1e-15, atol=0, equal_nan=True)
    assert torch.equal(got.signbit(), want.signbit())


def test_gamma_beside_its_poles(saved, jit_run):
    """Where what an argument is away from a whole number has few of its digits, or of a negative one none."""

    class Gammas(torch.nn.Module):
        def forward(self, x):
            return torch.lgamma(x), torch.digamma(x)

    small = 10.0 ** torch.arange(-300, 0, dtype=torch.float64)
    x = torch.cat([-small, small, -1 - small[-4:], -1 + small[-4:], -2.5 + small[-4:], torch.tensor([-0.5, -1.5, 0.25])])
    outcome = jit_run(saved(torch.jit.script(Gammas()))[0], x)
    outcome.assert_ok()
    for got, want in zip(outcome.outputs, Gammas()(x)):
        torch.testing.assert_close(torch.from_numpy(got), want, rtol=1e-11, atol=1e-13)


def test_functions_of_doubles_of_every_size(saved, jit_run):
    """Beside PyTorch's, whose own errors are a few units in the last place: none falls back to fewer digits."""
    names = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
             "acosh", "atanh", "erf", "erfc", "erfinv", "sigmoid", "sqrt", "rsqrt", "reciprocal"]
    powers = 10.0 ** torch.arange(-300, 19, dtype=torch.float64)
    x = torch.cat([powers, -powers, powers * 3.3, -powers * 3.3, torch.linspace(-5, 5, 101, dtype=torch.float64), torch.linspace(-90, 90, 37, dtype=torch.float64)])
    program = torch.jit.trace(EachFunction(names), x[:4], check_trace=False)
    outcome = jit_run(saved(program)[0], x)
    outcome.assert_ok()
    for name, got in zip(names, outcome.outputs):
        torch.testing.assert_close(torch.from_numpy(got), getattr(torch, name)(x), rtol=1e-13, atol=1e-307, equal_nan=True, msg=lambda text, name=name: f"{name}: {text}")


def test_spread_of_numbers_whose_squares_are_none(jit_mlir):
    """Squares of float32 beyond its range, above and below, are added up in double, forwards and backwards."""

    def spreads(x):
        return torch.var(x, 1), torch.std(x, 1), torch.std_mean(x, 1)[0], torch.var_mean(x, 1)[0]

    outcomes = []
    for function in (jit_mlir.compile(torch.jit.script(spreads)), spreads):
        x = torch.tensor([[3e18, 3e18, 1.0, 2.0], [3e-30, 1e-30, -2e-30, 5e-31], [1.0, 2.0, 3.0, 5.0]], requires_grad=True)
        values = function(x)
        outcomes.append((values, [torch.autograd.grad(value.sum(), x, retain_graph=True)[0] for value in values]))
    torch.testing.assert_close(*outcomes, rtol=1e-5, atol=0)
