"""As differential_cases.py: programs in which strides decide what is a copy, who sees a write, and where gradients go."""

from typing import List

import torch
from differential_case import case
from torch import Tensor


@case("(torch.arange(1.0, 7.0).reshape(3, 2).t(),)")
def flatten_copies_where_rows_are_not_dense(x: Tensor):
    x.flatten().square_()
    return x


@case("(torch.arange(1.0, 7.0).reshape(2, 3),)", "(-torch.arange(1.0, 7.0).reshape(2, 3),)")
def memory_that_a_transposed_tensor_fills(x: Tensor):
    y = x.t() * 2
    y.as_strided([3], [1], 1).zero_()
    return y


@case("(torch.arange(1.0, 7.0).reshape(3, 2).t(),)", "(torch.arange(1.0, 7.0).reshape(2, 3),)")
def new_memory_of_transposed_operands(x: Tensor):
    sums = [x.sum(0, keepdim=True).stride(0), x.amin(1, keepdim=True).stride(0), x.softmax(1).stride(0), x.cumsum(0).stride(0)]
    picks = [x.tril().stride(0), x.roll(1).stride(0), torch.cat([x, x]).stride(0), torch.stack([x, x]).stride(1), torch.mm(x, x.t()).stride(0)]
    y = torch.cat([x, x])
    y.view(-1)[0] = 9.0
    return sums, picks, y


@case("(torch.arange(1.0, 13.0).reshape(4, 3).t(),)")
def what_a_mask_fills_is_in_rows(x: Tensor):
    y = x.masked_fill(x > 3, 2.0)
    y.reshape(-1, 3)[2:4, ::2] += 9.0
    return y


@case("(torch.arange(2.0).reshape(1, 2).t(),)", "(torch.arange(2.0).reshape(2, 1),)", ways=("exact", "any"))
def a_stride_of_a_dimension_of_one(x: Tensor):
    return x.stride(0), x.stride(1)


@case("(torch.arange(1.0, 10.0).reshape(3, 3),)")
def new_memory_of_what_is_expanded(x: Tensor):
    y = x.expand(2, 3, 3)[..., None] - 0.25
    y[:, :, ::2][:, 1].zero_()
    part = y[:, :, 2].view(-1)
    y.mul_(2.0)
    return y, part


@case("(torch.arange(1.0, 17.0).reshape(4, 4),)", ways=("exact", "gradients", "trace"))
def strides_of_what_was_written_along_a_dimension(x: Tensor):
    y = x.clone().t()
    filled = y.index_fill(0, torch.tensor([3]), 0)
    added = y.index_add(0, torch.tensor([3]), y[:1])
    copied = y.index_copy(0, torch.tensor([3]), y[:1])
    for t in [filled, added, copied]:
        t.reshape(-1).sigmoid_()
    return filled, added, copied


@case("(torch.arange(1.0, 13.0).reshape(4, 3),)", ways=("exact", "any", "gradients"))
def one_window_that_is_repeated(x: Tensor):
    return x.unfold(1, 2, 3) * torch.ones([3, 2])


@case("(torch.arange(1.0, 17.0).reshape(4, 4),)", ways=("gradients", "any-gradients"))
def strides_beyond_what_a_view_shows(x: Tensor):
    y = x * 2
    return x[2].as_strided([2], [2], 3), y[1:3].as_strided([4], [2], 3), y.t().as_strided([2], [2], 3)


@case("(torch.arange(1.0, 17.0).reshape(4, 4),)", ways=("gradients", "any-gradients"))
def strides_beyond_a_view_of_what_is_written(x: Tensor):
    y = x * 2
    y[0].mul_(3)
    before = y[1:3].as_strided([2], [2], 3)
    after = y[2:].as_strided([3], [2], 5)
    u = before * 3
    after.add_(1)
    return u, after.sin(), y


@case("(torch.ones(1, 3), torch.tensor(2.0))", ways=("exact", "any", "trace"))
def flatten_of_several_dimensions_is_another_tensor(x: Tensor, n: Tensor):
    several, one, none = x * 2, x[0] * 2, n * 2
    first, second, third = several.flatten(), one.flatten(), none.flatten()
    first.unsqueeze_(1)
    second.unsqueeze_(1)
    third.unsqueeze_(1)
    return several, one, none, first, second, third


@case("(torch.arange(1.0, 26.0).reshape(5, 5).t(), torch.arange(5.0))", ways=("exact", "gradients"))
def strides_of_a_detached_tensor(x: Tensor, z: Tensor):
    y = x * 2
    part = y[1:].detach().as_strided([3, 2], [1, 3])
    part.mul_(2)
    return x.detach().as_strided([3, 2], [1, 2]) * z[-1], part * x[0, 0], y.data.as_strided([4], [2], 3) + z[:4], y


@case("(torch.arange(1.0, 13.0).reshape(3, 4),)", ways=("exact", "any"))
def strides_of_dimensions_of_size_1(x: Tensor):
    row, column = x.clone()[0:2:2], x.clone()[:, 3:]
    a, b, c = row.unsqueeze(0), column.unsqueeze(-1).unsqueeze(1), row.unsqueeze(1).squeeze(0)
    d, e = row.view(1, 1, 4), column.reshape(1, 3, 1)
    flat = row.unsqueeze_(0).flatten(1, 1)
    return (a.stride(0), a.stride(1), b.stride(1), b.stride(2), b.stride(3), c.stride(0), d.stride(0), e.stride(0), e.stride(2), flat.stride(1),
            flat.squeeze(0).stride(0))


@case("(torch.arange(1.0, 25.0).reshape(4, 3, 2),)", ways=("exact", "any"))
def a_part_that_only_one_way_has(x: Tensor):
    first = x[[0]]
    either = x if bool((first > 0).any()) else first
    return torch.select_scatter(either, either[0], 0, 3), torch.slice_scatter(either, either, 0, 0, 4)


@case("([torch.tensor([0.0]), torch.tensor([1.0, 2.0])], torch.arange(1.0, 6.0))", ways=("exact", "trace"))
def offsets_of_what_a_list_holds(items: List[Tensor], x: Tensor):
    part = x[2:]
    return part[1:].storage_offset(), items[1].storage_offset(), part.view(3, 1)[1].storage_offset()


@case("(torch.zeros(4, 0), torch.ones([]))", "(torch.arange(6.0).reshape(3, 2), torch.ones([]))", ways=("exact", "any", "any-package"))
def a_write_into_nothing_through_its_only_dimension(x: Tensor, t: Tensor):
    x.view(-1).addcmul_(t, t)
    return x, x.size(0)


@case("(torch.zeros(1),)", ways=("exact", "any", "package"))
class state_lies_as_it_was_saved(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("columns", torch.arange(6.0).reshape(2, 3).t())
        self.register_buffer("part", torch.arange(6.0)[2:5])
        self.register_buffer("written", torch.arange(8.0).reshape(4, 2)[1:])

    def forward(self, x: Tensor):
        copied = self.columns.contiguous()
        copied.add_(1.0)
        self.written.add_(x)
        return (self.columns + x, self.columns.stride(0), self.columns.is_contiguous(), self.part.storage_offset(),
                self.written.storage_offset(), self.written[1:].storage_offset())


@case("(torch.zeros(1),)", refused=True)
class state_that_is_a_part_and_is_seen_from_the_start_of_its_memory(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("part", torch.arange(6.0)[2:5])

    def forward(self, x: Tensor):
        return self.part.as_strided([2], [1], 2) + x


@case("(torch.arange(1.0, 7.0),)", "(torch.arange(-3.0, 3.0),)", ways=("exact", "package"))
def a_part_of_what_a_mask_takes(x: Tensor):
    taken = x[x > 0]
    if taken.numel() > 2:
        taken = taken + taken.narrow(-1, 0, 1)
        taken += 2 * taken.narrow(0, 1, 1)
    return taken


@case("(torch.ones(2),)", "(torch.ones(2),)", ways=("exact", "any", "package"), refused=True)
class state_that_was_saved_as_a_part_of_other_state(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("first", torch.arange(4.0))
        self.register_buffer("second", self.first[2:])

    def forward(self, x: Tensor):
        self.first.add_(x.sum())
        return self.first.clone(), self.second.clone()


CUBE = "(torch.arange(24.0).reshape(2, 3, 4){},)"
LAYOUTS = [CUBE.format(view) for view in (
    "", ".permute(2, 0, 1)", ".permute(1, 2, 0)", "[:, ::2]", "[:, ::2].permute(2, 0, 1)", "[:1].expand(5, 3, 4)", "[:, :1].permute(1, 2, 0)",
    "[:, :1].expand(2, 3, 4).permute(2, 1, 0)", "[..., :1]", "[:, :, :1].permute(2, 1, 0)", "[1:, :, 2:].permute(2, 0, 1)", "[:, :1, :1].permute(1, 0, 2)",
    ".permute(2, 1, 0).to(torch.int64)", "[:1].expand(5, 3, 4).permute(2, 1, 0).to(torch.int64)")]
LAYOUTS.append("(torch.arange(24).reshape(2, 3, 4)[:, :1].expand(2, 3, 4).permute(2, 1, 0),)")


@case(*LAYOUTS)
def strides_of_tests_of_finite_numbers(x: Tensor):
    y = torch.isfinite(x)
    y.reshape(-1).logical_not_()
    return y.stride(0), y.stride(1), y.stride(2), y


@case(*LAYOUTS)
def strides_of_rows_that_are_picked(x: Tensor):
    first, second, third = x[[0, 0]], x[:, [0, 0, 0]], x[:, :, [0]]
    first.reshape(-1).mul_(2)
    second.flatten().mul_(2)
    return [t.stride(0) for t in [first, second, third]], [t.stride(1) for t in [first, second, third]], [t.stride(2) for t in [first, second, third]], first, second


@case(*LAYOUTS)
def strides_of_places_that_are_picked(x: Tensor):
    beside, apart = x[:, [0, 0, 0], [0, 0, 0]], x[[0, 0], :, [0, 0]]
    table = x[torch.zeros([2, 3], dtype=torch.int64)]
    apart.reshape(-1).mul_(2)
    return [t.stride(0) for t in [beside, apart, table]], [t.stride(1) for t in [beside, apart, table]], table.stride(2), table.stride(3), apart


@case("(torch.arange(1.0, 10.0).reshape(3, 3), 2)", "(torch.arange(1.0, 10.0).reshape(3, 3).t(), 2)")
def memory_of_what_a_loop_copies(x: Tensor, a: int):
    for i in range(a):
        x = torch.clone(x)
    x[..., -2].copy_(x.as_strided([1], [1]))
    return x


@case("(2.0,)", "(3.0,)", "(4.0,)", ways=("exact", "any", "package"))
class strides_of_state_that_begins_in_the_midst_of_memory(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(12.0)[1:])
        self.register_buffer("t", torch.arange(12.0)[2::3])

    def forward(self, a: float):
        self.s.as_strided([2], [2])[::2] += a
        self.s.as_strided([2, 2], [4, 2], 3).contiguous().mul_(a)
        self.t.as_strided([2], [6]).mul_(a)
        self.t.as_strided([2, 2], [6, 3]).reshape(-1).add_(a)
        return self.s.as_strided([2, 2], [4, 1]), self.t.as_strided([2], [3], 5), self.t.as_strided([2], [6]).is_contiguous()


@case("(2.0,)", "(3.0,)", "(4.0,)", ways=("exact", "any", "package"))
class places_of_views_of_state_with_gaps(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(24.0).reshape(4, 6)[..., ::2])
        self.register_buffer("t", torch.arange(20.0).reshape(5, 4)[1:])
        self.register_buffer("u", torch.arange(6.0)[::2])

    def forward(self, a: float):
        self.s.diagonal(1).as_strided([2, 1], [4, 3]).mul_(a)
        self.s[1].detach().as_strided([2], [6], 12).add_(a)
        self.t[4 - 1 :].as_strided([2], [2]).mul_(a)
        self.u.unsqueeze_(0)
        self.u = self.u[0].as_strided([2], [2])
        return self.s[..., None].as_strided([3], [8]), self.t[1::2].as_strided([1], [4]), self.u.squeeze()


@case("(torch.arange(4.0),)", "(torch.ones(4),)", ways=("exact", "any", "package"))
class state_that_is_asked_whether_it_is_the_same(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0)[::2])

    def forward(self, x: Tensor):
        return self.s.is_set_to(self.s), x.is_set_to(self.s), (self.s > 1).is_set_to(self.s), self.s[1:].is_set_to(self.s[1:]), self.s[1:].is_set_to(self.s[:3])


@case("(torch.arange(3.0), torch.ones(3))", "(torch.zeros(3), torch.ones(3))", "(torch.zeros(3), torch.zeros(3))")
def a_copy_or_not_in_a_loop_that_data_end(y: Tensor, z: Tensor):
    k = 0
    while k < 3 and bool(z.sum() > 0.5):
        k += 1
        y.contiguous()[0].add_(1.0)
        y = (y + z).amax(0, keepdim=True)
    return y, y.storage_offset()


@case("(torch.arange(24.0).reshape(4, 6)[:, ::2],)", ways=("exact", "gradients", "package"))
def gradients_of_places_of_views_with_gaps(x: Tensor):
    y = x * 1
    z = x[1].as_strided([2], [6]) * torch.tensor([2.0, 3.0])
    return z, x.unsqueeze(0).as_strided([3], [8]).sin(), y


@case("(torch.arange(12.0)[2::3], 2.0)", "(torch.arange(24.0).reshape(4, 6)[:, ::2], 3.0)", "(torch.arange(12.0).reshape(3, 4).t(), 2.0)",
      ways=("exact", "any", "package"))
def strides_of_an_argument_with_gaps(x: Tensor, a: float):
    x.as_strided([2], [6]).mul_(a)
    y = x.as_strided([2, 2], [6, 0])
    return y, x + 1, y.is_contiguous()


@case("(torch.arange(4.0), False)", "(torch.arange(4.0), True)", "(torch.arange(4.0), False)", ways=("exact", "any", "package"))
class strides_of_state_that_is_assigned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(12.0)[2::3])

    def forward(self, x: Tensor, flag: bool):
        self.s.as_strided([2], [3]).add_(x[0])
        if flag:
            self.s = torch.arange(24.0)[::3][1:] * 1
        return self.s * 2


@case("(torch.ones(2), True)", "(torch.ones(2), False)", "(torch.ones(2), True)", ways=("exact", "any", "package", "threads"))
class strides_of_state_that_loops_and_branches_assign(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(6.0).reshape(2, 3).t())
        self.register_buffer("t", torch.arange(6.0).reshape(2, 3).t())

    def forward(self, x: Tensor, flag: bool):
        self.s.ravel().add_(-1.5)
        for _ in range(3):
            self.s = self.s * 0.5
        if bool(x.sum() > 1.0):
            self.t = self.t + 1.0
        self.t.ravel().mul_(2.0)
        return self.s.stride(0), self.t.stride(0), self.t.is_contiguous()


@case("(torch.arange(1.0, 2.0), True)", "(torch.arange(1.0, 2.0), False)")
def one_element_of_unknown_strides(y: Tensor, flag: bool):
    t = y.amin(0, keepdim=True)
    t.squeeze_()
    z = t[None].select(-1, 0) if flag else y
    z.unfold(-1, 1, 1).mul_(0.5)
    return y, t


# MemRef took the leading dimension to be what select drops, where strides are open: rows of others were written.
@case("(torch.arange(1.0, 25.0).reshape(2, 3, 4), torch.zeros(1, 4))", "(torch.arange(1.0, 31.0).reshape(3, 2, 5), torch.ones(1, 5))",
      ways=("exact", "any", "package", "any-package", "cuda-any"))
def a_row_of_a_batch_of_one(w: Tensor, z: Tensor):
    w[None][0:2, 0:, -2] = z
    return w, w.unsqueeze(0)[:, :, 1]


@case("(torch.arange(1.0, 7.0)[::2], torch.arange(1.0, 73.0).reshape(3, 4, 6)[..., ::2])", ways=("exact", "any"))
def elements_between_those_of_an_argument(z: Tensor, x: Tensor):
    between = z.as_strided([2, 2], [2, 1], 1)
    z.add_(10.0)
    x[1].as_strided([2, 2], [4, 2]).mul_(2.0)
    return between, torch.reciprocal(x.select(2, 1).as_strided([2, 1], [1, 2])), x.as_strided([3], [7], 3), z, x


@case("(torch.arange(1.0, 7.0)[::2].expand(2, 3), torch.arange(1.0, 7.0)[::2])")
def elements_between_those_of_repeated_rows(z: Tensor, x: Tensor):
    return z.as_strided([5], [1]), z[1].as_strided([2], [3], 1), x.as_strided([3], [1], 2)


@case("(torch.arange(1.0, 9.0).reshape(2, 4), 0)", "(torch.arange(1.0, 9.0).reshape(2, 4), 2)", "(-torch.arange(1.0, 9.0).reshape(2, 4), 3)")
def places_in_memory_of_a_row_that_is_picked(x: Tensor, a: int):
    first, second = torch.stack([x[0], x[1]]).unbind(0)
    row = second
    if bool((x > 0).any()):
        row = first
    rows = first
    for i in range(a):
        rows = x[1]
    rows.as_strided([2], [1], 1).add_(0.5)
    return row.as_strided([2, 2], [1, 2]), rows, x, rows.as_strided([2], [3], 2)


@case("(torch.arange(1.0, 7.0), 0, False)", "(torch.arange(1.0, 7.0), 2, True)", "(torch.arange(1.0, 7.0), 3, False)")
def questions_about_what_a_loop_gives(x: Tensor, a: int, flag: bool):
    t = torch.zeros([2, 3]) + x[0]
    first, second = t.chunk(2)
    for i in range(a):
        if flag:
            first += 0.5
        second = first + second
    place = second.storage_offset()
    x[0] = place
    return x, place, first


@case("(torch.arange(1.0, 21.0).reshape(2, 2, 5),)", ways=("exact", "gradients"))
def gradients_of_places_that_are_written_through_a_view(x: Tensor):
    y = x * 1
    places = y[:, :, :-1:2].as_strided([3, 3], [3, 2])
    before = places[None] * 3
    places[None].mul_(2)
    places.t()[0].sin_()
    return y, before


@case("(torch.arange(-2.0, 3.0).reshape(1, 5), torch.tensor(0))", "(torch.arange(-2.0, 7.0).reshape(1, 9), torch.tensor(-2))")
def places_that_only_one_of_two_tensors_has(x: Tensor, y: Tensor):
    if bool(y > 0):
        x = y
    x.as_strided([2, 2], [2, 1]).relu_()
    return x


@case("(torch.tensor(1.0),)", refused=True)
class places_behind_state_in_memory(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(5.0)[:4])

    def forward(self, x: Tensor):
        y = self.s + x
        if bool(x > 0):
            y = self.s.as_strided([2], [1], 3) * x
        return y.sum()


@case("(torch.zeros([4, 0])[..., ::2],)", "(torch.zeros([0, 3]).expand(0, 3),)", "(torch.arange(8.0).reshape(4, 2)[..., ::2],)")
def an_argument_of_no_elements_is_written(x: Tensor):
    x[x > 3] = 3
    x.mul_(2)
    return x + 1


@case("(torch.arange(10.0, dtype=torch.float16)[::2],)", "(torch.arange(12.0).reshape(3, 4).t(),)")
def new_tensors_have_rows_whatever_they_are_made_beside(y: Tensor):
    x = y.new_zeros([2, 3])
    x.ravel().index_copy_(0, torch.tensor([5]), torch.ones_like(x.ravel()[0:1]))
    z = y.new_full([3, 2], 2.0)
    z.flatten().add_(1.0)
    return x, z, y.new_ones([2, 2]).stride(0), y.new_zeros([2, 2]).is_contiguous()


@case("(torch.arange(6.0).reshape(2, 3),)", "(torch.arange(3.0).reshape(3, 1),)", "(torch.zeros([0, 2]),)", ways=("exact", "any"))
def where_diagonals_begin_that_have_no_elements(x: Tensor):
    y = x * 1
    z = y[..., None]
    return (y.diagonal(1).storage_offset(), y.diagonal(-2).storage_offset(), y.diagonal(3).storage_offset(), y.t().diagonal(1).storage_offset(),
            z.diagonal(1, 1, 2).storage_offset(), z.diagonal(-1, 1, 2).storage_offset())


@case("(torch.zeros([2, 0]), torch.zeros([2, 0]))", "(torch.zeros([2, 0]), torch.zeros([0, 3]).t())", "(torch.zeros([1, 0]), torch.zeros([4, 0]))", ways=("exact", "any"))
def rows_without_elements_are_joined(x: Tensor, y: Tensor):
    t = torch.cat([x, y], 0)
    t.reshape(-1).abs_()
    return t, torch.cat([y, x, t], 0), torch.cat([x, x], 1)


@case("(torch.arange(1.0, 1.0).reshape(5, 0),)", ways=("exact", "any"), refused=True)
def strides_of_a_view_without_elements(x: Tensor):
    return (x > 3)[-4:-1:2].view(2, 0).stride(0)


@case("(torch.arange(120.0).reshape(2, 3, 4, 5),)", "(torch.arange(120.0).reshape(2, 4, 5, 3).permute(0, 3, 1, 2),)",
      "(torch.arange(120.0).reshape(2, 3, 5, 4).mT,)", ways=("exact", "any", "package"))
def images_that_are_joined(x: Tensor):
    images, volumes = x * 2.0, (x * 3.0)[:, :, :, None]
    asked = [images.stride(), torch.cat([images, images], 1).stride(), torch.cat([images, x]).stride(), torch.cat([volumes, volumes], -1).stride()]
    for dim in range(-1, 4):
        asked += [torch.stack([images, images], dim).stride(), torch.stack([images[0], images[1]], dim).stride()]
        asked.append(torch.stack([images[0].mT, images[1].mT], dim).stride())
    y = torch.cat([images, images])
    y.reshape(-1)[7:] *= 2.0
    z = torch.stack([images, images], 2)
    z.reshape(4, -1)[1].neg_()
    return asked, y, z


@case("(torch.arange(40.0).reshape(2, 4, 5, 1).permute(0, 3, 1, 2),)", refused=True)
def images_of_one_channel_that_are_joined(x: Tensor):
    y = x * 2.0
    return y.stride(), torch.cat([y, y], 1).stride(), torch.stack([y, y], 1).stride(), torch.stack([y, y], 3).stride()


@case("(torch.arange(12.0).reshape(3, 4), 2)", "(-torch.arange(12.0).reshape(3, 4), 3)")
def parts_of_a_memory_that_differ_in_where_they_begin(x: Tensor, n: int):
    y = x * 2.0
    t = y[0]
    for i in range(n):
        if bool(x[0, 1] > 0):
            t = y[i]
    t.reshape(2, 2).mul_(3.0)
    u = y[1] if bool(x[0, 1] > 0) else y[2]
    u.reshape(-1).add_(1.0)
    return y, t.stride()


@case("(torch.arange(6.0).reshape(2, 3),)", "(-torch.arange(3.0),)", ways=("exact", "any", "gradients"))
def parts_of_detached_names_that_repeat_elements(x: Tensor):
    y = x * 2.0
    shown = y.expand(2, -1, 3) if y.dim() == 2 else y.expand(2, 3)
    cut = shown.detach()
    cut[1].mul_(3.0)
    shown.data[1:, :1] += 1.0
    z = y[..., 0].sum() * x.flatten()[1]
    z.expand(3).detach().narrow(0, 0, 0).add_(1.0)
    y.unfold(-1, 2, 1).detach()[..., 1, :].neg_()
    return y * x, cut, z


@case("(torch.arange(6.0).reshape(2, 3),)", ways=("exact", "package"))
def strides_of_sums_without_elements(x: Tensor):
    y = x.t()
    first, second, third = x[:0] + x[:1], y[:, :0] + y[:, :1], y[:0] + y[:1]
    fourth = x.unsqueeze(0).transpose(0, 2)[:, :1] + x[:0].unsqueeze(0)[:, :, :1]
    return ([t.stride(0) for t in [first, second, third, fourth]], [t.stride(1) for t in [first, second, third, fourth]], fourth.stride(2),
            torch.where(y[:0] > 0, y[:1], 1.0).stride(1))


@case("(torch.arange(1.0, 9.0).reshape(2, 4),)", ways=("exact", "any", "package"))
def copies_that_keep_gaps_and_what_lies_before(x: Tensor):
    y = x.view(-1)
    v = torch.slice_scatter(y[::2], y[:1] + 1, 0, 0, 1)
    w = v.contiguous()
    w += 1
    q = torch.select_scatter(y[1:], y[0], 0, 0)
    q.as_strided([2], [1]).mul_(3.0)
    return v, w, v.is_contiguous(), q, q.storage_offset(), v.stride(0)


@case("(torch.arange(1.0, 3.0).reshape(2, 1),)", ways=("exact", "any", "package"), refused=True)
def a_copy_of_what_lies_before(x: Tensor):
    a, b = torch.stack([x[0], x[1]]).unbind(0)
    s = torch.slice_scatter(b, b, 0, 0, 1)
    s.as_strided([2], [1], 0).mul_(2.0)
    return s * 1
