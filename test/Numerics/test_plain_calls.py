"""Calls that the binding takes without Python's help, of programs and of packages: which they are, and that they are the same calls."""

import copy
import gc
from typing import Optional

import pytest
import torch


def add(x, y):
    return x + y


def numbers(x, times: int, factor: float, is_on: bool):
    return (x * factor * times, [times, int(is_on)], factor, x.dtype == torch.float32) if is_on else (x, [times, 0], factor, False)


@pytest.fixture(scope="module")
def program(jit_mlir):
    return jit_mlir.compile(add)


def is_taken(program, *arguments):
    return program._plain("forward", arguments) is not NotImplemented


LAYOUTS = {
    "rows": lambda: torch.randn(3, 4),
    "no dimension": lambda: torch.tensor(2.0),
    "no element": lambda: torch.randn(0, 3),
    "transposed": lambda: torch.randn(3, 4).t(),
    "stepped": lambda: torch.randn(6, 8)[::2, 1::3],
    "expanded": lambda: torch.randn(3, 1).expand(3, 4),
    "i32": lambda: torch.arange(5, dtype=torch.int32),
    "bool": lambda: torch.tensor([True, False]),
    "bf16": lambda: torch.randn(5).bfloat16(),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_tensors_of_the_cpu_are_plain(program, name):
    x = LAYOUTS[name]()
    assert is_taken(program, x, x)
    got = program(x, x)
    assert got.dtype == (x + x).dtype and torch.equal(got, x + x)


def test_a_dimension_of_size_one_keeps_its_stride(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(_strides))
    x = torch.randn(4, 1).as_strided((4, 1), (1, 7))
    assert is_taken(program, x) and program(x)[0] == [1, 7]


def _strides(x):
    return x.stride(), x


class Own(torch.Tensor):
    pass


OTHERS = {
    "requires a gradient": lambda: torch.randn(3).requires_grad_(),
    "a parameter": lambda: torch.nn.Parameter(torch.randn(3), requires_grad=False),
    "a class of its own": lambda: torch.randn(3).as_subclass(Own),
    "complex": lambda: torch.randn(3, dtype=torch.complex64),
    "not negated yet": lambda: torch.randn(3, dtype=torch.complex64).conj().imag,
    "numpy": lambda: torch.randn(3).numpy(),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_looked_at_by_python(program, name):
    x = OTHERS[name]()
    assert not is_taken(program, x, x)
    with torch.no_grad():
        got, expected = program(x, x), x + x
    assert torch.equal(torch.as_tensor(got), torch.as_tensor(expected))


def test_calls_without_a_tensor_are_for_python(program):
    assert not is_taken(program, 1, 2) and not is_taken(program) and not is_taken(program, None, None)
    assert not is_taken(program, torch.ones(1), 2**70)
    assert not is_taken(program, torch.ones(1), [torch.ones(1)])
    assert not is_taken(program, *[torch.ones(1)] * 33)


def test_memory_elsewhere_is_refused(jit_mlir, program):
    for x in (torch.randn(3).to_sparse(), torch.randn(3, device="meta")):
        with pytest.raises(jit_mlir.Error, match="expected a dense array in the memory of the CPU"):
            program(x, x)


def test_numbers_come_and_go(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(numbers))
    x = torch.randn(3)
    assert is_taken(program, x, 2, 0.5, True)
    got, items, factor, is_float = program(x, 2, 0.5, True)
    assert torch.equal(got, x * 0.5 * 2) and (items, factor, is_float) == ([2, 1], 0.5, True)
    with pytest.raises(jit_mlir.Error):
        program(x, 2, 0.5)


def test_results_outlive_the_program(jit_mlir):
    program = jit_mlir.compile(add)
    x = torch.randn(1000)
    results = [program(x, x * i) for i in range(5)]
    del program
    gc.collect()
    for i, result in enumerate(results):
        assert torch.equal(result, x + x * i) and result.add_(1).shape == (1000,)


def test_methods_and_names_are_the_same_calls(program):
    x, y = torch.randn(3), torch.randn(3)
    assert torch.equal(program.forward(x, y), x + y) and torch.equal(program(x, y=y), x + y)


def turned(x):
    x.t_()
    return x * 2


def with_none(x, y: Optional[torch.Tensor]):
    return [x, x + 1] if y is None else [y], None


def complex_number(x):
    return x.sum().item() * complex(1, 2), x


def written(x):
    x[1:] *= 2.0
    return x.sum()


PACKAGES = {
    "one result": (add, lambda: (torch.randn(3), torch.randn(3))),
    "no dimension": (add, lambda: (torch.tensor(2.0), torch.tensor(3.0))),
    "no element": (add, lambda: (torch.randn(0, 3), torch.randn(0, 3))),
    "bf16": (add, lambda: (torch.randn(5).bfloat16(), torch.randn(5).bfloat16())),
    "transposed": (add, lambda: (torch.randn(4, 3).t(), torch.randn(3, 4))),
    "numbers": (numbers, lambda: (torch.randn(3), 2, 0.5, True)),
    "None": (with_none, lambda: (torch.randn(3), None)),
    "a complex number": (complex_number, lambda: (torch.randn(3),)),
    "other sizes": (turned, lambda: (torch.randn(2, 3),)),
    "written": (written, lambda: (torch.randn(4),)),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_take_the_same_calls(jit_mlir, tmp_path, name):
    function, make = PACKAGES[name]
    function, arguments = torch.jit.script(function), make()
    jit_mlir.compile(function).save(tmp_path / "package.so", arguments)
    package = jit_mlir.load(tmp_path / "package.so")
    expected, by_python = copy.deepcopy(arguments), copy.deepcopy(arguments)
    want, general = function(*expected), package._call("forward", by_python)
    got = package._plain("forward", arguments)
    assert got is not NotImplemented
    torch.testing.assert_close((got, arguments), (want, expected))
    torch.testing.assert_close((got, arguments), (general, by_python), rtol=0, atol=0)


def test_packages_leave_others_to_python(jit_mlir, tmp_path):
    jit_mlir.compile(add).save(tmp_path / "package.so", (torch.ones(3), torch.ones(3)))
    package = jit_mlir.load(tmp_path / "package.so")
    for make in OTHERS.values():
        assert not is_taken(package, make(), make())
    with pytest.raises(jit_mlir.Error, match=r"argument 'x' of forward: expected f32\[3\], got f32\[4\]"):
        package(torch.ones(4), torch.ones(4))


def test_results_outlive_the_package(jit_mlir, tmp_path):
    jit_mlir.compile(add).save(tmp_path / "package.so", (torch.ones(1000), torch.ones(1000)))
    package, x = jit_mlir.load(tmp_path / "package.so"), torch.randn(1000)
    results = [package(x, x * i) for i in range(5)]
    del package
    gc.collect()
    for i, result in enumerate(results):
        assert torch.equal(result, x + x * i) and result.add_(1).shape == (1000,)
