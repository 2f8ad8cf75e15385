"""Arguments whose sizes a program changes in place (`x.t_()`): the caller's tensors are what eager PyTorch leaves."""

import subprocess
from typing import List

import numpy as np
import pytest
import torch
from conftest import tool
from torch import Tensor


def transposed(x: Tensor):
    x.t_()
    return x + 1


def twice(x: Tensor):
    x.t_()
    x.unsqueeze_(0)
    return x.sum(1)


def there_and_back(x: Tensor):
    x.t_()
    x.t_()
    return x + 1


def written_afterwards(x: Tensor):
    x.t_()
    x[0] += 10.0
    return x * 2


def written_through_an_older_view(x: Tensor):
    row = x[0]
    x.unsqueeze_(1)
    row.mul_(3)
    return x, row


def shows_a_part(x: Tensor):
    x.as_strided_([2], [1], 1)
    x += 5
    return x


def in_a_list(x: Tensor):
    elements: List[Tensor] = [x, x]
    elements[1].unsqueeze_(0)
    return elements[0]


def in_each_trip(x: Tensor):
    for i in range(3):
        x.unsqueeze_(i)
    return x.stride(), x


def where_sizes_say_so(x: Tensor):
    if x.size(0) == 2:
        x.t_()
    return x.sum(0)


def taken_by_out(x: Tensor):
    row = x[1]
    torch.mul(row[:2] * 2.0, 3.0, out=x)
    x += 0.5
    return x, row


def in_each_way(x: Tensor):
    scaled = x + 1
    if bool(x[0, 0] > 5):
        scaled = x * 2
    x.t_()
    if bool(x[0, 0] > 100):
        raise RuntimeError("too large")
    x += 1
    return x * 2, scaled


PROGRAMS = [transposed, twice, there_and_back, written_afterwards, written_through_an_older_view, in_a_list, in_each_trip,
            where_sizes_say_so, in_each_way]


def described(tensor):
    return tensor.size(), tensor.stride(), tensor.storage_offset()


def arguments():
    """One that is row-major, one that is not, and one that begins behind the first element of its memory."""
    return [torch.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(3, 2).t(), torch.arange(24.0).reshape(4, 6)[1:3, ::2]]


def check(compiled, program, given, expected):
    memory = given.untyped_storage().data_ptr()
    torch.testing.assert_close(compiled(given), program(expected), rtol=0, atol=0)
    torch.testing.assert_close(given, expected, rtol=0, atol=0)
    assert described(given) == described(expected)
    assert given.untyped_storage().data_ptr() == memory


@pytest.mark.parametrize("any_sizes", [False, True], ids=["exact", "any"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_caller_sees_them(jit_mlir, program, any_sizes):
    compiled = jit_mlir.compile(torch.jit.script(program), any_sizes=any_sizes)
    for given, expected in zip(arguments(), arguments()):
        check(compiled, program, given, expected)


def test_an_argument_that_shows_a_part_of_its_memory(jit_mlir):
    check(jit_mlir.compile(torch.jit.script(shows_a_part)), shows_a_part, *(torch.arange(6.0).reshape(2, 3) for _ in range(2)))


def test_out_that_takes_the_sizes_of_the_result(jit_mlir):
    given, expected = (torch.arange(6.0).reshape(2, 3) for _ in range(2))
    check(jit_mlir.compile(torch.jit.script(taken_by_out)), taken_by_out, given, expected)


def test_out_that_is_a_part_of_what_is_given_twice_is_refused(jit_mlir):
    def written(x: Tensor, y: Tensor):
        torch.exp(torch.ones([2]), out=x)
        return y

    x = torch.ones(6)
    with pytest.raises(jit_mlir.Error, match="got an argument that shares memory with another"):
        jit_mlir.compile(torch.jit.script(written))(x, x)


def grown(x: Tensor, n: int):
    for i in range(n):
        torch.add(torch.arange(9.0).reshape(3, 3), float(i), out=x)
    x += 1
    return x[1] * 2


def grown_in_each_way(x: Tensor, n: int):
    if bool(x.sum() > 3):
        torch.exp(torch.ones([9]), out=x)
    else:
        torch.cos(torch.ones([9]), out=x)
    x[0] += 1
    return x * 2


@pytest.mark.parametrize("program", [grown, grown_in_each_way], ids=lambda program: program.__name__)
@pytest.mark.parametrize("make", [lambda: torch.empty(0), lambda: torch.ones(6), lambda: torch.arange(6.0).reshape(2, 3)[1:],
                                  lambda: torch.ones(20), lambda: torch.zeros(2, 2, dtype=torch.float64)])
def test_out_larger_than_an_argument(jit_mlir, program, make):
    given, expected = make(), make()
    compiled = jit_mlir.compile(torch.jit.script(program))
    for n in (1, 2):
        torch.testing.assert_close(compiled(given, n), program(expected, n))
        torch.testing.assert_close(given, expected)
        assert described(given) == described(expected)


def test_out_that_pytorch_does_not_cast_to_raises(jit_mlir):
    def cast(x: Tensor):
        return torch.exp(x, out=torch.empty(0, dtype=torch.int64))

    with pytest.raises(RuntimeError):
        cast(torch.ones(2))
    with pytest.raises(jit_mlir.Error, match="can be cast to"):
        jit_mlir.compile(torch.jit.script(cast))(torch.ones(2))


def test_out_larger_than_an_argument_of_which_there_is_a_view_is_refused(jit_mlir):
    def shown(x: Tensor):
        part = x[1:]
        torch.exp(torch.ones([9]), out=x)
        return x, part

    with pytest.raises(jit_mlir.Error, match="expected an out= tensor that has the sizes of the result"):
        jit_mlir.compile(torch.jit.script(shown))(torch.ones(6))


def test_out_larger_than_an_argument_is_refused_where_data_choose_it(jit_mlir):
    def grown(x: Tensor):
        x += 1
        part = x[1:]
        if bool(x.sum() > 0):
            torch.exp(torch.ones([9]), out=x)
        return x * 2, part

    compiled = jit_mlir.compile(torch.jit.script(grown))
    torch.testing.assert_close(compiled(torch.full([6], -2.0))[0], torch.full([6], -2.0))
    given = torch.ones(6)
    with pytest.raises(jit_mlir.Error, match="expected an out= tensor that has the sizes of the result") as raised:
        compiled(given)
    assert raised.value.kind == "unsupported"
    torch.testing.assert_close(given, torch.ones(6))


def test_elements_of_lists(jit_mlir):
    def second(tensors: List[Tensor]):
        tensors[1].unsqueeze_(0)
        return tensors[0] + tensors[1]

    given, expected = ([torch.arange(6.0).reshape(2, 3), torch.ones(2, 3)] for _ in range(2))
    torch.testing.assert_close(jit_mlir.compile(torch.jit.script(second))(given), second(expected))
    assert [described(tensor) for tensor in given] == [described(tensor) for tensor in expected]


def test_arrays_without_such_views_are_refused(jit_mlir):
    with pytest.raises(TypeError, match="expected a torch.Tensor as argument 0, whose sizes the program changes in place, got ndarray"):
        jit_mlir.compile(torch.jit.script(transposed))(np.ones((2, 3), np.float32))


def perhaps(x: Tensor):
    if bool(x.sum() > 0):
        x.t_()
    return x


def one_or_the_other(x: Tensor):
    if bool(x.sum() > 0):
        x.t_()
    else:
        x.unsqueeze_(0)
    return x.add_(1.0)


def again_and_again(x: Tensor):
    for i in range(3):
        if bool(x.sum() > i):
            x.unsqueeze_(-1)
    return x


def one_of_two(x: Tensor, y: Tensor):
    if bool(x.sum() > 1):
        x = y
    x.t_()
    x.mul_(2.0)
    return x


@pytest.mark.parametrize("start", (-1.0, 0.0, 0.25, 5.0))
@pytest.mark.parametrize("program", (perhaps, one_or_the_other, again_and_again))
def test_data_choose_what_an_argument_becomes(jit_mlir, program, start):
    given, expected = (torch.full((2, 3), start) for _ in range(2))
    result = jit_mlir.compile(torch.jit.script(program))(given)
    torch.testing.assert_close(result, program(expected), rtol=0, atol=0)
    assert described(given) == described(expected)
    torch.testing.assert_close(given, expected, rtol=0, atol=0)


@pytest.mark.parametrize("start", (0.0, 1.0))
def test_data_choose_which_argument_changes(jit_mlir, start):
    given, expected = ((torch.full((2, 3), start), torch.arange(3.0).reshape(3, 1)) for _ in range(2))
    torch.testing.assert_close(jit_mlir.compile(torch.jit.script(one_of_two))(*given), one_of_two(*expected), rtol=0, atol=0)
    for ours, theirs in zip(given, expected):
        assert described(ours) == described(theirs)
        torch.testing.assert_close(ours, theirs, rtol=0, atol=0)


def test_an_argument_that_is_given_twice_is_refused(jit_mlir):
    def first(x: Tensor, y: Tensor):
        x.t_()
        return x + y

    x = torch.ones(2, 2)
    with pytest.raises(jit_mlir.Error, match="got an argument that shares memory with another"):
        jit_mlir.compile(torch.jit.script(first))(x, x)


def test_gradients_are_refused(jit_mlir):
    def scaled(x: Tensor, w: Tensor):
        x.t_()
        return x * w

    with pytest.raises(jit_mlir.Error, match="expected arguments that keep their sizes where gradients are asked for"):
        jit_mlir.compile(torch.jit.script(scaled))(torch.ones(2, 3), torch.ones(3, 2, requires_grad=True))


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("reshaped") / "transposed.pt"
    torch.jit.script(transposed).save(str(path))
    return path


def test_jit_run_gives_the_result(jit_run, archive):
    (got,) = jit_run(archive, torch.arange(6.0).reshape(2, 3)).outputs
    np.testing.assert_array_equal(got, torch.arange(6.0).reshape(2, 3).t() + 1)


def test_pt2_files_are_refused(archive, tmp_path):
    command = [tool("jit-translate"), archive, "--to=pt2", "--args=f32[2,3]", "-o", tmp_path / "out.pt2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and "expected" in done.stderr and "keep" in done.stderr, done.stderr
