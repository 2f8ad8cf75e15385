"""Halves whose squares, sums or neighbours are none: kernels of eager PyTorch compute in float32 and round once."""

import pytest
import torch
import torch.nn.functional as F

FUNCTIONS = {
    "gelu": lambda x: F.gelu(x),
    "gelu by tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": lambda x: F.silu(x),
    "mish": lambda x: F.mish(x),
    "tanh": lambda x: torch.tanh(x),
    "softplus": lambda x: F.softplus(x),
    "threshold": lambda x: F.threshold(x, 0.1, 20.0),
    "hardswish": lambda x: F.hardswish(x),
    "reciprocal": lambda x: torch.reciprocal(x),
    "rsqrt": lambda x: torch.rsqrt(x.abs()),
    "hypot": lambda x: torch.hypot(x, x * 0.5),
    "quotient": lambda x: x / (x * 0.5),
    "product of both": lambda x: (x * 0.001) * x,
    "mean of squares": lambda x: F.mse_loss(x, x * 0.0),
    "variance": lambda x: torch.var(x * 0.01),
    "renorm": lambda x: torch.renorm(x[None], 2.0, 0, 1.0),
}
VALUES = [0.10009765625, -2.5, 0.5, 3.0, -41.0, 50.0, 255.0, 300.0, -300.0, 1000.0, -1000.0, 3e4, 6e4, 6.1e-5, -1e-5]
TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 3e-2}


@pytest.mark.parametrize("dtype", TOLERANCE, ids=["f16", "bf16"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_finite_where_pytorchs_are(jit_mlir, name, dtype):
    outcomes = []
    for function in (FUNCTIONS[name], jit_mlir.compile(torch.jit.trace(FUNCTIONS[name], torch.tensor(VALUES, dtype=dtype), check_trace=False))):
        x = torch.tensor(VALUES, dtype=dtype, requires_grad=True)
        value = function(x)
        outcomes.append((value.detach(), torch.autograd.grad(value.sum(), x)[0]))
    torch.testing.assert_close(outcomes[1], outcomes[0], rtol=TOLERANCE[dtype], atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("dtype", [*TOLERANCE, torch.float32, torch.float64], ids=["f16", "bf16", "f32", "f64"])
def test_the_next_number_is_one_of_the_element_type(jit_mlir, dtype):
    program = jit_mlir.compile(torch.jit.script(_next))
    info = torch.finfo(dtype)
    x = torch.tensor([0.0, -0.0, 1.0, 1.0, -2.0, info.max, info.max, info.tiny, info.smallest_normal / 4, float("inf"), float("nan")], dtype=dtype)
    y = torch.tensor([1.0, -1.0, 2.0, 0.0, 0.0, float("inf"), 0.0, 0.0, 1.0, 0.0, 1.0], dtype=dtype)
    torch.testing.assert_close(program(x, y), torch.nextafter(x, y), rtol=0, atol=0, equal_nan=True)


def _next(x, y):
    return torch.nextafter(x, y)
