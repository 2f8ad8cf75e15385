"""As differential_cases.py: what becomes of the caller's arguments that are written, and of those that share memory."""

from typing import List  # noqa: F401  annotations of the programs

import torch
from differential_case import case
from torch import Tensor

TWICE = "(lambda x: (x, {}))(torch.arange(1.0, 21.0).reshape(4, 5))"


@case(TWICE.format("x"), TWICE.format("x[:1]"), TWICE.format("x.t()"))
def arguments_that_share_memory(x: Tensor, y: Tensor):
    x.addcmul_(torch.tensor(0.5), torch.tensor(0.5))
    return y


@case(TWICE.format("x.t()"))
def rows_of_an_argument_that_shares_memory(x: Tensor, y: Tensor):
    x.index_copy_(0, torch.tensor([1]), torch.ones_like(x[0:1]))
    return y


@case("(lambda x: (x, x.t()))(torch.arange(1.0, 21.0).reshape(4, 5))", ways=("package",), refused=True)
def a_package_that_gets_a_copy_of_shared_memory(x: Tensor, y: Tensor):
    y -= -1.5
    return x


@case("(lambda x: (x, x.t()))(torch.arange(1.0, 21.0).reshape(4, 5))", ways=("package",))
def a_package_that_reads_shared_memory(x: Tensor, y: Tensor):
    return x @ y


@case("(lambda x: (x, x))(torch.arange(1.0, 33.0).reshape(4, 2, 4))")
def a_loop_on_what_a_branch_of_shared_memory_gave(x: Tensor, y: Tensor):
    for i in range(y.size(0)):
        if i > -1:
            pass
        else:
            x[-1] = x[0]
        y.masked_fill_(y > 0.25, 3)
    return x


@case("(torch.arange(1.0, 5.0), [torch.arange(4.0), torch.ones(4)])", ways=("exact", "any", "package"))
def a_list_of_the_callers_that_changes(x: Tensor, items: List[Tensor]):
    items[1].mul_(2.0)
    y = items.pop(0)
    items.append(x * 3.0)
    y.add_(1.0)
    items[0].add_(items[1].sum())
    return x + y, len(items), items


@case("(torch.arange(1.0, 11.0).reshape(2, 5), [torch.arange(1.0, 5.0)], torch.tensor([1.0, -2.0, 3.0]))",
      "(torch.arange(1.0, 21.0).reshape(4, 5), [torch.arange(1.0, 5.0)], torch.tensor([1.0, -2.0, 3.0]))", ways=("exact", "any", "any-package"))
def arguments_of_open_sizes_that_are_written(x: Tensor, items: List[Tensor], z: Tensor):
    x.mul_(2.0)
    items[0].add_(x.sum())
    z[z < 0] = 0.5
    return x.size(0)


@case("(lambda x: (x, x[1:]))(torch.arange(1.0, 17.0).reshape(2, 4, 2))", "(lambda x: (x[1:], x))(torch.arange(1.0, 17.0).reshape(2, 4, 2))",
      "(lambda x: (x, x))(torch.arange(1.0, 9.0).reshape(2, 4))", ways=("exact", "any", "package"))
def where_arguments_of_one_memory_lie(x: Tensor, y: Tensor):
    x.add_(y.storage_offset() + 2 * x.storage_offset())
    return y.is_set_to(x), x.is_set_to(y), y.storage_offset()


@case("(torch.arange(6.0).reshape(3, 2), 2)", "(torch.ones(3, 2), 3)", ways=("exact", "package", "threads"))
def an_argument_that_a_write_leaves_as_it_was(x: Tensor, n: int):
    x[:, :1].sub_(torch.zeros([1], dtype=torch.float32))
    row = torch.stack([x[0], x[1]])[0]
    for i in range(n):
        x = x * 0.5
        row = x[0]
    return x, row


@case("(torch.arange(6.0).reshape(3, 2), 2, True)", "(torch.ones(3, 2), 3, False)", ways=("exact", "package", "threads"))
def an_argument_that_either_way_leaves_as_it_was(x: Tensor, n: int, flag: bool):
    if bool(x.sum() > 8) or flag:
        x[:, :1].sub_(torch.zeros([1], dtype=torch.float32))
    else:
        x[1] *= torch.ones([1], dtype=torch.float32)
    for i in range(n):
        x = x * 0.5
        if bool(x.sum() > 2):
            x = x + 1.0
    return x


@case("(torch.arange(6.0).reshape(3, 2), torch.ones(3, 2))", "(torch.ones(3, 2), torch.zeros(3, 2))", ways=("exact", "package", "threads"))
def arguments_that_become_each_other(x: Tensor, y: Tensor):
    x[:, :1] -= torch.zeros([1], dtype=torch.float32)
    z = x
    for i in range(3):
        z = z * 0.5
    y.copy_(x - torch.zeros([1], dtype=torch.float32))
    x[1] = 2.0
    return z


@case("(torch.arange(6.0).reshape(3, 2), torch.ones(3, 2), True)", "(torch.ones(3, 2), torch.zeros(3, 2), False)", ways=("exact", "package"))
def arguments_that_change_places(x: Tensor, y: Tensor, flag: bool):
    old = x - torch.zeros([1], dtype=torch.float32)
    x.copy_(y - torch.zeros([1], dtype=torch.float32))
    y[1:] = old[1:]
    if flag:
        x[0] = y[2]
        y[0] = old[1]
    return old
