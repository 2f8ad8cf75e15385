"""Small TorchScript functions, one behaviour each, with the arguments of their calls."""

import math
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor

CASES = []


def case(*calls):
    """Each call is a tuple of arguments."""

    def note(function):
        CASES.append((function, calls))
        return function

    return note


X = torch.arange(12.0).reshape(3, 4) - 5


# ---- Lists ----


@case(([3, 1, 2],), ([],))
def list_reverse(l: List[int]):
    l.reverse()
    return l


@case(([3, 1, 2],))
def list_sort(l: List[int]):
    l.sort()
    return l


@case(([3.5, -1.0, 2.0],))
def list_sort_backwards(l: List[float]):
    l.sort(reverse=True)
    return l


@case(([3, 1, 2],))
def list_sorted(l: List[int]):
    return sorted(l), l


@case(([3, 1, 2, 1], 1))
def list_index_and_count(l: List[int], n: int):
    return l.index(n), l.count(n)


@case(([1, 2, 3, 4, 5],))
def list_slices(l: List[int]):
    return l[1:], l[:-1], l[::2], l[-2:], l[1:4:2]


@case(([1, 2],))
def list_times(l: List[int]):
    return l * 3, [0] * len(l)


@case(([1, 2], [3]))
def list_plus(a: List[int], b: List[int]):
    c = a + b
    c += a
    c.extend(b)
    c.append(9)
    return a, c


@case(([1, 2, 3],))
def list_insert_pop_remove(l: List[int]):
    l.insert(1, 10)
    l.insert(-1, 11)
    last = l.pop()
    first = l.pop(0)
    l.remove(2)
    return l, last, first


@case(([1, 2, 3],), ([],))
def list_clear_copy(l: List[int]):
    c = l.copy()
    l.clear()
    return c, len(l) == 0


@case(([1, 2, 3],))
def list_del(l: List[int]):
    del l[1]
    return l


@case(([1, 5, 3],))
def list_reductions(l: List[int]):
    return sum(l), max(l), min(l)


@case(([True, False],))
def list_all_any(l: List[bool]):
    return all(l), any(l)


@case(([1, 2], [1, 3]))
def list_compare(a: List[int], b: List[int]):
    return a == b, a != b


@case(([1, 2, 3],))
def list_membership(l: List[int]):
    return 2 in l, 5 not in l


@case(([1, 2, 3],))
def list_comprehension(l: List[int]):
    return [x * x for x in l], [float(x) for x in l]


@case((X,))
def list_comprehension_of_tensors(x: Tensor):
    parts = [row + i for i, row in enumerate(x.unbind(0))]
    return torch.stack(parts)


@case(([1, 2], [3.0, 4.0]))
def zip_and_enumerate(a: List[int], b: List[float]):
    total = 0.0
    for i, (x, y) in enumerate(zip(a, b)):
        total += i * x * y
    return total


@case((5,))
def range_with_step(n: int):
    total = 0
    for i in range(10, 0, -n):
        total = total * 10 + i
    for i in range(0, 9, 4):
        total += i
    return total


@case((4,))
def list_of_range(n: int):
    return list(range(n)), [i for i in range(2, n)]


@case(([1, 2, 3],))
def list_unpacked(l: List[int]):
    a, b, c = l
    return c, b, a


@case(([[1, 2], [3]],))
def nested_lists(l: List[List[int]]):
    l[0].append(5)
    l.append([7])
    return l, len(l[0])


@case((X,))
def list_of_tensors_sorted_by_value(x: Tensor):
    l = [int(v) for v in x[1]]
    l.sort()
    return torch.tensor(l)


@case((X,))
def tensor_to_list(x: Tensor):
    l: List[float] = x[0].tolist()
    return l


@case(([4, 2],))
def list_min_with_default(l: List[int]):
    best = l[0]
    for v in l:
        best = min(best, v)
    return best, min(3, 4), max(1.5, 2.0), abs(-3), abs(-2.5)


# ---- Views in lists ----


@case((X.clone(),))
def write_to_chunks(x: Tensor):
    parts = x.chunk(2, 1)
    parts[0].zero_()
    parts[1][0] += 1
    return x


@case((X.clone(),))
def write_to_splits(x: Tensor):
    a, b = x.split(2, 1)
    a.mul_(2)
    b.copy_(a)
    return x


@case((X.clone(),))
def write_to_unbound(x: Tensor):
    rows = x.unbind(0)
    for row in rows:
        row.add_(1)
    return x


@case((X.clone(),))
def write_to_list_element(x: Tensor):
    l = [x, x[0], x * 2]
    l[1].fill_(7)
    l[2].fill_(1)
    return x, l


# ---- Strings ----


@case(("a,b,,c",))
def str_split_join(s: str):
    parts = s.split(",")
    return len(parts), "-".join(parts) == "a-b--c", len("+".join(parts))


@case(("  Hello World ",))
def str_methods(s: str):
    t = s.strip()
    return (len(t), t.upper() == "HELLO WORLD", t.lower() == "hello world", t.replace("l", "L") == "HeLLo WorLd",
            t.startswith("Hell"), t.endswith("d"), t.find("o"), t.rfind("o"), t.count("l"))


@case(("abc", 2))
def str_slices(s: str, n: int):
    return s[1:] == "bc", s[n] == "c", s[-2:] == "bc", "b" in s, s + s == "abcabc"


@case((3, True))
def str_format(n: int, b: bool):
    return "{} {}".format(n, b) == "3 True", f"{n}!" == "3!"


@case(("12", "1.5"))
def str_to_numbers(a: str, b: str):
    return int(a) + 1, float(b) * 2, str(3) == "3", str(True) == "True"


@case(("abcabc",))
def str_loops(s: str):
    n = 0
    for c in s:
        if c == "b":
            n += 1
    return n, ord("a"), chr(98) == "b"


@case(("a b  c",))
def str_tests(s: str):
    return s.isdigit(), "12".isdigit(), "ab".isalpha(), len(s.split()), "x".isupper(), "a1".isalnum()


@case(("mul",), ("add",), ("neither",))
def str_choice(mode: str):
    x = torch.ones(2)
    if mode == "mul":
        x = x * 3
    elif mode in ["add", "plus"]:
        x = x + 3
    return x


# ---- Dicts ----


@case(({"a": 1, "b": 2},))
def dict_methods(d: Dict[str, int]):
    keys = list(d.keys())
    values = list(d.values())
    return len(keys), sum(values), d.get("a"), d.get("z", 9), "a" in d, "z" in d, len(d)


@case(({"a": 1, "b": 2},))
def dict_items(d: Dict[str, int]):
    total = 0
    for k, v in d.items():
        total += v * len(k)
    for k in d:
        total += d[k]
    return total


@case(({"a": 1, "b": 2},))
def dict_changes(d: Dict[str, int]):
    d["c"] = 3
    del d["a"]
    b = d.pop("b")
    d.update({"d": b})
    e = d.setdefault("e", 5)
    return d, b, e


@case((X,))
def dict_literals(x: Tensor):
    d = {"x": x, "y": x + 1}
    e: Dict[int, float] = {}
    e[3] = 2.5
    f = {i: i * i for i in range(3)}
    return d["y"] - d["x"], e[3], len(f), f[2]


@case((X,))
def dict_copy_and_clear(x: Tensor):
    d = {1: x}
    e = d.copy()
    d.clear()
    return len(d), e[1]


# ---- Tuples ----


class Pair(NamedTuple):
    first: Tensor
    second: int = 3


@case(((1, 2.5, True),))
def tuple_slices(t: Tuple[int, float, bool]):
    return t[1:], t[:2], t[-1], t[0], len(t)


@case((X,))
def tuple_compare(x: Tensor):
    a = (1, 2)
    b = (x, 2)
    c, (d, e) = b[1], a
    return a == (1, 2), c + d + e


@case((Pair(X, 2),))
def named_tuple(p: Pair):
    q = Pair(p.first * p.second)
    a, b = q
    return q, p[0], b, q.second


@case((X,))
def tuple_swap(x: Tensor):
    a, b = x[0], x[1]
    a, b = b, a + b
    return a, b


@case(((1, 2, 3),))
def tuple_loop(t: Tuple[int, int, int]):
    total = 0
    for v in t:
        total += v
    return total, list(t)


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
