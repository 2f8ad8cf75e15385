"""Complex tensors: arguments, results, state and constants, their arithmetic, and what they are refused for."""

from typing import Tuple

import numpy as np
import pytest
import torch
from torch import Tensor, nn


def numbers(*sizes, dtype=torch.complex64):
    return torch.randn(*sizes, dtype=dtype)


def traced(function, *arguments):
    class Program(nn.Module):
        def forward(self, *values):
            return function(*values)

    return torch.jit.trace(Program(), arguments, check_trace=False)


@pytest.fixture
def same(saved, jit_run):
    """Traces a function and compares it with eager PyTorch."""

    def check(function, *arguments, rtol=None, atol=None):
        archive, _ = saved(traced(function, *arguments))
        jit_run(archive, *arguments).assert_close(function(*(a.clone() for a in arguments)), rtol=rtol, atol=atol)

    return check


ARITHMETIC = {
    "add": lambda z, w: z + w, "sub": lambda z, w: z - w, "mul": lambda z, w: z * w, "div": lambda z, w: z / w,
    "alpha": lambda z, w: torch.add(z, w, alpha=2), "rsub": lambda z, w: torch.rsub(z, w, alpha=3), "neg": lambda z, w: -z,
    "number": lambda z, w: (z * 2 + 1 - 3.5) / 4, "reciprocal": lambda z, w: 1 / z, "real": lambda z, w: z * w.real,
    "broadcast": lambda z, w: z[0] * w.real + w[:, :1], "wide": lambda z, w: z * w.to(torch.complex128),
    "narrow": lambda z, w: z * w.real.sum().double(), "whole": lambda z, w: z * torch.arange(3), "power": lambda z, w: z ** 3,
    "by zero": lambda z, w: z / torch.zeros_like(w), "root": lambda z, w: torch.sqrt(z), "inverse": lambda z, w: z ** -2, "equal": lambda z, w: (z == w, z != w, z == z),
    "addcmul": lambda z, w: torch.addcmul(z, z, w, value=0.5), "addcdiv": lambda z, w: torch.addcdiv(z, z, w, value=0.5),
    "between": lambda z, w: (torch.lerp(z, w, 0.25), torch.lerp(z, w, z), torch.dist(z, w)),
    "logic": lambda z, w: (torch.logical_and(z * 0, w), torch.logical_or(z.real * 0 + w * 0, z.imag * 1j), torch.logical_xor(z, w * 0), torch.logical_not(z * 0)),
    "square": lambda z, w: z.square(), "short": lambda z, w: (w.real.bfloat16() + z[0, 0], z[0, 0] * w.real.bfloat16(), w.real.bfloat16() - (0.1 + 0.2j), w.real.abs().half() ** z),
    "wide powers": lambda z, w: (z ** w.to(torch.complex128), torch.arange(1, 4) ** w.to(torch.complex128), z / w.to(torch.complex128), w.real.half() / z),
    "powers": lambda z, w: (z ** w, torch.pow(2.5, z), torch.pow(-1.5, w)), "powers of zero": lambda z, w: (z * 0) ** w.abs(),
}
FUNCTIONS = {
    "abs": torch.abs, "angle": torch.angle, "sgn": torch.sgn, "exp": torch.exp, "log": torch.log, "sin": torch.sin, "cos": torch.cos,
    "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh, "tan": torch.tan, "sigmoid": torch.sigmoid, "rsqrt": torch.rsqrt,
    "inverses": lambda z: (torch.asin(z), torch.acos(z), torch.atan(z), torch.asinh(z), torch.acosh(z), torch.atanh(z)),
    "far inverses": lambda z: (torch.asin(1e3 * z), torch.acos(-1e3 * z), torch.asinh(-1e3 * z), torch.acosh(1e3 * z), torch.atanh(1e3 * z)),
    "logs": lambda z: (torch.log2(z), torch.log10(z)), "silu": torch.nn.functional.silu, "far tanh": lambda z: torch.tanh(z * 50), "conj": torch.conj_physical, "lazy": lambda z: z.conj() * z, "mH": lambda z: z.mH @ z,
    "small": lambda z: (torch.expm1(z), torch.log1p(z), torch.expm1(z * 1e-4), torch.log1p(z * 1e-4), torch.log1p(z * 1e4 - 1)),
    "exp2": torch.exp2, "sinc": lambda z: torch.sinc(torch.cat([z, z * 0])),
    "isreal": lambda z: (torch.isreal(z), torch.isfinite(z), torch.isnan(z)), "norm": lambda z: (z.norm(), torch.linalg.vector_norm(z, 1)),
}
ELEMENTS = {
    "views": lambda z: (z.transpose(0, 1)[1:].reshape(-1), z.unsqueeze(0).expand(4, 2, 3), z.unfold(1, 2, 1)),
    "joined": lambda z: torch.cat([z, z.real], 1), "stacked": lambda z: torch.stack([z, 2 * z]).flip(0).roll(1, 2),
    "gathered": lambda z: (z[torch.tensor([1, 0, 1])], z.gather(1, torch.tensor([[2, 0], [1, 1]]))),
    "sums": lambda z: (z.sum(), z.sum(1), z.mean(0), z.cumsum(1)), "prod": lambda z: (z.prod(), z.prod(1), z.prod(0, keepdim=True)),
    "spread": lambda z: (z.var(), z.var(1), z.std(0, keepdim=True), torch.var(z, 1, correction=0)),
    "layers": lambda z: (torch.addmm(z[:, :2], z, z.T, beta=2, alpha=0.5), torch.nn.functional.linear(z, z, z[:, 0]),
                         torch.nn.functional.linear(z, z), torch.baddbmm(z[:1, :2], z.unsqueeze(0), z.T.unsqueeze(0))),
 "padded": lambda z: torch.nn.functional.pad(z, (1, 2), value=3.0),
    "chosen": lambda z: torch.where(z.real > 0, z, z.imag), "masked": lambda z: z.masked_fill(z.imag > 0, 2.0),
    "filled": lambda z: (torch.zeros_like(z), torch.ones_like(z) * z, torch.full((2,), 3.0, dtype=torch.complex64), z.new_zeros(3)),
    "products": lambda z: (z @ z.T, z.mv(z[0]), torch.dot(z[0], z[1]), torch.vdot(z[0], z[1]), torch.einsum("ij,kj->ik", z, z)),
    "parts": lambda z: (z.real, z.imag, torch.view_as_real(z), torch.complex(z.imag, z.real), torch.polar(z.real, z.imag)),
    "orders": lambda z: (torch.block_diag(z, z[0]), torch.cartesian_prod(z[0], z[1]), torch.combinations(z[0], 2), torch.vander(z[0])),
    "crossed": lambda z: (torch.cross(z, z * 1j + 1, 1), torch.linalg.cross(z, z.conj(), dim=1), torch.diff(z, prepend=z[:, :1]), torch.linalg.matrix_power(z[:, :2], 3)),
    "selected": lambda z: (z.masked_scatter(z.real > 0, z * 2), torch.diagonal_scatter(z, z[0, :2] * 3)),
    "truth": lambda z: (torch.any(z * 0), torch.any(z, 1), torch.all(z * torch.tensor([1.0, 0.0, 1j]), 0), torch.nonzero(z * torch.tensor([1.0, 0.0, 1j])), torch.argwhere(z)),
    "areas": lambda z: (torch.trapezoid(z), torch.trapezoid(z, z.real), torch.cumulative_trapezoid(z, dx=0.5), torch.take_along_dim(z, torch.tensor([[2, 0], [1, 1]]), 1)),
    "windows": lambda z: torch.nn.functional.fold(torch.nn.functional.unfold(z[None, None], 2, padding=1), (2, 3), 2, padding=1),
    "added products": lambda z: torch.addbmm(z[:, :2], z.unsqueeze(0), z.T.unsqueeze(0), beta=2, alpha=0.5),
    "types": lambda z: (z.to(torch.complex128), z.real.to(torch.complex64), z.real.double().to(z.dtype)),
}


@pytest.mark.parametrize("name", ARITHMETIC)
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128], ids=str)
def test_arithmetic(name, dtype, same):
    same(ARITHMETIC[name], numbers(2, 3, dtype=dtype), numbers(2, 3, dtype=dtype))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name, same):
    same(FUNCTIONS[name], numbers(2, 3))


ENDS = [0.0, 1.0, -2.5, float("inf"), -float("inf"), float("nan")]
OF_ENDS = {"abs": np.abs, "exp": np.exp, "log": np.log, "log2": np.log2, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
           "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh}


@pytest.mark.parametrize("name", OF_ENDS)
def test_functions_where_a_part_is_infinite_or_no_number(name, saved, jit_run):
    """Beside C's own, as numpy has them: PyTorch's vectors differ from machine to machine there. The sign of an infinity whose other part is NaN is open."""
    z = torch.tensor([complex(x, y) for x in ENDS for y in ENDS], dtype=torch.complex128)
    archive, _ = saved(traced(getattr(torch, name), z))
    with np.errstate(all="ignore"):
        want = torch.from_numpy(OF_ENDS[name](z.numpy()))
    (got,) = jit_run(archive, z).outputs

    def settled(result):
        parts = torch.view_as_real(torch.as_tensor(result).to(torch.complex128))
        return torch.where(parts.isinf() & parts.isnan().any(-1, keepdim=True), parts.abs(), parts)

    torch.testing.assert_close(settled(got), settled(want), equal_nan=True)


@pytest.mark.parametrize("name", ["exp", "sin", "cos", "sinh", "cosh"])
@pytest.mark.parametrize("dtype, size", [(torch.float32, 89.2), (torch.float64, 710.2)], ids=["c64", "c128"])
def test_functions_beyond_what_a_real_one_holds(name, dtype, size, saved, jit_run):
    z = torch.complex(torch.tensor([size, -size, 1.5, size], dtype=dtype), torch.tensor([1.5, 1.6, size, -size], dtype=dtype))
    archive, _ = saved(traced(getattr(torch, name), z))
    with np.errstate(all="ignore"):
        want = torch.from_numpy(OF_ENDS[name](z.numpy()))  # C's own: PyTorch's vectors are infinite on some machines
    assert torch.isfinite(torch.view_as_real(want)).any()
    (got,) = jit_run(archive, z).outputs
    parts = [torch.view_as_real(torch.as_tensor(result).to(z.dtype)) for result in (got, want)]
    torch.testing.assert_close(*parts, rtol=1e-4 if dtype == torch.float32 else 1e-10, atol=0)


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements(name, same):
    same(ELEMENTS[name], numbers(2, 3))


def test_rotary(same):
    """Positions of a language model by products of complex numbers, with the table as a constant of the archive."""
    table = torch.polar(torch.ones(5, 4), torch.outer(torch.arange(5.0), 0.5 ** torch.arange(4.0)))

    def rotated(x):
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * table.view(1, 5, 1, 4)).flatten(3).type_as(x)

    same(rotated, torch.randn(2, 5, 3, 8))


class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", numbers(3, 4).t())
        self.register_buffer("total", torch.zeros(1, 4, 3, dtype=torch.complex64))

    def forward(self, z: Tensor) -> Tuple[Tensor, Tensor]:
        self.total += z
        return self.total * self.table, self.total.abs()


def test_state(saved, jit_run):
    archive, reference = saved(State())
    calls = numbers(2, 4, 3)
    got = jit_run(archive, repeat_over=calls)
    expected = [[part.clone() for part in reference(z)] for z in calls.split(1)]
    got.assert_close(tuple(torch.stack(parts) for parts in zip(*expected)))


class ControlFlow(nn.Module):
    def forward(self, z: Tensor, n: int) -> Tensor:
        total = torch.zeros_like(z)
        for i in range(n):
            total = total * z + i
        if bool(total.real.sum() > 0):
            total = total.conj()
        return total


def test_control_flow(agrees):
    agrees(ControlFlow(), numbers(3), 4)


class WrittenInPlace(nn.Module):
    def forward(self, z: Tensor) -> Tuple[Tensor, Tensor]:
        z = z.clone()
        z.real.mul_(2)
        torch.view_as_real(z)[..., 1] += 1
        z[0] = 3.0
        z[:, 1:] *= z[:, :1]
        return z, z.imag


def test_written_in_place(agrees):
    agrees(WrittenInPlace(), numbers(2, 3))


def test_gradient_of_a_complex_argument(saved, jit_run):
    def loss(z):
        return (z * z.conj() + torch.exp(z)).abs().pow(2).sum()

    z = numbers(2, 3).requires_grad_()
    archive, _ = saved(traced(loss, z.detach()))
    got = jit_run(archive, z, flags=["--grad"])
    loss(z).backward()
    torch.testing.assert_close(torch.from_numpy(got.gradient(0)), z.grad, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["tanh", "tan", "asin", "asinh", "atan", "atanh", "sinh", "sin", "exp", "sqrt", "log"])
def test_gradients_where_a_part_is_zero(name, jit_mlir):
    function = getattr(torch, name)
    program = jit_mlir.compile(torch.jit.trace(lambda x, y: torch.view_as_real(function(torch.complex(x, y))), (torch.ones(1), torch.ones(1)), check_trace=False))
    parts = torch.tensor([0.0, 0.0, 0.5, -0.25], dtype=torch.float64), torch.tensor([0.5, -0.75, 0.0, 0.0], dtype=torch.float64)
    gradients = []
    for call in (lambda x, y: torch.view_as_real(function(torch.complex(x, y))), program):
        given = [part.clone().requires_grad_() for part in parts]
        weights = torch.tensor([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0], [13.0, 17.0]], dtype=torch.float64)
        gradients.append(torch.autograd.grad((call(*given) * weights).sum(), given))
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-10, atol=1e-12)


def test_absolute_value_of_zero_has_no_gradient(saved, jit_run):
    x = torch.tensor([[0.0, 0.0], [3.0, 4.0]], requires_grad=True)

    def loss(x):
        return torch.view_as_complex(x).abs().sum()

    archive, _ = saved(traced(loss, x.detach()))
    assert jit_run(archive, x, flags=["--grad"]).gradient(0).tolist() == [[0, 0], pytest.approx([0.6, 0.8])]


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_angle_of_zero_has_no_gradient(zero, saved, jit_run):
    x = torch.tensor([[zero, 0.0], [3.0, 4.0]], requires_grad=True)

    def loss(x):
        return torch.view_as_complex(x).angle()

    archive, _ = saved(traced(loss, x.detach()))
    got = jit_run(archive, x, flags=["--grad"])
    got.assert_close(loss(x))
    assert got.gradient(0).tolist() == [[0, 0], pytest.approx([-4 / 25, 3 / 25])]


@pytest.mark.parametrize("function", [lambda z: torch.logaddexp(z, z), lambda z: z.cumprod(0)], ids=["logaddexp", "cumprod"])
def test_what_has_no_rule_is_refused(function, saved, jit_run):
    z = torch.eye(3, dtype=torch.complex64)
    archive, _ = saved(traced(function, z))
    jit_run(archive, z).assert_fails_with("expected an operator that takes complex tensors")


def test_program_of_python(jit_mlir):
    z = numbers(2, 3)
    program = jit_mlir.compile(traced(lambda z: z.conj() * 2, z), [z])
    got = program(z.conj())
    assert got.dtype == torch.complex64
    torch.testing.assert_close(got, z * 2)
