"""As name_cases.py: names that are parts of what one way of a branch or a trip makes, of sizes that the other way need not have. Each was refused or wrong."""

import torch
from differential_case import case
from torch import Tensor

PARTS = ("exact", "any", "gradients", "package", "threads")


@case("(torch.arange(9.0).reshape(3, 3) - 3,)", "(3 - torch.arange(9.0).reshape(3, 3),)", ways=PARTS)
def parts_of_what_a_branch_makes(x: Tensor):
    if bool(x.sum() > 0):
        n = x * 2
        a = n[1]
        b = n.diagonal()
    else:
        m = x + 1
        a = m[:, 0]
        b = m[0]
    a += 1
    b *= 2
    a *= 3
    return a, b


@case("(torch.arange(9.0).reshape(3, 3) - 3, 3)", "(3 - torch.arange(9.0).reshape(3, 3), 4)", ways=PARTS)
def parts_that_a_loop_hands_on(x: Tensor, n: int):
    y = x * 1
    a = y[0]
    b = y[1]
    for i in range(n):
        if bool(y.sum() > i):
            y = x * (i + 1)
            a = y[2]
            b = y.diagonal()
        else:
            b = y[i % 3]
        a += 1
        b *= 2
        y -= 0.5
    return a, b, y


@case("(torch.arange(9.0).reshape(3, 3) - 3,)", "(3 - torch.arange(9.0).reshape(3, 3),)", ways=PARTS)
def parts_of_parts_of_a_branch(x: Tensor):
    y = x * 1
    if bool(x.sum() > 0):
        n = x * 2
        if bool(x[0, 0] > -5):
            n = n.t()
        a = n[1]
        b = n.diagonal()
    else:
        a = y[:, 0]
        b = y[0]
    b -= 1
    a *= 2
    y += 1
    return a, b, y


@case("(torch.arange(24.0).reshape(4, 6),)", "(3 - torch.arange(24.0).reshape(4, 6),)", "(torch.arange(24.0).reshape(6, 4).t() - 20,)", ways=PARTS)
def windows_of_what_data_choose(x: Tensor):
    y = (x * 2).t()
    z = x.reshape(6, 4) * 1
    if bool(x.sum() > 0):
        y, z = z, y
    y.unfold(1, 2, 2).mul_(0.5)
    z.unfold(0, 2, 3)[:, 1].add_(1)
    y.expand(6, 4)[1] += 1
    return y, z


OTHER_SIZES = ("(torch.arange(12.0).reshape(3, 4) - 3, torch.arange(6.0).reshape(2, 3))",
               "(3 - torch.arange(12.0).reshape(3, 4), torch.arange(6.0).reshape(2, 3))",
               "(3 - torch.arange(12.0).reshape(3, 4), torch.arange(60.0).reshape(6, 10))")


@case(*OTHER_SIZES, ways=("exact", "any", "any-gradients"))
def part_of_what_one_arm_makes_and_the_other_makes_smaller(x: Tensor, y: Tensor):
    # what is added was computed in the part, which has another size where the name is not one
    if bool(x.sum() > 0):
        n = x * 2
        b = n[:, 1:][1]
    else:
        n = y * 2
        b = x[0] * 3
    b += 1
    n *= 2
    return n, b


@case(*OTHER_SIZES, ways=("exact", "any", "any-gradients"))
def part_that_the_other_arm_has_not(x: Tensor, y: Tensor):
    # a row that is there where the name is one alone
    if bool(x.sum() > 0):
        n = x * 2
        b = n[2][1:]
    else:
        n = y * 2
        b = x[0] * 3
    b += 1
    n *= 2
    return n, b


@case(*OTHER_SIZES, ways=("exact", "any", "any-gradients"))
def part_that_a_trip_has_not(x: Tensor, y: Tensor):
    b = x[0] * 3
    n = y * 1
    i = 0
    while bool(n.sum() < 1000) and i < 3:
        i += 1
        if bool(x.sum() > i):
            n = x * 2
            b = n[2][1:]
        b += 1
        n *= 2
    return n, b


@case("(torch.arange(12.0).reshape(3, 4) - 3, torch.arange(3.0))", "(3 - torch.arange(8.0).reshape(2, 4), torch.arange(3.0))", ways=("exact", "any", "any-gradients"))
def row_that_is_there_where_it_is_taken(x: Tensor, y: Tensor):
    z = x * 1
    if bool(x.sum() > 0):
        b = z[2][1:]
    else:
        b = y * 2
    b += 1
    z *= 2
    return z, b


@case("(torch.arange(3.0) - 3, torch.zeros(1))", "(3 - torch.arange(3.0), torch.ones(1))", ways=("exact", "any"))
def a_write_that_fits_where_it_is_reached(x: Tensor, y: Tensor):
    s = y * 2
    t = y * 1
    if bool(x.sum() > 0):
        s = x + 1
    if s.size(0) == 1:
        t.sub_(s)
    t[0] += s.sum()
    if bool(x.sum() > 0):
        t = x * 1
    t.sub_(s)
    return s, t


@case("(torch.arange(-3.0, 5.0).reshape(2, 4) * 0.5, False)", "(torch.arange(-3.0, 6.0).reshape(3, 3) * 0.5, True)", ways=("exact", "any", "gradients"))
def names_of_two_sizes_of_which_more_is_known_later(x: Tensor, flag: bool):
    x = x * 1
    p = x
    q = p
    for i1 in range(2):
        l3 = [q, p]
        l3[1] = x.t()
        p = l3[-1]
        q = x if flag else p
        if bool(p.sum() > 2):
            q[:, 2] += -1
        else:
            r = x
            if bool(r.sum() > 2):
                q, x = x, q
                p -= -0.5
    return p
