"""Tensors that calls write a part of, as the caches of a decoder: arguments and state, which are written where they lie."""

import subprocess

import numpy as np
import pytest
import torch
from conftest import resident_bytes, tool
from torch import nn


class Argument(nn.Module):
    def forward(self, cache, row, at: int):
        cache[at] = row
        return (cache[at] + cache[0]).sum()


class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(16, 4))
        self.register_buffer("filled", torch.zeros((), dtype=torch.int64))

    def forward(self, row, at: int):
        self.cache[at] = row
        self.filled += 1
        return self.cache[:at + 1].sum(0)

    @torch.jit.export
    def give(self, row, at: int):
        self.cache[at] = row
        return self.cache

    @torch.jit.export
    def before(self, row, at: int):
        old = self.cache.clone()
        self.cache[at] = row
        return old

    @torch.jit.export
    def shifted(self, row):
        self.cache[1:] = self.cache[:-1].clone()
        self.cache[0] = row
        return self.cache.sum(0)

    @torch.jit.export
    def either(self, row, at: int):
        if bool(row.sum() > 0):
            self.cache[at] = row
        else:
            self.cache[at, 1:] += 1.0
        return self.cache.sum(0)

    @torch.jit.export
    def looped(self, row, at: int):
        for i in range(at):
            self.cache[i] = row * i
        return self.cache.sum(1)

    @torch.jit.export
    def ended_by_data(self, row, at: int):
        i = 0
        while bool(row.sum() < 50) and i < at:
            row = row + 1
            self.cache[i:i + 1] = row
            i += 1
        return row

    @torch.jit.export
    def checked(self, row, at: int):
        self.cache[at] = row
        if bool(row.sum() > 100):
            raise ValueError("too much")
        self.cache[at + 1] = row
        return self.cache.sum()


@pytest.fixture(scope="module", params=("program", "artifact"))
def open_module(request, jit_mlir, tmp_path_factory):
    """Gives a module, saved, as `jit_mlir` calls it: compiled in the process, or ahead of time for calls of `calls`."""
    folder = tmp_path_factory.mktemp("caches")

    def opened(module, *calls, name="module"):
        torch.jit.script(module).save(str(folder / f"{name}.pt"))
        if request.param == "program":
            return jit_mlir.load(folder / f"{name}.pt")
        subprocess.run([tool("jit-compile"), folder / f"{name}.pt", "-o", folder / f"{name}.so", *(f"--call={call}" for call in calls)],
                       check=True, timeout=300, capture_output=True)
        return jit_mlir.load(folder / f"{name}.so")

    return opened


@pytest.fixture(scope="module")
def state(open_module):
    methods = [f"{name}(f32[4], {at})" for name in ("forward", "give", "before", "either", "looped", "ended_by_data", "checked") for at in (2, 3)]
    return open_module(State(), *methods, "shifted(f32[4])", name="state")


def rows(count):
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(4, generator=generator) for _ in range(count)]


@pytest.mark.parametrize("layout", ("rows", "columns", "apart"))
def test_arguments(open_module, layout):
    made = {"rows": lambda: torch.zeros(16, 4), "columns": lambda: torch.zeros(4, 16).t(), "apart": lambda: torch.zeros(16, 8)[:, ::2]}[layout]
    strides = list(made().stride())
    call = "forward(f32[16,4]{}, f32[4], 5)".format("" if layout == "rows" else f":strides{strides}".replace(" ", ""))
    program, eager = open_module(Argument(), call, name=layout), Argument()
    cache, expected = made(), made()
    for row in rows(3):
        torch.testing.assert_close(program(cache, row, 5), eager(expected, row, 5))
        assert torch.equal(cache, expected)


def test_any_sizes(jit_mlir, tmp_path):
    torch.jit.script(Argument()).save(str(tmp_path / "open.pt"))
    subprocess.run([tool("jit-compile"), tmp_path / "open.pt", "-o", tmp_path / "open.so", "--call=forward(f32[n,4], f32[4], 5)"],
                   check=True, timeout=300, capture_output=True)
    for program in (jit_mlir.load(tmp_path / "open.pt", any_sizes=True), jit_mlir.load(tmp_path / "open.so")):
        for count in (8, 20):
            cache, expected = torch.zeros(count, 4), torch.zeros(count, 4)
            for row in rows(2):
                torch.testing.assert_close(program(cache, row, 5), Argument()(expected, row, 5))
                assert torch.equal(cache, expected)


def test_nothing_of_an_argument_is_copied(open_module):
    """Of a gigabyte, most of which nobody has touched, a call touches what it writes."""
    program = open_module(Argument(), "forward(f32[4000000,64], f32[64], 5)", name="large")
    cache, row = np.zeros((4000000, 64), np.float32), np.ones(64, np.float32)
    for _ in range(2):
        before = resident_bytes()
        assert program(cache, row, 5) == 64.0
        assert resident_bytes() - before < 100 << 20
    assert (cache[5] == 1).all()


def test_memory_that_must_not_be_written(open_module):
    program = open_module(Argument(), "forward(f32[16,4], f32[4], 5)", name="read-only")
    cache = np.zeros((16, 4), np.float32)
    cache.flags.writeable = False
    with pytest.raises(Exception, match="expected memory that may be written"):
        program(cache, np.ones(4, np.float32), 5)
    assert not cache.any()


def test_arguments_that_share_memory(jit_mlir):
    program, eager = jit_mlir.compile(Argument()), Argument()
    cache, expected = torch.zeros(16, 4), torch.zeros(16, 4)
    for at in (5, 6):
        cache[5], expected[5] = 3.0, 3.0
        torch.testing.assert_close(program(cache, cache[5], at), eager(expected, expected[5], at))
        assert torch.equal(cache, expected)


class Moments(nn.Module):
    """Arguments that are computed anew: from their own elements, from those of others that are, and from elements elsewhere."""

    def forward(self, p, m, v, g):
        m.mul_(0.9).add_(g * 0.1)
        v.mul_(0.99).add_(g * g * 0.01)
        p.sub_(0.1 * m / (v.sqrt() + 1e-3))
        return m.sum()

    @torch.jit.export
    def mixed(self, p, m, v, g):
        old = p * 2.0
        p.copy_(m + old)
        m.copy_(v.t())
        v.zero_()
        return old

    @torch.jit.export
    def turned(self, p, m, v, g):
        p.copy_(p.t() * 2.0 + p)
        m.copy_(m.flip(0))
        v.sub_(v.mean(0))
        return p + g


@pytest.mark.parametrize("method", ("forward", "mixed", "turned"))
def test_arguments_that_are_computed_anew(open_module, method):
    eager, names = Moments(), "forward mixed turned".split()
    program = open_module(eager, *(f"{name}({', '.join(['f32[5,5]'] * 4)})" for name in names), name="moments")
    torch.manual_seed(0)
    given = [torch.rand(5, 5) for _ in range(4)]
    other = [value.clone() for value in given]
    for _ in range(3):
        torch.testing.assert_close(getattr(program, method)(*given), getattr(eager, method)(*other), rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(given, other, rtol=1e-5, atol=1e-6)


def test_state(state):
    eager = State()
    state.reset()
    for at, row in zip((2, 3, 2, 3), rows(4)):
        torch.testing.assert_close(state(row, at), eager(row, at))
        assert torch.equal(torch.as_tensor(state.state("cache")), eager.cache)
    state.reset()
    assert not torch.as_tensor(state.state("cache")).any()


@pytest.mark.parametrize("method", ("either", "looped", "ended_by_data", "before"))
def test_methods(state, method):
    eager = State()
    state.reset()
    for at, row in zip((2, 3, 2, 3), [*rows(3), -torch.ones(4)]):
        torch.testing.assert_close(getattr(state, method)(row, at), getattr(eager, method)(row, at))
        assert torch.equal(torch.as_tensor(state.state("cache")), eager.cache)


def test_rows_that_move(state):
    eager = State()
    state.reset()
    for row in rows(4):
        torch.testing.assert_close(state.shifted(row), eager.shifted(row))
        assert torch.equal(torch.as_tensor(state.state("cache")), eager.cache)


def test_what_was_given_stays(state):
    """Results and copies of state are the caller's: later calls write elsewhere."""
    state.reset()
    row, other = rows(2)
    given, copy = state.give(row, 2), state.state("cache")
    kept = torch.as_tensor(given).clone(), torch.as_tensor(copy).clone()
    state(other, 2)
    state.give(other, 3)
    state(other, 3)
    assert torch.equal(torch.as_tensor(given), kept[0]) and torch.equal(torch.as_tensor(copy), kept[1])


def test_a_call_that_fails_changes_nothing(state):
    state.reset()
    row = torch.ones(4)
    state(row, 2)
    before = torch.as_tensor(state.state("cache")).clone()
    with pytest.raises(Exception, match="too much"):
        state.checked(row * 1000, 3)
    assert torch.equal(torch.as_tensor(state.state("cache")), before)
    state.checked(row, 3)
    assert torch.as_tensor(state.state("cache"))[4].sum() == 4


def test_a_place_that_is_not_there(jit_mlir):
    program = jit_mlir.compile(Argument())
    cache = torch.zeros(16, 4)
    for at in (16, -17):
        with pytest.raises(jit_mlir.Error, match="index"):
            program(cache, torch.ones(4), at)
    assert not cache.any()
    program(cache, torch.ones(4), -1)
    assert cache[15].sum() == 4
