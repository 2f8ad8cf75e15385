"""As differential_cases.py: loops whose condition data tell, of which the first trip changes the rank, sizes or element type of a variable."""

import torch
from differential_case import case
from torch import Tensor

CALLS = ["(torch.arange(1.0, 10.0).reshape(3, 3), 3)", "(-torch.arange(1.0, 10.0).reshape(3, 3), 3)", "(torch.arange(-4.0, 5.0).reshape(3, 3), 1)",
         "(torch.arange(1.0, 10.0).reshape(3, 3), 0)"]


@case(*CALLS, ways=("exact", "gradients", "package"))
def a_variable_of_another_rank(x: Tensor, n: int):
    y = x * 2
    while n > 0 and bool(y.sum() > 0):
        n -= 1
        y = torch.sin(x.sum(0) + y.sum())
    return y * 2, y.dim()


@case(*CALLS)
def a_variable_of_another_element_type(x: Tensor, n: int):
    y = x * 2
    while n > 0 and bool(y.sum() > 0):
        n -= 1
        y = (x * 3).to(torch.int64) + y.sum().to(torch.int64)
    y += 1
    return y


@case(*CALLS)
def a_variable_whose_element_type_a_branch_changes_in_some_trip(x: Tensor, n: int):
    y = x * 2
    k = 0
    while k < n and bool(y.sum() > 0):
        k += 1
        if bool(y[0, 0] > k * 2):
            y = (y * 3).to(torch.int64)
        y = y + k
    return y


@case(*CALLS)
def a_variable_of_other_sizes(x: Tensor, n: int):
    y = x * 2
    while n > 0 and bool(y.sum() > 0):
        n -= 1
        y = x[:, 1:] * y.sum()
    z = y + 1
    z[0] *= 2
    return y, z, z.size(1)


@case(*CALLS)
def a_view_of_another_tensor(x: Tensor, n: int):
    w = (x * 2).to(torch.int64)
    y = x[0] * 1
    while n > 0 and bool((w > 0).any()):
        n -= 1
        y = w[:, 1:-1:2]
    y *= 2
    for i in range(2):
        y[0:2] += 1
    return y, w


@case(*CALLS)
def a_variable_that_settles_on_the_second_trip(x: Tensor, n: int):
    y = x * 2
    z = x[0] * 1
    while n > 0 and bool(z.sum() > 0):
        n -= 1
        y = z * 2
        z = x[:2, 0] + n
    return y, z


@case(*CALLS, ways=("exact", "automatic", "package"))
def trips_that_data_tell_and_another_rank(x: Tensor, n: int):
    y = x * 2
    for i in range(x[x[:, 0] > 0].size(0)):
        y = torch.sin(x.sum(0) + y.sum() + i)
    return y * 2, y.dim()


@case(*CALLS)
def trips_that_data_tell_and_another_element_type(x: Tensor, n: int):
    y = x * 2
    for i in range(n, x[x[:, 0] > 0].size(0) + 1):
        y = (x * 3).to(torch.int64) + y.sum().to(torch.int64) * i
    y += 1
    return y


@case("(torch.arange(9.0).reshape(3, 3), 2)", "(-torch.arange(12.0).reshape(3, 4), 1)", ways=("exact", "any", "automatic", "package"))
def elements_that_other_calls_would_miss(x: Tensor, n: int):
    y = x * 2
    if bool(x.sum() > 100):
        y = [x, x][n + 3] * 1
    if bool(x.sum() > 200):
        y = x.unbind(0)[4] * 1
    if bool(x.sum() > 300):
        y = {"a": x}["b"] * 1
    if bool(x.sum() > 400):
        y = x.split([1, 1])[0]
    if bool(x.sum() > 500):
        y = x.chunk(2)[5]
    return x, y * 1
