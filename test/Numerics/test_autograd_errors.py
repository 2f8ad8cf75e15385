"""torch.autograd.grad in programs: what is an error, in PyTorch's words, and what is refused."""

from typing import List, Optional

import pytest
import torch
from autograd_programs import Detached, LennardJones, eager, tensors
from torch import Tensor, nn


class Fault(nn.Module):
    def forward(self, x: Tensor, y: Tensor, which: int):
        if which == 0:
            return torch.autograd.grad([(y * y).sum()], [y])
        x.requires_grad_(True)
        if which == 1:
            return torch.autograd.grad([(x * x).sum()], [y])
        if which == 2:
            return torch.autograd.grad([x * x], [x])
        if which == 3:
            return torch.autograd.grad([(x * x).sum(), y.sum()], [x])
        weights: Optional[List[Optional[Tensor]]] = [y]
        if which == 4:
            return torch.autograd.grad([x * x], [x], weights)
        if which == 5:
            return torch.autograd.grad([x * x, x], [x], weights)
        g = torch.autograd.grad([(x * 3).sum()], [x], create_graph=True)[0]
        assert g is not None
        if which == 6:
            return torch.autograd.grad([g.sum()], [x])
        y.requires_grad_(True)
        return torch.autograd.grad([(x * x).sum()], [x, y])


@pytest.mark.parametrize("which", range(8))
def test_errors(which, saved, jit_run):
    x, y = torch.rand(3), torch.rand(2)
    archive, reference = saved(torch.jit.script(Fault()))
    with pytest.raises(RuntimeError) as error:
        reference(x.clone(), y.clone(), which)
    message = str(error.value).strip().splitlines()[-1].removeprefix("RuntimeError: ").replace("0of", "0 of").replace("1of", "1 of")
    jit_run(archive, x, y, which).assert_fails_with(message)


def test_argument_that_requires_none(saved, jit_run):
    """The mark of the call's argument decides, as in eager PyTorch."""
    archive, reference = saved(torch.jit.script(Detached()))
    x = torch.rand(3)
    with pytest.raises(RuntimeError, match="does not require grad"):
        reference(x)
    jit_run(archive, x).assert_fails_with("element 0 of tensors does not require grad and does not have a grad_fn")


def test_ints_have_no_gradient(saved, jit_run):
    archive, reference = saved(torch.jit.script(LennardJones()))
    message = "Only Tensors of floating point and complex dtype can require gradients"
    with pytest.raises(RuntimeError, match=message):
        reference(torch.arange(6).view(2, 3))
    jit_run(archive, torch.arange(6).view(2, 3)).assert_fails_with(message)


class UsedByData(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        x.requires_grad_(True)
        y.requires_grad_(True)
        energy = x.sum()
        if bool(energy > 100.0):
            energy = energy * y.sum()
        return torch.autograd.grad([energy], [x, y], allow_unused=True)


def test_a_use_that_data_tell_is_refused(saved, jit_run):
    archive, _ = saved(torch.jit.script(UsedByData()))
    outcome = jit_run(archive, torch.rand(3), torch.rand(3))
    outcome.assert_fails_with("expected to know whether an output depends on element 1 of the inputs: it depends on the data")


class Backward(nn.Module):
    def forward(self, x: Tensor):
        x.requires_grad_(True)
        (x * x).sum().backward()
        return x.grad


def test_backward_is_refused(saved, jit_run):
    archive, _ = saved(torch.jit.script(Backward()))
    jit_run(archive, torch.rand(3)).assert_fails_with("aten::backward", "not supported")


class AskedBeforeALaterTripWrites(nn.Module):
    def forward(self, x: Tensor, w: Tensor, n: int):
        a = x.clone()
        asked = 0
        for _ in range(n):
            if a.requires_grad:
                asked += 1
            a.mul_(w)
        return a, asked


def test_a_question_that_trips_answer_differently_is_refused(saved, jit_run):
    """False on the first trip, True from then on: it was False on all."""
    archive, _ = saved(torch.jit.script(AskedBeforeALaterTripWrites()))
    outcome = jit_run(archive, torch.rand(3), torch.rand(3, requires_grad=True), 3, flags=["--grad"])
    outcome.assert_fails_with("expected to know whether a tensor requires a gradient")


def test_no_trip_makes_a_gradient_where_the_call_wants_none(saved, jit_run):
    archive, reference = saved(torch.jit.script(AskedBeforeALaterTripWrites()))
    x, w = torch.rand(3), torch.rand(3)
    jit_run(archive, x, w, 3).assert_close(reference(x.clone(), w.clone(), 3))


def weighted(x: Tensor, value: Tensor):
    return x.addcmul(x, x, value=value)


@pytest.mark.parametrize("value", [torch.tensor(1.5), torch.tensor(1.5, requires_grad=True), torch.tensor([2.0])])
def test_a_number_that_requires_a_gradient(value, jit_mlir):
    """A tensor stands for a number without being asked only where it has neither a gradient nor dimensions."""
    scripted = torch.jit.script(weighted)
    x, program = torch.rand(3), jit_mlir.compile(scripted)
    if value.requires_grad or value.dim():
        message = "Cannot input a tensor (that requires grad|of dimension other than 0) as a scalar argument"
        with pytest.raises(RuntimeError, match=message):
            scripted(x, value)
        with pytest.raises(jit_mlir.Error, match=message) as error:
            program(x, value)
        assert error.value.kind == "raised"
    else:
        torch.testing.assert_close(program(x, value), scripted(x, value))


class MarkedLater(nn.Module):
    """What a loop computes requires a gradient from the trip on that comes after the mark."""

    def forward(self, x: Tensor):
        a = x.detach()
        marked, i = 0, 0
        while i < int(x.sum()):
            if (a * 2).requires_grad:
                marked += 1
            a.requires_grad_()
            i += 1
        return marked


class MarkedAnew(nn.Module):
    """A loop's variable under a mark, and a branch on the question; this crashed."""

    def forward(self, x: Tensor):
        marked = 0
        while bool(x.sum() < 10):
            if (x * 2).requires_grad:
                marked += 1
            x = (x + 1).detach()
            x.requires_grad_()
        return marked


@pytest.mark.parametrize("kind", [MarkedLater, MarkedAnew])
def test_a_mark_later_in_a_loop_is_refused(kind, saved, jit_run):
    archive, _ = saved(torch.jit.script(kind()))
    jit_run(archive, torch.ones(3)).assert_fails_with("expected to know whether a tensor requires a gradient")
