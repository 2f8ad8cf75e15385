"""Functions that return in loops and branches: what is returned may be several tensors, and written on the ways that go on."""

import torch
from differential_case import case
from torch import Tensor

SQUARE = "torch.tensor([[1.5, -0.5, 0.25], [-2.0, 0.75, 1.0], [0.5, -1.0, 0.1]])"
CALLS = (f"({SQUARE}, 2)", f"(-{SQUARE}, 4)", f"({SQUARE} - 1, 3)")
WAYS = ("exact", "any", "gradients", "package")
FLAGS = tuple(f"({x}, {y}, {flag})" for x, y in ((SQUARE, f"-{SQUARE}"), (f"-{SQUARE}", SQUARE)) for flag in (True, False))


@case(*CALLS, ways=WAYS)
def a_loop_that_returns_two(x: Tensor, n: int):
    y = x * 1
    for i in range(n):
        y[i % 3].mul_(2)
        if bool(y.sum() > 1):
            return y, x
    y.add_(1)
    return y, x


@case(*CALLS, ways=WAYS)
def a_loop_that_returns_two_of_one(x: Tensor, n: int):
    y = x * 1
    for i in range(n):
        if bool(y.sum() > 1):
            return y, y.t()
        y = y.t()
        y[0].mul_(2)
    y.add_(1)
    return y, x


@case(*FLAGS, ways=("exact", "any", "package"))
def a_loop_that_goes_on_and_may_return(x: Tensor, q: Tensor, flag: bool):
    for i in range(2):
        if float(q.sum()) > 0.5:
            continue
        if flag:
            return x
        q = q * 2
    return q


@case(*FLAGS, ways=("exact", "any", "package"))
def loops_that_return(x: Tensor, q: Tensor, flag: bool):
    for i in range(3):
        if float(q.sum()) > 0.5:
            break
        for j in range(3):
            if flag and i == j:
                return x, q
            q[j] += 1
            if float(x.sum()) > float(q.sum()):
                return q, x
    return q, q.t()
