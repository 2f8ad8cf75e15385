"""Gradients through calls of the Python package: what asks for them, and what may happen between forward and backward."""

from typing import NamedTuple, Optional

import pytest
import torch
from torch import Tensor, nn


def gradients(call, given):
    given = [value.clone().requires_grad_() for value in given]
    call(*given).sum().backward()
    # What a branch that was not taken reads has None in eager PyTorch, zeros in compiled code.
    return [torch.zeros_like(value) if value.grad is None else value.grad for value in given]


def same(jit_mlir, module, call, *given):
    """`call(program, *tensors)` has eager's gradients by all tensors."""
    program = jit_mlir.compile(torch.jit.script(module))
    got = gradients(lambda *values: call(program, *values), given)
    torch.testing.assert_close(got, gradients(lambda *values: call(module, *values), given))


class Chosen(nn.Module):
    """A branch on data, whose result is returned."""

    def forward(self, y, z):
        if bool(y.sum() > 0):
            r = y * z
        else:
            r = y * 0.5
        return r


@pytest.mark.parametrize("sign", [1, -1])
def test_through_a_branch_on_data(jit_mlir, sign):
    same(jit_mlir, Chosen(), lambda f, y, z: f(y, z), sign * torch.rand(4), torch.rand(4))


class Listed(nn.Module):
    def forward(self, xs: list[Tensor], pair: tuple[Tensor, Tensor]):
        return xs[0] * xs[1] * pair[0] + pair[1] * 3


def test_by_tensors_in_lists_and_tuples(jit_mlir):
    same(jit_mlir, Listed(), lambda f, a, b, c, d: f([a, b], (c, d)), *torch.rand(4, 3))


def test_by_some_tensors_of_a_list(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(Listed()))
    a, b, c, d = torch.rand(4, 3)
    b.requires_grad_()
    program([a, b], (c, d)).sum().backward()
    torch.testing.assert_close(b.grad, a * c)
    assert a.grad is None


class Unrelated(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        return y * 2, x.size(0)


def test_results_that_do_not_depend(jit_mlir):
    x, y = torch.rand(4, requires_grad=True), torch.rand(4)
    doubled, size = jit_mlir.compile(torch.jit.script(Unrelated()))(x, y)
    torch.testing.assert_close(doubled.detach(), y * 2)
    assert size == 4


class Pair(NamedTuple):
    first: Tensor
    second: Tensor


class TakesPair(nn.Module):
    def forward(self, pair: Pair):
        return pair.first * pair.second


def test_by_the_fields_of_a_named_tuple(jit_mlir):
    same(jit_mlir, TakesPair(), lambda f, a, b: f(Pair(a, b)), *torch.rand(2, 3))


class Square(nn.Module):
    def forward(self, x):
        return x * x


def test_an_argument_that_changes_before_the_backward_pass(jit_mlir):
    """The gradient is one of the call, never one of other numbers."""
    program = jit_mlir.compile(torch.jit.script(Square()))
    leaf = torch.rand(5, requires_grad=True)
    x = leaf * 1
    before = x.detach().clone()
    y = program(x)
    with torch.no_grad():
        x.zero_()
    y.sum().backward()
    torch.testing.assert_close(leaf.grad, 2 * before)


class Exponential(nn.Module):
    def forward(self, x):
        return x.exp()


def test_a_result_that_changes_before_the_backward_pass(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(Exponential()))
    x = torch.rand(5, requires_grad=True)
    y = program(x)
    with torch.no_grad():
        y.zero_()
    y.sum().backward()
    torch.testing.assert_close(x.grad, x.detach().exp())


class Waves(nn.Module):
    """Complex between real arguments and results."""

    def forward(self, x, y):
        z = torch.complex(x, y)
        w = torch.exp(z) * z
        return torch.abs(w * w.conj() + z).sqrt() * x


class Filtered(nn.Module):
    """A complex argument and a spectrum, both of which the backward pass needs."""

    def forward(self, x, z):
        spectrum = torch.fft.rfft(x) * z
        return torch.fft.irfft(spectrum * spectrum) + spectrum.abs().sum()


class Turned(nn.Module):
    """A loop that carries a complex value, as often as data say."""

    def forward(self, x, z):
        turned = z * x
        for _ in range(int(x.shape[0]) + int(z.real.sum() > -1e9)):
            turned = turned * z + x
        return torch.view_as_real(turned) * 2


class Sides(nn.Module):
    """A branch on data between complex values."""

    def forward(self, x, z):
        w = z * x
        if bool(x.sum() > 0):
            w = w * w
        else:
            w = w.conj() * z
        return (w * z).real + (w * w).imag


@pytest.mark.parametrize("module", [Filtered(), Turned(), Sides()], ids=lambda module: type(module).__name__)
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
@pytest.mark.parametrize("sign", [1, -1])
def test_with_a_complex_argument_among_the_residuals(jit_mlir, module, dtype, sign):
    z = torch.randn(3, dtype=dtype)
    same(jit_mlir, module, lambda f, x: f(x, z), sign * torch.rand(4 if isinstance(module, Filtered) else 3, dtype=z.real.dtype))


def test_with_complex_values_between(jit_mlir):
    same(jit_mlir, Waves(), lambda f, x, y: f(x, y), *torch.rand(2, 5))


class RootInOneWay(nn.Module):
    """The ways return other sizes, and the first result is one of two flat ones."""

    def forward(self, x):
        h = torch.tanh(x)
        r = torch.reciprocal(x)
        if bool(h.sum() > 0):
            other = r.sum(0)
        else:
            other = x * 3
        return h, x * 2, other


@pytest.mark.parametrize("used", [0, 1, 2])
def test_of_results_that_another_way_returns(jit_mlir, used, tmp_path):
    torch.jit.script(RootInOneWay()).save(tmp_path / "program.pt")
    program = jit_mlir.load(tmp_path / "program.pt")
    for numbers in ([[0.0, 1.0], [2.0, 3.0]], [[0.0, -1.0], [float("nan"), -3.0]], [[0.0, -1.0], [-2.0, -3.0]]):
        gradients = []
        for function in (program, RootInOneWay()):
            x = torch.tensor(numbers).requires_grad_()
            function(x)[used].sum().backward()
            gradients.append(x.grad)
        torch.testing.assert_close(*gradients, equal_nan=True)


class Twice(nn.Module):
    def forward(self, x, y):
        w = torch.complex(x, y)
        return w, w, w * w, x.type_as(w)


def test_of_a_complex_tensor_that_is_two_results(jit_mlir):
    same(jit_mlir, Twice(), lambda f, x, y: sum((result * (2 + place * 1j)).abs().sum() for place, result in enumerate(f(x, y))), *torch.rand(2, 5))


class ChosenByData(nn.Module):
    """Results whose sizes, and one whose rank, data tell."""

    def forward(self, x):
        some = x[x > 0] * 2
        if bool(x.sum() > 0):
            either = some
        else:
            either = x * 3
        return some, x * x, either


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("used", [0, 1, 2])
def test_with_results_of_open_sizes_that_nobody_uses(jit_mlir, sign, used):
    same(jit_mlir, ChosenByData(), lambda f, x: f(x)[used], sign * torch.tensor([[1.0, -0.5, 2.0], [0.25, 3.0, -1.0]]))


class Infinite(nn.Module):
    """Each result has an infinite derivative but the first: times a zero that would be NaN."""

    def forward(self, x):
        h = torch.tanh(x)
        return (h * h).sum(), x / torch.zeros([1, 3]), (h - h).sqrt(), x / torch.zeros([3], dtype=torch.complex64), float(x.sum())


@pytest.mark.parametrize("options", [{}, {"isolate": True}], ids=["here", "isolated"])
def test_of_results_that_nothing_is_computed_of(jit_mlir, options, tmp_path):
    torch.jit.script(Infinite()).save(tmp_path / "program.pt")
    program = jit_mlir.load(tmp_path / "program.pt", **options)
    for used in (lambda r: r[0], lambda r: r[0] * 2, lambda r: r[0] + r[1].sum(), lambda r: r[3].real.sum() * 0 + r[0]):
        gradients = []
        for function in (program, Infinite()):
            x = torch.tensor([[0.5, -2.0, 3.0]]).requires_grad_()
            used(function(x)).backward()
            gradients.append(x.grad)
        torch.testing.assert_close(*gradients, equal_nan=True)


class Around(nn.Module):
    """What is no tensor stands before what has a gradient."""

    def forward(self, x):
        missing: Optional[Tensor] = None
        return missing, "text", 3, {"both": [x * 3, x * x], "sum": [x.sum()]}, x.size(0), torch.tensor(2), x.sin()


class Numbered(nn.Module):
    def forward(self, x):
        return {1: x * 3, 2: x * x}, x.exp()


@torch.jit.script
class Holder:
    def __init__(self, first: Tensor):
        self.first = first


class Held(nn.Module):
    def forward(self, x):
        return Holder(x * 2), x * 3


def weighted(result):
    flat = [leaf for leaf in torch.utils._pytree.tree_leaves(result) if isinstance(leaf, Tensor) and leaf.is_floating_point()]
    return sum((place + 2) * leaf.sum() for place, leaf in enumerate(flat))


@pytest.mark.parametrize("module", [Around(), Numbered(), Held()], ids=["around", "numbered", "held"])
def test_of_results_in_dicts_and_beside_what_is_no_tensor(jit_mlir, module):
    same(jit_mlir, module, lambda called, x: weighted(called(x)), torch.randn(3, 4))
