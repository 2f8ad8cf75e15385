"""Lists, strings, dicts and tuples in small TorchScript functions, one behaviour each."""

from typing import Dict, List, NamedTuple, Tuple

import torch
from torch import Tensor

from function_case import X, listed_in

CASES = []
case = listed_in(CASES)


# ---- Lists ----


@case(([3, 1, 2],), ([],))
def list_reverse(l: List[int]):
    l.reverse()
    return l


@case(([(2, 5), (1, 9), (2, 3)],), ([],))
def list_of_tuples_sorted(l: List[Tuple[int, int]]):
    forwards = sorted(l)
    l.sort(reverse=True)
    return l, forwards, sorted([(i % 2, (i, "b")) for i in range(3)])[1][1][0]


@case(([3, 1], 2), ([3, 1], 0), ([3, 1], -1), ([], 3))
def list_that_is_repeated(l: List[int], n: int):
    other = l
    l *= n
    other.append(5)
    return l, len(other)


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


@case(([True, False],), ([],))
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


# ---- Lists and dicts in others ----


@case(([[1, 2], [3]],))
def nested_lists(l: List[List[int]]):
    l[0].append(5)
    l.append([7])
    return l, len(l[0])


@case(([[1, 2], [3, 9]],))
def greatest_by_place(rows: List[List[int]]):
    most = rows[0]
    for row in rows[1:]:
        for i, item in enumerate(row):
            most[i] = max(most[i], item)
    return most, rows


@case((3, X))
def rows_of_a_table(n: int, x: Tensor):
    rows: List[List[Tensor]] = []
    for i in range(n):
        row = [x + j for j in range(i)]
        rows.append(row)
        row.append(x * i)
    rows[-1].append(x)
    return rows, len(rows[2])


@case((X,))
def dicts_in_a_list(x: Tensor):
    found: List[Dict[str, Tensor]] = [{"a": x}, {"a": x * 2}]
    for i, (d, s) in enumerate(zip(found, [3, 4])):
        found[i]["a"] = d["a"] * s
        if "b" not in d:
            d["b"] = d["a"] + 1
    return found, len(found[0])


@case((X,))
def one_list_twice(x: Tensor):
    a = [x]
    table = [a, a, [x]]
    table[0].append(x + 1)
    b = table[1]
    b.append(x + 2)
    c = table[2].copy()
    c.append(x)
    d = a + []
    d.append(x)
    return len(a), len(table[1]), len(table[2]), len(c), len(d), a[2]


@case((X,), (-X,))
def a_list_that_data_choose(x: Tensor):
    a, b = [x], [x * 2]
    both = [a, b]
    c = a if bool((x.sum() > 0).item()) else b
    c.append(x)
    c[0] = x * 3
    return len(both[0]), len(both[1]), both[0][0], both[1][0]


@case((X,), (-X,))
def a_change_in_a_branch_on_data(x: Tensor):
    d: Dict[str, List[Tensor]] = {"a": [x]}
    l = d["a"]
    if bool((x.sum() > 0).item()):
        d["a"].append(x * 2)
    return len(l), l[-1], len(d["a"])


@case((X,))
def dict_of_lists(x: Tensor):
    groups: Dict[int, List[Tensor]] = {}
    for i in range(5):
        if i % 2 not in groups:
            groups[i % 2] = []
        groups[i % 2].append(x * i)
    groups[1].pop()
    l = groups[0]
    groups[0] = [x]
    l.insert(0, x)
    return groups[0], groups[1], l


@case((X,))
def tuples_of_lists(x: Tensor):
    t = ([x], {"k": [x]})
    t[0].append(x + 1)
    t[1]["k"].extend(t[0])
    u = (t, t[0])
    u[1].clear()
    return t, len(u[0][0])


@case(([[1, 2], [3]], 4))
def extended_by_each_other(l: List[List[int]], n: int):
    a: List[int] = []
    a.extend(l[0])
    l[0].extend(a)
    a.append(n)
    l[1] = l[0]
    l[1].append(n)
    return l, a


@case(([[3, 1], [2]],))
def sorted_and_reversed(l: List[List[int]]):
    l[0].sort()
    l.reverse()
    l[1].reverse()
    m = l[:]
    m[0].append(9)
    m.append([1])
    return l, len(m)


@case(([1], 3))
def extended_by_a_list_that_changed(a: List[int], n: int):
    b: List[int] = []
    for i in range(n):
        b.append(i)
    c = [7]
    c.extend(b)
    for i in range(2):
        a.extend(c)
        c.append(i)
    a += c
    return a, c


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
    return s[1:] == "bc", s[n] == "c", s[::-1] == "cba", s[2:0:-1] == "cb", s[-2:] == "bc", "b" in s, s + s == "abcabc"


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


@case((2, 3), (0, 5))
def dict_of_pairs(a: int, b: int):
    pairs: List[Tuple[str, int]] = []
    for name in ["x", "y", "x"]:
        pairs.append((name, a))
        a += b
    d = dict(pairs)
    return len(d), d["x"], d["y"]


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


@case(([3, 1, 2], [1, 5], [True, False]), ([1, 2], [1, 2, 0], [True]))
def least_and_greatest(a: List[int], b: List[int], flags: List[bool]):
    return min(a), max(b), min(a, b), max(a, b), min(flags), max(flags), sum(flags), sorted(flags), flags == [True], flags != [True]


@case((0,))
def the_lesser_of_two_lists_is_that_list(n: int):
    rows = [[3, 1], [2], [2]]
    a = min(rows[0], rows[1])
    b = max(rows[0], rows[1])
    a.append(7)
    b.append(8)
    rows[1] = [n + 2]
    max(rows[1], rows[2]).append(9)
    return rows[0], rows[1], rows[2], a, b


@case((torch.tensor(1), torch.tensor([2])))
def list_of_tensors_compared(x: Tensor, y: Tensor):
    l = [x, x + 1, x]
    return l == [x, x + 1, x], l != [x, x, x], l.count(x), l.index(x + 1), [y] == [y, y], l.index(x)


@case((torch.tensor(3.0), torch.tensor(-1.0)))
def list_of_tensors_in_order(x: Tensor, y: Tensor):
    l = [x, y, x - 2]
    m = sorted(l)
    l.sort(reverse=True)
    return l, m


@case(())
def list_of_characters():
    l = list("abca")
    return len(l), l == ["a", "b", "c", "a"], len(list(""))


@case((True, 5))
def hash_of_numbers(a: bool, b: int):
    return hash(a), hash(b), hash(b) == hash(5)
