"""What calls from Python may take and give beside tensors and plain numbers, each of its own type there and back."""

import enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Pair(NamedTuple):
    first: Tensor
    second: int


def complex_numbers(z: complex, more: List[complex]) -> Tuple[complex, float, List[complex]]:
    return z * more[0] + 1, abs(z), [c * z for c in more]


def add_one(z: complex) -> complex:
    return z + 1j


def dict_of_tensors(d: Dict[str, Tensor], scale: float) -> Dict[str, Tensor]:
    out: Dict[str, Tensor] = {}
    for key, value in d.items():
        out[key + "!"] = value * scale
    return out


def dict_of_ints(d: Dict[int, int], key: int) -> Tuple[int, List[int], Dict[int, int]]:
    d[key] = 7
    return d[key] + len(d), list(d.keys()), d


def nested_dicts(d: Dict[str, Dict[str, Tensor]], rows: List[Dict[str, int]]) -> Tuple[Tensor, int]:
    return d["a"]["x"] + d["b"]["y"], rows[1]["n"]


def optional_dict(x: Tensor, d: Optional[Dict[str, Tensor]] = None) -> Tensor:
    return x if d is None else x + d["x"]


def some_ints(numbers: List[int]) -> int:
    return sum(numbers)


def member(color: Color, x: Tensor) -> Tensor:
    if color == Color.RED:
        return x * color.value
    return x - color.value


def place(device: torch.device) -> Tuple[torch.device, str, bool]:
    return device, device.type, device == torch.device("cpu")


def cast(x: Tensor, dtype: int) -> Tensor:
    return x.to(dtype)


def named(pair: Pair) -> Tuple[Tensor, int]:
    return pair.first * pair.second, pair.second


def kind_of(x: Any) -> str:
    if isinstance(x, str):
        return "text " + x
    if isinstance(x, Dict[str, Tensor]):
        return "dict"
    if isinstance(x, List[int]):
        return "ints"
    if isinstance(x, Tuple[int, str]):
        return "pair"
    if isinstance(x, Tuple[int, Optional[str], Tuple[Optional[int], float]]):
        return "optionals"
    return "else"


def percents(n: int, s: str, x: List[int], t: Tuple[str, int]) -> List[str]:
    # Floats stay open in a call: these are the program's own.
    return ["%d %i %s %c%%" % (n, n, n, n), "%f|%e|%E|%F" % (n, n, 2.5, 1.0e10), "%d %d" % (-2.5, 37000000000.5), "%s" % x, "%s %c" % (s, "z"), "%s and %s" % t]


def printed(n: int, s: str, t: Tuple[int], d: Dict[str, int]) -> List[str]:
    return [str(1 + 2j), str(0.1 - 0.3j), f"{n} of {s}", "{}".format(t), str(d), str([s, s]), "{1} {0}".format(n, s), "{}".format(n, s), str([0.5, 1e20])]


X = torch.arange(6.0).reshape(2, 3)
CALLS = [
    (complex_numbers, (1 + 2j, [3j, -1.5 + 0j])),
    (complex_numbers, (complex(0.0, -0.0), [complex(float("inf"), 1.0)])),
    (dict_of_tensors, ({"a": X, "b": X + 1}, 2.0)),
    (dict_of_tensors, ({}, 2.0)),
    (dict_of_ints, ({3: 4, -1: 2}, 3)),
    (dict_of_ints, ({3: 4, -1: 2}, 9)),
    (nested_dicts, ({"a": {"x": X}, "b": {"y": X * 3}}, [{"n": 1}, {"n": 2}])),
    (optional_dict, (X, None)),
    (optional_dict, (X, {"x": X})),
    (some_ints, (range(2, 9, 3),)),
    (member, (Color.RED, X)),
    (member, (Color.BLUE, X)),
    (place, (torch.device("cpu"),)),
    (place, (torch.device("meta"),)),
    (cast, (X, torch.float64)),
    (cast, (X, torch.int32)),
    (named, (Pair(X, 3),)),
    (kind_of, ("a",)),
    (kind_of, ({"a": X},)),
    (kind_of, ([1, 2],)),
    (kind_of, ((1, "a"),)),
    (kind_of, (1.5,)),
    (kind_of, ((1, None, (None, 2.0)),)),
    (kind_of, ((1, "a", (3, 2.0)),)),
    (kind_of, ((1, None, (None, None)),)),
    (percents, (65, "a b", [1, 2], ("k", -3))),
    (printed, (3, "q", (5,), {"a": 1, "b": 2})),
    (printed, (3, "", (5,), {})),
    (add_one, (2,)),
    (add_one, (2.5,)),
]


def same(got, want):
    if isinstance(want, Tensor):
        return isinstance(got, Tensor) and got.dtype == want.dtype and torch.equal(got, want)
    if isinstance(want, dict):
        return isinstance(got, dict) and list(got) == list(want) and all(same(got[key], want[key]) for key in want)
    if isinstance(want, (list, tuple)):
        return isinstance(got, type(want)) and len(got) == len(want) and all(map(same, got, want))
    return type(got) is type(want) and repr(got) == repr(want)


@pytest.mark.parametrize(("function", "arguments"), CALLS, ids=[f"{f.__name__}-{i}" for i, (f, _) in enumerate(CALLS)])
def test_a_call_takes_and_gives_what_eager_does(function, arguments, jit_mlir):
    scripted = torch.jit.script(function)
    want = scripted(*arguments)
    got = jit_mlir.compile(scripted)(*arguments)
    assert same(got, want), f"{got}, expected {want}"


def split_at(s: str, by: str, most: int) -> List[str]:
    return s.split(by, most)


@pytest.mark.parametrize("most", [-1, 0, 2, 9])
def test_a_text_is_split_at_most_so_often(most, jit_mlir):
    scripted = torch.jit.script(split_at)
    assert jit_mlir.compile(scripted)("a-b--c-", "-", most) == scripted("a-b--c-", "-", most)


def test_a_split_by_an_empty_text_is_refused(jit_mlir):
    """PyTorch raises; this crashed."""
    with pytest.raises(jit_mlir.Error, match="expected a result made of tensors and numbers, got one of type List\\[str\\]"):
        jit_mlir.compile(torch.jit.script(split_at))("ab", "", -1)


def test_gradients_by_tensors_in_a_dict(jit_mlir):
    scripted = torch.jit.script(dict_of_tensors)
    program = jit_mlir.compile(scripted)
    ours, theirs = ({"a": X.clone().requires_grad_(), "b": X.clone()} for _ in range(2))
    scripted(theirs, 2.0)["a!"].sum().backward()
    program(ours, 2.0)["a!"].sum().backward()
    torch.testing.assert_close(ours["a"].grad, theirs["a"].grad)
    assert ours["b"].grad is None


def test_a_dict_for_a_list_is_refused(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(some_ints))
    with pytest.raises(jit_mlir.Error, match="expected argument 0 of type List\\[int\\], got a dict"):
        program({"a": 1})


def test_artifacts_give_complex_numbers_and_dicts_too(jit_mlir, tmp_path):
    program = jit_mlir.compile(torch.jit.script(dict_of_tensors))
    arguments = {"a": X, "b": X + 1}, 2.0
    program.save(tmp_path / "d.so", arguments)
    got = jit_mlir.load(tmp_path / "d.so")(*arguments)
    assert same(got, torch.jit.script(dict_of_tensors)(*arguments)), got
