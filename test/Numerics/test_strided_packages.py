"""Packages whose calls say how their arguments lie in memory: strides, and parts of one memory; from C, C++ and Python."""

import copy
import subprocess
from typing import List

import numpy as np
import pytest
import torch
from artifacts import refusal
from conftest import ROOT
from torch import nn


class Writes(nn.Module):
    """Strides decide what `reshape` and `contiguous` write, and whoever asks sees them."""

    def forward(self, x: torch.Tensor):
        x.reshape(-1).add_(1.0)
        x.contiguous().mul_(3.0)
        x[-1] = 7.0
        return x * 2.0, x.is_contiguous(), [x.stride(i) for i in range(x.dim())]


class Reads(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * 2.0


class Asks(nn.Module):
    def forward(self, x: torch.Tensor):
        return x + 1.0, [x.stride(i) for i in range(x.dim())]


LAYOUTS = {
    "transposed": torch.randn(3, 2).t(),
    "permuted": torch.randn(2, 3, 4).permute(2, 0, 1),
    "channels last": torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "stepped": torch.randn(6, 8)[::2, 1::3],
    "of elements of 8 bytes": torch.randn(4, 3, dtype=torch.float64).t(),
    "of bytes": torch.tensor([[True, False, True], [False, False, True]]).t(),
    "a column": torch.randn(4, 3)[:, 1],
    "of size 1 with another stride": torch.randn(3).as_strided([1, 3], [7, 1]),
    "a row of one": torch.randn(10)[::5][:1],
    "row-major": torch.randn(3, 2),
    "without elements": torch.randn(3, 2).t()[:, :0],
}
EXPANDED = {"a broadcast row": torch.randn(3).expand(2, 3), "windows": torch.randn(6).unfold(0, 3, 1), "a broadcast number": torch.randn(()).expand(2)}


def text(value):
    """A tensor in the grammar of docs/call-spec.md."""
    kind = {torch.float32: "f32", torch.float64: "f64", torch.bool: "bool"}[value.dtype]
    return f"{kind}[{','.join(map(str, value.shape))}]:strides[{','.join(map(str, value.stride()))}]"


def flat(value):
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, (list, tuple)) else [value]


def same(got, want):
    torch.testing.assert_close(torch.tensor(np.asarray(got)), torch.as_tensor(want), rtol=1e-6, atol=1e-6)


def doors(library, jit_mlir):
    """A call from C and one from Python; each gives the flat results."""
    package = jit_mlir.load(library.path)
    return (lambda *given: library.open().call("forward", *given)), (lambda *given: flat(package(*given)))


def agrees(module, arguments, library, jit_mlir):
    """Results, and what became of the arguments, which keep their strides and their memory."""
    for call in doors(library, jit_mlir):
        given, wanted = copy.deepcopy(arguments), copy.deepcopy(arguments)
        got, want = call(*given), flat(module(*wanted))
        for one, other in zip((*got, *flat(given)), (*want, *flat(wanted)), strict=True):
            same(one, other)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_writes_reach_what_they_reach_in_pytorch(saved, compiled, jit_mlir, layout):
    x = LAYOUTS[layout]
    module = Asks() if x.dtype == torch.bool or not x.numel() else Writes()
    archive, reference = saved(module)
    agrees(reference, [x], compiled(archive, [f"forward({text(x)})"]), jit_mlir)


@pytest.mark.parametrize("layout", EXPANDED)
def test_elements_that_share_a_place(saved, compiled, jit_mlir, layout):
    """They are read; a write is refused, as PyTorch refuses it."""
    x = EXPANDED[layout]
    archive, reference = saved(Asks())
    agrees(reference, [x], compiled(archive, [f"forward({text(x)})"]), jit_mlir)

    class Doubles(nn.Module):
        def forward(self, x: torch.Tensor):
            x.mul_(2.0)
            return x.stride(0)

    library = compiled(saved(Doubles())[0], [f"forward({text(x)})"], name="doubles")
    for call in doors(library, jit_mlir):
        given = copy.deepcopy(x)
        with pytest.raises((library.Error, jit_mlir.Error), match="expected elements with a place each where the program writes them"):
            call(given)
        same(given, x)


@pytest.mark.parametrize("given, expected", [
    (torch.randn(3, 2), "expected f32[3,2]:strides[1,3], got f32[3,2]"),
    (torch.randn(3, 4)[:, ::2], "expected f32[3,2]:strides[1,3], got f32[3,2]:strides[4,2]"),
    (torch.randn(2, 2).t(), "expected f32[3,2]:strides[1,3], got f32[2,2]:strides[1,2]"),
])
def test_other_strides_are_refused(saved, compiled, jit_mlir, given, expected):
    library = compiled(saved(Writes())[0], ["forward(f32[3,2]:strides[1,3])"], name="one")
    for call in doors(library, jit_mlir):
        with pytest.raises((library.Error, jit_mlir.Error)) as refused:
            call(given)
        assert str(refused.value) == f"argument 'x' of forward: {expected}"


def test_each_call_finds_the_code_for_its_strides(saved, compiled, jit_mlir):
    archive, reference = saved(Writes())
    library = compiled(archive, ["forward(f32[2,2]:strides[1,2])", "forward(f32[2,2])", "forward(f32[2,2]:strides[1,4])"], name="several")
    for x in (torch.randn(2, 2), torch.randn(2, 2).t(), torch.randn(2, 4)[:, :2].t()):
        agrees(reference, [x], library, jit_mlir)
    with pytest.raises(library.Error, match="as row-major memory without gaps, got other strides"):
        library.open().call("forward", torch.randn(2, 6)[:, ::3])


def test_strides_of_dimensions_of_size_1_are_asked_for(saved, compiled, jit_mlir):
    """A package for row-major arguments would give other numbers."""
    library = compiled(saved(Asks())[0], ["forward(f32[1,3])"], name="asks")
    for call in doors(library, jit_mlir):
        assert flat(call(torch.ones(1, 3)))[1:] == [3, 1]
        with pytest.raises((library.Error, jit_mlir.Error), match="got other strides"):
            call(torch.randn(3).as_strided([1, 3], [7, 1]))


def test_strides_that_count_for_nothing(saved, compiled, jit_mlir):
    """A program that neither writes nor asks takes any, where the call names some."""
    archive, reference = saved(Reads())
    library = compiled(archive, ["forward(f32[3,2]:strides[1,3])"], name="any")
    for x in (torch.randn(3, 2), torch.randn(2, 3).t(), torch.randn(6, 4)[::2, ::2], torch.randn(2).expand(3, 2)):
        agrees(reference, [x], library, jit_mlir)
    opened = compiled(archive, ["forward(f32[n,2]:strides[?,?])"], name="opened")
    for x in (torch.randn(5, 2), torch.randn(2, 3).t(), torch.randn(2, 9).t(), torch.randn(1, 2).expand(4, 2)):
        agrees(reference, [x], opened, jit_mlir)


class Sharing(nn.Module):
    """What one writes the others see, in a list too."""

    def forward(self, x: torch.Tensor, rest: List[torch.Tensor]):
        x.mul_(2.0)
        rest[0].add_(1.0)
        return x + rest[0].sum(), rest[1] * 1.0


def test_parts_of_one_memory(saved, compiled, jit_mlir):
    def parts(memory):
        return [memory[:6].view(2, 3), [memory[4:12:2], memory[3:]]]

    archive, reference = saved(Sharing())
    call = "f32[2,3]:strides[3,1]:part[0,0,12], [f32[4]:strides[2]:part[0,4,12], f32[9]:strides[1]:part[0,3,12]]"
    library = compiled(archive, [f"forward({call})"], name="sharing")
    for door in doors(library, jit_mlir):
        ours, theirs = torch.arange(14.0), torch.arange(14.0)
        got, want = door(*parts(ours[1:13])), reference(*parts(theirs[1:13]))
        for one, other in zip((*got, ours), (*want, theirs), strict=True):
            same(one, other)
        with pytest.raises((library.Error, jit_mlir.Error), match=r"'rest' of forward: expected .*:part\[0,3,12\]\] as a part of a memory beside its "
                                                                  "other parts, got another place"):
            x, (one, other) = parts(torch.arange(12.0))
            door(x, [one, other.clone()])


@pytest.mark.parametrize("call", ["f32[2]:strides[1]:part[0,0,6], [f32[2]:strides[1]:part[0,4,6], f32[2]]",
                                  "f32[2]:strides[1]:part[0,1,3], [f32[2]:strides[1]:part[0,1,3], f32[2]]"])
def test_memory_that_no_part_has_is_not_asked_for(saved, tmp_path, call):
    message = refusal(saved(Sharing())[0], tmp_path / "libgap.so", f"--call=forward({call})")
    assert "expected parts that cover the memory that they share" in message


def test_examples_say_their_strides(jit_mlir, tmp_path):
    """Where they matter; who saves a program that they do not matter to may call it with others."""
    x, memory = torch.randn(2, 3).t(), torch.randn(6)
    writes = jit_mlir.compile(Writes())
    writes.save(tmp_path / "writes.so", (x,))
    assert "forward(x: f32[3,2]:strides[1,3])" in jit_mlir.load(tmp_path / "writes.so").report()
    jit_mlir.compile(Sharing()).save(tmp_path / "sharing.so", (memory[:4], [memory[2:], memory[:2]]))
    assert "x: f32[4]:strides[1]:part[0,0,6]" in jit_mlir.load(tmp_path / "sharing.so").report()
    jit_mlir.compile(Reads()).save(tmp_path / "reads.so", (x,))
    reads = jit_mlir.load(tmp_path / "reads.so")
    same(reads(x), x * 2.0)
    same(reads(x.contiguous()), x * 2.0)


class Keeps(nn.Module):
    """State that a call leaves transposed is what the next call finds."""

    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(2, 2))

    def forward(self, x: torch.Tensor):
        before = self.kept.is_contiguous()
        self.kept.reshape(-1).add_(1.0)
        self.kept = (self.kept + x).t()
        return self.kept, before


def test_state_has_strides(saved, compiled, jit_mlir):
    archive, reference = saved(Keeps())
    library = compiled(archive, ["forward(f32[2,2])"], name="keeps")
    package, module = jit_mlir.load(library.path), library.open()
    for _ in range(4):
        x = torch.randn(2, 2)
        want = flat(reference(x))
        for got in (flat(package(x)), module.call("forward", x)):
            for one, other in zip(got, want, strict=True):
                same(one, other)
        same(package.state("kept"), reference.kept)


def test_from_cpp(saved, compiled, tmp_path):
    archive, _ = saved(Writes())
    header = compiled(archive, ["forward(f32[3,2]:strides[1,3])"], name="writes").path.with_suffix(".h").read_text()
    assert "forward(x: f32[3,2]:strides[1,3])" in header and "`strides` of the argument have to be those" in header
    (tmp_path / "user.cpp").write_text("""
#include "libwrites.h"

#include "jit-c/Artifact.hpp"

#include <cstdio>

int main() try {
  std::array<float, 6> x = {1, 2, 3, 4, 5, 6}, y;
  jit_c::Array<float> result(y, {3, 2});
  std::array<jit_value, 4> results = {result};
  jit_c::Module module(jit_artifact());
  module.call("forward", {jit_c::Array<float>(x, {3, 2}, {1, 3})}, results);
  std::printf("%g %g, %g %g", x[0], x[2], y[0], y[5]);
  jit_c::Array<float>(x, {3, 2}, {1, 4});
} catch (const std::exception &error) {
  std::printf("; %s\\n", error.what());
}
""")
    subprocess.run(["clang++-22", "-std=c++20", "-Wall", "-Wextra", "-Werror", tmp_path / "user.cpp", tmp_path / "libwrites.so", "-o", tmp_path / "user",
                    f"-I{tmp_path}", f"-I{ROOT / 'include'}", f"-Wl,-rpath,{tmp_path}"], check=True, timeout=120)
    shown = subprocess.run([tmp_path / "user"], capture_output=True, text=True, check=True).stdout
    assert shown == "1 7, 2 14; expected at least 7 elements, got 6\n"
