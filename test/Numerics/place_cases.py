"""As differential_cases.py: names of which no condition tells what they show, so that they carry the places of their elements."""

import torch
from differential_case import case
from torch import Tensor

# By the signs and sizes of these every way of every branch is taken, and loops have no trip, one and several.
CALLS = [f"({x}, {n})" for n in (0, 1, 2, 5) for x in ("torch.arange(1.0, 10.0).reshape(3, 3)", "-torch.arange(1.0, 10.0).reshape(3, 3)",
                                                       "torch.arange(-4.0, 5.0).reshape(3, 3)")]


@case(*CALLS, ways=("exact", "gradients", "package"))
def a_variable_that_turns(x: Tensor, n: int):
    y = x * 2
    t = y
    for i in range(n):
        t[0] += 1.0
        t = t.t()
    return y, t


@case(*CALLS)
def another_row_in_each_trip(x: Tensor, n: int):
    y = x * 2
    r = x[0] + 1
    for i in range(n):
        r.add_(1.0)
        r = y[i % 3]
    r.mul_(3.0)
    return y, r


@case(*CALLS)
def a_row_that_a_way_of_a_branch_counts_to(x: Tensor, n: int):
    y = x * 2
    if bool(x.sum() > 0):
        k = 0
        for i in range(n):
            k = (k + i) % 3
        b = y[k]
    else:
        b = x[0] * 1
    b.mul_(10.0)
    return y, b


@case(*CALLS, ways=("exact", "gradients", "package"))
def variables_each_a_view_of_the_other(x: Tensor, n: int):
    a = x * 2
    b = x + 1
    for i in range(n):
        if bool(a.sum() > 3.0):
            b = a.t()
        else:
            a = b.t()
        b[0].mul_(2.0)
        a[1].sub_(1.0)
    return a, b


@case(*CALLS)
def new_memory_that_variables_hand_round(x: Tensor, n: int):
    a = x * 2
    b = a
    c = a
    for i in range(n):
        d = torch.tanh(a + b)
        c = b
        b = d.t()
        if bool(a.sum() > 0):
            a = d
        else:
            a = c.t()
        b[1].add_(1.0)
        c[0].mul_(-1.0)
    return a, b, c


@case(*CALLS, ways=("exact", "package"))
def an_argument_that_turns(x: Tensor, n: int):
    t = x
    for i in range(n):
        t[0].add_(1.0)
        t = t.t()
    return t


@case(*CALLS)
def loops_in_loops_that_turn(x: Tensor, n: int):
    a = x * 2
    b = x * 3
    for i in range(n):
        c = a + 1
        for j in range(n):
            c[j % 3].mul_(2.0)
            if bool(c.sum() > 1.0):
                b = c
            c = c.t()
            d = c.sin()
            if bool(d.sum() > 0):
                c = d.t()
        a = c.t()
        b[:, 0].add_(0.5)
    return a, b


@case(*CALLS)
def a_while_loop_that_turns(x: Tensor, n: int):
    a = x * 2
    b = a
    while n > 0 and bool(a.sum() < 100.0):
        n -= 1
        a = a.t()
        a[0].add_(1.0)
        if n % 2 == 0:
            b = a[n % 3].expand(3, 3)
        a[n % 3].mul_(1.5)
    return a, b


@case(*CALLS)
def parts_of_what_a_way_of_a_branch_made(x: Tensor, n: int):
    if bool(x.sum() > 0):
        d = x * 2
        p, q = d[0], d[:, 1]
    else:
        p, q = x[0] * 1, x[1] * 2
    p.add_(1.0)
    q.mul_(2.0)
    return p, q


@case(*CALLS)
def a_list_of_what_turns(x: Tensor, n: int):
    a = x * 2
    t = a
    for i in range(n):
        l = [t, a]
        t[1].add_(1.0)
        s = torch.stack(l).sum()
        t = t.t()
        t[0].mul_(0.5).add_(s)
    return torch.cat([t, a])


@case(*CALLS)
def halves_that_change_places(x: Tensor, n: int):
    a = x * 2
    lo = a[:2]
    hi = a[1:]
    for i in range(n):
        lo.add_(1.0)
        hi.mul_(2.0)
        lo, hi = hi, lo
        if i % 2 == 1:
            lo = hi.flip(0)
            hi = lo
    return a, lo, hi


@case(*CALLS)
def rows_that_become_one_in_a_loop(x: Tensor, n: int):
    t = x * 2
    for i in range(n):
        t[0] += 1
        t = (t[0] * 1).expand(3, 3)
    t[1] -= 1
    return t


@case(*CALLS)
def rows_that_are_one_and_others_in_a_loop(x: Tensor, n: int):
    t = (x[0] * 1).expand(3, 3)
    u = (x[1] * 1).expand(3, 3)
    if bool(x.sum() > 0):
        t = u
    for i in range(n):
        t[i % 3] += 1
        if bool(t.sum() > 20):
            t = x * 0.5
    return t


@case(*CALLS)
def diagonals_and_windows_of_what_turns(x: Tensor, n: int):
    y = x.clone()
    t = y
    for i in range(n):
        t.diagonal().add_(1.0)
        t = t.t()
        t.unfold(0, 2, 2)[0].mul_(2.0)
    return y, t


@case(*CALLS)
def what_turns_and_is_flat_a_copy_or_not(x: Tensor, n: int):
    y = x.clone()
    t = y
    for i in range(n):
        t = t.t()
        t.flatten().add_(1.0)
    return y, t


@case(*CALLS)
def rows_of_two_of_which_some_may_be_one(x: Tensor, n: int):
    y = x * 2
    t = y
    for i in range(n):
        if bool(x[0, 0] > 0):
            t = y[i % 3].unsqueeze(0).expand(3, 3)
        else:
            t = t.t()
        t[1].mul_(2.0)
    return y, t


@case(*CALLS, ways=("exact", "gradients"))
def what_a_list_gives_at_an_open_place(x: Tensor, n: int):
    y = x * 2
    t = y
    i = 0
    while bool(y.sum() > -100) and i < n:
        i += 1
        t = [t.t(), y * 3, t][i % 3]
        t[0].mul_(0.5)
    return y, t


@case(*CALLS, ways=("exact", "gradients"))
def what_a_list_gives_at_an_open_place_without_a_write(x: Tensor, n: int):
    y = x * 2
    i = 0
    while bool(y.sum() < 100) and i < n:
        i += 1
        y = [y.t(), x * 3][i % 2] * 2
    return y


@case("(torch.arange(12.0).reshape(3, 4),)", "(torch.arange(14.0).reshape(7, 2),)", "(torch.arange(18.0).reshape(2, 9),)", ways=("exact", "any", "package"))
def diagonals_that_are_written(x: Tensor):
    y = x * 2
    y.diagonal(1).add_(1.0)
    y.t().diagonal(2).mul_(3.0)
    return y, x.diagonal(-1), y.t().diagonal()


@case("(torch.arange(-4.0, 5.0).reshape(3, 3),)", "(torch.arange(9.0).reshape(3, 3),)")
def diagonals_of_sizes_that_data_tell(x: Tensor):
    y = x[x > 0]
    z = torch.stack([y, y * 2])
    z.diagonal().mul_(2.0)
    z.t().diagonal(-1).fill_(0.5)
    return y, z


@case("(torch.arange(12.0),)", "(torch.arange(7.0),)", "(torch.arange(4.0),)", ways=("exact", "any", "package"))
def windows_that_are_written(x: Tensor):
    y = x * 2
    y.unfold(0, 2, 3).add_(1.0)
    return y, x.unfold(0, 3, 1), x.unfold(0, 2, 2)


@case("(torch.arange(-4.0, 5.0),)", "(torch.arange(9.0),)")
def windows_of_sizes_that_data_tell(x: Tensor):
    y = x[x > 0]
    y.unfold(0, 3, 3).mul_(2.0)
    y.expand_as(y).add_(1.0)
    return y


@case("(torch.arange(1.0, 26.0).reshape(5, 5) * 0.1,)", "(torch.arange(1.0, 10.0).reshape(3, 3) * 0.1,)",
      "(torch.arange(26.0, 1.0, -1.0).reshape(5, 5) * 0.1,)", ways=("exact", "any", "gradients"))
def parts_of_sizes_that_data_choose_of_what_a_loop_swaps(x: Tensor):
    p = x * 1
    q = p.t()
    r = q[:, 1]
    i = 0
    while bool(x.sum() > -2) and i < 4:
        i += 1
        p, q = q, p
        p = p.t() if bool(q[0].sum() > 1) else p
        p -= 0.5
        x = x - 3
        if bool(q.sum() > 0):
            r = q.view(-1)[2:][:3]
        else:
            r = q.diagonal()
        q[0] -= r.sum()
    return p, q, r


@case("(torch.arange(1.0, 10.0).reshape(3, 3) * 0.1,)", "(torch.arange(1.0, 7.0).reshape(2, 3) * 0.1,)",
      "(torch.arange(20.0, 0.0, -1.0).reshape(5, 4) * 0.1,)", ways=("exact", "any"))
def memories_of_sizes_that_data_choose_in_a_loop(x: Tensor):
    p = x * 1
    q = x * 0.5
    i = 0
    while bool(p.sum() > -20) and i < 4:
        i += 1
        x = x.t() if bool(x.sum() > 3) else q
        q, p = p, q
        x, p = p, x
        x += 1
        q = q * 0.5 if bool(q.sum() > 1) else p.t()
        p -= 2
    return p, q, x


@case("(torch.arange(1.0, 4.0), torch.ones(3, dtype=torch.float16))", "(-torch.arange(1.0, 4.0), torch.ones(3, dtype=torch.float16))", ways=("exact", "package"))
def names_under_the_element_type_of_another(x: Tensor, w: Tensor):
    t = x
    if bool(t.sum() > 0):
        w = w * 2
    else:
        w = torch.arange(2)
    y = x[[1, 2]]
    z = t.to(y).type_as(y).to(y.dtype)
    z[..., -1] = 2.0
    return w, z, x


@case("(torch.arange(1.0, 9.0).reshape(2, 4),)", "(-torch.arange(1.0, 9.0).reshape(2, 4),)", ways=("exact", "any", "package", "gradients"))
def a_number_that_is_copied_to_places_that_overlap(x: Tensor):
    y = torch.stack([x, x], 1)
    y.as_strided([2, 3], [4, 2])[:] = x[-1, 0] * 2
    y.unfold(2, 2, 1)[1] = x[0, 1]
    return y


@case("(torch.arange(1.0, 13.0).reshape(3, 4),)", "(-torch.arange(1.0, 16.0).reshape(5, 3),)", ways=("exact", "any", "package", "gradients"))
def a_diagonal_of_what_shows_elements_twice(x: Tensor):
    y = x * 2
    y[0].expand(2, -1).fill_diagonal_(1.0)
    y.view(-1).as_strided([2, 3], [1, 1], 3).fill_diagonal_(-1)
    y.t().fill_diagonal_(0.5)
    return y


@case("(torch.arange(1.0, 6.0),)", "(-torch.arange(1.0, 6.0),)", ways=("exact", "any", "package", "gradients"), refused=True)
def elements_put_into_windows_that_overlap(x: Tensor):
    t = x.unfold(0, 3, 2)
    return t.select_scatter(t[1] * 2, 0, 0), t.slice_scatter(t[:1] * 3, 0, 1, 2), t.diagonal_scatter(t[0, :2] - 1)


@case("(torch.arange(1.0, 7.0),)", "(-torch.arange(1.0, 7.0),)", ways=("exact", "any", "package", "gradients"))
def elements_put_into_windows_that_do_not(x: Tensor):
    t = x.unfold(0, 3, 3)
    return t.select_scatter(t[1] * 2, 0, 0), t.slice_scatter(t[:1] * 3, 0, 1, 2), x[:3].expand(2, 3).diagonal_scatter(t[0, :2] - 1)
