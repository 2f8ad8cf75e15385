"""As differential_cases.py: resize_, resize_as_ and set_, and what shows more of a tensor's memory than the tensor."""

import torch
from differential_case import case
from torch import Tensor


@case("(torch.arange(1.0, 13.0).reshape(3, 4),)", ways=("exact", "package"))
def resized_within_its_memory(x: Tensor):
    y = x * 2
    rows = y[1]
    y.resize_(2, 3)
    y.add_(1.0)
    z = y * 1
    y.resize_([3, 4])
    rows.mul_(2.0)
    return z, y, rows, y.size(0), y.is_contiguous()


@case("(torch.arange(1.0, 13.0).reshape(3, 4), torch.zeros(2, 2))", ways=("exact", "package"))
def resized_part(x: Tensor, like: Tensor):
    part = (x + 1)[1:, 1:3]
    part.resize_as_(like)
    turned = (x * 3).t()
    turned.resize_(5)
    turned[0] = -1.0
    turned.resize_(4, 3)
    return part, turned, part.storage_offset(), part.stride()


@case("(torch.arange(1.0, 7.0),)")
def resized_argument(x: Tensor):
    x.resize_(2, 2)
    x.mul_(2.0)
    return x + 1


@case("(torch.arange(1.0, 7.0),)", ways=("exact", "package"))
def resized_beyond_its_memory(x: Tensor):
    y = x * 2
    first = y[:2]
    y.resize_(2, 5)
    y[1] = 7.0
    y[0, 4:] = x[:1]
    first.add_(1.0)
    y.resize_(12)
    y[6:] = 3.0
    return y, first


@case("(torch.arange(1.0, 7.0),)", "(-torch.arange(1.0, 7.0),)")
def resized_where_data_choose(x: Tensor):
    y = x * 2
    if bool(x.sum() > 0):
        y.resize_(2)
    z = y + 1
    y.resize_(6)
    return z, y


@case("(torch.arange(1.0, 9.0), 3)")
def resized_in_trips(x: Tensor, n: int):
    y = x * 2
    total = torch.zeros(1)
    for i in range(n):
        y.resize_(8 - 2 * i)
        y.add_(1.0)
        total += y.sum()
    y.resize_(8)
    return y, total


@case("(torch.arange(1.0, 13.0).reshape(3, 4),)")
def out_that_shrinks_and_shows_its_rest(x: Tensor):
    y = x * 2
    torch.mul(x[0], 10.0, out=y)
    z = y + 1
    y.resize_(2, 4)
    w = x * 3
    torch.exp(x[0, :2], out=w)
    shown = w.as_strided([2, 4], [4, 1])
    v = x * 4
    torch.add(torch.ones([4, 5]), x.sum(), out=v)
    v.resize_(2)
    return y, z, shown, v


@case("(torch.arange(1.0, 5.0), torch.arange(6.0))", ways=("exact", "package"))
def set_to_another(x: Tensor, y: Tensor):
    a = x * 2
    b = y * 3
    view = a[1:]
    a.set_(b)
    a.add_(1.0)
    b[0] = -5.0
    view.mul_(2.0)
    c = x + 1
    c.set_(b[2:])
    return a, b, view, c, c.storage_offset()


@case("(torch.arange(1.0, 5.0), torch.arange(6.0))", refused=True)
def set_of_an_argument(x: Tensor, y: Tensor):
    x.set_(y)
    return x * 2


@case("(torch.arange(1.0, 5.0),)", refused=True)
def resized_argument_beyond_its_memory(x: Tensor):
    x.resize_(6)
    x[:] = 1.0
    return x


@case("(torch.arange(1.0, 5.0),)")
def resized_to_its_own_sizes(x: Tensor):
    y = (x * 2).reshape(2, 2).t()
    y.resize_(2, 2)
    x.resize_as_(x + 1)
    return y, x, y.stride()


PARTS = ("(torch.arange(1.0, 10.0).reshape(3, 3),)", "(-torch.arange(1.0, 10.0).reshape(3, 3),)")


@case(*PARTS, ways=("exact", "package", "threads"))
def a_part_that_is_taken_by_two_numbers(y: Tensor):
    parts = y.chunk(2)
    t = parts[-1]
    u = parts[1]
    t.t_()
    return u, parts[1]


@case(*PARTS, ways=("exact", "package", "threads"))
def a_part_that_is_taken_again_and_written(y: Tensor):
    rows = y.unbind(0)
    t = rows[1]
    t.unsqueeze_(0)
    rows[1].mul_(2.0)
    a, b, c = y.split(1)
    b.squeeze_(0)
    return y, rows[1], rows[-2], b, rows[0]


@case(*PARTS, ways=("any",), refused=True)
def a_part_of_open_size_that_is_taken_again(y: Tensor):
    parts = y.chunk(2)
    t = parts[1]
    t.t_()
    u = y.unbind(0)[1]
    u.unsqueeze_(0)
    return parts[1], u


@case(*PARTS, ways=("any",), refused=True)
def a_row_of_open_many_that_is_taken_again(y: Tensor):
    rows = y.unbind(0)
    t = rows[1]
    t.unsqueeze_(0)
    return rows[1], rows[-2]


@case(*PARTS, ways=("exact", "any", "package"))
def elements_of_lists_and_dicts_that_the_program_makes(y: Tensor):
    z = y * 2
    d = {"a": y[0], "b": z}
    d["b"].t_()
    t = d["a"]
    t.unsqueeze_(0)
    rows = [y[1], z[2]]
    rows[-1].unsqueeze_(1)
    return z, d["a"], rows[1]
