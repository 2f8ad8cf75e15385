"""As name_cases.py: loops whose variables are names of one memory, and keep, lose or exchange it from trip to trip. Each was wrong."""

from typing import List

import torch
from differential_case import case
from torch import Tensor

POSITIVE, NEGATIVE = "torch.tensor([[0.5, -1.0, 2.0], [1.0, 3.0, -2.0]])", "torch.tensor([[-0.5, -1.0, 0.25], [-1.0, 0.3, -2.0]])"
CALLS = [f"({POSITIVE}, 3)", f"({NEGATIVE}, 4)", f"({POSITIVE}, 0)"]


@case(*CALLS, ways=("exact", "any", "package"))
def a_view_that_a_branch_of_a_loop_replaces(x: Tensor, n: int):
    p = x * 2
    q = x * 3
    t = p[0]
    for i in range(n):
        p[0] += 1
        if bool(p.sum() > 4):
            t = q[1] + t
        q = p + t
    return p, q, t


@case(*CALLS, ways=("exact", "any", "package"))
def a_view_that_an_inner_loop_replaces(x: Tensor, n: int):
    p = x * 2
    t = p[0]
    s = x * 0
    for i in range(n):
        p[0] += 1
        s = s + t
        for j in range(n):
            if bool(p.sum() > 4 + j):
                t = s[1] + t
    return p, s, t


@case(*CALLS, ways=("exact", "any", "package"))
def views_that_change_places_in_a_loop(x: Tensor, n: int):
    p = x * 2
    t = p[0]
    u = p[1]
    for i in range(n):
        p += 1
        if bool(p.sum() > 2):
            t, u = u, t
        p = p + t
    return p, t, u


@case(*CALLS, ways=("exact", "any", "package"))
def one_of_two_variables_that_become_each_other(x: Tensor, n: int):
    p = x * 2
    t = p[0]
    u = x[1] * 3
    for i in range(n):
        t += 1
        if bool(p.sum() > 2):
            u = t
        elif bool(p.sum() > -2):
            t = u
    return p, t, u


@case(*CALLS, ways=("exact", "any", "package"))
def a_view_of_itself_in_each_trip(x: Tensor, n: int):
    p = x * 2
    t = p
    for i in range(n):
        t = t[:]
        p[0] += 1
        if bool(t.sum() > 8):
            t = t * 1
    return p, t


@case(*CALLS, ways=("exact", "any", "package"))
def a_view_chosen_at_the_end_of_a_trip(x: Tensor, n: int):
    p = x * 2
    t = p[0]
    s = x * 0
    for i in range(n):
        for j in range(2):
            p[0] += 1
            s = s + t
        v = t if bool(s.sum() > 10 * i) else p[1]
        t = v
    return p, s, t


@case(*CALLS, ways=("exact", "any", "package"))
def a_loop_begins_with_a_tensor_and_a_view_of_it(x: Tensor, n: int):
    p = x * 2
    t = p[0]
    for i in range(n):
        p[0] *= x[0]
        if bool(p.sum() > 4):
            t = x[1] * t
        p = p + t
    return p, t


@case(*CALLS, ways=("exact", "any", "package"))
def a_branch_gives_a_tensor_and_a_view_of_it(x: Tensor, n: int):
    y = x * 2
    if bool(x.sum() > 0):
        a = y
        b = y[0]
    else:
        a = x * 3
        b = x[0] * 1
    a.add_(1)
    return a, b


@case(*CALLS, ways=("exact", "any", "package"))
def a_loop_begins_with_a_tensor_that_a_trip_gives_again(x: Tensor, n: int):
    m = x * 2
    a = m
    b = x * 3
    for i in range(n):
        a[0] += 1
        b[1] -= 1
        if bool(b.sum() > 3):
            b = m
        elif i == 1:
            a = x * 1
    return a, b


@case(*CALLS, ways=("exact", "any", "package"))
def three_variables_of_one_memory(x: Tensor, n: int):
    a = x * 2
    b = a
    c = a[0]
    for i in range(n):
        a = a + 1
        b[0] += 2
        c += a[1]
        if i == 1:
            b = a
    return a, b, c


@case(*CALLS, ways=("exact", "any", "package"))
def an_inner_loop_gives_one_of_two_variables(x: Tensor, n: int):
    a = x * 2
    b = a.t()
    for i in range(n):
        for j in range(n):
            a[0] += 1
            if j == 1:
                a = a * 1
            b[1] -= 1
        if i == 1:
            b = b + 1
    return a, b


@case(*CALLS, ways=("exact", "any", "package"))
def an_inner_loop_gives_what_the_outer_one_began_with(x: Tensor, n: int):
    m = x * 2
    a = m
    b = x * 3
    for i in range(n):
        a[0] += 1
        for j in range(2):
            b[1] -= 1
            if bool(b.sum() > 3):
                b = m
        if i == 1:
            a = x * 1
    return a, b


@case(*CALLS, ways=("exact", "any", "package"))
def views_of_a_tensor_that_a_branch_replaces(x: Tensor, n: int):
    a = x * 2
    b = a[0]
    c = a[1]
    for i in range(n):
        b, c = c, b
        b += 1
        if bool(c.sum() > 2):
            a = a * 1.5
            c = a[0]
    return a, b, c


@case(*CALLS, ways=("exact", "any", "package"))
def a_tensor_in_a_list_that_later_trips_write(x: Tensor, n: int):
    h = x * 0
    hs: List[Tensor] = []
    for i in range(n):
        h += x
        hs.append(h)
        if i == 1:
            h = h * 1
    return torch.stack(hs) if n > 0 else h, h


@case(*CALLS, ways=("exact", "any", "package"))
def what_a_branch_hands_on_in_a_list_that_later_trips_write(x: Tensor, n: int):
    h = x * 0
    hs: List[Tensor] = []
    for i in range(n):
        t = h if i != 2 else x * 1
        t += x
        hs.append(t)
        h = t
    return torch.stack(hs) if n > 0 else h, h


@case(*CALLS, ways=("exact", "any", "package"))
def a_loop_begins_with_a_name_of_an_argument(x: Tensor, n: int):
    r = x
    p = x if bool(x.sum() > -1) else x.view_as(x)
    while bool(r.sum() < 8):
        p -= -0.5
        p = x
    return p


@case(*CALLS, ways=("exact", "any", "package"))
def a_part_of_a_variable_or_of_an_argument(x: Tensor, n: int):
    p = x * 2
    for i in range(n):
        if bool(p.sum() > 0):
            t = p[0]
        else:
            t = x[1]
        p[1] += t
    return p


@case("(torch.tensor([[0.5, -1.0], [1.0, 3.0]]), 3)", "(torch.tensor([[-0.5, -1.0], [1.0, 0.25]]), 3)", "(torch.tensor([[0.5, -1.0], [1.0, 3.0]]), 0)",
      ways=("exact", "any", "package"))
def an_inner_loop_begins_with_what_a_branch_chose(x: Tensor, n: int):
    q = x
    for i in range(n):
        q += x
        q = x if bool(x.sum() > 1) else x.view_as(x)
        k = 0
        while bool(x.sum() > 0) and k < 2:
            q = x
            k += 1
    return q


@case("(torch.tensor([[0.0, 0.1], [0.2, -19.0]]), 3)", "(torch.tensor([[30.0, 10.0], [200.0, 63.0]]), 3)", ways=("exact", "any", "package"))
def an_inner_loop_that_gives_what_a_branch_left(x: Tensor, n: int):
    p = x * 1
    q = p
    for i in range(n):
        q += 2
        if bool(x.sum() > 300):
            q = p if bool(x.sum() > 400) else p.view_as(p)
        while bool(q.sum() > 20000):
            q = x + 1
    return p, q


@case("(torch.arange(9.0).reshape(3, 3) - 4, True)", "(4 - torch.arange(9.0).reshape(3, 3), False)")
def a_loop_inside_that_only_hands_on(x: Tensor, flag: bool):
    p = x * 1
    q = p.t()
    i = 0
    while bool(p.sum() > -20) and i < 4:
        i += 1
        p = p.t()
        if bool((q > 0).any()):
            x = p.view_as(p)
            x -= 1
        else:
            p = q.view_as(q)
        for j in range(3):
            p = q[:]
            p, x = x, p
        q.diagonal().add_(-1)
        q = p.t()
    return x, p, q


@case("(torch.arange(3.0), 2)", ways=("exact", "any", "package"))
def written_in_a_loop_and_part_of_another_before(x: Tensor, n: int):
    t = torch.eye(3) + x
    u = torch.cat([t, t], 1)
    for i in range(n):
        t.unfold(-1, 3, 3).sub_(0.5)
    return t, u


@case("(torch.arange(9.0).reshape(3, 3), 2, True)", "(torch.arange(9.0).reshape(3, 3) - 9, 1, False)")
def trips_beside_a_number_of_the_call(x: Tensor, n: int, flag: bool):
    p = x * 1
    k = 0
    for i in range(3):
        if bool(p.sum() > 0):
            k = 3 + k
        p -= k
        p = p.t()
        p[0] += k
    p = p * (3 + k) if flag else p
    return x, p, k


# Ways of ways, each with all trips that follow: so many that it took minutes.
@case("(torch.arange(18.0).reshape(6, 3) * 0.25 - 2, 2)", "(torch.arange(9.0).reshape(3, 3) * 0.25 - 1, 1)")
def branches_in_trips_of_trips(x: Tensor, n: int):
    p = x * 1
    q = p
    r = torch.tanh(q[1])
    for i in range(3):
        k = 0
        while q.size(0) > 4 and k < 4:
            k += 1
            p = p.t() if bool(r.sum() > 1) else q[:]
            p += 0.5
            r -= q[1]
            p = q
            x = q.t() if bool(r.sum() > -1) else q.view_as(q)
        r = x[-3]
        p = p.t() if r.size(0) > 2 else x.view_as(x)
    return x, p, q, r


@case("(torch.tensor([1.2, 1.0, -0.06, -0.5, -0.68, 1.0, 1.89, -0.92, 0.41]).reshape(3, 3),)", ways=("exact", "any", "package"))
def a_part_of_what_a_branch_made_in_another_trip(x: Tensor):
    p = x
    q = p
    r = x[2]
    t = q.diagonal()
    for i in range(4):
        if bool(t.sum() > 1):
            r += -1
        else:
            p = q + t
            t = p.diagonal()
            r, t = t, r
    return p


@case("(torch.tensor([-0.52, -1.25, -3.0, 0.0, -1.92, -1.41, 1.87, -1.99, 1.58]).reshape(3, 3),)", ways=("exact", "package"))
def what_goes_into_memory_that_the_same_branch_gives(x: Tensor):
    p = x
    q = p
    r = x.diagonal() * 0.5
    i = 0
    while bool(q.sum() > -2) and i < 4:
        if bool(r.sum() > 3):
            r = r - r
            p.mul_(0.5)
        p = (r * 1).expand(3, 3)
    return x


@case("(torch.arange(1.0, 10.0).reshape(3, 3), 2, True)", "(-torch.ones(3, 3), 3, True)", "(torch.ones(3, 3), 2, False)", ways=("exact", "any", "gradients", "package"))
def a_branch_that_takes_the_same_memory_in_each_trip(x: Tensor, n: int, flag: bool):
    p = x * 1
    t = x * 0.5
    for i in range(n):
        p.add_(0.5)
        p = t if bool(x.sum() > 0) or flag else p
    return p


@case("(torch.arange(1.0, 10.0).reshape(3, 3), 1.0)", "(-torch.ones(3, 3), 0.0)", ways=("exact", "any", "gradients", "package"))
def a_branch_that_takes_a_row_in_each_trip(x: Tensor, least: float):
    p = x[0] * 1
    t = x * 0.5
    k = 0
    while k < 3:
        k += 1
        p.mul_(2.0)
        if bool(p.sum() > least):
            p = t[1]
        else:
            p = t[k - 1]
    return p, k


@case("(torch.arange(1.0, 10.0).reshape(3, 3),)", "(-torch.ones(3, 3),)", ways=("exact", "any", "package"))
def a_loop_that_takes_the_same_memory_in_each_trip(x: Tensor):
    p = x * 1
    t = x * 0.5
    for i in range(3):
        k = 0
        while bool(p.sum() > 4 * i) and k < 2:
            k += 1
            p.add_(0.5)
            p = t if k > 1 else p * 1
        p.sub_(0.25)
    return p


@case("(torch.arange(1.0, 19.0).reshape(3, 6),)", "(torch.arange(-19.0, -1.0).reshape(3, 6),)", ways=("exact", "any", "any-gradients", "package"))
def a_view_whose_places_one_way_knows(x: Tensor):
    q, t = x, x
    i = 0
    while bool(q.sum() > 2) and i < 4:
        i += 1
        if bool((x > 0).any()):
            x = [q, x][0]
        else:
            x = (t[:, -2] * 1).expand(3, 3)
            q *= 0.5
    return x
