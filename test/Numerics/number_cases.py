"""Python's numbers in small TorchScript functions: shifts, the math module, divmod, and how they are printed."""

import math

import torch
from torch import Tensor

from function_case import listed_in

CASES = []
case = listed_in(CASES)


@case((5, 3), (-5, 2), (1, 0), (-1, 62))
def shifts(n: int, by: int):
    return n << by, n >> by, 1 << by


@case((torch.tensor([1, -7, 2**40]), 3))
def shifts_of_tensors(x: Tensor, by: int):
    return x << by, x >> by, x << torch.tensor([0, 1, 2])


@case((2.5, -1.25), (-0.75, 3.0), (0.0, -0.0), (1e300, 1e-300))
def of_two_floats(a: float, b: float):
    return math.atan2(a, b), math.copysign(a, b), math.fmod(a, 0.75), math.remainder(a, 0.75), math.remainder(a, 1.5)


@case((3, 2), (-4, 3))
def of_two_ints(a: int, b: int):
    return (math.atan2(a, b), math.copysign(a, -b), math.remainder(a, b), math.log(abs(a), b), math.log(7.5, b),
            math.log(abs(a), 2.5))


@case((0.3,), (-0.6,), (0.0,))
def in_the_unit_interval(a: float):
    return (math.asin(a), math.acos(a), math.atan(a), math.sinh(a), math.cosh(a), math.asinh(a), math.acosh(1.0 + abs(a)),
            math.atanh(a), math.log1p(a), math.expm1(a), math.erf(a), math.erfc(a), math.fabs(a), math.degrees(a), math.radians(a))


@case((4.0,), (0.5,), (-0.5,), (-2.5,), (30.0,))
def gammas(a: float):
    return math.gamma(a), math.lgamma(a), math.log10(abs(a))


@case((1.5,), (float("nan"),), (float("-inf"),))
def kinds_of_floats(a: float):
    return math.isnan(a), math.isinf(a), math.isfinite(a)


@case((12, 18), (-12, 18), (0, -5), (0, 0), (7, 2**40))
def greatest_divisors(a: int, b: int):
    return math.gcd(a, b)


@case((0,), (5,), (20,))
def factorials(n: int):
    return math.factorial(n)


@case((0.75, 3), (-3.0, -1), (1e-300, 900), (0.0, 5))
def scaled_by_powers(a: float, n: int):
    return math.ldexp(a, n)


@case((7, 3), (-7, 3), (7, -3), (-7, -3))
def divmod_of_ints(a: int, b: int):
    return divmod(a, b)


@case((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0))
def divmod_of_floats(a: float, b: float):
    return divmod(a, b), divmod(7, b), divmod(a, 2)


@case((5.3, 7), (-5.3, 2), (0.1, 3), (7.0, -2), (16777217.0, 5), (1.0, 4294967299))
def divmod_of_float_and_int(a: float, b: int):
    return divmod(a, b), divmod(b, a)


@case((1.2345, 0.0), (-0.0, float("inf")), (21.00001, float("-inf")))
def hashes_of_floats(a: float, b: float):
    return hash(a), hash(b), hash(a) == hash(b), hash((a, 3, True)), hash((1, (b, None)))


@case(("", "a"), ("hello", "12345678"), ("123456789", "something longer than that"))
def hashes_of_strings(a: str, b: str):
    return hash(a), hash(b), hash(a) == hash(b)


@case((2.75,), (-2.75,), (float("-inf"),))
def fractions(a: float):
    return math.modf(a)


@case((3,))
def printed_by_percent(n: int):
    return "%d of %s, 100%%" % (5, "ab") == "5 of ab, 100%", len("%s" % "four")


@case((3,))
def printed_to_other_bases(n: int):
    return hex(255) == "0xff", oct(-8) == "-0o10", bin(5) == "0b101"


@case((2, -2, 2.0, -0.5), (3, 0, 0.0, 0.0), (-2, -3, -2.0, -2.0))
def powers(a: int, b: int, x: float, y: float):
    return a**b, x**y, pow(a, y), pow(x, b), 2.0**b, a**2


@case((torch.tensor([1.5, -2.0]), -3), (torch.tensor([0, -7]), 4))
def python_abs(x: Tensor, n: int):
    return abs(x), abs(n), abs(x[1]) + 1, abs(-0.5)
