"""As differential_cases.py: values with an infinite derivative that a call does not use. Such a value has no gradient; rules that are
given zeros for it would make NaN of infinities."""

import torch
from differential_case import case
from torch import Tensor


@case("(torch.tensor([0.0, 1.0]), torch.tensor([2.0, 1.0]))", "(torch.tensor([0.0, -1.0]), torch.tensor([2.0, 1.0]))", ways=("gradients", "any-gradients"))
def a_root_on_the_way_that_is_not_taken(x: Tensor, y: Tensor):
    r = torch.reciprocal(x)
    s = r.sqrt() * y
    if float(x.sum()) > 0.5:
        out = y * 2.0
    else:
        out = y + s
    return out


@case("(torch.tensor([0.0, 1.0]), torch.tensor([2.0, 1.0]), 0)", "(torch.tensor([3.0, 1.0]), torch.tensor([2.0, 1.0]), 2)", ways=("gradients", "any-gradients"))
def a_root_in_a_loop_without_trips(x: Tensor, y: Tensor, n: int):
    r = torch.reciprocal(x).sqrt()
    for i in range(int(y.sum()) - 3 + n):
        y = y + r
    return y


@case("(torch.tensor([0.0, 1.0]), torch.tensor([2.0, 1.0]), torch.tensor([-1.0, 0.5]))", "(torch.tensor([3.0, 1.0]), torch.tensor([2.0, 1.0]), torch.tensor([1.0, 0.5]))", ways=("gradients", "any-gradients"))
def a_root_on_some_ways(x: Tensor, y: Tensor, c: Tensor):
    r = torch.reciprocal(x)[:, None].expand(2, 3)
    s = r.log() + x[:, None]
    if bool(c.sum() > 0):
        y = y + s.sum(1)
        if bool(c[0] > 2):
            y = y * r[0, 1]
    if bool(c[1] > 1):
        y = y * s[1, 0]
    return y, x * 2.0


@case("(torch.tensor([0.0, 1.0]), torch.tensor([2.0, 1.0]), torch.tensor([-1.0, 0.5]))", "(torch.tensor([3.0, 1.0]), torch.tensor([2.0, 1.0]), torch.tensor([1.0, 0.5]))", ways=("gradients", "any-gradients"))
def a_root_that_is_not_picked(x: Tensor, y: Tensor, c: Tensor):
    r = torch.reciprocal(x)
    y = y + r if bool(c.sum() > 0) else y
    z = [y, r, x][int(c[0] > 0)]
    return y, z


NUMBERS = "torch.tensor([[1.5, 2.0, 0.25], [0.0, 0.75, 1.0]])"
REPLACED = (f"({NUMBERS} * torch.tensor([1.0, float('nan'), 1.0]), 3)", f"({NUMBERS}, 3)", f"({NUMBERS}, 0)", f"({NUMBERS}, 1)")


@case(*REPLACED, ways=("gradients", "any-gradients"))
def what_each_trip_replaces(x: Tensor, n: int):
    t, x = x * 1, x.clone()
    for i in range(n):
        if i > 0:
            x.zero_()
        t = torch.sin(x)
    return t


@case(*REPLACED, ways=("gradients", "any-gradients"))
def roots_that_each_trip_replaces(x: Tensor, n: int):
    t = x.sqrt()
    u = x * 2
    s = u
    k = 0
    while bool(u.sum() < 20.0 * n):
        t = (u * k).sqrt()
        s = (u * k) / (x * k)
        u = u + x.abs() + 1
        k += 1
    return t, s + u


@case(*REPLACED, ways=("gradients", "any-gradients"))
def a_root_that_trips_replace_and_use(x: Tensor, n: int):
    u = x.sqrt()
    t = u
    for i in range(n):
        t = u * x * i
    return t


@case("(torch.tensor([0.5, nan, 2.0]),)", ways=("gradients", "any-gradients"))
def a_result_that_nothing_is_computed_of(x: Tensor):
    y = torch.flip(torch.cumsum(torch.tanh(x), 0), [0])
    return y, x * 3, x * 2


@case("(torch.tensor([0.5, 1.0, 2.0]),)", ways=("gradients", "any-gradients"))
def an_operator_without_a_gradient_on_the_way_that_is_not_taken(x: Tensor):
    y = x * 2
    if bool(x.sum() < 0):
        y = torch.floor_divide(y, 2.0) * x
    return y * x
