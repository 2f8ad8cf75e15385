"""As differential_cases.py: tensors that take other sizes in place, and out= tensors of other sizes than the result, where branches and loops choose."""

import torch
from differential_case import case
from name_cases import FOUR
from torch import Tensor


@case(*FOUR, refused=True)
def sizes_that_a_branch_changes(x: Tensor):
    y = x * 2
    if bool(x.sum() > 0):
        y.t_()
    y.unsqueeze_(0)
    z = y * 3
    z.squeeze_()
    z.transpose_(0, 1)
    return y, z, z.size(0)


@case(*FOUR, refused=True)
def sizes_that_change_in_trips(x: Tensor):
    y = x * 2
    for i in range(2):
        y.unsqueeze_(0)
        if bool(x[0, 0] > 2):
            y.squeeze_(0)
    return y, y.dim()


@case(*FOUR, ways=("exact", "package"))
def sizes_that_trips_change_as_often_as_data_tell(x: Tensor):
    y = x * 2
    k = 0
    while k < 2 and float(y.sum()) > 3:
        k += 1
        y.unsqueeze_(-1)
        y.sub_(1.0)
    z = x + 1
    for i in range(3):
        z.unsqueeze_(0)
        if bool(x[0, 0] > i):
            break
        z = z * 2
    return y, z, y.dim(), z.dim()


@case(*FOUR, ways=("exact", "package"))
def sizes_that_each_trip_changes_until_data_end_it(x: Tensor):
    y = x * 2
    held = [y]
    while float(y.sum()) > 3:
        y.unsqueeze_(0)
        y.sub_(2.0)
    return y, held[0].dim()


@case("(torch.arange(6.0).reshape(2, 3), torch.tensor(2))", "(torch.arange(6.0).reshape(2, 3), torch.tensor(0))", "(torch.arange(6.0).reshape(2, 3), torch.tensor(3))")
def sizes_that_as_many_trips_change_as_data_tell(x: Tensor, n: Tensor):
    y = x * 2
    for i in range(int(n)):
        y.t_()
        y[0].add_(i)
    return y, y.size(0)


@case(*FOUR, refused=True)
def results_that_take_another_size(x: Tensor):
    y = torch.empty(0)
    torch.mul(x, x, out=y)
    z = torch.empty(2, 3)
    torch.add(x, y, out=z)
    row = z[0]
    torch.mul(x[0], 2.0, out=row)
    return y, z


@case(*FOUR, ways=("exact", "package"))
def sizes_that_change_beside_what_a_loop_gives(x: Tensor):
    t = x * 2
    u = x + 1
    for i in range(int(x.abs().max())):
        if bool(x[0, 0] > i):
            u = u * 2
        t.add_(1.0)
    t.transpose_(0, 1)
    return u, t


@case("(torch.arange(1.0, 9.0).reshape(2, 4), torch.arange(3.0))", ways=("exact", "any", "package"))
def sizes_that_change_in_place_to_what_they_are(x: Tensor, y: Tensor):
    x.squeeze_()
    y.t_()
    y.transpose_(0, -1)
    z = y * 2
    while float(z.sum()) < 100:
        z.t_()
        z.squeeze_(0)
        z.mul_(2)
    return x.add_(1.0), y.mul_(2.0), z


@case("(torch.arange(1.0, 28.0).reshape(3, 3, 3), torch.tensor(0.5), torch.arange(4.0))", ways=("exact", "package"))
def out_into_a_view_that_takes_other_sizes(x: Tensor, y: Tensor, z: Tensor):
    torch.sin(y, out=x.T)
    torch.add(z, 1.0, out=x[1])
    part = x[2].t()
    torch.mul(z, 2.0, out=part)
    part.add_(1.0)
    torch.cos(z[:1], out=y.data)
    return x, y, part


@case("(torch.arange(1.0, 5.0).reshape(2, 2), torch.arange(3.0))")
def out_into_a_view_of_too_little_memory(x: Tensor, z: Tensor):
    torch.sin(z, out=x[1])
    return x


@case("(torch.arange(1.0, 7.0).reshape(3, 2), 0)", "(torch.arange(1.0, 7.0).reshape(2, 3).t(), 2)", ways=("exact", "any"))
def out_that_reaches_beyond_the_memory(y: Tensor, a: int):
    rows = y * 2.0
    row = rows[1] if a > 1 else y[2]
    torch.add(torch.arange(9.0), 2.0, out=y.reshape(-1))
    torch.mul(torch.ones([2, 4]), 3.0, out=rows[2:, 1])
    torch.exp(torch.ones([2, 2]), out=y.reshape(-1)[6:])
    torch.mul(torch.ones([7]), rows.sum(), out=rows.flatten()[a:])
    return y, rows, row


@case("(torch.arange(1.0, 7.0).reshape(3, 2),)", refused=True)
def out_that_reaches_beyond_the_memory_and_is_used(y: Tensor):
    held = [y[1]]
    torch.add(torch.arange(9.0), 2.0, out=held[0])
    y.add_(1.0)
    return y, held


@case("(torch.arange(12.0).reshape(3, 4), 2)", "(torch.arange(12.0).reshape(3, 4), 0)", "(torch.arange(6.0).reshape(2, 3), 5)", ways=("exact", "package"))
def sizes_that_change_after_a_loop(w: Tensor, n: int):
    t = w * 1
    u = t
    for i in range(n):
        t = w + i
    t.transpose_(0, -1)
    t.add_(1.0)
    return t, u


@case(*FOUR, ways=("exact", "package"))
def out_that_takes_other_sizes_where_data_choose(x: Tensor):
    y = x * 2
    named = y
    z = torch.zeros(2)
    if bool(x[0, 0] > 0):
        torch.mul(x[0], 3.0, out=y)
        z = y
    torch.add(z, 1.0, out=z)
    return y, named, z, z.size(0)


@case(*FOUR, ways=("exact", "any", "package"))
def out_that_takes_its_sizes_in_the_first_trip(x: Tensor):
    sums = torch.empty(0)
    for i in range(30):
        torch.add(x, i, out=sums)
    rows = torch.empty(0)
    k = 0
    while k < 3 and bool(x.sum() > k):
        k += 1
        torch.mul(x[0], k, out=rows)
    return sums, rows, rows.numel()


@case(*FOUR, ways=("exact", "package"))
def out_of_a_tensor_that_data_choose(x: Tensor):
    y = x * 2
    z = torch.zeros(2)
    w = y if bool(x.sum() > 0) else z
    torch.exp(torch.ones([2]), out=w)
    w += 1.0
    return y, z, w


@case("(torch.arange(1.0, 7.0).reshape(3, 2),)", ways=("exact", "package"))
def out_that_makes_its_memory_larger(x: Tensor):
    y = x * 2
    rows = [y[1], y]
    column = y[:, 1]
    torch.add(torch.arange(9.0), 2.0, out=rows[0])
    rows[0].mul_(2.0)
    column += 100.0
    y[2, 0] = -1.0
    torch.exp(torch.ones([3, 5]), out=y)
    column += 1.0
    return y, rows[0], column, rows


@case("(-torch.arange(1.0, 5.0),)", ways=("exact", "package"))
def out_that_no_call_gets_to(x: Tensor):
    if bool(x.sum() > 0):
        torch.exp(torch.ones([9]), out=x)
    return x + 1


# A part that is all of a tensor is another tensor: the one that it is of keeps its sizes.
@case("(torch.arange(4.0).reshape(4, 1),)", "(torch.arange(5.0).reshape(5, 1),)")
def out_resized_that_is_all_of_another(x: Tensor):
    x = x * 1
    torch.mul(torch.ones([1, 1]), torch.tensor(3.0), out=x.split(4, -2)[-1])
    y, = x[:4].split(4)
    torch.mul(torch.ones([1, 1]), torch.tensor(5.0), out=y)
    return x, y, x.t().t()


@case("(torch.arange(1.0, 9.0).reshape(2, 4),)", ways=("exact", "any", "package"))
def parts_of_a_split_before_a_transposition(x: Tensor):
    y = x.clone()
    rows = y.unbind(0)
    columns = y.split([1, 3], 1)
    y.t_()
    halves = y.chunk(2, 0)
    rows[1].mul_(2.0)
    columns[1].add_(1.0)
    halves[0].neg_()
    return y, rows[0], columns[0], len(halves)


@case("(torch.arange(1.0, 9.0).reshape(2, 4), 3)", ways=("exact", "any"))
def rows_of_a_tensor_that_a_loop_transposes(x: Tensor, n: int):
    y = x.clone()
    rows = y.unbind(0)
    for i in range(n):
        y.t_()
        rows[i % 2].mul_(2.0)
    return y, rows[0]


@case("(torch.arange(1.0, 9.0).reshape(2, 4),)", ways=("exact", "any"))
def rows_of_a_tensor_that_is_squeezed(x: Tensor):
    column = x[:, 3:]
    rows = column.unbind(0)
    column.squeeze_()
    rows[-1][0:] = -1.5
    return x


@case("(torch.arange(1.0, 9.0).reshape(2, 4),)", ways=("exact", "any"))
def rows_of_an_out_tensor_that_shrinks(x: Tensor):
    y = x.clone()
    rows = y.unbind(0)
    torch.add(x[:1], x[:1], out=y)
    rows[1].mul_(2.0)
    return y, rows[0], rows[1]


@case("(torch.arange(1.0, 1.0).reshape(2, 0), 3)", "(torch.arange(1.0, 3.0).reshape(2, 1), 3)", ways=("exact", "any"))
def out_of_an_argument_whose_views_are_used_before(x: Tensor, a: int):
    x.squeeze().add_(a)
    held = [x.squeeze(), x]
    torch.sin(torch.arange(3.0), out=x)
    return x + 1, len(held)


OF_POSITIVE = "(torch.arange(1.0, 13.0).reshape(4, 3) - {}, torch.arange(1.0, 25.0).reshape(2, 4, 3), torch.arange(1.0, 5.0).reshape(4, 1))"


@case(OF_POSITIVE.format(0), OF_POSITIVE.format(7), ways=("exact", "any"), refused=True)
def an_out_tensor_of_as_many_elements_as_data_tell(x: Tensor, z: Tensor, w: Tensor):
    z.as_strided([3, 2], [4, 1]).add_(-1.5)
    t = x[x > 0]
    torch.mul(torch.ones([5]), w.sum(), out=t)
    return t


@case(OF_POSITIVE.format(0), OF_POSITIVE.format(7), ways=("exact", "any"), refused=True)
def an_out_tensor_of_data_and_its_view(x: Tensor, z: Tensor, w: Tensor):
    t = x[x > 0]
    v = t.view(-1)
    torch.mul(x[x > 3], w.sum(), out=t)
    return t, v
