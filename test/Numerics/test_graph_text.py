"""Graphs as text: what PyTorch prints is read, what is printed here is the same program again and text that PyTorch reads."""

import concurrent.futures
import os
import re
import subprocess
from typing import Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn

import architectures
from conftest import tool
from operator_cases import cases_from_samples, key_of, registry

# What a text does not hold. Nothing else may be refused.
NOT_IN_THE_TEXT = ("a constant tensor", "complex", "a constant of which the text holds", "is not supported for arguments")


def translate(*arguments):
    return subprocess.run([tool("jit-translate"), *map(str, arguments)], capture_output=True, text=True)


def round_trip(text, folder, name="graph"):
    """What is wrong with importing, exporting and importing again, or None; nothing where the text does not hold the program."""
    path, again = folder / f"{name}.txt", folder / f"{name}.again.txt"
    path.write_text(text)
    first = translate("--import-graph", path, "--mlir-print-debuginfo")
    if first.returncode:
        errors = [line for line in first.stderr.splitlines() if "error:" in line]
        held = [e for e in errors if not any(reason in e for reason in NOT_IN_THE_TEXT)]
        return f"{name}: {held or errors or first.stderr}" if held or not errors else None
    exported = translate("--export-graph", path)
    again.write_text(exported.stdout)
    second = translate("--import-graph", again, "--mlir-print-debuginfo")
    if exported.returncode or second.returncode:
        return f"{name}: {exported.stderr}{second.stderr}"
    if first.stdout != second.stdout:
        return f"{name}: imported again it is another program\n{exported.stdout}"
    # PyTorch prints scopes, unranked element types and classes, but does not read them.
    plain = re.sub(r", scope: [^#\n]*", "", exported.stdout)
    if not re.search(r"__torch__|\w+Tensor\b", plain):
        try:
            torch._C.parse_ir(plain)
        except RuntimeError as error:
            return f"{name}: PyTorch says {error}"
    return None


def all_wrong(texts, folder):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda numbered: round_trip(numbered[1], folder, str(numbered[0])), enumerate(texts))
        return [r for r in results if r]


def test_samples_of_operators(request, tmp_path):
    listed = {key_of(s) for s in translate("--list-operators").stdout.splitlines()} & set(registry())
    every = 1 if request.config.getoption("--full") else 20
    texts = [str(case.program.inlined_graph) for case in cases_from_samples(listed, every)]
    assert len(texts) >= 60
    assert not all_wrong(texts, tmp_path)


@pytest.mark.parametrize("name", architectures.SMALL_MODELS)
def test_models(name, tmp_path):
    module, arguments = architectures.build(name)
    with torch.no_grad():
        traced = torch.jit.trace(module, arguments, check_trace=False, strict=False)
    assert round_trip(str(traced.inlined_graph), tmp_path) is None


# ---- The language ----


class Pair(NamedTuple):
    first: Tensor
    second: int


def branches(x: Tensor, o: Optional[Tensor], n: int) -> Tuple[Tensor, Optional[Tensor]]:
    if o is not None:
        x = x + o
    elif n > 3:
        o = x * n
    return x, o


def loops(x: Tensor, n: int) -> Tuple[Tensor, List[Tensor], int]:
    rows: List[Tensor] = []
    total = 0
    for i in range(n):
        rows.append(x * i)
        total += i
    while bool(x.sum() > 1) and total < 100:
        x = x / 2
        total += 1
    for i in range(n):
        if i == 2:
            break
        x = x + i
    return x, rows, total


def containers(x: Tensor, words: List[str]) -> Tuple[Dict[str, Tensor], List[str], Tensor]:
    d: Dict[str, Tensor] = {"a": x}
    for word in words:
        d[word] = x + len(word)
    words.insert(0, "first")
    last = words.pop()
    return d, words, d["a"] * len(last)


def tuples(x: Tensor, p: Pair, t: Tuple[int, float]) -> Tuple[Pair, Tensor, int]:
    a, b = t
    y = x.clone()
    y += a * b
    y[0] = p.second
    return Pair(y, a), p.first + y, len("n is {}\n".format(a))


def errors(x: Tensor, n: int) -> Tensor:
    if n < 0:
        raise ValueError("expected n >= 0, got {}".format(n))
    assert x.dim() == 2, "rank"
    return x.to(torch.float64).unsqueeze(-1)


def forks(x: Tensor) -> Tensor:
    future = torch.jit.fork(torch.mul, x, x)
    return x + torch.jit.wait(future)


LANGUAGE = {
    branches: [(torch.rand(3), None, 4), (torch.rand(3), torch.rand(3), 1)],
    loops: [(torch.rand(3) * 20, 4), (torch.rand(3), 0)],
    tuples: [(torch.rand(3, 2), Pair(torch.rand(3, 2), 7), (3, 0.5))],
    errors: [(torch.rand(3, 2), 1)],
    forks: [(torch.rand(3),)],
}


@pytest.mark.parametrize("function", [*LANGUAGE, containers], ids=lambda f: f.__name__)
def test_language(function, tmp_path):
    assert round_trip(str(torch.jit.script(function).inlined_graph), tmp_path) is None


@pytest.mark.parametrize("function", LANGUAGE, ids=lambda f: f.__name__)
def test_a_bare_graph_runs(function, tmp_path, jit_run):
    scripted, path = torch.jit.script(function), tmp_path / "graph.txt"
    path.write_text(str(scripted.inlined_graph))
    for arguments in LANGUAGE[function]:
        jit_run(path, *arguments).assert_close(scripted(*[a.clone() if isinstance(a, Tensor) else a for a in arguments]))


def test_weights_are_inputs(tmp_path, jit_run):
    module = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(64, 5)).eval()
    x = torch.rand(2, 3, 6, 6)
    text = str(torch.jit.trace(module, x).inlined_graph)
    path = tmp_path / "graph.txt"
    path.write_text(text)
    assert round_trip(text, tmp_path, "again") is None
    names = re.findall(r'jit.name = "([^"]*)"', translate("--import-graph", path).stdout)
    assert names[0] == "x" or names[0].startswith("input")
    weights = [module.state_dict()[name.removeprefix("self.")] for name in names[1:]]
    jit_run(path, x, *weights).assert_close(module(x))


def test_a_dead_end(tmp_path):
    """A scripted graph's methods and a frozen graph's weights are not in the text."""
    linear = torch.jit.script(nn.Sequential(nn.Linear(30, 30)).eval())
    path = tmp_path / "graph.txt"
    path.write_text(str(linear.graph))
    assert "print the inlined graph instead" in translate("--import-graph", path).stderr
    path.write_text(str(torch.jit.freeze(linear).graph))
    assert "the text holds nothing but <Tensor>" in translate("--import-graph", path).stderr
