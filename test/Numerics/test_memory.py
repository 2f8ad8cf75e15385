"""Writes in place, through whatever names memory has: what eager PyTorch sees of them is seen here."""

from typing import List

import numpy as np
import pytest
import torch
from conftest import clone, tool
from running import JitRun
from torch import Tensor


def converted(x: Tensor):
    m = (x > 0.1).to(torch.float32)
    m.mul_(0.5)
    return m


def folded(x: Tensor):
    a = x + 1.0
    b = a.to(torch.float64).to(torch.float32)
    a.clamp_(-0.5, 0.5)
    return b


def reshaped(x: Tensor):
    t = x * 1.0
    t.t().reshape(-1).mul_(2.0)
    return t


def reshaped_shared(x: Tensor):
    t = x * 1.0
    t.t().t().reshape(-1).mul_(2.0)
    return t


def transposed_dense(x: Tensor):
    # A pointwise operator keeps the order of its operand's strides: here reshape copies.
    t = x.t() * 1.0
    t.reshape(-1).mul_(2.0)
    return t


def transposed_back(x: Tensor):
    t = x.t() * 1.0
    t.t().reshape(-1).mul_(2.0)
    return t


def moved(x: Tensor):
    y = x.clone()
    c = y.moveaxis(0, 1).contiguous()
    c.add_(1.0)
    return y, c


def kept_contiguous(x: Tensor):
    y = x.clone()
    c = y.contiguous()
    c.add_(1.0)
    return y, c


def same_dtype(x: Tensor):
    y = x.clone()
    y.to(torch.float32).add_(1.0)
    y.float().mul_(2.0)
    y.type_as(x).sub_(0.5)
    return y


def same_dtype_copied(x: Tensor):
    y = x.clone()
    y.to(torch.float32, copy=True).add_(1.0)
    return y


def joined_alone(x: Tensor):
    y = x.clone()
    c = torch.cat([y])
    y.add_(1.0)
    return y, c


def diagonal_written(x: Tensor):
    y = x.clone()
    y.diagonal().zero_()
    y.diagonal(1).fill_(7.0)
    return y


def windows_written(x: Tensor):
    y = x.clone()
    y.unfold(1, 2, 2).mul_(3.0)
    return y


def part_of_expanded(x: Tensor):
    y = x.clone()
    y.unsqueeze(0).expand(3, 3, 4)[1].add_(1.0)
    return y


def eval_dropout(x: Tensor):
    y = x.clone()
    torch.dropout(y, 0.5, False).mul_(2.0)
    return y


def flag_picks(x: Tensor, n: int):
    y = x.clone()
    z = x * 2.0
    t = y if n > 1 else z
    t.add_(1.0)
    return y, z, t


def data_picks(x: Tensor):
    y = x.clone()
    z = x * 2.0
    if bool(x.sum() > 0):
        t = y
    else:
        t = z
    t.add_(1.0)
    y.mul_(3.0)
    return y, z, t


def data_picks_views(x: Tensor):
    y = x.clone()
    if bool(x.sum() > 0):
        t = y[0]
    else:
        t = y[:, 1].sum().expand(4).clone()
    t.add_(1.0)
    u = t * 2.0
    y.mul_(3.0)
    return y, t, u


def data_picks_twice(x: Tensor):
    y = x.clone()
    z = x * 2.0
    t = y
    if bool(x.sum() > 0):
        if bool(x[0, 0] > 0):
            t = z
        else:
            t = x + 5.0
    t.add_(1.0)
    z.mul_(2.0)
    return y, z, t


def named_twice(z: Tensor, n: int):
    z = z.clone()
    t = z
    for i in range(n):
        t = torch.tanh(t)
    t.view(-1).relu_()
    return z


def open_loop(x: Tensor):
    z = x.clone()
    t = z
    for i in range(int(x.abs().sum()) % 5):
        t.add_(0.5)
        t = torch.tanh(t)
        z.mul_(2.0)
    t.view(-1).relu_()
    return z, t


def open_loop_keeps(x: Tensor):
    z = x.clone()
    t = z
    for i in range(int(x.abs().sum()) % 5 + 1):
        if bool(t.sum() > 1):
            t = t * 0.5
        t.add_(0.25)
    return z, t


def swapped(x: Tensor, n: int):
    a = x.clone()
    b = x * 2.0
    for i in range(n):
        a.add_(1.0)
        c = a
        a = b
        b = c
    return a, b


def element_of_list(x: Tensor):
    xs = [x.clone(), x * 2.0, x * 3.0]
    xs[int(x.sum() > 0)].add_(1.0)
    return xs[0], xs[1], xs[2]


def list_holds_tensor(x: Tensor):
    a = x.clone()
    xs = [a, x * 2.0]
    a.add_(1.0)
    return torch.cat(xs)


def appended_then_written(x: Tensor, n: int):
    h = x.clone()
    xs: List[Tensor] = []
    for i in range(n):
        h.add_(1.0)
        xs.append(h)
    return torch.stack(xs + [x])


def argument_written(x: Tensor):
    x.t()[0].add_(1.0)
    return x * 2.0


def is_contiguous_asked(x: Tensor):
    y = x.t() * 1.0
    return y.is_contiguous(), y.t().is_contiguous(), y.stride(0), x.t().reshape(-1).is_contiguous()


def sizes_in_place(x: Tensor):
    t = x * 1.0
    v = t.view(-1)
    t.unsqueeze_(1)
    t.transpose_(0, 2)
    t.add_(1.0)
    v.mul_(2.0)
    return t, v, t.size(0), v.dim()


def sizes_in_a_branch(x: Tensor):
    t = x * 1.0
    if x.size(0) > 1:
        t.t_()
    else:
        t.squeeze_()
    t[0].mul_(2.0)
    return t + 1.0


def sizes_in_a_loop(x: Tensor):
    t = x + 0.0
    for i in range(3):
        t.unsqueeze_(0)
    t.swapaxes_(0, -1)
    return t


def strided_in_place(x: Tensor):
    t = x * 1.0
    t.as_strided_([2, 2], [2, 1], 1)
    t.mul_(2.0)
    return t


def places_in_memory(x: Tensor):
    t = x * 1.0
    row = t[1]
    same = t.view_as(t)
    return row.storage_offset(), t.storage_offset(), row.is_set_to(t[1]), row.is_set_to(t[0]), same.is_set_to(t), x.is_set_to(t)


def diagonal_filled(x: Tensor):
    t = x * 1.0
    t.fill_diagonal_(9.0)
    tall = torch.zeros(7, 2)
    tall.fill_diagonal_(1.0, wrap=True)
    cube = torch.zeros(2, 2, 2)
    cube.fill_diagonal_(3.0)
    return t, tall, cube


PROGRAMS = [converted, folded, reshaped, reshaped_shared, transposed_dense, transposed_back, moved, kept_contiguous, same_dtype,
            same_dtype_copied, joined_alone, diagonal_written, windows_written, part_of_expanded, eval_dropout, data_picks,
            data_picks_views, data_picks_twice, open_loop, open_loop_keeps, element_of_list, list_holds_tensor,
            argument_written, is_contiguous_asked, sizes_in_place, sizes_in_a_branch, sizes_in_a_loop, strided_in_place,
            places_in_memory, diagonal_filled]
WITH_COUNT = [flag_picks, named_twice, swapped, appended_then_written]


def check(function, arguments, folder, flags=()):
    """Runs a scripted function both ways. The reference is the archive: saving drops some writes."""
    torch.jit.script(function).save(str(folder / "program.pt"))
    reference = torch.jit.load(str(folder / "program.pt"))
    got = JitRun(tool("jit-run"), folder)(folder / "program.pt", *arguments, flags=flags)
    got.assert_close(reference(*clone(arguments)))


def inputs():
    torch.manual_seed(3)
    x = torch.randn(3, 4)
    return [x, -x.abs(), x.abs() + 1]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_written_in_place(function, tmp_path):
    for x in inputs():
        check(function, [x], tmp_path)


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("function", WITH_COUNT, ids=lambda f: f.__name__)
def test_written_in_place_with_count(function, count, tmp_path):
    check(function, [inputs()[0], count], tmp_path)


def detached(x: Tensor):
    y = x * 2.0
    y.detach().mul_(3.0)
    return y.sum()


def data_written(x: Tensor):
    y = x * 2.0
    y.data.mul_(3.0)
    return (y * y).sum()


@pytest.mark.parametrize("function", [detached, data_written], ids=lambda f: f.__name__)
def test_writes_that_autograd_does_not_see(function, tmp_path):
    x = torch.randn(3, 4, requires_grad=True)
    function(x).backward()
    torch.jit.script(function).save(str(tmp_path / "program.pt"))
    got = JitRun(tool("jit-run"), tmp_path)(tmp_path / "program.pt", x, flags=["--grad"])
    got.assert_ok()
    np.testing.assert_allclose(got.gradient(0), x.grad.numpy(), rtol=1e-5)


def test_a_write_between_the_elements_of_an_argument(jit_mlir):
    def written(x: Tensor):
        x.as_strided([3], [1]).mul_(2.0)
        return x

    def beside_another(x: Tensor, y: Tensor):
        x.as_strided([3], [1]).mul_(2.0)
        return y.sum()

    compiled, both = jit_mlir.compile(torch.jit.script(written)), jit_mlir.compile(torch.jit.script(beside_another))
    memory = torch.arange(1.0, 7.0)
    torch.testing.assert_close(compiled(memory[::2]), torch.tensor([2.0, 6.0, 5.0]), rtol=0, atol=0)
    torch.testing.assert_close(memory, torch.tensor([2.0, 4.0, 6.0, 4.0, 5.0, 6.0]), rtol=0, atol=0)
    # Two arguments of the memory, neither of which begins where the other does.
    memory = torch.arange(1.0, 9.0)
    assert both(memory[1::3], memory[3::3]).item() == 15.0
    torch.testing.assert_close(memory, torch.tensor([1.0, 4.0, 6.0, 8.0, 5.0, 6.0, 7.0, 8.0]), rtol=0, atol=0)


def test_a_write_between_the_elements_of_a_read_only_argument_is_refused(jit_mlir):
    def written(x: Tensor):
        x.as_strided([3], [1]).mul_(2.0)
        return x.sum()

    compiled, memory = jit_mlir.compile(torch.jit.script(written)), np.arange(1.0, 7.0, dtype=np.float32)
    memory.flags.writeable = False
    with pytest.raises(jit_mlir.Error, match="expected memory that may be written, as the program writes it in place, got read-only memory"):
        compiled(memory[::2])
    np.testing.assert_array_equal(memory, np.arange(1.0, 7.0))


class BetweenElements(torch.nn.Module):
    """Reads and writes the memory of `x` also where `x` has no elements."""

    def forward(self, x: Tensor):
        whole = x.as_strided([3], [1])
        whole[1:] *= 2.0
        return whole.sum(), x * 1.0


@pytest.mark.parametrize("spec", ["f32[2]:strides[2]", "f32[2]:strides[2]:part[0,0,3]"])
def test_a_package_reads_and_writes_between_the_elements_of_an_argument(spec, jit_mlir, saved, tmp_path):
    archive, program = saved(BetweenElements())
    jit_mlir.load(archive).save(tmp_path / "between.so", f"forward({spec})")
    package = jit_mlir.load(tmp_path / "between.so")
    ours, theirs = torch.arange(1.0, 6.0), torch.arange(1.0, 6.0)
    got, want = package.forward(ours[:3:2]), program(theirs[:3:2])
    for one, other in zip((*got, ours), (*want, theirs)):
        torch.testing.assert_close(one, other, rtol=0, atol=0)
