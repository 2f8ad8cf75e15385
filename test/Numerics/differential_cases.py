"""Programs that scripts/differential has found, made small: what was once wrong or ended the process."""

from typing import List, Optional  # noqa: F401  annotations of the programs

import torch
from differential_case import case
from torch import Tensor


@case("(torch.arange(1.0, 21.0).reshape(4, 5).to(torch.bfloat16), 3)", ways=("exact", "any"))
def rows_written_in_a_loop(z: Tensor, a: int):
    for i in range(a):
        z[[3, 2]] += -1
    return z


@case("(torch.arange(1.0, 5.0), torch.tensor([-0.5, -0.75]))", "(-torch.arange(1.0, 5.0), torch.tensor([-0.5, -0.75]))", refused=True)
def a_loop_that_may_keep_its_start(x: Tensor, z: Tensor):
    for i in range(z.size(0)):
        if bool((x > 0).any()):
            break
        z = torch.zeros_like(x)
    z.fill_(2.0)
    return x


FOUR = "(torch.arange(1.0, 7.0).reshape(2, 3),)", "(-torch.arange(1.0, 7.0).reshape(2, 3),)"


@case(*FOUR, ways=("exact", "any", "package", "threads", "gradients"))
def ranks_that_data_choose(x: Tensor):
    y = x * 2
    if bool(x.sum() > 0):
        y = y[0]
    y.mul_(3.0)
    return y, y.dim(), x * y


@case(*FOUR, ways=("exact", "any", "package"))
def lists_and_none_that_data_choose(x: Tensor):
    items = [x]
    maybe: Optional[Tensor] = None
    for i in range(2):
        if bool(x.sum() > i):
            items.append(x + i)
            maybe = items[i].long()
    items[-1].add_(1.0)
    return items, maybe


@case(*FOUR)
def a_way_that_cannot_be_gone(x: Tensor):
    y = x
    if bool(x.sum() > 100.0):
        y = x[0, 0]
    y[:, 0].mul_(2.0)
    return x


@case(*FOUR)
def views_of_what_data_choose(x: Tensor):
    a = x * 2
    b = x.t().contiguous().t()
    c = a if bool(x.sum() > 0) else b
    c.view_as(c).t().flatten().mul_(5.0)
    return a, b


@case(*FOUR)
def sizes_of_what_data_choose(x: Tensor):
    a = x.clone()
    b = [a, x]
    c = a if bool(x.sum() > 0) else x * 2
    whole = a[:]
    c.unsqueeze_(0)
    c.add_(1.0)
    return a, b[0], c, whole


@case("(torch.zeros(5, dtype=torch.bfloat16), torch.tensor([0, 0]), torch.tensor(3))", ways=("exact", "package"))
def bfloat16_on_every_cpu(x: Tensor, i: Tensor, n: Tensor):
    x.index_add_(0, i, torch.ones([2], dtype=torch.bfloat16))
    x[1:3] = n
    return x


@case("(torch.arange(1.0, 5.0).reshape(4, 1), torch.tensor([9]))", ways=("exact", "any"))
def nothing_to_fill(x: Tensor, i: Tensor):
    x[:, 1:].index_fill_(0, i, 1.0)
    x[:, 1:].index_add_(0, i, torch.ones([1, 0]))
    return x


@case(*FOUR, "(torch.arange(1.0, 7.0).reshape(3, 2).t(),)")
def one_number_at_one_place(x: Tensor):
    y = x[:1, :1] * 2
    y.expand(3, 4).fill_(7.0)
    y.expand(2, 2).zero_()
    return y


@case("(torch.arange(4.0).reshape(2, 2), torch.ones(2, 2))")
def lists_made_after_a_write(x: Tensor, y: Tensor):
    x.mul_(2.0)
    pair = [y, x]
    pair[1][-1, 0] = 7
    before = torch.stack(pair)
    x.add_(before.sum())
    named = {"a": y, "b": x}
    named["b"].mul_(3)
    return before, torch.stack(pair), named["b"] + named["a"]


@case("(torch.arange(1.0, 5.0),)", "(-torch.arange(1.0, 5.0),)")
def written_while_its_result_is_looked_at(x: Tensor):
    t = x
    k = 0
    while k < 4 and bool((t > 0).any()):
        x -= 1.0
        t = torch.relu(x)
        k += 1
    t.mul_(2.0)
    return t, x


@case("(torch.arange(1.0, 5.0), torch.arange(2.0, 6.0))", "(-torch.arange(1.0, 5.0), torch.arange(2.0, 6.0))")
def names_that_change_places_as_often_as_data_say(x: Tensor, y: Tensor):
    a, b = x, y
    while float(a.sum()) < 30.0:
        a.add_(b.abs())
        a, b = b, a
        b.add_(1)
    a.mul_(2)
    return a, b, x, y


@case("(torch.arange(6.0).reshape(2, 3), torch.ones(2, 3))")
def given_out(x: Tensor, z: Tensor):
    y = torch.zeros([2, 3], dtype=torch.float64)
    torch.add(x, 2, out=y)
    torch.mul(x, z + 1, out=x)
    return x, y


@case("(torch.arange(24.0, dtype=torch.float64).reshape(2, 3, 1, 2, 1, 2, 1, 1),)")
def sums_of_many_dimensions(x: Tensor):
    return x.sum(), x.sum(0), x.amax([1, 3]), x.mean([0, 5], True)


@case("(torch.arange(1.0, 5.0).reshape(2, 2), torch.tensor([-0.5, 0.2]), torch.tensor(-2.0), 3)")
def a_loop_that_may_write_what_it_started_with(x: Tensor, z: Tensor, w: Tensor, n: int):
    t = torch.where(w > 0.1, w, w)
    for i in range(n):
        if bool((z > 0).any()):
            t.copy_(w)
    x[1].add_(t)
    return x, t


@case("(torch.arange(1.0, 13.0).reshape(4, 3), 3)", ways=("gradients",))
def written_where_gradients_do_not_look(x: Tensor, n: int):
    y = x * 1.0
    y.diagonal(-1).detach().mul_(2)
    for i in range(n):
        y.diagonal(1).data.mul_(i)
        y[1].detach().add_(1)
    return y


@case("(torch.tensor([-2.25, 0.25, 0.29, -3.0, 1.86, 1.4, 0.5, 2.5, -2.25]).reshape(3, 3),)")
def branches_that_give_other_parts(x: Tensor):
    y = x.expand(2, -1, -1)[..., None]
    x = y - 0.25
    mean = y.mean(3)
    items = [mean]
    if bool(y.sum() > 0):
        pass
    else:
        items.append(mean)
        mean.masked_fill_(mean > -1.5, 3)
    part = x[:, :, 2].view(-1)
    x.view(-1).mul_(-1)
    return items, part


@case("(torch.arange(1.0, 5.0), torch.arange(1.0, 4.0).reshape(1, 3))")
def a_loop_inside_or_new_memory_carried(x: Tensor, y: Tensor):
    for i in range(4):
        x.unfold(-1, 3, 3).mul_(y)
        if float(x.sum()) > 0.5:
            x.add_(torch.zeros([1]))
    return x


@case("(torch.arange(1.0, 7.0).reshape(2, 3), torch.tensor([-2.0, -0.88, -1.5]).reshape(3, 1))", ways=("exact", "any", "gradients", "any-gradients"),
      refused=True)
def a_while_loop_that_may_carry_one_tensor_twice(x: Tensor, y: Tensor):
    x = x * 1
    y = y.clone()
    k = 0
    while k < 3 and bool(y.sum() > 0):
        x += -1.5
        k += 1
        if bool((x > 0).any()):
            pass
        else:
            y = x
    return x


@case("(torch.arange(1.0, 4.0), torch.arange(2.0, 5.0))", ways=("exact", "gradients", "any-gradients"))
def a_loop_that_hands_on_what_is_outside(x: Tensor, y: Tensor):
    t = x.clamp(min=0.25)
    for i in range(y.size(0)):
        t.copy_(y)
    return t * x


@case("(torch.arange(1.0, 4.0), torch.arange(2.0, 5.0), True)", ways=("exact", "gradients", "any-gradients"))
def branches_in_branches_that_give_residuals(x: Tensor, y: Tensor, flag: bool):
    r = x * 2
    if bool(x.sum() > 0):
        if bool(y.sum() > 0):
            t = torch.tanh(x * y)
            if bool(t.sum() > 0):
                t = torch.sigmoid(t) * y
            r = torch.exp(t) * y
        else:
            r = torch.cos(x) * r
        r = r * torch.sin(r)
    return r


@case("(torch.arange(1.0, 9.0).reshape(4, 2), 0)", "(torch.arange(1.0, 25.0).reshape(4, 6), 0)", ways=("exact", "any", "package", "cuda"))
def results_without_elements(x: Tensor, a: int):
    y = x.unflatten(-2, [1, 4]).select(0, a)[:, 1:1:3]
    return y, y * 2, y.sum(), y.t(), x[a:a], x[:, 1:1].matmul(x[2:2]), x[x > 20][0:0]


@case("(torch.arange(1.0, 5.0).reshape(2, 2), torch.arange(1.0, 4.0))", "(torch.arange(-5.0, -1.0).reshape(2, 2), torch.arange(1.0, 3.0))")
def writes_that_do_not_fit_where_no_call_gets(x: Tensor, y: Tensor):
    t = x
    if bool((x > 0).any()):
        t = y
    else:
        t.index_put_([torch.tensor([0, 1])], x.sum(0))
    t[:] = y
    return t, x


@case("(torch.tensor([0.5, 2.0, 1.5], dtype=torch.bfloat16).reshape(3, 1), torch.tensor([1.0, -2.0, 0.25], dtype=torch.bfloat16).reshape(1, 3))")
def products_of_bfloat16(x: Tensor, y: Tensor):
    return x @ y, (y @ x) * 2


@case("(torch.arange(1.0, 9.0).reshape(4, 2), 0)", ways=("exact", "any", "gradients"))
def a_number_is_flipped(x: Tensor, a: int):
    t = x.sum() * 3
    return t.flip(0) + 1, t.flip(-1).sin()


@case(
    "(torch.arange(1.0, 17.0).reshape(4, 4), torch.arange(1.0, 5.0).reshape(1, 4))",
    ways=("exact", "any", "gradients", "any-gradients"),
)
def a_detached_name_has_a_history_of_its_own(x: Tensor, y: Tensor):
    z = x * 2
    once, part, data = z.detach(), (x * 3).detach(), (x * 4).data
    once *= y
    part[1].mul_(y[0])
    data[:2] += y
    return once, z, part, data


@case(
    "(torch.arange(1.0, 17.0).reshape(4, 4), torch.arange(1.0, 5.0).reshape(1, 4), 2)",
    ways=("exact", "gradients"),
)
def a_detached_name_in_a_loop(x: Tensor, y: Tensor, n: int):
    z = x * 2
    t = z.detach()
    for i in range(n):
        t[i] *= y[0]
        z[i + 1] += x[i]
    return t, z


POSITIVE_OR_NOT = (
    "(torch.arange(1.0, 17.0).reshape(4, 4), torch.arange(1.0, 5.0).reshape(1, 4))",
    "(-torch.arange(1.0, 17.0).reshape(4, 4), torch.arange(1.0, 5.0).reshape(1, 4))",
)


@case(*POSITIVE_OR_NOT, ways=("exact", "any", "gradients", "any-gradients"))
def a_name_of_what_another_name_may_be(x: Tensor, y: Tensor):
    z = x * 2
    first = x * 3
    if float(x.sum()) > 0.0:
        first = z
    second = first
    if float(x.sum()) > 1.0:
        second = z
    second.mul_(y)
    return first, second, z


@case(*POSITIVE_OR_NOT, ways=("exact", "any", "gradients", "any-gradients"))
def a_name_that_is_detached_or_not(x: Tensor, y: Tensor):
    z = x * 2
    cut = z.detach()
    either = cut
    if float(x.sum()) > 0.0:
        either = z
    either.mul_(y)
    return cut, either, z


@case("(torch.arange(1.0, 5.0), torch.tensor([0.0, 1.0, 2.0, 0.0]))", ways=("exact", "gradients"))
def a_write_that_autograd_does_not_know(x: Tensor, y: Tensor):
    t0, t1, t2, t3, t4 = x * 2, x * 3, x * 4, x * 5, x * 6
    t0.logical_not_()
    t1.logical_and_(y)
    t2[:2].logical_or_(y[:2])
    t3.logical_xor_(y)
    t4.eq_(y)
    return t0, t1, t2, t3, t4


@case("(torch.tensor(3.0), torch.tensor(3.0))", "(torch.tensor(-3.0), torch.tensor(3.0))", ways=("exact", "any", "gradients"))
def matrices_without_dimensions(x: Tensor, y: Tensor):
    z = x
    if float(x.sum()) > 0.5:
        z = y.argmax(0)
    return z.mT, x.mT, x.mH, x.H, x.adjoint()


@case("(torch.arange(1.0, 7.0).reshape(2, 3), torch.ones(2, 1), 3)", "(-torch.arange(1.0, 7.0).reshape(2, 3), torch.ones(2, 1), 0)", ways=("exact", "any", "trace", "export"))
def out_of_other_sizes(x: Tensor, y: Tensor, n: int):
    named = torch.empty(0, dtype=torch.float64)
    again = named
    both = [named, x]
    torch.mul(x.t(), 2, out=named)
    named.t().reshape(-1).add_(1)
    grown = torch.zeros(2)
    torch.cat([y, x], 1, out=grown)
    for i in range(n):
        torch.mul(grown, i, out=grown)
    return named, again, both, grown


@case("(torch.arange(1.0, 81.0).reshape(4, 5, 4), torch.arange(1.0, 5.0), torch.ones([2, 4, 5]), 1)", ways=("exact", "any", "package"))
def a_condition_whose_memory_is_used_again(x: Tensor, z: Tensor, w: Tensor, a: int):
    x = x.clone()
    if bool((w > 0).any()):
        x.copy_(z)
    t = z.max()
    part = x.select(2, 3).chunk(2, -1)[0].chunk(2, -2)[0]
    t.view(1).add_(3)
    part.mul_(part)
    u = torch.reciprocal(t)
    u.view(-1).sub_(3)
    if bool(t > 0):
        part.t()[..., -2].add_(-1)
        u.fill_(-1.5)
    return a > 0, x, part, w.dim(), u, a


@case("(torch.zeros([4, 0]), torch.zeros([1, 0]))", "(torch.zeros([3, 0]), torch.zeros([2, 1]))", ways=("exact", "any", "any-package"))
def what_has_no_elements_is_flattened(y: Tensor, z: Tensor):
    return z < y.flatten(0, 1), y.reshape(-1), y.view(0, y.size(0), 2).sum(0)


@case("(torch.arange(1.0, 37.0),)", ways=("exact", "any", "package"))
def one_element_of_many_dimensions_by_a_step(x: Tensor):
    y = x[:3][None].unfold(0, 1, 3).unfold(0, 1, 3)
    t = y.argmax(1)
    y[0:2, :1, ::2, 0] += t
    return t, x[1:2, None, None][::3, :, ::5, None][:, 0]


@case("(3,)", "(4,)", ways=("exact", "package"))
class state_that_a_call_after_it_does_not_take(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.arange(16.0).reshape(4, 4))

    def forward(self, a: int):
        t = self.t
        if a == 3:
            return t
        t.reshape(4, 4).add_(2.0)
        self.t = torch.full([a], 1.5)
        return t


@case("(torch.arange(1.0, 5.0),)", ways=("exact", "package"))
class state_that_gets_a_dimension_by_each_call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))

    def forward(self, x: Tensor):
        self.s.unsqueeze_(-1)
        self.s.add_(1.0)
        return x + self.s.flatten()


@case("(torch.arange(12.0).reshape(3, 4), torch.arange(3.0))", "(torch.arange(20.0).reshape(5, 4), torch.arange(5.0))",
      ways=("exact", "any", "any-gradients", "any-package"))
def the_last_of_three_dimensions_where_the_first_is_one(z: Tensor, v: Tensor):
    t = z * 1.0
    t.unsqueeze(0)[..., 3] = v
    t.unsqueeze(1)[:, :, 1].mul_(2.0)
    return t, t[None, :, 2] + v, z[None][..., 0, None]


@case("(torch.zeros(0, 4, 5),)", "(torch.zeros(3, 0, 5),)", "(torch.zeros(4, 5, 0),)", "(torch.ones(3, 4, 5),)", ways=("exact", "any", "any-package"))
def what_has_no_elements_keeps_its_sizes(w: Tensor):
    none = w[w.sum(1).sum(1) > 100.0]
    return w.flatten(1), w.flatten(0, 1), torch.stack([w, w], 1), w.unsqueeze(-1), none.flatten(1), none.unsqueeze(1), w[:0].flatten(1)


@case("(torch.arange(1.0, 16.0).reshape(5, 3), 3)", "(torch.arange(1.0, 31.0).reshape(5, 6), 2)", ways=("exact", "any", "package"))
def a_part_of_one_column_that_is_expanded(x: Tensor, a: int):
    return x[:, -2:-1].expand(-1, a), x[:, :1].expand(5, a) + x[-1:, -1:].expand(5, a)


@case("(torch.ones(7), torch.ones(2, 3), torch.ones(3, 7))", "(torch.ones(1, 7), torch.ones(2, 3), torch.ones(3, 7))",
      "(torch.ones(2, 1), torch.ones(2, 3), torch.ones(3, 7))", "(torch.ones(4), torch.ones(2, 3), torch.ones(3, 4))", ways=("exact", "any", "any-package"))
def what_a_product_is_added_to(b: Tensor, x: Tensor, y: Tensor):
    return torch.addmm(b, x, y)


@case("(torch.arange(4.0),)", "(-torch.arange(4.0),)", ways=("exact", "any", "package"))
class state_that_is_set_to_itself(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0)[2:6])
        self.register_buffer("t", torch.arange(4.0))

    def forward(self, x: Tensor):
        self.s += x
        self.t += self.s
        self.t.as_strided([2], [2]).mul_(2.0)
        return self.s.storage_offset()


@case("(torch.ones(2, 0),)", "(torch.ones(4, 3),)", ways=("exact", "any"))
def rows_without_elements_have_any_place(y: Tensor):
    y[[1, 3]] = 2.0
    return y, y[[-4, 2]]


# A bias of which each row of a layer gets another one is none of several layers' rows, nor of those of all trips.
ROWS = "torch.linspace(-1, 1, 4096).reshape(2, 8, 256), torch.linspace(-2, 1, 16384).reshape(64, 256), torch.linspace(-1, 2, 512).reshape(8, 64)"


@case(f"({ROWS})", ways=("exact", "gradients"))
def a_bias_of_rows(x: Tensor, w: Tensor, b: Tensor):
    first = torch.nn.functional.linear(x[0], w, b)
    second = torch.nn.functional.linear(x[1] * 2, w, b)
    total = first * second
    for i in range(2):
        total = torch.tanh(total) + torch.nn.functional.linear(x[i], w, b)
    return first, second, total


# Dimensions that no tensor has are asked for on ways that no call takes.
@case("(torch.arange(1.0, 5.0), 0)", "(torch.arange(1.0, 5.0), 2)", ways=("exact", "any", "package"))
def a_split_along_no_dimension(x: Tensor, a: int):
    t1 = x.tensor_split(2, 0)[-1]
    for _ in range(t1.size(0)):
        if a > -1:
            continue
        x = x.tensor_split(2, -2)[0]
    return x


@case("(torch.arange(1.0, 5.0), 3)", ways=("exact", "any", "package"), refused=True)
def parts_along_no_dimension(x: Tensor, a: int):
    if float(x.sum()) > 100.0:
        x = x.tensor_split([1], 3)[0]
        x = x.split([1, 3], 2)[0]
        x = x.narrow(-3, 0, 1)
    if float(x.sum()) > 200.0:
        x = x.narrow(3, 0, a)
    return x


@case("(torch.arange(1.0, 4.0), torch.arange(1.0, 31.0).reshape(2, 3, 5), torch.tensor(-0.78))", ways=("exact", "any"))
def a_place_that_another_way_has_not(x: Tensor, z: Tensor, w: Tensor):
    if bool(w > 0):
        x = z[:, 3].expand_as(z[:, 3]).select(0, -1)
    z.add_(1)
    return x


@case("(torch.arange(1.0, 19.0).reshape(3, 6),)", "(torch.ones(4, 3),)", ways=("any",))
def copies_of_open_rows_in_loops(x: Tensor):
    p = x
    q = x
    for i2 in range(3):
        for i3 in range(2):
            p = x.diagonal().expand(3, 3)
            q += 1.5
            q = x.t() if bool(p.sum() > -1) else p
        i4 = 0
        while bool(p.sum() > 2) and i4 < 4:
            i4 += 1
            l5 = [x, q]
            x = l5[1]
    return x


@case("(torch.rand(3, 4) - 0.5, torch.full((1, 1, 1), 5.0))", "(torch.rand(2, 3) - 0.5, torch.full((1,), 5.0))", ways=("exact", "any", "package"))
def one_element_of_more_dimensions_by_a_mask(x: Tensor, v: Tensor):
    y = x * 1.0
    y[y > 0.0] = v
    rows = x * 2.0
    rows[x.sum(1) > 0.0] = v
    columns = x * 3.0
    columns[:, x.sum(0) > 0.0] = v
    return y, rows, columns


@case("(torch.rand(3, 4) - 0.5, torch.full((1, 1), 5.0, dtype=torch.int64))", ways=("exact", "package"))
def one_element_by_a_mask_that_gets_dimensions(x: Tensor, v: Tensor):
    for i in range(2):
        v.unsqueeze_(0)
    x[x < 0.0] = v
    return x


@case("(torch.arange(1.0, 4.0), torch.tensor(9), 3)", ways=("exact", "any", "package"))
def running_sum_of_one_bool(z: Tensor, w: Tensor, n: int):
    for i in range(n):
        z.cumsum_(0)
        z = w >= w
    return z
