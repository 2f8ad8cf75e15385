"""Programs that scripts/differential has found, made small: what was once wrong or ended the process."""

import inspect
from typing import Dict, List, Optional  # noqa: F401  annotations of the programs

import torch
from torch import Tensor

CASES = []  # (name, source, calls, ways)


def case(*calls, ways=("exact",)):
    """`calls` are tuples of arguments, as Python; `ways` as scripts/differential names them."""

    def note(function):
        CASES.append((function.__name__, inspect.getsource(function), calls, ways))
        return function

    return note


TWICE = "(lambda x: (x, {}))(torch.arange(1.0, 21.0).reshape(4, 5))"


@case("(torch.arange(1.0, 21.0).reshape(4, 5).to(torch.bfloat16), 3)", ways=("exact", "any", "gradients"))
def rows_written_in_a_loop(z: Tensor, a: int):
    for i in range(a):
        z[[3, 2]] += -1
    return z


@case("(torch.arange(1.0, 7.0).reshape(3, 2).t(),)")
def flatten_copies_where_rows_are_not_dense(x: Tensor):
    x.flatten().square_()
    return x


@case(TWICE.format("x"), TWICE.format("x[:1]"), TWICE.format("x.t()"))
def arguments_that_share_memory(x: Tensor, y: Tensor):
    x.addcmul_(torch.tensor(0.5), torch.tensor(0.5))
    return y


@case(TWICE.format("x.t()"))
def rows_of_an_argument_that_shares_memory(x: Tensor, y: Tensor):
    x.index_copy_(0, torch.tensor([1]), torch.ones_like(x[0:1]))
    return y


@case("(torch.arange(1.0, 5.0), torch.tensor([-0.5, -0.75]))", "(-torch.arange(1.0, 5.0), torch.tensor([-0.5, -0.75]))")
def a_loop_that_may_keep_its_start(x: Tensor, z: Tensor):
    for i in range(z.size(0)):
        if bool((x > 0).any()):
            break
        z = torch.zeros_like(x)
    z.fill_(2.0)
    return x
