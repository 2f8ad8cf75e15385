"""Arithmetic on element types, as losses and metrics of packages do it, compared with eager PyTorch."""

from typing import List

import pytest
import torch
from torch import nn
from torch.nn import functional as F

TYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
         torch.complex64, torch.complex128, torch.bool, torch.bfloat16]


class Pairs(nn.Module):
    def forward(self, types: List[int]):
        promoted: List[int] = []
        casts: List[bool] = []
        for a in types:
            for b in types:
                promoted.append(torch.promote_types(a, b))
                casts.append(torch.can_cast(a, b))
        return promoted, casts


class Results(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        of_tensors = torch.zeros(1, dtype=torch.result_type(x, y))
        of_number = torch.zeros(1, dtype=torch.result_type(x, 2.5)) + torch.zeros(1, dtype=torch.result_type(True, x))
        return of_tensors, of_number, torch.zeros(1, dtype=torch.result_type(1, 2.5)), torch.zeros(1, dtype=torch.result_type(1, 2))


def test_every_pair_of_types(saved, jit_mlir):
    archive, reference = saved(Pairs())
    numbers = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 15]  # as TorchScript knows them, in the order of TYPES
    assert jit_mlir.load(archive)(numbers) == reference(numbers)


@pytest.mark.parametrize("shapes", [((2,), (2,)), ((), (2,)), ((2,), ()), ((), ())])
def test_types_of_results(shapes, saved, jit_mlir):
    archive, reference = saved(Results())
    program = jit_mlir.load(archive)
    for a in TYPES[3:8:2] + [torch.float16, torch.bfloat16, torch.complex64, torch.bool, torch.uint8]:
        for b in (torch.int8, torch.float64, torch.float16, torch.complex64, torch.bool):
            x, y = torch.zeros(shapes[0], dtype=a), torch.zeros(shapes[1], dtype=b)
            want = reference(x, y)
            got = program(x, y)
            assert [value.dtype for value in got] == [value.dtype for value in want], (a, b)


def test_losses_accumulate_in_a_type_of_their_own(agrees):
    class Loss(nn.Module):
        def forward(self, x, y):
            wide = torch.promote_types(x.dtype, torch.float32)
            return (x.to(wide) * y).sum().to(torch.promote_types(x.dtype, y.dtype))

    agrees(Loss(), torch.randn(4).half(), torch.randn(4).half())
    agrees(Loss(), torch.randn(4), torch.randn(4).double())


@pytest.mark.parametrize("division", ["x // y", "x % y", "torch.fmod(x, y)", "torch.div(x, y, rounding_mode='trunc')",
                                      "torch.div(x, y, rounding_mode='floor')", "torch.remainder(7, y)", "x.clone().floor_divide_(y)"])
@pytest.mark.parametrize("any_sizes", [False, True])
def test_integers_divided_by_zero(division, any_sizes, jit_mlir):
    function = torch.jit.CompilationUnit(f"def f(x, y):\n    return {division}\n").f
    program = jit_mlir.compile(function, any_sizes=any_sizes)
    for kind in (torch.int64, torch.uint8):
        x, y = torch.tensor([7, 9, 250], dtype=kind), torch.tensor([2, 3, 4], dtype=kind)
        assert torch.equal(program(x, y), function(x, y))
        zero = torch.tensor([1, 0, 2], dtype=kind)
        for call in (function, program):
            with pytest.raises((RuntimeError, jit_mlir.Error), match="ZeroDivisionError"):
                call(x, zero)
        assert program(x[:0], zero[:0]).shape == (0,)
    assert torch.equal(program(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0])), function(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0])))


@pytest.mark.parametrize("division", ["x // n", "x % n", "torch.fmod(x, n)"])
def test_integers_divided_by_the_number_zero(division, jit_mlir):
    function = torch.jit.CompilationUnit(f"def f(x, n: int):\n    return {division}\n").f
    program = jit_mlir.compile(function)
    x = torch.tensor([7, -7])
    for number in (2, 3, -4):
        assert torch.equal(program(x, number), function(x, number))
    for call in (function, program):
        with pytest.raises((RuntimeError, jit_mlir.Error), match="ZeroDivisionError"):
            call(x, 0)


SUBNORMAL = {
    "product": lambda x: x * 1, "sum": lambda x: x + x, "opposite": lambda x: -x, "narrowed": lambda x: (x.float() * 1.5).bfloat16(), "from doubles": lambda x: x.double().bfloat16(),
    "largest of two": lambda x: torch.maximum(x, -x), "largest": lambda x: x[:40].amax(), "least": lambda x: torch.min(x[:40], 0), "sorted": lambda x: torch.sort(x * 1, stable=True),
    "place of the largest": lambda x: (-x.abs()).argmax(), "less": lambda x: (x * 0.5) < (x * 0.75).flip(0), "chosen": lambda x: torch.where(x * 1 > 0, x, x * 2),
    "clamped": lambda x: x.clamp(-1e-40, 1e-40), "running": lambda x: x.cummax(0),
}


@pytest.mark.parametrize("case", SUBNORMAL)
def test_subnormal_numbers_of_bfloat16(case, jit_mlir):
    """x86's instruction for them makes 0 of subnormal numbers, PyTorch does not."""
    x = torch.cat([torch.arange(1, 300, 7, dtype=torch.int16), torch.arange(-32767, -32500, 7, dtype=torch.int16)]).view(torch.bfloat16)
    program = jit_mlir.compile(torch.jit.trace(SUBNORMAL[case], x, check_trace=False))
    torch.testing.assert_close(program(x), SUBNORMAL[case](x), rtol=0, atol=0)


def test_complex_halves(jit_mlir):
    x = torch.randn(2, 3).half()
    z = torch.complex(x, x + 1)
    made = jit_mlir.compile(torch.jit.trace(lambda x: (torch.complex(x, x + 1), x.to(torch.complex32)), x, check_trace=False))(x)
    taken = jit_mlir.compile(torch.jit.trace(lambda z: torch.view_as_real(z) * 2, z, check_trace=False))
    assert [value.dtype for value in made] == [torch.complex32] * 2
    assert torch.equal(torch.view_as_real(made[0]), torch.view_as_real(z)) and torch.equal(torch.view_as_real(made[1])[..., 0], x)
    assert torch.equal(taken(z), torch.view_as_real(z) * 2) and torch.equal(taken(z.t().clone().t()), torch.view_as_real(z) * 2)


def test_doubles_to_halves(jit_mlir):
    """In two roundings, of which LLVM made one by a function that is not there."""
    x = torch.cat([torch.randn(3000, dtype=torch.float64) * 10.0 ** torch.randint(-9, 6, (3000,)), torch.tensor([float("nan"), float("inf"), -0.0, 65519.99, 65520.0, -1e300, 1e-320])])
    assert torch.equal(jit_mlir.compile(torch.jit.trace(lambda x: x.half().nan_to_num(7.0), x, check_trace=False))(x), x.half().nan_to_num(7.0))

    def similarity(x, y):
        return F.cosine_similarity(F.poisson_nll_loss(x, y, False, True, reduction="none"), y, 2)

    halves, other = (torch.arange(4800) * 36 % 97 + 60).half().view(1, 8, 20, 30), torch.tensor([-1.5], dtype=torch.float64)
    program = jit_mlir.compile(torch.jit.trace(similarity, (halves, other), check_trace=False))
    gradients = []
    for call in (similarity, program):
        tensors = [halves.clone().requires_grad_(), other.clone().requires_grad_()]
        call(*tensors).sum().backward()
        gradients.append(tensors[0].grad)
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-2, atol=1e-4)


class Elman(nn.Module):
    def forward(self, x, h, w, u):
        return torch.rnn_tanh_cell(x, h, w, u), torch.rnn_relu_cell(x, h, w, u)


@pytest.mark.parametrize("columns", [0, 2, 3])
def test_a_recurrent_cell_of_integers_gives_floats(columns, agrees):
    """Where one has columns its product is of integers; tanh makes floats of it, and relu none."""
    agrees(Elman(), torch.ones(2, columns).int(), torch.arange(8).reshape(2, 4).int() - 4, torch.ones(4, columns).int(), torch.eye(4).int())
    agrees(Elman(), torch.ones(2, columns), torch.arange(8.0).reshape(2, 4) - 4, torch.ones(4, columns), torch.eye(4))
