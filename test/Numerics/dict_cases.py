"""Keys of dicts in small TorchScript functions: equal ones, and those that are neither strings nor ints."""

from typing import Dict

from function_case import listed_in

CASES = []
case = listed_in(CASES)


@case((1, 2), (1, 1))
def dict_literal_of_equal_keys(a: int, b: int):
    d = {0: 1, 0: 2}
    e = {a: 1, b: 2}
    return len(d), d[0], len(e), e[a]


@case(())
def dict_of_pairs_that_are_written_out():
    d = dict([(1, 2), (3, 4), (1, 5)])
    return d[1], d[3], len(d)


@case(({"z": 1, "a": 2},))
def dict_popitem(d: Dict[str, int]):
    key, value = d.popitem()
    return key == "z", value, d["a"], len(d)


@case(())
def dict_keys_that_are_floats_or_bools():
    d = {0.5: 1, 2.0: 3}
    e = {True: 1, False: 2}
    d[0.5] = 7
    return d[0.5], d.get(2.0), 2.5 in d, len(d), e[True], e.get(False, 9), list(e.keys())
