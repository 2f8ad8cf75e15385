"""Packages of programs that change their arguments' sizes in place (`x.t_()`)."""

from typing import List

import numpy as np
import pytest
import torch
from artifacts import refusal
from test_reshaped_arguments import arguments, check, one_of_two, perhaps, PROGRAMS, shows_a_part, taken_by_out
from torch import Tensor, nn


def text(value):
    """As a call names it, with its strides where they are not those of rows."""
    return f"f32[{','.join(map(str, value.shape))}]" + ("" if value.is_contiguous() else f":strides[{','.join(map(str, value.stride()))}]")


@pytest.fixture
def package(compiled, jit_mlir, tmp_path):
    def make(program, *calls):
        torch.jit.script(program).save(str(tmp_path / "program.pt"))
        return jit_mlir.load(compiled(tmp_path / "program.pt", [f"forward({call})" for call in calls]).path)
    return make


@pytest.mark.parametrize("program", [*PROGRAMS, perhaps], ids=lambda program: program.__name__)
def test_the_caller_sees_them(package, program):
    given, expected = arguments(), arguments()
    made = package(program, *dict.fromkeys(map(text, given)))
    for one, other in zip(given, expected):
        check(made, program, one, other)


@pytest.mark.parametrize("program", [shows_a_part, taken_by_out], ids=lambda program: program.__name__)
def test_arguments_that_show_a_part_of_their_memory(package, program):
    check(package(program, "f32[2,3]"), program, *(torch.arange(6.0).reshape(2, 3) for _ in range(2)))


@pytest.mark.parametrize("start", (0.0, 1.0))
def test_data_choose_which_argument_changes(package, start):
    given, expected = ((torch.full((2, 3), start), torch.arange(3.0).reshape(3, 1)) for _ in range(2))
    torch.testing.assert_close(package(one_of_two, "f32[2,3], f32[3,1]")(*given), one_of_two(*expected), rtol=0, atol=0)
    for ours, theirs in zip(given, expected):
        assert (ours.size(), ours.stride()) == (theirs.size(), theirs.stride())
        torch.testing.assert_close(ours, theirs, rtol=0, atol=0)


def test_elements_of_lists(package):
    def second(tensors: List[Tensor]):
        tensors[1].unsqueeze_(0)
        return tensors[0] + tensors[1]

    given, expected = ([torch.arange(6.0).reshape(2, 3), torch.ones(2, 3)] for _ in range(2))
    torch.testing.assert_close(package(second, "[f32[2,3], f32[2,3]]")(given), second(expected))
    assert [tensor.size() for tensor in given] == [tensor.size() for tensor in expected]


class Turned(nn.Module):
    def forward(self, x: Tensor):
        x.t_()
        x[0] += 10.0
        return x.sum(0)


def test_from_c(saved, compiled):
    """The memory has the elements at their new places; a flat result beside what Python returns says the sizes."""
    module = compiled(saved(Turned())[0], ["forward(f32[2,3])"], name="turned").open()
    x, expected = torch.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(2, 3)
    want = Turned()(expected)
    assert module.structure("forward", x) == 'changed(%0, "0", [1, 3], 0, %1)'
    total, now = module.call("forward", x)
    np.testing.assert_array_equal(total, want)
    np.testing.assert_array_equal(now, expected)
    np.testing.assert_array_equal(x, expected.t())


def test_memory_that_two_arguments_show_is_refused(package, jit_mlir):
    def first(x: Tensor, y: Tensor):
        x.t_()
        x += 1
        return x + y

    x = torch.ones(2, 2)
    with pytest.raises(jit_mlir.Error, match="expected memory of its own"):
        package(first, "f32[2,2], f32[2,2]")(x, x)


def test_more_elements_than_the_memory_has_room_for_are_refused(saved, tmp_path):
    class Grows(nn.Module):
        def forward(self, x: Tensor):
            torch.exp(torch.ones(9), out=x)
            return x * 2.0

    message = refusal(saved(Grows())[0], tmp_path / "libgrows.so", "--call=forward(f32[2,3])")
    assert "expected an argument that keeps its memory where it is written, got argument 0" in message
