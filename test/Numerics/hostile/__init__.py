"""Files that mean harm, made by code: each kind of input has a module whose `cases()` gives them one by one.

A case is a command over files that lie in an empty folder. It has to end in a typed error or do what it says, within the bounds of
test_hostile.py, whatever the files hold.
"""

import dataclasses


@dataclasses.dataclass
class Case:
    name: str
    command: list
    files: dict
    # The error that it has to be, as a pattern; None where nothing is wrong or who is right is open, as with flipped bits.
    error: str | None = None
    # What it has to print where it is no error.
    prints: str | None = None
    # Bytes that the files state, which memory may take beside the bound of all.
    stated: int = 0


def run(*flags):
    return ["jit-run", *flags]


def translate(*flags):
    return ["jit-translate", *flags]


def opt(*flags):
    return ["jit-opt", *flags]
