"""As differential_cases.py: loops that carry a tensor whose size changes from trip to trip."""

import torch
from differential_case import case
from torch import Tensor

WAYS = ("exact", "any", "package", "threads")


@case("(torch.arange(3.0) + 1,)", ways=WAYS)
def a_tensor_grows(x: Tensor):
    while bool(x.sum() < 100):
        x = torch.cat([x, x[-1:] + 1])
    return x


@case("(torch.arange(12.0).reshape(4, 3) + 1,)", ways=WAYS)
def a_tensor_shrinks(x: Tensor):
    while x.size(0) > 1 and bool(x.sum() > 0):
        x = x[1:]
    return x


@case("(torch.arange(6.0) / 3,)", ways=WAYS)
def what_data_choose_of_it(x: Tensor):
    while bool((x > 1).any()):
        x = x[x > 0.5] - 0.3
    return x


@case("(torch.arange(12.0).reshape(4, 3) + 1,)", ways=WAYS)
def sizes_that_change_places(x: Tensor):
    i = 0
    while bool(x.sum() > 0) and i < 4:
        x = x.t() * 0.5
        i += 1
    return x


@case("(torch.arange(12.0).reshape(4, 3) / 10, 7)", ways=WAYS)
def a_cache_of_keys(x: Tensor, n: int):
    k = x[:1]
    i = 0
    out = x[0]
    while i < n and bool(out.sum() < 50):
        att = torch.softmax(torch.matmul(out, k.t()), 0)
        out = torch.matmul(att, k) + 1
        k = torch.cat([k, out.unsqueeze(0)])
        i += 1
    return out, k


@case("(torch.arange(12.0).reshape(4, 3) + 1,)", ways=WAYS)
def tensors_that_change_places(x: Tensor):
    a = x
    b = x[:, 0]
    c = x.view(-1)
    i = 0
    while bool(x.sum() > 0) and i < 5:
        i += 1
        b, c = c, b * 2
    return b, c


@case("(torch.arange(3.0),)", ways=WAYS)
def written_and_grown(x: Tensor):
    i = 0
    y = x.clone()
    while bool(y.sum() < 1000) and i < 6:
        i += 1
        y[0] = float(i)
        y = torch.cat([y, y[:1] * 2])
        y[-1] += 1
    return y


@case("(torch.arange(7.0),)", ways=WAYS)
def all_but_the_first(x: Tensor):
    y = x * 1.0
    n = 0
    while bool(y.sum() > 3):
        s = y[:1]
        y = y[1:]
        n += int(s.sum() > 1)
    return y, n


@case("(torch.arange(12.0).reshape(4, 3),)", ways=WAYS)
def grown_in_a_loop_inside(x: Tensor):
    y = x[:1]
    i = 0
    while bool(y.sum() < 200) and i < 4:
        j = 0
        while bool(y[-1].sum() < 5.0 * (i + 1)) and j < 3:
            y = torch.cat([y, y[-1:] + 1])
            j += 1
        y = torch.cat([x[:1], y])
        i += 1
    return y


@case("(torch.arange(12.0).reshape(4, 3),)", ways=WAYS)
def both_dimensions_grow(x: Tensor):
    m = x
    k = 0
    while k < 5 and bool(m.sum() > -100):
        m = torch.cat([m, m[:, :1]], 1) if k % 2 == 0 else torch.cat([m, m[:1]], 0)
        k += 1
    return m.t(), m


@case("(torch.ones(2), 200)", ways=WAYS)
def grown_until_a_break(x: Tensor, n: int):
    y = x
    for i in range(n):
        y = torch.cat([y, y])[:y.size(0) + 1]
        if bool(y.sum() > 30):
            break
    return y


@case("(torch.arange(12.0).reshape(4, 3),)", ways=WAYS)
def beside_a_tensor_of_one_size(x: Tensor):
    h = x.sum(0)
    y = x
    i = 0
    while bool(h.sum() < 400) and i < 6:
        h = h + y[0]
        y = y[: y.size(0) - 1] if y.size(0) > 1 else torch.cat([y, y, y])
        h = h + y.sum(0)
        i += 1
    return h, y


@case("(torch.arange(12.0).reshape(4, 3),)", ways=WAYS)
def beside_a_part_of_it(x: Tensor):
    # the fixed variable is a part of what is resized
    f = x[0]
    y = x
    i = 0
    while i < 5 and bool(f.sum() > -1000000.0):
        f = y[-1]
        y = torch.cat([y[1:], y[:1] - 1, y[:1]])
        i += 1
    return f, y


@case("(torch.arange(12.0).reshape(4, 3),)", ways=WAYS)
def no_trip(x: Tensor):
    while bool(x.sum() > 1000000000.0):
        x = x[1:]
    return x


@case("(torch.tensor([1.0, 2.0, 3.0]),)", ways=WAYS)
def shrinks_to_nothing(x: Tensor):
    while x.size(0) > 0 and bool(x[0] > -1):
        x = x[1:]
    return x, x.size(0)


@case("(torch.ones(4), 3000)", ways=WAYS)
def three_thousand_trips(x: Tensor, n: int):
    i = 0
    y = x
    while i < n and bool(y[0] >= 0):
        y = torch.cat([y, torch.tanh(y[-3:]) + 1])
        i += 1
    return y.sum(), y.size(0)


@case("(torch.tensor([1.0, -1.0, 2.0, 3.0, 4.0, -5.0, 6.0, 7.0]),)", ways=WAYS)
def places_that_data_choose(x: Tensor):
    idx = torch.nonzero(x > 0).squeeze(1)
    while idx.size(0) > 2:
        idx = idx[::2]
    return x[idx], idx


GRADIENTS = (*WAYS, "gradients", "any-gradients")


@case("(torch.arange(3.0) + 1,)", ways=GRADIENTS)
def gradients_of_what_grows(x: Tensor):
    while bool(x.sum() < 100):
        x = torch.cat([x, x[-1:] + 1])
    return x.sum()


@case("(torch.arange(3.0) + 1,)", "(torch.arange(3.0) / 4,)", ways=GRADIENTS)
def gradients_of_a_fixed_number_of_trips(x: Tensor):
    y = x * 1
    for i in range(4):
        y = torch.cat([y, y[-1:] * y[-2:-1]])
        if bool(y.sum() > 3):
            y = torch.tanh(y[1:])
    return y


@case("(torch.arange(1.0, 7.0).reshape(2, 3),)", "(torch.arange(1.0, 7.0).reshape(2, 3) - 4,)", ways=GRADIENTS)
def gradients_of_tensors_that_data_swap(x: Tensor):
    r = x[0]
    t = x.view(-1)
    i = 0
    while bool(x.sum() > 0) and i < 4:
        i += 1
        if bool(t.sum() > 10):
            t, r = r, t
    return r


@case("(torch.tensor([[-0.1, -0.8, -1.0], [2.75, -1.5, 2.0]]),)", ways=GRADIENTS)
def gradients_of_what_is_swapped_once(x: Tensor):
    r = x[0]
    t = x.view(-1)
    i = 0
    while bool(x.sum() > 0) and i < 4:
        i += 1
        if bool(t.sum() > 1):
            t, r = r, t
    return r


@case("(torch.arange(1.0, 7.0).reshape(2, 3) / 10, 3)", "(torch.arange(1.0, 7.0).reshape(2, 3), 4)", ways=GRADIENTS)
def each_trip_takes_the_size_of_the_other(x: Tensor, n: int):
    r = x[0] * 2
    t = x.view(-1)
    i = 0
    while bool(x.sum() > 0) and i < n:
        t, r = r, t * r.sum()
        i += 1
    return r


@case("(torch.arange(1.0, 7.0).reshape(2, 3),)", ways=GRADIENTS)
def as_often_as_data_say(x: Tensor):
    n = 2 + int(x.sum() > 0)
    r = x[0] * 2
    t = x.view(-1)
    for i in range(n):
        t, r = r, t * r.sum()
    return r


@case("(torch.arange(1.0, 7.0).reshape(2, 3),)", ways=GRADIENTS)
def two_loops_after_each_other(x: Tensor):
    r = x[0] * 2
    t = x.view(-1)
    i = 0
    while bool(x.sum() > 0) and i < 4:
        i += 1
        t, r = r, t * r.sum()
    n = i + int(r.sum() < 0)
    r = x[0] * 2
    t = x.view(-1)
    for i in range(n):
        t, r = r, t * r.sum()
    return r


@case("(torch.arange(1.0, 7.0).reshape(2, 3),)", ways=GRADIENTS)
def grown_by_a_counted_loop(x: Tensor):
    n = 2 + int(x.sum() > 0)
    r = x[0] * 2
    for i in range(n):
        r = torch.cat([r * 2, r])
    return r
