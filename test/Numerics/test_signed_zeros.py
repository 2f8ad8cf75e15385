"""The sign of zeros, which 1 / x shows, where eager PyTorch's does not depend on the number of elements."""

import inspect

import pytest
import torch
import torch.nn.functional as F

FUNCTIONS = {
    "sin": lambda x: torch.sin(x),
    "tan": lambda x: torch.tan(x),
    "tanh": lambda x: torch.tanh(x),
    "expm1": lambda x: torch.expm1(x),
    "log1p": lambda x: torch.log1p(x),
    "erf": lambda x: torch.erf(x),
    "sqrt": lambda x: torch.sqrt(x),
    "round": lambda x: torch.round(x * 0.3),
    "trunc": lambda x: torch.trunc(x),
    "frac": lambda x: torch.frac(x),
    "relu": lambda x: F.relu(x),
    "relu in place": lambda x: x.clone().relu_(),
    "relu6": lambda x: F.relu6(x),
    "hardtanh": lambda x: F.hardtanh(x, 0.0, 1.0),
    "clamp": lambda x: torch.clamp(x, 0.0, 1.0),
    "clamp from below": lambda x: torch.clamp(x, min=0.0),
    "clamp from above": lambda x: torch.clamp(x, max=0.0),
    "clamp_min": lambda x: torch.clamp_min(x, 0.0),
    "clamp_max": lambda x: torch.clamp_max(x, -0.0),
    "clamp by NaN": lambda x: torch.clamp(x, min=float("nan")),
    "floor_divide": lambda x: torch.floor_divide(x, 3.0),
    "floor_divide by less than zero": lambda x: torch.floor_divide(x, -3.0),
    "remainder": lambda x: torch.remainder(x, 2.0),
    "fmod": lambda x: torch.fmod(x, 2.0),
    "special.i1": lambda x: torch.special.i1(x),
    "special.i1e": lambda x: torch.special.i1e(x),
    "plus zero": lambda x: x + 0.0,
    "plus negative zero": lambda x: x + -0.0,
    "zero minus": lambda x: 0.0 - x,
    "times zero": lambda x: x * 0.0,
    "sum of one row": lambda x: x.reshape(1, -1).sum(0),
    "sums of columns of one": lambda x: x.reshape(-1, 1).sum(1),
    "sum kept": lambda x: x.reshape(1, -1).sum(0, keepdim=True),
    "sum of one": lambda x: x[:1].sum(),
    "mean of one row": lambda x: x.reshape(1, -1).mean(0),
    "mean of one": lambda x: x[:1].mean(),
    "product of one row": lambda x: x.reshape(1, -1).prod(0),
    "largest of one row": lambda x: x.reshape(1, -1).amax(0),
}


def scripted(function):
    """Lambdas are not scripted: the same text as a function."""
    body = inspect.getsource(function).split("lambda x: ", 1)[1].rstrip().rstrip(",")
    return torch.jit.CompilationUnit(f"def f(x):\n    return {body.replace('F.', 'torch.nn.functional.')}\n").f


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["f32", "f64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_zeros_keep_their_sign(jit_mlir, name, dtype):
    function = FUNCTIONS[name]
    program = jit_mlir.compile(scripted(function))
    values = torch.tensor([-0.0, 0.0, -0.0, -0.3, 0.3, -1.0, 1.0, 0.0, -0.0, -2.0, 2.0, -0.0, 0.0, -0.5, 0.5, -0.0, -4.0, 0.0, -0.0], dtype=dtype)
    for count in (1, 3, len(values)):
        x = values[:count].clone()
        got, want = program(x), function(x)
        torch.testing.assert_close(got, want, equal_nan=True)
        assert torch.equal(torch.signbit(got) & (got == 0), torch.signbit(want) & (want == 0)), (x, got, want)


def test_the_logarithm_of_gamma_is_finite_next_to_zero(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(_lgamma))
    x = torch.tensor([5e-324, -5e-324, 1e-310, -1e-310, 2.3e-308], dtype=torch.float64)
    torch.testing.assert_close(program(x), torch.lgamma(x), rtol=1e-13, atol=0)


def _lgamma(x):
    return torch.lgamma(x)
