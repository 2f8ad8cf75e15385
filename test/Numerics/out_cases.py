"""As differential_cases.py: out= tensors of other element types than the result would have. What can be told an element type computes in
that of out=; each of these was a wrong value."""

import torch
from differential_case import case
from torch import Tensor

ONE = "(torch.tensor([[1.7, -2.6, 3.9], [0.4, 5.5, -1.2]]),)"
HALVES = "((torch.rand(4096, generator=torch.Generator().manual_seed(0)) * 10).half(),)"
WAYS = ("exact", "package")


@case(ONE, ways=WAYS)
def sums_that_are_written_to_integers(x: Tensor):
    a = torch.sum(x, [0], out=torch.zeros(3, dtype=torch.int64))
    b = torch.cumsum(x, 1, out=torch.zeros(2, 3, dtype=torch.int32))
    c = torch.prod(x, 1, out=torch.zeros(2, dtype=torch.int64))
    return a, b, c, torch.cumprod(x, 0, out=torch.zeros(2, 3, dtype=torch.int16))


@case(HALVES, ways=WAYS)
def sums_of_halves_that_are_written_to_floats(x: Tensor):
    a = torch.sum(x, [0], out=torch.zeros([], dtype=torch.float32))
    b = torch.mean(x, [0], out=torch.zeros([], dtype=torch.float64))
    c = torch.nansum(x, [0], out=torch.zeros([], dtype=torch.float32))
    return a, b, c, torch.sum(x, [0], dtype=None, out=torch.zeros([], dtype=torch.float64))


@case(ONE, ways=WAYS)
def norms_by_singular_values_in_another_type(x: Tensor):
    a = torch.linalg.matrix_norm(x, 2, dtype=torch.float64)
    return a, torch.linalg.matrix_norm(x, "nuc", dtype=torch.float64), torch.linalg.matrix_norm(x, 2, out=torch.zeros([]))


@case(ONE, ways=WAYS)
def a_type_that_is_told_beside_out(x: Tensor):
    return torch.sum(x, [0], dtype=torch.int64, out=torch.zeros(3, dtype=torch.int64))


@case(ONE, ways=WAYS)
def powers_that_are_written(x: Tensor):
    a = torch.logspace(0.5, 2.3, 9, out=torch.zeros(9, dtype=torch.int64))
    b = torch.logspace(0.5, 2.3, 9, out=torch.zeros(9, dtype=torch.float64))
    c = torch.logspace(3, 10, 100, out=torch.zeros(100, dtype=torch.int64))
    return a, b, c, x


@case(ONE, ways=WAYS)
def powers_of_bfloat16(x: Tensor):
    return x, torch.logspace(0.5, 2.25, 8, 2.0, dtype=torch.bfloat16)


@case(ONE, ways=WAYS)
def sequences_that_are_written(x: Tensor):
    a = torch.linspace(-3, 10, 9, out=torch.zeros(9, dtype=torch.uint8))
    b = torch.full([4], 2.7, out=torch.zeros(4, dtype=torch.float64))
    c = torch.arange(0, 4.5, 0.5, out=torch.zeros(9, dtype=torch.float64))
    return a, b, c, torch.eye(3, 4, out=torch.zeros(3, 4, dtype=torch.int32)), x


@case(ONE, ways=WAYS, refused=True)
def a_variance_that_is_written_to_halves(x: Tensor):
    return torch.var(x, 0, out=torch.zeros(3, dtype=torch.float16))


@case("(torch.tensor([1.5, -2.0, 0.0, -0.0]).half(), torch.tensor([-1.7, 3.2, -0.0, nan]).double())", ways=WAYS)
def signs_of_doubles_at_halves(x: Tensor, y: Tensor):
    z = x.clone()
    z.copysign_(y)
    return z, torch.copysign(x.to(torch.bfloat16), y).to(torch.bfloat16)


# Of ldexp, whose power is exact where it is a whole number.
@case("(torch.tensor([0.001, -2.5, 1e-7, 0.0]), torch.tensor([17, -3, 40, 9]))", ways=WAYS)
def powers_of_two_that_halves_do_not_hold(x: Tensor, n: Tensor):
    single = torch.ldexp(x * 1e-30, n + 120)
    double = torch.ldexp(x.to(torch.float64), n - 1060), torch.ldexp(x.to(torch.float64), n + 1030)
    return torch.ldexp(x.to(torch.float16), n), torch.ldexp(n, n), single, double, torch.ldexp(torch.complex(x, x), n)


@case("(torch.tensor([2.25, -0.5]), torch.tensor([1.7, 3.2]))", ways=WAYS)
def powers_of_two_in_their_own_type(x: Tensor, y: Tensor):
    short, wide = y.to(torch.float16), x.to(torch.float64)
    return torch.ldexp(x, short), torch.ldexp(wide, short), torch.ldexp(wide, short[0]), torch.ldexp(short, y[0].to(torch.bfloat16))


@case("(torch.arange(1.0, 9.0)[..., ::2],)", ways=("package",), refused=True)
def out_of_other_sizes_in_a_strided_argument(x: Tensor):
    torch.sin(torch.ones([3]), out=x.squeeze(-1))
    return x * 2


@case("(torch.arange(1.0, 9.0)[:4],)", "(torch.arange(1.0, 9.0),)", ways=("exact", "package"))
def out_of_other_sizes_in_an_argument(x: Tensor):
    torch.sin(torch.ones([3]), out=x.squeeze(-1))
    return x * 2


# The empty slice's first place would be that behind the fourth element of a memory of three.
@case("(torch.arange(1.0, 4.0), torch.arange(24).reshape(2, 3, 4), 2)", ways=("exact", "any", "package"))
def out_of_no_elements_behind_the_end(t: Tensor, z: Tensor, a: int):
    t = t + 1.0
    x = t[1::3][a:-1]
    chosen = z if float(x.sum()) > 0.5 else t
    torch.sin(x, out=x)
    return chosen


@case("(torch.arange(1.0, 4.0), torch.ones(2, 2))", ways=("exact", "any", "package"))
def out_of_some_elements_behind_the_end(t: Tensor, y: Tensor):
    t = t + 1.0
    x = t[1::3][2:]
    torch.sin(y, out=x)
    return t, x, x.storage_offset()


@case("(torch.tensor(1.07), torch.tensor(-0.3), 3)", ways=("exact", "package"))
def out_of_what_changes_places_in_a_loop(y: Tensor, z: Tensor, n: int):
    for i in range(n):
        y, z = z, y
        torch.sin(y, out=y)
    return n
