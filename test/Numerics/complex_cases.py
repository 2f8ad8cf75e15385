"""Python's complex numbers in small TorchScript functions: arithmetic, cmath, and beside tensors."""

import cmath
from typing import List, Optional

import torch
from torch import Tensor

from function_case import X, listed_in

CASES = []
case = listed_in(CASES)

Z = torch.complex(X, X.flip(0))


# ---- Numbers ----


@case((1.5,))
def complex_constants(x: float):
    return 2j, 1 + 2j, complex(3.5, -1.0), x * 1j, cmath.pi, cmath.e + 1j


@case((1 + 2j, 3 - 1j), (0.1 - 0.3j, -2 + 0j))
def complex_arithmetic(a: complex, b: complex):
    return a + b, a - b, a * b, a / b, -a, a**b, abs(a), a == b, a != b, a == a


@case((1 + 2j, 3, 2.5))
def complex_with_real(a: complex, n: int, f: float):
    return a + n, n + a, a - n, n - a, a * n, n * a, a + f, f + a, a - f, f - a, a * f, f * a, a**f, f**a


@case((1 + 2j, 1.0), (1 + 0j, 1.0))
def complex_beside_float(a: complex, f: float):
    return a == f, a != f, f == a, f != a


@case((1, 2.5, True))
def complex_of_parts(n: int, f: float, b: bool):
    return complex(n, f), complex(n), complex(f), complex(f, n), complex(b, b), complex(n, n), complex(b, f), complex(f, b), complex(n, b)


@case((torch.tensor(3 + 4j), torch.tensor([2.5]), torch.tensor(7)))
def complex_of_tensors(z: Tensor, x: Tensor, n: Tensor):
    return complex(z.item()), complex(x.item()), complex(x, n), complex(x, 2.0), complex(1, x), z.item()


@case((1 + 2j,), (-0.5 + 0.25j,), (3 - 0.5j,))
def complex_functions(a: complex):
    return (cmath.sqrt(a), cmath.exp(a), cmath.log(a), cmath.sin(a), cmath.cos(a), cmath.tan(a), cmath.log10(a), cmath.sinh(a),
            cmath.cosh(a), cmath.tanh(a), cmath.asin(a), cmath.acos(a), cmath.atan(a), cmath.asinh(a), cmath.acosh(a), cmath.atanh(a))


@case((1 + 2j, 0.5), (-0.5 + 0.25j, 2.0))
def complex_in_polar_form(a: complex, length: float):
    return cmath.phase(a), cmath.rect(length, 0.5), cmath.rect(2, length)


@case((1 + 2j,), (complex(float("inf"), 0),), (complex(0, float("nan")),))
def kinds_of_complex(a: complex):
    return cmath.isnan(a), cmath.isinf(a), cmath.isfinite(a)


# ---- Control flow and containers ----


@case((3,))
def complex_in_a_loop(n: int):
    z = 1 + 0j
    for i in range(n):
        z = z * (0.5 + 0.5j) + i
    return z


@case((torch.tensor(0.5),), (torch.tensor(3.0),))
def complex_until(limit: Tensor):
    z, steps = 0.1 + 0.2j, 0
    while abs(z) < float(limit) and steps < 20:
        z = z * (1 + 1j)
        steps += 1
    return z, steps


@case((X,), (-X,))
def complex_in_a_branch(x: Tensor):
    z = 1j
    if bool(x.sum() > 0):
        z = z * 2
    else:
        z = z - 1.5
    return z, x * z


@case((Z[0],))
def complex_lists(z: Tensor):
    total, numbers = 0j, [complex(z[0].item()), 3j]
    for number in numbers:
        total += number
    return total, sum(numbers), len(numbers), numbers[0]


@case((1 + 2j,), (None,))
def optional_complex(a: Optional[complex]):
    if a is None:
        return 0j
    return a * 2


@case((1 + 2j, X))
def complex_in_containers(a: complex, x: Tensor):
    pair = (a, x)
    b, y = pair
    table = {"a": a, "b": 2j}
    return b + table["b"], y, isinstance(a, complex), isinstance(a, float)


# ---- Beside tensors ----


@case((X, 0.1 + 0.2j), (X.double(), 0.1 + 0.2j), (X.long(), 0.1 + 0.2j), (Z, 0.1 + 0.2j))
def complex_with_a_tensor(x: Tensor, a: complex):
    return x + a, x * a, x - a, a * x, a + x, a - x, x / a, x * 0.1j, x == a, x != a


@case((X + 6, 0.5 + 2j))
def complex_powers_of_tensors(x: Tensor, a: complex):
    return x**a, (x + 0j) ** 2j


@case((X, 1 + 2j))
def tensors_filled_with_complex(x: Tensor, a: complex):
    z = torch.zeros([3, 4], dtype=torch.complex64)
    z += a
    z[0] = a
    z.mul_(2j)
    return (z, torch.full_like(z, a), torch.tensor(a), torch.tensor(a, dtype=torch.complex128), z.masked_fill(x > 0, a))


@case((Z,))
def parts_of_tensors(z: Tensor):
    return z.conj(), torch.real(z), torch.imag(z), z.abs(), z.angle(), z.real, z.imag, z[0, 0].item()


@case(([2, 3],))
def complex_tensors_of_numbers(l: List[int]):
    return torch.tensor(l, dtype=torch.complex64), torch.as_tensor([[1.5], [2.5]], dtype=torch.complex128), torch.tensor([True], dtype=torch.complex64)
