"""Graphs as text: what PyTorch prints is read, what is printed here is the same program again and text that PyTorch reads."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import subprocess
from typing import Dict, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn

import architectures
from conftest import tool
from operator_cases import cases_from_samples, key_of, registry


def translate(*arguments):
    return subprocess.run([tool("jit-translate"), *map(str, arguments)], capture_output=True, text=True)


def unread(text):
    """What PyTorch says of a text, but for the scopes, which it prints and does not read."""
    try:
        torch._C.parse_ir(re.sub(r", scope: [^#\n]*", "", text), parse_tensor_constants=True)
    except RuntimeError as error:
        return str(error)
    return None


def round_trip(text, folder, name="graph"):
    """What is wrong with importing, exporting and importing again, or None."""
    path, again = folder / f"{name}.txt", folder / f"{name}.again.txt"
    path.write_text(text)
    first = translate("--import-graph", path, "--mlir-print-debuginfo")
    if first.returncode:
        return f"{name}: {first.stderr}"
    exported = translate("--export-graph", path)
    again.write_text(exported.stdout)
    second = translate("--import-graph", again, "--mlir-print-debuginfo")
    if exported.returncode or second.returncode:
        return f"{name}: {exported.stderr}{second.stderr}"
    if first.stdout != second.stdout:
        return f"{name}: imported again it is another program\n{exported.stdout}"
    if unread(text) is None and unread(exported.stdout):
        return f"{name}: PyTorch says {unread(exported.stdout)}"
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


TEXTS = sorted((pathlib.Path(__file__).parent.parent / "Import/Inputs/graph-texts").iterdir())


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_texts(path, tmp_path):
    assert round_trip(path.read_text(), tmp_path) is None


# ---- What PyTorch's passes print ----


def scripted_gate():
    """Not the one of another test, which has its history."""

    def gate(x: Tensor, y: Tensor) -> Tensor:
        z = torch.sigmoid(x) * torch.tanh(y)
        a, b = torch.chunk(z, 2, dim=1)
        return torch.cat([a * b, b + x[:, :2]], dim=1).relu()

    return torch.jit.script(gate)


@contextlib.contextmanager
def executor(fuses):
    """What it differentiates or fuses stays in graphs beside the graph."""
    before = torch._C._jit_texpr_fuser_enabled(), torch._C._jit_can_fuse_on_cpu(), torch._C._debug_get_fusion_group_inlining()
    torch._C._jit_set_texpr_fuser_enabled(fuses)
    torch._C._jit_override_can_fuse_on_cpu(fuses)
    torch._C._jit_set_te_must_use_llvm_cpu(False)
    torch._C._debug_set_fusion_group_inlining(False)
    torch._C._debug_set_autodiff_subgraph_inlining(False)
    try:
        yield
    finally:
        torch._C._jit_set_texpr_fuser_enabled(before[0])
        torch._C._jit_override_can_fuse_on_cpu(before[1])
        torch._C._jit_set_te_must_use_llvm_cpu(True)
        torch._C._debug_set_fusion_group_inlining(before[2])
        torch._C._debug_set_autodiff_subgraph_inlining(True)


@pytest.mark.parametrize("fuses", [False, True])
def test_what_the_executor_makes(fuses, tmp_path):
    """Types that it saw, guards on them, graphs that are differentiated and groups that are fused."""
    x, y = (torch.rand(2, 4, requires_grad=not fuses) for _ in range(2))
    with executor(fuses):
        scripted = scripted_gate()
        for _ in range(3):
            result = scripted(x, y).sum()
            if not fuses:
                result.backward()
        text = str(scripted.graph_for(x, y))
    assert f"with prim::{'TensorExprGroup' if fuses else 'DifferentiableGraph'}_0 = graph" in text
    assert round_trip(text, tmp_path) is None


PASSES = {
    "functional": lambda graph: torch._C._jit_pass_create_functional_graphs(graph),
    "autodiff": lambda graph: torch._C._jit_pass_create_autodiff_subgraphs(graph, 1),
    "fusion groups": lambda graph: torch._C._jit_pass_custom_pattern_based_rewrite_graph(
        "graph(%a, %b):\n  %c = aten::mul(%a, %b)\n  return (%c)", "graph(%a, %b):\n  %c = mine::mul[n=1](%a, %b)\n  return (%c)", graph
    ),
    "erase shapes": lambda graph: torch._C._jit_pass_erase_shape_information(graph),
    "decompose": lambda graph: torch._C._jit_pass_decompose_ops(graph),
}


@pytest.mark.parametrize("name", PASSES)
def test_what_passes_make(name, tmp_path):
    graph = scripted_gate().graph.copy()
    PASSES[name](graph)
    assert round_trip(str(graph), tmp_path) is None


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, low, words):
        return x.clamp(min=low)

    @staticmethod
    def backward(ctx, grad):
        return grad, None, None


def test_functions_of_python(tmp_path):
    graph = torch.jit.trace(lambda x: Clip.apply(x, 0.5, "(of words") + 1, torch.rand(3)).graph
    assert "^Clip" in str(graph)
    assert round_trip(str(graph), tmp_path) is None


def test_a_dead_end(tmp_path):
    """A scripted graph's methods and a frozen graph's weights are not in the text."""
    linear = torch.jit.script(nn.Sequential(nn.Linear(30, 30)).eval())
    path = tmp_path / "graph.txt"
    path.write_text(str(linear.graph))
    assert "print the inlined graph instead" in translate("--import-graph", path).stderr
    path.write_text(str(torch.jit.freeze(linear).graph))
    assert "the text holds nothing but <Tensor>" in translate("--import-graph", path).stderr
