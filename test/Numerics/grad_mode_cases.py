"""Writes, views and sizes that change in place where gradients are off: the elements change, and what autograd remembers does not."""

import torch
from differential_case import case
from torch import Tensor

SQUARE = "torch.tensor([[1.5, -0.5, 0.25], [-2.0, 0.75, 1.0], [0.5, -1.0, 0.1]])"
CALLS = (f"({SQUARE},)", f"(-{SQUARE},)")
WAYS = ("gradients", "exact", "any")


@case(*CALLS, ways=WAYS)
def elements_that_are_written(x: Tensor):
    y = x * 2
    d = y.detach()
    with torch.no_grad():
        y[0] = x[0] * 5
        w = y * 3
        d.mul_(2)
    z = torch.zeros_like(x)
    for i in range(3):
        with torch.no_grad():
            z[i] = x[i] * 2
        z[i] += x[i]
    return y * y, w * x, z * x


@case(*CALLS, ways=WAYS)
def a_branch_in_which_they_are_off(x: Tensor):
    y = x * 2
    if bool(y.sum() > 0):
        with torch.no_grad():
            y = y * 3
            y[0] += x[0]
    else:
        y[0] *= x[0]
    return y


@case(*CALLS, ways=WAYS)
def a_squeeze_that_changes_nothing(x: Tensor):
    y = x * 1
    with torch.no_grad():
        y.squeeze_()
    return y


@case(*CALLS, ways=WAYS)
def dimensions_of_one_that_come_and_go(x: Tensor):
    y = x * 2
    with torch.no_grad():
        y.unsqueeze_(0)
        y.mul_(2)
        z = x * 3
        z.unsqueeze_(1)
        z.squeeze_(1)
        w = x * 3
        w.t_()
    return y * y, z * w


@case(*CALLS, ways=("exact", "any", "package"))
def sizes_that_change(x: Tensor):
    y = x * 2
    with torch.no_grad():
        y.resize_(3, 3)
        z = x * 3
        z.resize_(2, 2)
        y.t_()
    return y, z


@case(*CALLS, ways=("gradients",), refused=True)
def dimensions_that_change_places(x: Tensor):
    y = x * 2
    with torch.no_grad():
        y.t_()
    return y * x


@case(*CALLS, ways=WAYS)
def an_out_tensor_keeps_its_history(x: Tensor):
    y = x * 2
    z = torch.zeros([3, 3])
    with torch.no_grad():
        torch.mul(x, 3.0, out=y)
        torch.mul(x, 3.0, out=z[: x.size(0), : x.size(1)])
    return y * x, z


@case(*CALLS, ways=WAYS)
def an_out_tensor_takes_other_sizes(x: Tensor):
    y = torch.zeros([1, 4])
    z = torch.zeros([0])
    with torch.no_grad():
        torch.mul(x[:1, :1], 3.0, out=y)
        for i in range(2):
            torch.mul(x, float(i + 1), out=z)
    return y * x, z


@case(*CALLS, ways=("exact", "any", "package"))
def an_argument_takes_other_sizes(x: Tensor):
    with torch.no_grad():
        if bool((x == x).all()):
            torch.mul(torch.zeros([1, 4]), 2.0, out=x.t())
    return x


@case(*CALLS, ways=("gradients",), refused=True)
def a_tensor_with_history_takes_other_sizes(x: Tensor):
    y = x * 2
    with torch.no_grad():
        torch.mul(x[:1, :1], 3.0, out=y)
    return y * x
