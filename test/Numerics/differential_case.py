"""A program that scripts/differential has found, made small; test_differential.py runs all of them."""

import inspect

CASES = []  # (name, source, calls, ways, outcomes that may be)


def case(*calls, ways=("exact",), refused=False):
    """`calls` are tuples of arguments, as Python; `ways` as scripts/differential names them; `refused` where it may be."""

    def note(function):
        CASES.append((function.__name__, inspect.getsource(function), calls, ways, {"equal", "refused"} if refused else {"equal"}))
        return function

    return note
