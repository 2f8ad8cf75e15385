"""As differential_cases.py: programs in which a memory has several names, which branches and loops choose, and shows in parts. What
scripts/mutate could change of it without a test that noticed."""

from typing import List

import torch
from differential_case import case
from torch import Tensor

# By the signs and sizes of these every way of every branch is taken.
FOUR = ["(torch.arange(1.0, 7.0).reshape(2, 3),)", "(-torch.arange(1.0, 7.0).reshape(2, 3),)", "(torch.arange(-2.0, 4.0).reshape(2, 3),)",
        "(torch.arange(6.0, 0.0, -1.0).reshape(2, 3),)"]


@case(*FOUR, ways=("exact", "package"))
def a_branch_in_a_branch(x: Tensor):
    y = x * 2
    z = x + 1
    if bool(x.sum() > 0):
        if bool(x[0, 0] > 2):
            b = y
        else:
            b = z
    else:
        if bool(x[0, 1] > -3):
            b = z
        else:
            b = x * 3
    b.mul_(10.0)
    return y, z, b


@case(*FOUR)
def a_name_within_a_way_of_a_branch(x: Tensor):
    y = x * 2
    z = x + 1
    if bool(x.sum() > 0):
        b = z
        if bool(x[0, 0] > 2):
            b = y
        b.add_(1.0)
    else:
        b = y
    b.mul_(10.0)
    return y, z, b


@case(*FOUR)
def names_that_change_places(x: Tensor):
    a = x * 2
    b = x + 1
    n = int(x.abs().max())
    while n > 0:
        a, b = b, a
        a.add_(1.0)
        n -= 1
    return a, b


@case(*FOUR)
def an_element_at_a_place_that_data_tell(x: Tensor):
    items = [x * 2, x + 1, x * 5]
    place = int(x[0, 0]) % 3
    items[place].add_(1.0)
    items[place - 3].mul_(2.0)
    chosen = items[place]
    if bool(x.sum() > 0):
        chosen = items[1]
    chosen.sub_(7.0)
    return items


@case(*FOUR)
def a_name_of_a_name_or_another(x: Tensor):
    y = x * 2
    z = x + 1
    other = x * 5
    first = y
    if bool(x[0, 0] > 2):
        first = z
    second = first
    if bool(x.sum() > 0):
        second = other
    second.add_(100.0)
    return y, z, other, first, second


@case(*FOUR)
def a_row_of_what_a_way_made(x: Tensor):
    if bool(x.sum() > 0):
        y = x * 2
        row = y[0]
    else:
        y = x + 1
        row = y[1]
    row.zero_()
    y[:, 0].add_(1.0)
    return y, row


@case(*FOUR)
def the_same_rows_of_one_of_two(x: Tensor):
    y = x * 2
    z = x + 1
    if bool(x.sum() > 0):
        row = y[0]
        column = y[:, 1]
    else:
        row = z[0]
        column = z[:, 1]
    row.zero_()
    column.add_(1.0)
    return y, z, row, column


@case(*FOUR)
def an_argument_or_new_memory(x: Tensor):
    b = x
    if bool(x.sum() > 0):
        b = x * 2
    b[0].add_(1.0)
    return b, x


@case(*FOUR)
def names_in_tuples_and_lists(x: Tensor):
    y = x * 2
    z = x + 1
    pair = (y, z)
    items = [y, z]
    if bool(x.sum() > 0):
        pair = (z, y)
        items = [z, y]
    pair[0].add_(1.0)
    items[1].mul_(3.0)
    return y, z


@case(*FOUR, ways=("exact", "gradients"))
def elements_at_places_of_their_own(x: Tensor):
    y = x * 2
    y.diagonal().mul_(3.0)
    y[0].unfold(0, 2, 2).add_(1.0)
    y.t()[1:].copy_(x.t()[:2])
    y[:, ::2].sub_(x[:, :2])
    return y * x


@case(*FOUR, ways=("exact", "gradients"))
def strides_over_parts(x: Tensor):
    y = x * 2
    row = y[1]
    row.as_strided([2], [1], 3).mul_(3.0)
    row.as_strided([2], [1]).add_(1.0)
    y.as_strided([2, 2], [3, 1], 1).sub_(x[:, :2])
    return y * x, row


@case(*FOUR, ways=("exact", "gradients"))
def elements_without_a_history(x: Tensor):
    y = x * 2
    y.detach()[0].mul_(3.0)
    z = y.detach()
    y.diagonal().add_(x[0, :2])
    z[1].zero_()
    return y * x, z


@case(*FOUR)
def lists_that_grow_in_ways(x: Tensor):
    items: List[Tensor] = []
    for i in range(3):
        y = x + i
        items.append(y)
        if bool(x[0, 0] > i):
            y.mul_(2.0)
    items[0].add_(1.0)
    return torch.stack(items), items[2]


@case(*FOUR, ways=("exact", "package"))
def a_loop_that_chooses_a_name_or_keeps_it(x: Tensor):
    y = x * 2
    z = x + 1
    b = x * 5
    for i in range(int(x.abs().max())):
        if bool(x[0, 0] > i):
            b = y
        elif bool(x[1, 0] < i):
            b = z
    b.add_(1.0)
    return y, z, b


@case(*FOUR, ways=("exact", "package"))
def a_loop_in_a_loop_and_a_name_of_before(x: Tensor):
    y = x * 2
    b = x + 1
    first = b
    for i in range(int(x.abs().max())):
        for k in range(int(x[1, 2].abs())):
            b.add_(1.0)
            b = y
        if bool(y.sum() > 40):
            b = first
    b.zero_()
    return y, first, b


@case("(torch.ones(2, 3, 2), torch.ones(2, 3, 2).to(torch.uint8))", "(torch.ones(2, 3, 2) - 3, torch.zeros(2, 3, 2).to(torch.uint8))",
      "(torch.arange(12.0).reshape(2, 3, 2), torch.zeros(2, 3, 2).to(torch.uint8))", ways=("exact", "package"))
def what_a_loop_writes_or_a_tensor_that_comes_again(y: Tensor, z: Tensor):
    t = z
    for i in range(3):
        if bool(t.sum() > 0):
            for v in t:
                v.neg_()
        else:
            t = y.clamp(max=1.0)
    return t, z


@case("(torch.tensor([[0.5, -1.0, 2.0]]), 3)", "(torch.tensor([[0.5, -1.0, 2.0]]), 0)", ways=("exact", "any", "package", "threads"))
def a_part_that_a_loop_writes_and_one_that_it_replaces(x: Tensor, n: int):
    a, b = torch.stack([x, x]).chunk(2)
    for i in range(n):
        a *= 0.1
        b = a + b
    return a, b


@case("(torch.tensor([[0.5, -1.0], [1.0, 3.0]]), 3)", "(torch.tensor([[-0.5, -1.0], [1.0, 3.0]]), 4)", ways=("exact", "any", "package"))
def a_carried_tensor_or_a_part_of_another_one(x: Tensor, n: int):
    p = x * 2
    q = x * 3
    t = x[0] * 1
    for i in range(n):
        if bool(p.sum() > 0):
            u = p[0]
        else:
            u = t
        t = u + 1
        p[1] += u
        q = q + t
    return p, q, t


@case("(torch.tensor([[0.5, -1.0], [1.0, 3.0]]), 3)", "(torch.tensor([[-0.5, -1.0], [1.0, 3.0]]), 4)", ways=("exact", "any", "package"))
def parts_of_one_that_a_loop_replaces_in_a_branch(x: Tensor, n: int):
    a, b, c = torch.stack([x, x, x]).unbind(0)
    for i in range(n):
        a *= 0.5
        b = a + c
        if bool(b.sum() > 0):
            c = b - a
    return a, b, c


# Names of names of names: the work grew with the ways that lead from one to another (minutes).
@case("(torch.tensor([[-0.25, -0.75, -3.0], [-1.82, 2.25, 2.5], [1.5, 1.84, 1.0]]),)", "(torch.tensor([[1.68, -0.5, -0.54], [-0.4, -0.68, 1.5], [1.25, 0.12, 0.92]]),)")
def many_names_that_may_be_each_other(x: Tensor):
    p = x * 1
    q = p.t()
    r = p[0]
    if bool(p.sum() > 0):
        r = (q[1] - x.diagonal()) * 0.5
    p.mul_(0.5)
    q[:, -2] *= 1.5
    for i in range(4):
        q = p.view_as(p) if bool(r.sum() > -2) else q.view_as(q)
        q, p = p, q
        if bool(p.sum() > 2):
            q = x.view_as(x) if bool(q.sum() > 2) else x.t()
            if float(x.sum()) > 0.5:
                q.mul_(0.5)
                x += -0.5
                p, q = q, p
            else:
                q = p.t()
                p = p[:]
            if bool(p.sum() > 2):
                r = (p[0] - x[1]) * 0.5
            else:
                q = p.t()
                p = torch.where(q.t() > 0.5, q[:], p.view_as(p) * 0.5)
        else:
            if bool(r.sum() > 1):
                x = p[:]
                r = r * 0.5
                r = q[i % 3]
        p = q.view_as(q)
    return x


# Elements of a memory that has no other name, shown more than once: a write to one of them is a write to all that show it.
@case("(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),)", "(torch.tensor([[-1.0, -2.0, -3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]),)")
def rows_that_are_one_in_a_branch(x: Tensor):
    if bool(x.sum() > 0):
        t = (x[0] * 1).expand(3, 3)
    else:
        t = x * 2
    t[0] += 1
    return t


@case("(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),)")
def rows_that_are_one_on_the_next_trip(x: Tensor):
    t = x * 2
    for i in range(3):
        t[0] += 1
        t = (t[0] * 1).expand(3, 3)
    t[1] -= 1
    return t


@case("(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),)", "(torch.tensor([[-1.0, -2.0, -3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]),)")
def rows_that_are_one_before_a_loop(x: Tensor):
    t = (x[0] * 1).expand(3, 3)
    u = (x[1] * 1).expand(3, 3)
    if bool(x.sum() > 0):
        t = u
    for i in range(3):
        t[i] += 1
        if bool(t.sum() > 20):
            t = x * 0.5
    return t


@case("(torch.tensor([[1.0, 2.0], [4.0, 5.0]]),)", "(torch.tensor([[-1.0, 2.0], [-4.0, 5.0]]),)")
def a_diagonal_of_a_loops_variable(x: Tensor):
    r = x[1]
    for i in range(3):
        x.diagonal().add_(1)
        x = x if bool(x.sum() > 8) else x.t() * 1
    return r, x


# Two variables of a loop, one memory.
@case("(torch.tensor([[1.0, 2.0], [4.0, 5.0]]), 3)", "(torch.tensor([[-1.0, 2.0], [-4.0, 5.0]]), 4)", ways=("exact", "any", "package"))
def variables_that_a_trip_makes_one(x: Tensor, n: int):
    p = x * 1
    q = x * 2
    r = x * 3
    for i in range(n):
        q[0] += 1
        r *= 0.5
        t = p * 0.5 + r
        if bool(t.sum() > 0):
            p = t
            q = t
        else:
            r = p
            q = p
        p[1] += q[0]
    q.mul_(2.0)
    return p, q, r


@case("(torch.tensor([[1.0, 2.0], [4.0, 5.0]]), 3)", "(torch.tensor([[-1.0, 2.0], [-4.0, 5.0]]), 4)", ways=("exact", "any", "package"))
def variables_that_an_inner_loop_exchanges(x: Tensor, n: int):
    p = x * 1
    q = x * 2
    i = 0
    while bool(p.sum() < 50) and i < n:
        p += 1
        for j in range(3):
            p, q = q, p
        i += 1
    return p, q


# The gradients of the row are summed while the gradient of the matrix is a variable of the backward loop (a crash).
@case("(torch.tensor([[1.0, 2.0], [4.0, 5.0]]),)", ways=("gradients",))
def a_row_that_each_trip_adds(x: Tensor):
    p = x * 1
    q = p
    p -= p[:]
    t = torch.tanh(x.diagonal())
    for i in range(3):
        q = q if bool(x.sum() > 1) else p
        q = x + t
        x = p.view_as(p)
    return t, x, q


# A variable that is a part of what another one is, from the next trip on.
@case("(torch.tensor([[1.0, 2.0], [4.0, 5.0]]), 3)", "(torch.tensor([[-1.0, 2.0], [-4.0, 5.0]]), 4)", ways=("exact", "any", "package"))
def a_variable_that_is_a_row_of_another_one(x: Tensor, n: int):
    p = x * 1
    q = x * 3
    r = x[0] * 2
    for i in range(n):
        r += 1
        if bool(q.sum() > p.sum()):
            p = p * 0.5 + q
            r = p[0]
        else:
            r = q[1]
            q = p
        q[:, 1] -= 1
        p += 2
    r -= 7
    return p, r, q


@case("(torch.tensor([[1.0, 2.0], [4.0, 5.0]]), 3)", "(torch.tensor([[-1.0, 2.0], [-4.0, 5.0]]), 4)", ways=("exact", "any", "package"))
def variables_that_are_one_row_and_change_places(x: Tensor, n: int):
    p = x * 1
    r = x[0] * 2
    s = x[1] * 1
    for i in range(n):
        p = p * 0.5
        r = p[0]
        s = p[0]
        for j in range(2):
            r, s = s, r
            r += j
        if bool(r.sum() > 0):
            s = p[1]
        s += 1
    r *= 2
    s *= 3
    return p, r, s


# For the sizes of the call an arm that is not run writes three elements to a row of four (an internal error).
@case("(torch.arange(1.0, 13.0).reshape(3, 4),)", "(-torch.arange(1.0, 13.0).reshape(3, 4),)")
def a_row_that_has_other_sizes_where_it_is_written(x: Tensor):
    p = x * 1
    if bool(x.sum() > 1):
        p = p.t() if bool(x[0].sum() > -1) else p[:]
        p[2] *= x.view(-1)[:3]
    return p


@case("(torch.arange(0.0, 9.0).reshape(3, 3),)", ways=("exact", "any", "gradients"))
def writes_through_parts_counted_from_the_back(x: Tensor):
    y = x * 1
    y.narrow(0, -1, 1).mul_(2.0)
    y.narrow(1, -2, 2).add_(1.0)
    return y


# Where x is 3 by 3 the trips are written out, and the last column of one that is never run is not there.
@case("(torch.tensor([[-2.75, 0.57, 1.2], [1.33, -1.25, -0.12], [-0.5, -1.95, -0.3]]),)", "(torch.arange(1.0, 7.0).reshape(2, 3),)",
      "(torch.arange(-15.0, 15.0).reshape(6, 5),)")
def arms_that_count_on_other_sizes(x: Tensor):
    p = x * 1
    q = p.t()
    r = q[:, 1]
    for i in range(2):
        if bool(p.sum() > 2):
            q -= -0.5
        else:
            for j in range(4):
                p = x if bool(r.sum() > 1) else q
                q = q.view_as(q)
                p, q = q, p
                p = x
        if bool(x.sum() > -1):
            q, x = x, q
            x.mul_(0.5)
            q.diagonal().add_(1.5)
    return x, p, q, r


@case("(torch.tensor([[2.5, -0.5, -0.5], [-1.0, 1.0, -2.0], [1.0, -1.0, -1.5]]), 3)", "(-torch.ones(3, 3), 2)")
def a_name_that_only_other_calls_expand(x: Tensor, n: int):
    p = x * 1
    q = p
    for i in range(n):
        x += -1
        if bool(q.sum() > 1):
            x = x.t() if bool(x.sum() > 0) else p.view_as(p)
        if bool(q.sum() > 30):
            q = (x[-1] * 1).expand(3, 3)
        q -= p * 0.5
    return x, p, q


# Each trip may transpose names once more: a matrix that is transposed twice is that matrix. This took minutes to compile.
@case("(torch.tensor([[-0.47, -2.5, 0.28], [1.69, -3.0, -1.5], [0.19, 0.8, 0.85]]),)", "(torch.tensor([[1.0, -0.75, -2.25], [3.0, 3.0, 1.25], [-1.5, -1.75, 0.0]]),)",
      ways=("exact", "any"))
def names_transposed_again_and_again(x: Tensor):
    p = x * 1
    q = x * 0.5
    t = x[2] * 0.5
    if bool(x.sum() > -100):
        for i in range(3):
            t -= p[-2]
            for j in range(4):
                x = p[:] if bool(t.sum() > 3) else x
                q = p.t() if bool(x.sum() > 3) else p[:]
                p = x.t() if bool(q.sum() > 2) else q.view_as(q)
        q[:, -1] -= t
    return x, p, q, t


@case("(torch.arange(1.0, 10.0).reshape(3, 3), False)", "(torch.full((1, 1), 2.0), True)", "(-torch.ones(3, 3), True)", ways=("exact", "any"))
def a_branch_in_a_branch_beside_others(x: Tensor, flag: bool):
    p = x * 1
    q = p
    r = x
    if bool(r.sum() > 0):
        if flag:
            q = p.view_as(p) if bool(q > 1) else q
    else:
        x, p = p, x
    return p, q


@case("(torch.arange(1.0, 10.0).reshape(3, 3),)", "(-torch.ones(3, 3),)", ways=("exact", "any"))
def a_loop_writes_what_another_result_may_be(x: Tensor):
    p = x * 1
    q = x * 3
    k = 0
    while bool(q.sum() > k - 1) and k < 2:
        k += 1
        q = p * 2
        p = q
    r = q[-1]
    for i in range(3):
        r += 1.0
        r = r * 1
    return p, r


@case("(torch.arange(1.0, 10.0).reshape(3, 3),)", "(-torch.ones(3, 3),)", ways=("exact", "package"))
def a_loop_writes_all_of_what_another_result_may_be(x: Tensor):
    p = x * 1
    q = x * 3
    k = 0
    while bool(q.sum() > k - 1) and k < 2:
        k += 1
        q = p * 2
        p = q
    j = 0
    while bool(q.sum() > j) and j < 2:
        j += 1
        q += 1.0
        q = q * 1
        if j == 1:
            p = p.t()
    return p, j


@case("(torch.arange(1.0, 10.0).reshape(3, 3), 1.0)", "(torch.arange(1.0, 10.0).reshape(3, 3), -1.0)", ways=("exact", "any", "gradients", "package"))
def each_a_part_of_the_other_in_one_way_of_a_branch(x: Tensor, least: float):
    if bool(x.sum() * least > 0):
        p = x * 2
        q = p.t()
    else:
        q = x * 3
        p = q.t()
    q += 1.0
    p[0] *= 2.0
    return p, q


@case("(torch.arange(1.0, 10.0).reshape(3, 3), 1.5)", "(torch.arange(1.0, 10.0).reshape(3, 3), -1.0)", ways=("exact", "any", "gradients"))
def each_a_row_of_the_other_in_one_way_of_a_branch(x: Tensor, least: float):
    p, q = x * 1, x * 0.5
    for i in range(3):
        q += 1.0
        p[0] *= 2.0
        if bool(x.sum() * least > 60 * i):
            p = x * 2
            q = p.view_as(p)
        else:
            q = p * 3
            p = q.t()
        q[1] -= 1.0
    return p, q
