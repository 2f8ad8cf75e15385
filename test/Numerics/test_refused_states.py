"""Packages of programs that some state, to which other calls lead, does not let go on: a call that gets there ends with the reason, and
the state stays as it is."""

import re
import subprocess

import pytest
import torch
from conftest import tool
from torch import nn


class Casts(nn.Module):
    """Writes floats in place, which the next call cannot: the state is one of bools then."""

    def __init__(self):
        super().__init__()
        self.s = torch.zeros(2)

    def forward(self, x: torch.Tensor):
        self.s -= 0.5
        self.s = x > 0
        return x + 1.0

    @torch.jit.export
    def read(self):
        return self.s.to(torch.float32) + 1.0


class Grows(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = torch.zeros(1)
        self.seen = torch.zeros(0)

    def forward(self, x: torch.Tensor):
        self.calls += 1
        self.seen = torch.cat([self.seen, x])
        return self.seen + self.calls


class Doubles(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.ones(4)

    def forward(self, x: torch.Tensor):
        self.seen = torch.cat([self.seen, self.seen])
        return x + self.seen.sum()


@pytest.fixture
def package(saved, compiled, jit_mlir):
    def make(kind, *calls):
        archive, _ = saved(kind())
        return jit_mlir.load(compiled(archive, calls, name=kind.__name__.lower()).path), torch.jit.load(str(archive))
    return make


def test_a_call_that_no_code_can_be_made_for(jit_mlir, package):
    ours, theirs = package(Casts, "forward(f32[2])", "read()")
    x = torch.tensor([1.0, -1.0])
    for _ in range(2):
        torch.testing.assert_close(ours(x), theirs(x))
        with pytest.raises(jit_mlir.Error) as caught:
            ours(x)
        assert caught.value.kind == "unsupported"
        assert "forward, as the state is now: " in str(caught.value)
        assert "expected a tensor that a result of element type f32 can be cast to, got one of i1" in str(caught.value)
        torch.testing.assert_close(ours.read(), torch.tensor([2.0, 1.0]))
        ours.reset()
        theirs.s = torch.zeros(2)


def test_the_report_says_so(package):
    ours, _ = package(Casts, "forward(f32[2])", "read()")
    method, refused, read = ours.report().splitlines()
    assert method.startswith("forward(x: f32[2])") and read.startswith("read()")
    assert refused.startswith("  but not with s = bool[2]: ") and "can be cast to" in refused


def test_the_compiler_warns(saved, tmp_path):
    command = [tool("jit-compile"), saved(Casts())[0], "--call=forward(f32[2])", "-o", tmp_path / "lib.so"]
    said = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
    assert said.returncode == 0
    assert re.fullmatch(r"jit-compile: warning: expected code for each state that calls lead to, got none for forward with s = bool\[2\]: .*\n", said.stderr)


def test_state_without_end(jit_mlir, package):
    ours, theirs = package(Grows, "forward(f32[2])")
    x = torch.tensor([1.0, -1.0])
    for _ in range(64):
        torch.testing.assert_close(ours(x), theirs(x))
    with pytest.raises(jit_mlir.Error, match="expected module state of at most 64 kinds, got more: 'seen' is f32.128"):
        ours(x)
    torch.testing.assert_close(ours.state("seen"), theirs.seen)


def test_state_that_doubles(jit_mlir, package):
    ours, theirs = package(Doubles, "forward(f32[2])")
    x = torch.tensor([1.0, -1.0])
    with pytest.raises(jit_mlir.Error, match="expected module state that stops to grow, got 'seen'"):
        for _ in range(30):
            torch.testing.assert_close(ours(x), theirs(x))
    assert theirs.seen.numel() >= 2 ** 20


class Chosen(nn.Module):
    """Data tell how many elements the state has."""

    def __init__(self):
        super().__init__()
        self.s = torch.zeros(2)

    def forward(self, x: torch.Tensor):
        before = self.s.sum()
        self.s = x[x > 0]
        return before, self.s * 2.0

    @torch.jit.export
    def other(self, x: torch.Tensor):
        return x + 1.0


def test_state_of_as_many_elements_as_data_tell(jit_mlir, package):
    ours, theirs = package(Chosen, "forward(f32[3])", "other(f32[3])")
    x = torch.tensor([1.0, -1.0, 2.0])
    for _ in range(2):
        torch.testing.assert_close(ours(x), theirs(x))
        for refused in (lambda: ours(x), lambda: ours.state("s")):
            with pytest.raises(jit_mlir.Error, match="state of known sizes, got 's'") as caught:
                refused()
            assert caught.value.kind == "unsupported"
        torch.testing.assert_close(ours.other(x), theirs.other(x))
        ours.reset()
        theirs.s = torch.zeros(2)


class Ordered(nn.Module):
    """One of two methods can only be called after the other."""

    def __init__(self):
        super().__init__()
        self.s = torch.zeros(2)

    def forward(self, x: torch.Tensor):
        self.s = torch.cat([x, x])
        return self.s * 1.0

    @torch.jit.export
    def read(self):
        return self.s[3] + self.s.view(2, -1)[1]


def test_a_method_that_has_to_be_called_after_another(jit_mlir, package):
    ours, theirs = package(Ordered, "read()", "forward(f32[2])")
    with pytest.raises(jit_mlir.Error, match="read, as the state is now: "):
        ours.read()
    x = torch.tensor([1.0, 2.0])
    torch.testing.assert_close(ours(x), theirs(x))
    torch.testing.assert_close(ours.read(), theirs.read())
