"""As differential_cases.py: programs in which data tell how many elements there are."""

from typing import List  # noqa: F401  annotations of the programs

import torch
from differential_case import case
from torch import Tensor


@case("(torch.tensor([-1.0, 2.0, 3.0, -2.0, 5.0, 7.0]),)", "(torch.tensor([1.0, 2.0]),)")
def parts_of_what_data_choose(x: Tensor):
    y = x[x > 0]
    y[::2] *= 3.0
    y[1:].add_(1.0)
    y[-3:-1] = 0.5
    z = y[:5:3]
    y[-1] = 9.0
    return y, z, y[0], y[4:]


@case("(torch.tensor([-1.0, 2.0, 3.0]), torch.ones(2))")
def copies_of_open_sizes(x: Tensor, y: Tensor):
    z = x[x > 0]
    z.copy_(y)
    z[z > 0] += torch.ones([2])
    z[z > 3] = 7.0
    return z, z[z < 4]


@case("(torch.tensor([0.5, -2.0, 1.75, 1.5]),)", "(-torch.ones(4),)", refused=True)
def a_loop_that_changes_a_size_as_often_as_data_say(x: Tensor):
    y = x
    z = torch.full([2], 1.5)
    for i in range(x[x > 0].size(0)):
        y = z
    return y


@case("(torch.arange(-3.0, 17.0).reshape(4, 5), torch.arange(1.0, 6.0))")
def joined_with_what_data_choose(x: Tensor, z: Tensor):
    y = x[x > 0]
    b = torch.cat([y, y, z], 0)
    b[2:] *= 3
    c = torch.vstack([y, y * 3])
    return torch.cat([y, z]), b, torch.cat([y.to(torch.int64), z], -1), torch.stack([y, y * 2], 1), torch.hstack([y, z]), c


@case("(torch.arange(-3.0, 7.0),)", "(torch.arange(-5.0, 2.0),)")
def looked_up_in_what_data_choose(x: Tensor):
    y = x[x > 0]
    place = y.argmax()
    least, at = y.min(0)
    pairs = torch.outer(y, y + 1.0)
    return y.cumsum(0), y.flip(0), place, least, at, pairs.tril(), pairs.max(1)[0], pairs.cumprod(0), pairs.argmin(1, True)


@case("(torch.tensor([3, -1, 2, 3, 2, -5, 2]),)", "(-torch.arange(4),)", ways=("exact", "any"))
def once_each_of_what_data_choose(x: Tensor):
    y = x[x > 0]
    once, places, counts = torch._unique2(y, return_inverse=True, return_counts=True)
    total = torch.zeros([])
    for number in torch.unique(y):
        total += number * (y == number).sum()
    return once, places, counts, torch.unique_consecutive(y), torch.unique((y * 0.5).flip(0)), total


@case("(torch.arange(-3.0, 7.0),)", "(torch.ones(3),)", ways=("exact", "any", "package"))
def split_by_what_data_choose(x: Tensor):
    some, others = x[x > 0], x[x <= 0]
    parts = torch.cat([some, others, some]).split([some.size(0), others.size(0), some.size(0)])
    total = torch.zeros([2])
    for i, part in enumerate(parts):
        total[0] += part.sum() * i
    return parts, total, x.split([others.size(0), x.size(0) - others.size(0)])[1]


@case("(torch.randn(4, 2, 5, 5), torch.tensor([0.5, -1.0, 2.0, 1.0]))", "(torch.randn(2, 2, 5, 5), torch.tensor([-0.5, -1.0]))",
      ways=("exact", "any", "package"))
def convolutions_of_as_many_images_as_data_tell(x: Tensor, scores: Tensor):
    weight = torch.arange(54.0).reshape(3, 2, 3, 3) / 50 - 0.5
    some = x[scores > 0]
    y = torch.conv2d(some, weight, torch.ones([3]), [2, 1], [1, 0])
    y = torch.batch_norm(y, None, None, torch.arange(3.0), torch.ones([3]) * 2, False, 0.1, 1e-5, False).relu()
    return y, torch.conv_transpose2d(some, weight.transpose(0, 1), None, [2, 2]), torch.conv2d(some, weight[:2, :1], None, groups=2)


@case("(torch.arange(4.0), torch.tensor([0.5, -1.0, 2.0, 1.0]))", "(torch.ones(3), torch.tensor([-0.5, -1.0]))")
def a_list_that_grows_as_often_as_data_tell(x: Tensor, scores: Tensor):
    rows: List[Tensor] = []
    for score in scores[scores > 0]:
        row = torch.zeros([2, 3])
        row[1] = score
        row[0, :2] += x[:2]
        rows.append(row[0] * 2)
    parts: List[Tensor] = []
    for i in range(int((scores > 0).sum())):
        part = torch.zeros([3, 2])
        part[1:] = x[i]
        parts.append(part)
    if len(parts) > 0:
        joined = torch.stack(parts).sum(0)
    else:
        joined = torch.zeros([3, 2])
    return joined, len(parts), len(rows)


@case("(torch.arange(-3.0, 7.0),)", "(torch.arange(-5.0, -2.0),)")
def lists_of_what_data_choose(x: Tensor):
    found: List[List[Tensor]] = []
    for i in range(3):
        row = [x[x > i]]
        found.append(row)
        if int((x > i).sum()) > 3:
            found[-1].append(row[0] * 2)
    return [torch.cat(row) for row in found]


@case("(torch.arange(-3.0, 7.0), torch.tensor([1, 0, 1]))")
def picked_and_padded_of_what_data_choose(x: Tensor, at: Tensor):
    y = x[x > 0]
    return y.gather(0, at), torch.nn.functional.pad(y, [1, 2], value=7.0), torch.nn.functional.pad(y[None], [0, 1, 1, 0])


@case("(torch.tensor([-1.0, 2.0, 3.0]), torch.ones(2))", "(torch.tensor([-1.0, 2.0, -3.0]), torch.ones(2))", refused=True)
def what_data_choose_may_broadcast(x: Tensor, y: Tensor):
    return x[x > 0] + y


@case("(torch.arange(1.0, 5.0).reshape(1, 4),)", ways=("exact", "any"))
def results_before_and_after_a_write_and_of_open_size(x: Tensor):
    y = torch.exp(x)
    chosen = y[y > 0]
    before = torch.slice_scatter(y, y, 0, 0, 1)
    y[:, 1] = 3.0
    return y, torch.stack([chosen, chosen], 0), before


@case("(torch.arange(1.0, 19.0).reshape(3, 2, 3), torch.tensor([-1.4, 0.4]))", refused=True)
def a_transposed_write_of_what_data_choose(x: Tensor, y: Tensor):
    chosen = y[y > 0]
    x.mT.add_(chosen)
    x += x
    return x


@case("(torch.arange(1.0, 7.0).reshape(2, 3), torch.tensor([-1.0, -4.0]))", ways=("exact", "trace"))
def one_element_that_data_choose(x: Tensor, z: Tensor):
    z[z > -2] *= 5
    return x, z


@case("(torch.tensor([1.0, 2.0, 3.0, -1.0]), torch.arange(3.0))", ways=("exact", "any", "trace", "package", "cuda"))
def as_many_as_the_data_give(x: Tensor, y: Tensor):
    picked = x[x > 0]
    return picked.expand(3), picked.expand(2, 3) * y


@case("(torch.tensor([[1.0, -2.0, 3.0, -1.0]]), torch.zeros(3), 4)", ways=("exact", "any"), refused=True)
def a_loop_that_hands_on_fewer(x: Tensor, y: Tensor, n: int):
    picked = x[0, :3] * 1
    for i in range(n):
        picked = picked[picked > y[0]]
    return picked, picked.expand(2)


# PyTorch's one value fits twice; here it has to be three values and four, which is refused when the call runs.
@case("(torch.arange(1.0, 5.0).reshape(1, 4), torch.tensor([2.0, -1.0]))", refused=True)
def sizes_that_contradict(x: Tensor, y: Tensor):
    picked = y[y > 0]
    return picked.expand(3) * 2 + torch.ones(3), x - picked


@case("(-torch.arange(1.0, 7.0).reshape(2, 3),)", "(torch.arange(-1.0, 5.0).reshape(2, 3),)", ways=("exact", "any"))
def softmax_of_as_many_as_the_data_give(x: Tensor):
    some = x[x > 0]
    return some.softmax(0), some.log_softmax(0), some.logsumexp(0)


@case("(torch.tensor([[-1.0, 2.0, 3.0], [0.5, -0.25, -3.0]]), torch.arange(1.0, 4.0), True)", ways=("gradients", "any-gradients"))
def gradients_of_as_many_as_the_data_give(x: Tensor, y: Tensor, flag: bool):
    z = x * 1
    z[z > 1.0] += 0.25
    some = z[z.sum(1) > 0] * y
    chosen = some if flag else z[z > 0]
    return z, chosen.exp()


@case("(torch.tensor([1.0, -2.0, 3.0]),)", "(torch.tensor([-1.0, -2.0]),)", ways=("exact", "any"))
def out_of_as_many_as_the_data_give(x: Tensor):
    some = torch.empty(0)
    torch.exp(x[x > 0], out=some)
    return some


@case("(torch.tensor(1.0), True)", "(torch.tensor(-1.0), False)", ways=("exact", "any"))
def sizes_that_are_not_there_where_nobody_looks(x: Tensor, flag: bool):
    if bool(x > 5):
        if x.size(1) > 3:
            x += 1.0
    k = 0
    while k < 3 and bool(x.sum() > 4):
        k += 1
        x[-1] += 1.0
    for i in range(int(x - 4)):
        x[i] = 2.0
    return x * 2


@case("(torch.tensor([1.65, 0.5, -1.75, -0.14, 1.25]),)", "(-torch.arange(1.0, 4.0),)", ways=("exact", "any"))
def parts_of_as_many_as_the_data_give(x: Tensor):
    some = x[x > 0]
    part = some[-4:-1]
    part.masked_fill_(part.reshape(-1) > 0.25, 1.0)
    some[::2].reshape(1, -1, 1).mul_(3.0)
    return some, part


@case("(torch.arange(1.0, 11.0).reshape(2, 5),)", "(-torch.arange(1.0, 11.0).reshape(2, 5),)", ways=("exact", "any"))
def several_parts_of_what_one_way_made(x: Tensor):
    stacked = torch.stack([x, x], 1)
    either = stacked if float(x.sum()) > 0.5 else x
    made = torch.relu(either)
    made.mul_(torch.ones([5]))
    part = made[-1]
    parts = [part.select(-1, made.stride(0) % 5), x]
    return part, parts


@case("(torch.arange(4.0), [torch.arange(4.0), torch.ones(4)])", ways=("exact", "package"))
def a_list_of_the_callers_that_takes_what_data_size(x: Tensor, items: List[Tensor]):
    items[0] = x[x > 1.0] * 2.0
    items[1].add_(items[0].sum())
    return items[1].sum()


@case("(torch.arange(1.0, 7.0).reshape(2, 3) - 3.0,)", "(torch.arange(1.0, 2.0).reshape(1, 1),)", "(-torch.ones([2, 2]),)", ways=("exact", "any", "package"))
def strides_of_as_many_elements_as_data_tell(x: Tensor):
    t = x[x > 0]
    rows = torch.stack([t, t * 2.0], 1)
    return t.stride(0), rows.stride(), rows[1:].stride(0), t[::2].stride(0)


@case("(torch.arange(-2.0, 4.0).reshape(1, 6).t(),)", "(torch.arange(1.0, 3.0).reshape(1, 2).t(),)", ways=("exact", "any", "package"))
def writes_to_what_to_gives_of_as_many_elements_as_data_tell(x: Tensor):
    t = x[x > 0]
    u = t * 2.0
    u.to(u).fill_(3)
    u.to(t.dtype)[1:].mul_(2.0)
    u.to(torch.float64).add_(1.0)
    return t, u


@case("(torch.arange(-2.0, 4.0),)", "(-torch.ones(3),)", ways=("exact", "any", "package"))
def length_of_as_many_elements_as_data_tell(x: Tensor):
    t = x[x > 0]
    return t * len(t), len(torch.stack([t, t])[1:])


@case("(torch.tensor([-1.0, 2.0, 3.0]),)", "(torch.tensor([-1.0, -2.0]),)", "(torch.arange(1.0, 5.0),)", ways=("exact", "gradients", "any", "package", "trace"))
def squeezed_sizes_that_data_tell(x: Tensor):
    y = x[x > 0] * 2
    y.squeeze().mul_(3.0)
    z = y[None].squeeze() + y.squeeze(-1)
    return y, z, y.unsqueeze(0).squeeze(0), y[None, :, None].squeeze().sum()


@case("(torch.tensor([-1.0, 2.0]),)", refused=True)
def a_squeezed_size_of_one_that_data_tell(x: Tensor):
    return x[x > 0].squeeze()


@case("(torch.arange(-2.0, 6.0),)", "(torch.arange(-5.0, 2.0),)", "(-torch.ones(3),)", ways=("exact", "any", "package"))
def split_sizes_that_data_tell(x: Tensor):
    y = x[x > 0]
    y.tensor_split(2, 0)[-1].mul_(3.0)
    a, b, c = y.tensor_split(3)
    b.add_(1.0)
    head, tail = y.tensor_split([2])
    tail.neg_()
    return y, a, b, c, head, tail, x.tensor_split([1, -1])


@case("(torch.arange(-2.0, 7.0),)", ways=("exact", "any", "package"))
def split_into_sizes_that_data_have(x: Tensor):
    y = x[x > 0]
    a, b = y.split([2, 4])
    b.mul_(2.0)
    return y, a, b, y[None].split([6], -1)[0]


@case("(torch.arange(-2.0, 6.0), 6)", "(torch.arange(-2.0, 6.0), 5)", ways=("exact", "package"))
def split_into_other_sizes_than_data_have(x: Tensor, a: int):
    y = x[x > 0]
    z = x
    if bool(x.sum() < 0):
        z = torch.triu(y)
    return y.split([2, 3])[1], z


@case("(torch.tensor(2.0),)", ways=("exact", "any", "gradients", "package"))
def a_squeezed_number(x: Tensor):
    return x.squeeze(0) * 2, x.squeeze(-1), x.squeeze()


@case("(torch.tensor([1.0, -1.0, 2.0]),)", "(torch.tensor([1.0, -1.0, -2.0]),)", "(torch.tensor([-1.0, -1.0, -2.0]),)", ways=("exact", "any", "package"))
def a_dimension_that_data_drop(x: Tensor):
    y = x * 1
    t = y[y > 0]
    s = t.squeeze(-1)
    s.mul_(3.0)
    return s, t, s.dim(), y.squeeze(0).dim(), s.squeeze(-1) if s.dim() > 0 else s, t.squeeze() + 1, t[None].squeeze((0, 1))


@case("(torch.tensor([1.0, -1.0, 2.0]),)", "(torch.tensor([1.0, -4.0, 2.0]),)", ways=("exact", "package", "cuda"))
def the_size_of_what_a_branch_gives(x: Tensor):
    t = x[x > 0]
    if bool(x.sum() > 0):
        u = t[0]
    else:
        u = t
    return u + 1


@case("(torch.arange(-3.0, 9.0).reshape(3, 4),)", "(torch.arange(6.0, 0.0, -1.0).reshape(2, 3),)", "(torch.full((2, 2), -1.0),)",
      ways=("exact", "any", "gradients", "package"))
def repeated_elements_of_what_data_chose(x: Tensor):
    t = x[x > 0]
    rows = x[x[:, 0] > 0]
    return t.repeat_interleave(2, 0), t.repeat_interleave(3), rows.repeat_interleave(2, 1), rows.repeat_interleave(2, 0), rows.repeat_interleave(3)


@case("(torch.arange(0.0, 9.0).reshape(3, 3), 1)", "(torch.arange(0.0, 12.0).reshape(4, 3), -2)", "(torch.arange(0.0, 12.0).reshape(4, 3), 0)",
      ways=("exact", "any", "package"))
def narrow_of_what_data_chose(x: Tensor, k: int):
    t = x[x > 4]
    t.narrow(0, 1, 0).div_(2.0)
    t.narrow(0, -2, 2).mul_(3.0)
    t.narrow(0, k, 1).mul_(2.0)
    return t, t.narrow(0, 1, t.size(0) - 2)


@case("(torch.arange(0.0, 9.0).reshape(3, 3),)", "(-torch.arange(0.0, 9.0).reshape(3, 3),)", ways=("exact", "any", "package"))
def diagonals_that_begin_beyond_what_data_chose(x: Tensor):
    t = x[x > 4]
    t[None].diagonal(1, 1, 0).sub_(0.25)
    t[None].diagonal(0, 1, 0).sub_(0.25)
    t[None].diagonal(2, 0, 1).sub_(0.25)
    t[:, None].diagonal(-1, 0, 1).sub_(0.25)
    return t, t[None].diagonal(-1, 0, 1), t[:, None].diagonal(-3), t[None, None].diagonal(1), t[None, None].diagonal(-2, 1, 0)


@case("(torch.arange(1.0, 13.0).reshape(3, 4),)", "(-torch.arange(-6.0, 6.0).reshape(3, 4),)", ways=("gradients", "any-gradients"))
def gradients_of_diagonals_of_what_data_chose(x: Tensor):
    rows = x[x.sum(1) > 0]
    above = rows.diagonal(1).exp()
    below = rows.diagonal(-1) * 2
    return above, below, x.diagonal(), x.t().diagonal(-2), x[None].diagonal(0, 2, 1).sin()


# No operator tells how many rows there are: the way that data make the branch go does.
@case("(torch.arange(1.0, 31.0).reshape(6, 5),)", "(-torch.arange(1.0, 31.0).reshape(6, 5),)", ways=("exact", "any"))
def sizes_that_exchange_in_a_loop(x: Tensor):
    p = x
    q = x
    for i in range(4):
        if bool(p.sum() > 2):
            x = q.t() if bool(p.sum() > 0) else x
        else:
            p = p.t()
    return p


@case("(torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]),)", "(-torch.ones(2, 3),)", "(torch.ones(1, 2),)", ways=("exact", "any"))
def parts_of_what_data_tell(x: Tensor):
    y = x[x > 0]
    a, b = y.chunk(2)
    none = x[:0].chunk(3)
    total = y.sum()
    for part in y.split(2):
        total = total * 2.0 + part.sum()
    y.split(2)[0].add_(1.0)
    return a, b, y, total, len(none), len(y.chunk(4)), len(y.split(2)), len(y.unbind(0))


@case("(torch.arange(1.0, 6.0),)", "(torch.arange(1.0, 4.0),)", "(torch.ones(1),)", ways=("exact", "any", "automatic"))
def triangles_of_sizes_that_the_call_tells(x: Tensor):
    n = x.size(0)
    lower = torch.tril_indices(n, n, -1)
    upper = torch.triu_indices(n, n + 1, 1)
    return x[lower[0]] * x[lower[1]], upper, lower.size(1)


SIXES = [f"(torch.arange(1.0, 37.0).reshape(6, 6), {y})" for y in ("torch.tensor([-0.18, 0.34, -0.5, 0.0])", "torch.arange(1.0, 7.0)")]


@case(*SIXES, ways=("exact", "any", "package"))
def one_element_that_is_read_for_each_of_six(x: Tensor, y: Tensor):
    t = y[y > 0]
    x.sub_(t)
    x[1:] = t
    return torch.where(x > 3, x, t), x * t[:, None], x.copy_(t)


@case(*SIXES, ways=("gradients",))
def gradients_of_one_element_for_each_of_six(x: Tensor, y: Tensor):
    t = y[y > 0]
    return torch.lerp(x, t, 0.5) * t[:, None]


@case("(torch.arange(1.0, 4.0), 2)", ways=("exact", "package"))
def nothing_is_stored_to_a_result(x: Tensor, n: int):
    x.zero_()
    y = x[x > 0]
    z = y.clone()
    y.reshape(7, 1, 0).cumsum_(0)
    return y, z > n


@case("(torch.arange(4.0),)", "(torch.arange(2.0),)")
def a_split_of_one_element_that_data_choose(x: Tensor):
    y = x[x > 0].squeeze(0)
    z = x * 1
    if y.dim() > 0:
        z = y.tensor_split(2, -1)[0]
    return y, z
