"""The language, one small function at a time: every case of complex_cases.py, container_cases.py, dict_cases.py,
language_cases.py, number_cases.py and string_cases.py against PyTorch."""

import concurrent.futures
import copy
import importlib
import math
import os
import sys

import pytest
import torch

import complex_cases
import container_cases
import dict_cases
import language_cases
import number_cases
import string_cases
from conftest import tool
from running import JitRun

CASES = complex_cases.CASES + container_cases.CASES + dict_cases.CASES + language_cases.CASES + number_cases.CASES + string_cases.CASES

def is_written_out(value):
    """Strings, dicts and complex numbers have no form on the command line: they become literals of the program."""
    if isinstance(value, (list, tuple)):
        return any(map(is_written_out, value))
    return isinstance(value, (str, dict, complex))


def literal(value):
    if not isinstance(value, complex):
        return repr(value)
    parts = (repr(part) if math.isfinite(part) else f"float('{part}')" for part in (value.real, value.imag))
    return f"complex({', '.join(parts)})"


def program(function, arguments, name, folder):
    """The scripted function of those arguments that a command line can give, and they."""
    given = [a for a in arguments if not is_written_out(a)]
    if len(given) == len(arguments):
        return torch.jit.script(function), given
    words = [literal(a) if is_written_out(a) else f"a{i}" for i, a in enumerate(arguments)]
    kinds = {torch.Tensor: "torch.Tensor"}
    typed = [f"a{i}: {kinds.get(type(a), type(a).__name__)}" for i, a in enumerate(arguments) if not is_written_out(a)]
    text = (f"import torch\nfrom {function.__module__} import {function.__name__}\n\n\n"
            f"def call({', '.join(typed)}):\n    return {function.__name__}({', '.join(words)})\n")
    (folder / f"{name}.py").write_text(text)
    return torch.jit.script(importlib.import_module(name).call), given


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """{function: what is wrong with each of its calls, or None}"""
    folder = tmp_path_factory.mktemp("functions")
    sys.path.append(str(folder))
    calls = []
    for function, all_arguments in CASES:
        for number, arguments in enumerate(all_arguments):
            name = f"{function.__name__}_{number}"
            scripted, given = program(function, arguments, name, folder)
            scripted.save(str(folder / f"{name}.pt"))
            calls.append((function, name, copy.deepcopy(given), scripted(*copy.deepcopy(given))))

    def run(call):
        function, name, given, expected = call
        mine = folder / name
        mine.mkdir()
        outcome = JitRun(tool("jit-run"), mine)(folder / f"{name}.pt", *given)
        try:
            outcome.assert_close(expected)
        except AssertionError as error:
            return function, str(error)
        return function, None

    result = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for function, message in pool.map(run, calls):
            result.setdefault(function.__name__, []).append(message)
    return result


@pytest.mark.parametrize("name", [function.__name__ for function, _ in CASES])
def test_function(name, outcomes):
    assert outcomes[name] == [None] * len(outcomes[name]), outcomes[name]
