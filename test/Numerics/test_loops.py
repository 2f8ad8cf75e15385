"""Loops over time steps: values, gradients of inputs and of parameters against eager autograd, in double precision."""

import numpy as np
import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F

import models

TIGHT = dict(rtol=1e-9, atol=1e-11)


class LoopedGru(nn.Module):
    """The hidden side's gradient is not the input side's: the reset gate is between."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__()
        self.w_ih = nn.Parameter(torch.randn(3 * hidden, inputs) * 0.3)
        self.w_hh = nn.Parameter(torch.randn(3 * hidden, hidden) * 0.3)
        self.b_ih = nn.Parameter(torch.randn(3 * hidden) * 0.3)
        self.b_hh = nn.Parameter(torch.randn(3 * hidden) * 0.3)

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        outputs = torch.jit.annotate(list[torch.Tensor], [])
        for step in range(x.size(0)):
            i_r, i_z, i_n = F.linear(x[step], self.w_ih, self.b_ih).chunk(3, 1)
            h_r, h_z, h_n = F.linear(h, self.w_hh, self.b_hh).chunk(3, 1)
            z = torch.sigmoid(i_z + h_z)
            n = torch.tanh(i_n + torch.sigmoid(i_r + h_r) * h_n)
            h = n + z * (h - n)
            outputs.append(h)
        return torch.stack(outputs), h


class Recurrence(nn.Module):
    """A tanh cell with a weight for the state and one for the steps; subclasses say what the loop does."""

    def __init__(self, inputs: int = 3, hidden: int = 4):
        super().__init__()
        self.u = nn.Parameter(torch.randn(hidden, hidden) * 0.5)
        self.w = nn.Parameter(torch.randn(inputs, hidden) * 0.5)
        self.b = nn.Parameter(torch.randn(hidden))


class FromTheEnd(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(x.size(0)):
            h = torch.tanh(x[x.size(0) - 1 - step] @ self.w + h @ self.u + self.b)
        return h


class CountedDown(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(x.size(0) - 1, -1, -1):
            h = torch.tanh(x[step] @ self.w + h @ self.u + self.b)
        return h


class NegativeIndex(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(x.size(0)):
            h = torch.tanh(x[-1 - step] @ self.w + h @ self.u + self.b)
        return h


class EverySecond(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(0, x.size(0), 2):
            h = torch.tanh(x[step] @ self.w + h @ self.u + self.b)
        return h


class FromTheSecond(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(1, x.size(0)):
            h = torch.tanh(x[step] @ self.w + x[step - 1] @ self.w + h @ self.u + self.b)
        return h


class BatchFirst(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(x.size(0)):
            h = torch.tanh(torch.addmm(self.b, x.transpose(0, 1)[:, step], self.w) + h @ self.u)
        return h


class Slices(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(x.size(0)):
            h = torch.tanh((x[step : step + 1] @ self.w).squeeze(0) + h @ self.u + self.b)
        return h


class WeightChanges(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        w = self.w
        for step in range(x.size(0)):
            h = torch.tanh(x[step] @ w + h @ self.u + self.b)
            w = w * 0.9
        return h


class CarriedIndex(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        at = 0
        for step in range(x.size(0)):
            h = torch.tanh(x[at] @ self.w + h @ self.u + self.b)
            at = (at * 2 + 1) % x.size(0)
        return h


class WrittenInside(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        x = x.clone()
        for step in range(x.size(0) - 1):
            x[step + 1] = x[step + 1] + torch.tanh(x[step] @ self.w)[:, :3]
            h = torch.tanh(x[step] @ self.w + h @ self.u + self.b)
        return h


class SumRead(Recurrence):
    """What is summed up is read on the way."""

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        total = self.u * 0
        for step in range(x.size(0)):
            total = total + torch.mm(h.t(), h)
            h = torch.tanh(x[step] @ self.w + h @ (self.u + total * 0.1) + self.b)
        return h, total


class SumOfProducts(Recurrence):
    """Sums that leave the forward loop: of products, and of reductions."""

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        total, count = self.u * 2, self.b * 1
        for step in range(x.size(0)):
            p = torch.tanh(x[step] @ self.w + h @ self.u)
            total = total + torch.mm(h.t(), p)
            count = count + p.sum([0])
            h = p
        return h, total, count


class Nested(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for step in range(x.size(0)):
            for _ in range(3):
                h = torch.tanh(x[step] @ self.w + h @ self.u + self.b)
        return h


class Vectors(Recurrence):
    """No batch: products of a vector and a matrix."""

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        state = h[0]
        for step in range(x.size(0)):
            state = torch.tanh(x[step][0] @ self.w + state @ self.u + self.b)
        return state


class Unbound(Recurrence):
    """The steps as a list that is indexed, the outputs as one that grows in place."""

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        steps = x.unbind(0)
        outputs = torch.jit.annotate(list[torch.Tensor], [])
        for step in range(len(steps)):
            h = torch.tanh(steps[step] @ self.w + h @ self.u + self.b)
            outputs += [h]
        return torch.stack(outputs)


class Iterated(Recurrence):
    def forward(self, x: torch.Tensor, h: torch.Tensor):
        outputs = torch.jit.annotate(list[torch.Tensor], [])
        for step in x:
            h = torch.tanh(step @ self.w + h @ self.u + self.b)
            outputs.append(h)
        return torch.stack(outputs)


CELLS = [FromTheEnd, CountedDown, NegativeIndex, EverySecond, FromTheSecond, BatchFirst, Slices, WeightChanges, CarriedIndex,
         SumRead, SumOfProducts, Nested, Vectors, Unbound, Iterated]


class WholeGru(LoopedGru):
    """PyTorch's own operator, which becomes a loop of ours."""

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        weights = [self.w_ih, self.w_hh, self.b_ih, self.b_hh]
        return torch.gru(x, h.unsqueeze(0), weights, True, 1, 0.0, False, False, False)


class WholeLstm(nn.Module):
    def __init__(self, inputs: int, hidden: int):
        super().__init__()
        self.w_ih = nn.Parameter(torch.randn(4 * hidden, inputs) * 0.3)
        self.w_hh = nn.Parameter(torch.randn(4 * hidden, hidden) * 0.3)
        self.b_ih = nn.Parameter(torch.randn(4 * hidden) * 0.3)
        self.b_hh = nn.Parameter(torch.randn(4 * hidden) * 0.3)

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        weights = [self.w_ih, self.w_hh, self.b_ih, self.b_hh]
        return torch.lstm(x, [h.unsqueeze(0), h.unsqueeze(0)], weights, True, 1, 0.0, False, False, True)


class UntilLarge(nn.Module):
    """Only the data tell how often this runs."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.1, 1.5, 1.2]))

    def forward(self, x: torch.Tensor):
        y = x
        while bool(y.abs().sum() < 40.0):
            y = torch.sin(y) + y * self.w + x
        return y


class AsOftenAsTold(UntilLarge):
    def forward(self, x: torch.Tensor, n: torch.Tensor):
        y, total = x, x * 0.0
        for i in range(int(n.item())):
            y = torch.tanh(y * self.w) + x
            if bool(y.sum() > 1.0):
                total = total + y * float(i)
        return y, total


def compare_gradients(saved, jit_run, module, *arguments):
    """Values, then d(sum of outputs): of each argument that requires a gradient and of each parameter."""
    archive, reference = saved(module.double())
    outcome = jit_run(archive, *arguments, flags=["--grad"])
    expected = reference(*arguments)
    sum(leaf.sum() for leaf in tensors(expected)).backward()
    outcome.assert_close(expected, **TIGHT)
    for position, argument in enumerate(arguments):
        if isinstance(argument, torch.Tensor) and argument.requires_grad:
            want = torch.zeros_like(argument) if argument.grad is None else argument.grad
            np.testing.assert_allclose(outcome.gradient(position), want.numpy(), **TIGHT, err_msg=f"argument {position}")
    for name, parameter in reference.named_parameters():
        if parameter.grad is not None:
            np.testing.assert_allclose(outcome.gradient(f".{name}"), parameter.grad.numpy(), **TIGHT, err_msg=name)


def tensors(value):
    return [value] if isinstance(value, torch.Tensor) else [leaf for part in value for leaf in tensors(part)]


def random(*sizes):
    return torch.randn(*sizes, dtype=torch.float64).requires_grad_()


@pytest.mark.parametrize("trips", [1, 2, 7, 8, 9, 100])
def test_lstm(saved, jit_run, trips):
    state = (torch.randn(2, 4, dtype=torch.float64), torch.randn(2, 4, dtype=torch.float64))
    compare_gradients(saved, jit_run, models.LoopedLstm(3, 4), random(trips, 2, 3), state)


@pytest.mark.parametrize("batch", [1, 2, 9])
def test_gru(saved, jit_run, batch):
    compare_gradients(saved, jit_run, LoopedGru(3, 4), random(6, batch, 3), random(batch, 4))


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.__name__)
@pytest.mark.parametrize("trips", [1, 5])
def test_cells(saved, jit_run, cell, trips):
    compare_gradients(saved, jit_run, cell(), random(trips, 2, 3), random(2, 4))


def test_no_trip(saved, jit_run):
    archive, reference = saved(FromTheEnd().double())
    x, h = torch.randn(0, 2, 3, dtype=torch.float64), torch.randn(2, 4, dtype=torch.float64)
    jit_run(archive, x, h).assert_close(reference(x, h), **TIGHT)
    outcome = jit_run(archive, x, h.requires_grad_(), flags=["--grad"])
    outcome.assert_ok()
    np.testing.assert_array_equal(outcome.gradient(1), np.ones((2, 4)))


def test_what_the_loop_writes_is_not_taken_before(saved, jit_run):
    archive, reference = saved(WrittenInside().double())
    x, h = torch.randn(9, 2, 3, dtype=torch.float64), torch.randn(2, 4, dtype=torch.float64)
    jit_run(archive, x, h).assert_close(reference(x.clone(), h), **TIGHT)


def test_whole_networks(saved, jit_run):
    compare_gradients(saved, jit_run, WholeGru(3, 4), random(5, 2, 3), random(2, 4))
    compare_gradients(saved, jit_run, WholeLstm(3, 4), random(2, 5, 3), random(2, 4))


@pytest.mark.parametrize("scale", [1.0, 100.0], ids=["many trips", "none"])
def test_a_loop_that_ends_when_the_data_say(saved, jit_run, scale):
    x = (torch.tensor([0.5, 0.2, 0.9], dtype=torch.float64) * scale).requires_grad_()
    compare_gradients(saved, jit_run, UntilLarge(), x)


@pytest.mark.parametrize("trips", [0, 1, 7])
def test_a_number_of_trips_from_a_tensor(saved, jit_run, trips):
    compare_gradients(saved, jit_run, AsOftenAsTold(), random(3), torch.tensor(trips))
