"""Reads and writes by masks: how many elements there are is a matter of the data, call by call."""

import pytest
import torch
from torch import Tensor, nn

X = torch.arange(12.0).reshape(3, 4) - 5
MASKS = [X > 0, X > 100, X < 100]


class Reads(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        return x[mask], torch.masked_select(x, mask[0]), x[mask].exp() + 1


class ReadsRows(nn.Module):
    def forward(self, x: Tensor, rows: Tensor, columns: Tensor):
        return x[rows], x[:, columns], x[rows] * 2 + x[0]


class Sums(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        return x[mask].sum(), x[mask].size(0)


class Places(nn.Module):
    def forward(self, x: Tensor):
        return torch.nonzero(x), torch.argwhere(x > 1), torch.where(x < 0)[1]


class Writes(nn.Module):
    def forward(self, x: Tensor, mask: Tensor, value: Tensor):
        x = x.clone()
        x[mask] = 7.0
        y = x * 1
        y[mask] = value
        z = x * 1
        z[mask[:, 0]] = value + x[0]
        z[:, mask[0]] += 0.5
        return x, y, z, x.masked_scatter(mask, y.t().contiguous())


class Updates(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        x = x.clone()
        x[mask] *= 2
        x[mask] = x[mask].exp()
        x[mask[:, 1]] += 1
        return x


class WritesInALoop(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        x = x.clone()
        for i in range(3):
            x[i][mask[i]] = float(i)
        return x


class OneForEach(nn.Module):
    def forward(self, x: Tensor, mask: Tensor, values: Tensor):
        x = x.clone()
        x[mask] = values
        return x


class Uniques(nn.Module):
    def forward(self, x: Tensor):
        values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
        runs, _, lengths = torch.unique_consecutive(x.view(-1), return_inverse=True, return_counts=True)
        return values, inverse, counts, runs, lengths


class Slices(nn.Module):
    def forward(self, x: Tensor, dim: int):
        values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True, dim=dim)
        runs, places, lengths = torch.unique_consecutive(x, return_inverse=True, return_counts=True, dim=dim)
        return values, inverse, counts, runs, places, lengths


class Counts(nn.Module):
    def forward(self, x: Tensor, weights: Tensor):
        return (torch.nn.functional.one_hot(x), torch.bincount(x.view(-1)), torch.bincount(x.view(-1), minlength=20),
                torch.bincount(x.view(-1), weights), torch.bincount(x.view(-1), weights.double()))


class OneHot(nn.Module):
    def forward(self, x: Tensor, count: int):
        one_hot = torch.nn.functional.one_hot
        return one_hot(x), one_hot(x, count), one_hot(x, int(x.max()) + 2)


class Repeats(nn.Module):
    def forward(self, x: Tensor, counts: Tensor):
        return (torch.repeat_interleave(x, counts, dim=0), torch.repeat_interleave(counts), x.repeat_interleave(counts[:1]),
                torch.repeat_interleave(x, counts, dim=0, output_size=5).exp())


@pytest.mark.parametrize("mask", MASKS, ids=["some", "none", "all"])
@pytest.mark.parametrize("program", [Reads, Sums, Updates, WritesInALoop])
def test_masks(program, mask, agrees):
    agrees(program(), X, mask)


@pytest.mark.parametrize("mask", MASKS, ids=["some", "none", "all"])
def test_writes(mask, agrees):
    agrees(Writes(), X, mask, torch.tensor(-1.5))


@pytest.mark.parametrize("rows", [[True, False, True], [False, False, False]])
def test_rows(rows, agrees):
    agrees(ReadsRows(), X, torch.tensor(rows), torch.tensor([False, True, True, False]))


@pytest.mark.parametrize("x", [X, X.long(), X * 0, X[1]])
def test_places(x, agrees):
    agrees(Places(), x.contiguous() if x.dim() > 1 else x.reshape(1, 4))


def test_one_value_for_each_place(agrees):
    agrees(OneForEach(), X, X > 4, torch.tensor([10.0, 20.0]))


def test_too_few_values_are_refused(saved, jit_run):
    archive, reference = saved(OneForEach())
    arguments = X, X > 3, torch.tensor([10.0, 20.0])
    with pytest.raises(RuntimeError):
        reference(*arguments)
    jit_run(archive, *arguments).assert_fails_with("expected equal sizes, got 2 and 3")


@pytest.mark.parametrize("x", [torch.tensor([[3, 1, 3], [2, 1, 1]]), torch.tensor([[0.5, 0.5, -1.0]]), torch.tensor([[7]])])
def test_uniques(x, agrees):
    agrees(Uniques(), x)


def test_one_variant_serves_other_counts(saved, jit_mlir):
    archive, reference = saved(Reads())
    program = jit_mlir.load(archive)
    for threshold in (0.0, 3.0, -10.0, 100.0):
        arguments = X, X > threshold
        for got, want in zip(program(*arguments), reference(*arguments)):
            torch.testing.assert_close(got, want)


ROWS = torch.tensor([[[1, 2], [3, 0]], [[1, 2], [3, 0]], [[1, 1], [3, 0]], [[1, 2], [3, 0]], [[0, 9], [9, 9]]])


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("x", [ROWS, ROWS.float() - 1.5, ROWS > 1, ROWS[:1]], ids=["ints", "floats", "bools", "one"])
def test_unique_slices(x, dim, agrees):
    agrees(Slices(), x, dim)


def test_counts(agrees):
    agrees(Counts(), torch.tensor([[3, 1, 3], [0, 7, 1]]), torch.tensor([0.5, 1, 2, 4, -1, 0.25]))


def test_negative_classes_are_refused(saved, jit_run):
    archive, _ = saved(Counts())
    jit_run(archive, torch.tensor([[3, -1, 3]]), torch.ones(3)).assert_fails_with("expected no negative numbers, got -1")


@pytest.mark.parametrize("flags", [[], ["--any-sizes"]], ids=["exact", "any"])
def test_one_hot(flags, agrees):
    outcome = agrees(OneHot(), torch.tensor([[3, 1, 3], [0, 7, 1]]), 9, flags=[*flags, "--explain"])
    assert "is compiled for each of its sizes" not in outcome.stderr


def test_one_hot_of_nothing_or_of_too_few_is_refused(saved, jit_run):
    archive, _ = saved(OneHot())
    jit_run(archive, torch.zeros(0, dtype=torch.long), 9, flags=["--any-sizes"]).assert_fails_with("num_classes")
    jit_run(archive, torch.tensor([3, 7]), 7, flags=["--any-sizes"]).assert_fails_with("expected numbers from 0 to 6")


def test_repeats(agrees):
    agrees(Repeats(), X[:, 1:].contiguous(), torch.tensor([2, 0, 3]))


class Sequence(nn.Module):
    def forward(self, x: Tensor, step: int):
        return torch.arange(2, int(x.sum()), 2 * step), torch.arange(0.5, float(x.sum()), 0.25)


@pytest.mark.parametrize("value, step", [(3.0, 1), (2.0, 1), (3.5, 2), (0.5, 1)])
def test_sequences_to_a_number_of_the_data(value, step, saved, jit_run):
    archive, reference = saved(Sequence())
    x = torch.full((2,), value)
    if value < 1:
        jit_run(archive, x, step).assert_fails_with("expected a step that leads from the start to the end")
    else:
        jit_run(archive, x, step).assert_close(reference(x, step))


class WholeSequences(nn.Module):
    """Bounds that are no whole numbers are cut off for int64, and for the powers; other whole numbers count them as they are."""

    def forward(self, x: Tensor):
        return (torch.arange(-8.000001, 0.0, 4.0, dtype=torch.int64), torch.arange(5.9, 1.0, -2.9, dtype=torch.int64) + x,
                torch.arange(0, 3.1, dtype=torch.int32), torch.logspace(0, 1.2, 4, dtype=torch.int64), torch.logspace(1, 3.5, 3, 2.5, dtype=torch.int64))


def test_whole_sequences_of_fractions(agrees):
    agrees(WholeSequences(), torch.tensor(1))


class Extremes(nn.Module):
    def forward(self, x: Tensor, which: int):
        y = x[x > 1]
        if which == 0:
            return y.max()
        if which == 1:
            return y.amin(0)
        if which == 2:
            return y.max(0)[0]
        return y.argmin()


@pytest.mark.parametrize("which", range(4))
def test_extremes_of_nothing(which, saved, jit_run):
    archive, reference = saved(Extremes())
    jit_run(archive, torch.tensor([0.5, 2.5, 1.5]), which).assert_close(reference(torch.tensor([0.5, 2.5, 1.5]), which))
    with pytest.raises(RuntimeError):
        reference(torch.zeros(3), which)
    jit_run(archive, torch.zeros(3), which).assert_fails_with("expected a dimension with elements to find the extreme along")
