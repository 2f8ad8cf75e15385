"""Control flow, numbers, types and tensors in small TorchScript functions, one behaviour each."""

import math
from typing import Any, List, Optional, Union

import torch
from torch import Tensor

from function_case import X, listed_in

CASES = []
case = listed_in(CASES)


# ---- Control flow ----


@case((X, 1), (X, -1), (X, 0))
def early_returns(x: Tensor, n: int):
    if n > 0:
        if bool(x.sum() > 0):
            return x
        return x + n
    elif n < 0:
        return -x
    return x * 0


@case(([1, 2, 3, 4], 3), ([1, 2], 9))
def return_in_loop(l: List[int], n: int):
    for i, v in enumerate(l):
        if v == n:
            return i
    return -1


@case(([1, -2, 3, 100, 5],))
def break_and_continue(l: List[int]):
    total = 0
    for v in l:
        if v < 0:
            continue
        if v > 50:
            break
        total += v
    return total


@case((10,))
def while_with_break(n: int):
    i = 0
    while True:
        i += 3
        if i > n:
            break
    else_count = 0
    while i > 0:
        i -= 1
        if i % 2 == 0:
            continue
        else_count += 1
    return i, else_count


@case((4,))
def nested_loops(n: int):
    total = 0
    for i in range(n):
        for j in range(i):
            if j == 2:
                break
            total += i * j
        if total > 5:
            return total
    return total


@case((2, X), (5, X))
def ternary_and_short_circuit(n: int, x: Tensor):
    y = x if n > 3 else -x
    ok = n > 3 and bool(y[0, 0] < 0) or n == 2
    return y, ok, not ok


@case((3,))
def asserts(n: int):
    assert n > 0, f"n is {n}"
    assert isinstance(n, int)
    return n


@case((3,))
def loop_variable_after(n: int):
    i = 7
    for i in range(n):
        pass
    return i


@case((X,))
def augmented(x: Tensor):
    a = 5
    a += 1
    a -= 2
    a *= 3
    f = 8.0
    f /= 3
    y = x.clone()
    y += a
    y *= f
    y[0] -= 1
    y[:, 1] *= 2
    return a, f, y


# ---- Numbers ----


@case((7, 2), (-7, 2), (7, -2))
def int_arithmetic(a: int, b: int):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**2, -a, a & 3, a | 8, a ^ 5


@case((7.5, 2.0), (-7.5, 2.0))
def float_arithmetic(a: float, b: float):
    return a + b, a * b, a / b, a // b, a % b, a**b, -a, round(a), int(a), bool(a), float(3), a > b, a == b


@case((7, 2.5))
def mixed_arithmetic(a: int, b: float):
    return a + b, a * b, a - b, a / b, a < b, a // b, a % b, b**a, max(a, 3), min(b, 1.0), pow(a, 2)


@case((0.5,))
def math_module(a: float):
    return (math.sqrt(a), math.exp(a), math.log(a), math.floor(a), math.ceil(a), math.pi, math.sin(a), math.cos(a), math.tan(a),
            math.pow(a, 2.0), math.tanh(a), math.gcd(12, 18))


@case((True, False))
def bool_arithmetic(a: bool, b: bool):
    return a and b, a or b, not a, a == b, int(a), float(b), a & b, a | b, a ^ b


@case((torch.tensor(3.5), torch.tensor([2])))
def scalars_of_tensors(x: Tensor, n: Tensor):
    return float(x), int(x), bool(x), int(n), x.item(), n.item(), float(n) + 1


@case((float("inf"),), (2.0,))
def infinities(a: float):
    return a == float("inf"), -a == float("-inf"), a != a, float("nan") == float("nan")


# ---- Types ----


@case((X,), (None,))
def optional_refined(x: Optional[Tensor]):
    if x is None:
        return torch.zeros(1)
    return x + 1


@case((X, None), (X, 3))
def optional_in_condition(x: Tensor, n: Optional[int]):
    if n is not None and n > 2:
        x = x * n
    return x, n


@case((None,), (4,))
def optional_assert(n: Optional[int]):
    if n is None:
        n = 7
    assert n is not None
    return n + 1


@case((X,))
def isinstance_of_a_known_type(x: Union[Tensor, List[Tensor]]):
    if isinstance(x, Tensor):
        y = x * 2
    else:
        y = x[0]
    return y


def helper(x: Union[int, float, Tensor]):
    if isinstance(x, int):
        return 1
    elif isinstance(x, float):
        return 2
    return 3


@case((X, 2, 0.5))
def union_arguments(x: Tensor, n: int, f: float):
    return helper(x), helper(n), helper(f)


def of_any(x: Any):
    return isinstance(x, int), isinstance(x, Tensor), isinstance(x, (str, float))


@case((X, 2))
def any_arguments(x: Tensor, n: int):
    return of_any(x), of_any(n), of_any("text")


@case((3,), (2.5,))
def isinstance_of_a_number(n: Union[int, float]):
    if isinstance(n, int):
        return n + 1
    return int(n) - 1


def kind_of(x: Any):
    if isinstance(x, int):
        return 1
    if isinstance(x, (float, str)):
        return 2
    if isinstance(x, (list, tuple)):
        return 3
    return 4


@case((X, 2, 0.5))
def isinstance_of_containers(x: Tensor, n: int, f: float):
    return kind_of(x), kind_of(n), kind_of(f), kind_of([x]), kind_of((n, f)), kind_of("a")


@case((X,), ([X, X + 1],))
def isinstance_of_lists(x: Union[Tensor, List[Tensor]]):
    if isinstance(x, list):
        return len(x)
    return 0


def with_defaults(x: Tensor, scale: float = 2.0, name: str = "a", sizes: Optional[List[int]] = None):
    return x * scale, len(name), sizes is None


@case((X,))
def default_arguments(x: Tensor):
    return with_defaults(x), with_defaults(x, name="long", sizes=[1])


# ---- Tensors as Python uses them ----


@case((X.clone(),))
def indexing(x: Tensor):
    return x[0], x[-1, 1], x[:, 1:3], x[..., 0], x[None].shape, x[torch.tensor([0, 2])], x[1:, ::2]


@case((X.clone(),))
def index_writes(x: Tensor):
    x[0] = 1
    x[:, 1] += 5
    x[1, 2:] = torch.tensor([8.0, 9.0])
    x.view(-1)[3] = -1
    return x


@case((X,))
def tensor_properties(x: Tensor):
    return (x.shape[0], x.size(1), x.dim(), x.numel(), len(x), x.dtype == torch.float32, x.is_cuda, x.device == torch.device("cpu"),
            x.ndim, x.requires_grad, x.is_floating_point(), x.T.shape)


@case((torch.tensor([1, -2, 3]), torch.tensor([[1.5, 2.5]]), torch.tensor(True), torch.tensor([1 + 2j])))
def tensors_as_lists(x: Tensor, y: Tensor, b: Tensor, z: Tensor):
    ints: List[int] = x.tolist()
    rows: List[List[float]] = y.tolist()
    flag: bool = b.tolist()
    numbers: List[complex] = z.tolist()
    number: int = x.sum().tolist()
    return ints, rows, flag, numbers, number, sum(ints), torch.zeros(ints[2])


@case((X, X.clone(), X + 1e-9), (X, -X, X.t().contiguous()), (X, X + 1, X[:1]))
def tests_of_whole_tensors(x: Tensor, y: Tensor, z: Tensor):
    close = torch.allclose(x, y) and torch.allclose(x, y, rtol=0.5, atol=1e-3)
    return torch.equal(x, y), torch.equal(x, z), close, torch.is_same_size(x, z), torch.is_nonzero(x[1, 1]), bool(torch.isclose(x, y).all())


@case((6, True), (7, False), (1, True), (0, True))
def windows(n: int, periodic: bool):
    return (torch.hann_window(n), torch.hann_window(n, periodic), torch.hamming_window(n, periodic), torch.hamming_window(n, periodic, 0.6, 0.4),
            torch.blackman_window(n, periodic), torch.bartlett_window(n, periodic), torch.kaiser_window(n, periodic),
            torch.kaiser_window(n, periodic, 5.0), torch.hann_window(n, dtype=torch.float64))


@case((torch.linspace(-1, 1, 12).view(2, 2, 3), torch.linspace(-1, 1, 12).view(1, 3, 4), True),
      (torch.linspace(-1, 1, 12).view(2, 2, 3), torch.linspace(-1, 1, 12).view(1, 3, 4), False))
def affine_grids(image: Tensor, volume: Tensor, corners: bool):
    return (torch.nn.functional.affine_grid(image, [2, 1, 4, 5], corners), torch.nn.functional.affine_grid(image, [2, 3, 1, 2], corners),
            torch.nn.functional.affine_grid(volume, [1, 1, 2, 3, 4], corners))


@case((X,))
def tensor_loops(x: Tensor):
    total = torch.zeros(4)
    for row in x:
        total = total + row
    for i in range(len(x)):
        total += x[i]
    return total


@case((X,))
def without_gradients(x: Tensor):
    with torch.no_grad():
        y = x * 2
    return y


@case((X,))
def nested_splits(x: Tensor):
    y = x.clone()
    left, right = y.chunk(2, 1)
    for row in left.unbind(0):
        row *= 2
    right.split([1, 2], 0)[1].zero_()
    return y, left.sum()


@case((X,))
def without_autocast(x: Tensor):
    with torch.autocast("cpu", enabled=False):
        y = torch.mm(x, x.t())
    return y


@case((X,))
def profiled(x: Tensor):
    with torch.autograd.profiler.record_function("scaled"):
        y = x * 2
        with torch.autograd.profiler.record_function("shifted"):
            y = y + 1
    return y


@case((X,))
def forked(x: Tensor):
    a = torch.jit.fork(torch.add, x, x)
    b = torch.jit.fork(torch.mul, x, x)
    return torch.jit.wait(a) + torch.jit.wait(b)


@case((X,))
def printing(x: Tensor):
    print("x is", x.shape)
    torch.jit.annotate(List[int], [])
    return x


@case((X,))
def functions_of_functions(x: Tensor):
    return optional_refined(early_returns(x, 1)), return_in_loop([1, 2], 2)


@case((X,))
def constants(x: Tensor):
    return x + torch.tensor([1, 2, 3, 4]), torch.tensor(3), torch.tensor([[1.5], [2.0]]), torch.tensor(True), torch.empty(0).size(0)


@case((1,), (2,))
def numbers_of_a_tensor_that_is_written(y: int):
    t = torch.tensor(0)
    t.add_(y)
    first = int(t)
    rounds = 0
    while int(t.add_(1)) < 6:
        if y == 1:
            t += 1
        else:
            rounds += 1
    return first, rounds, int(t), bool(t)


@case(())
def tensors_of_empty_lists():
    empty: List[int] = []
    return torch.tensor([empty, empty]), torch.tensor([[[empty]]]), torch.as_tensor([empty]), torch.tensor(empty)


@case(([3, 4],), (None,))
def kinds_of_optional_lists(a: Optional[List[int]]):
    b = 0
    if isinstance(a, (int, (float,), list, str)):
        b += 1
    if isinstance(a, (int, str)):
        b += 10
    return b


@case((X,))
def a_sum_or_a_text(x: Tensor) -> Any:
    return x * 2 if x.size(0) == 3 else "text"
