"""Sums of gradients over what was broadcast: none more than there has to be, over every pattern of up to three operands, beside
what PyTorch's own specialising executor leaves."""

import concurrent.futures
import itertools
import os
import types
from typing import Optional

import pytest
import torch
from conftest import tool
from running import JitRun
from torch.overrides import TorchFunctionMode

ROWS, COLUMNS, HIDDEN = 3, 4, 2
PATTERNS = {
    "same": lambda sizes: sizes,
    "leading": lambda sizes: sizes[1:],  # the leading dimension is missing
    "one": lambda sizes: (*sizes[:-1], 1),
    "scalar": lambda sizes: (),
}

# ---------------------------------------------------------------- programs: fixed tensors, then those that take a pattern


def tanh_of_sum(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor):
    return torch.tanh(x * w + b)


def choice(condition: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    return torch.where(condition > 0, a, b)


def added_product(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):
    return torch.addcmul(a, b, c, value=0.5)


def optional_chain(x: torch.Tensor, scale: torch.Tensor, bias: Optional[torch.Tensor]):
    y = torch.sigmoid(x * scale)
    if bias is not None:
        y = y + bias
    return torch.relu(y) * x


def layer_norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor):
    mean = x.mean(-1, keepdim=True)
    apart = x - mean
    variance = (apart * apart).mean(-1, keepdim=True)
    return apart / torch.sqrt(variance + 1e-5) * weight + bias


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: torch.Tensor, mask: torch.Tensor, out: torch.Tensor):
    scores = torch.matmul(q, k.transpose(0, 1)) * scale + mask
    return torch.matmul(torch.softmax(scores, -1), v) * out


def lstm_cell(x: torch.Tensor, h: torch.Tensor, w: torch.Tensor, u: torch.Tensor, c: torch.Tensor, b: torch.Tensor, d: torch.Tensor):
    gates = torch.matmul(x, w) + torch.matmul(h, u) + b + d
    i, f, g, o = gates.chunk(4, 1)
    cell = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell)


def gru_cell(x: torch.Tensor, h: torch.Tensor, w: torch.Tensor, u: torch.Tensor, b: torch.Tensor, d: torch.Tensor):
    i, j = (torch.matmul(x, w) + b).chunk(3, 1), (torch.matmul(h, u) + d).chunk(3, 1)
    r, z = torch.sigmoid(i[0] + j[0]), torch.sigmoid(i[1] + j[1])
    n = torch.tanh(i[2] + r * j[2])
    return (1.0 - z) * n + z * h


MATRIX = (ROWS, COLUMNS)
# The program, the sizes of its fixed tensors, and of each operand when nothing of it is broadcast.
PROGRAMS = {
    "tanh(x*w+b)": (tanh_of_sum, [], [MATRIX] * 3),
    "where": (choice, [], [MATRIX] * 3),
    "addcmul": (added_product, [], [MATRIX] * 3),
    "Optional bias": (optional_chain, [], [MATRIX] * 3),
    "layer norm by hand": (layer_norm, [MATRIX], [MATRIX] * 2),
    "attention by hand": (attention, [(ROWS, HIDDEN), (COLUMNS, HIDDEN), (COLUMNS, HIDDEN)], [MATRIX, MATRIX, (ROWS, HIDDEN)]),
    "LSTM cell": (lstm_cell, [MATRIX, (ROWS, HIDDEN), (COLUMNS, 4 * HIDDEN), (HIDDEN, 4 * HIDDEN)],
                  [(ROWS, HIDDEN), (ROWS, 4 * HIDDEN), (ROWS, 4 * HIDDEN)]),
    "GRU cell": (gru_cell, [MATRIX, (ROWS, HIDDEN), (COLUMNS, 3 * HIDDEN), (HIDDEN, 3 * HIDDEN)], [(ROWS, 3 * HIDDEN)] * 2),
}
# Here two operands have one gradient, or one operand has two: a sum is shared, and fewer are left than operands were broadcast.
SHARED = {"Optional bias", "LSTM cell"}


def cases(name):
    """(pattern names, arguments) for every combination; None stands for an Optional that is not given."""
    function, fixed, operands = PROGRAMS[name]
    choices = [list(PATTERNS)] * len(operands)
    if name == "Optional bias":
        choices[-1] = [*PATTERNS, "none"]
    for number, patterns in enumerate(itertools.product(*choices)):
        generator = torch.Generator().manual_seed(number)
        sizes = [*fixed, *(None if p == "none" else PATTERNS[p](s) for p, s in zip(patterns, operands))]
        yield patterns, [None if s is None else torch.randn(s, generator=generator, dtype=torch.float64, requires_grad=True)
                         for s in sizes]


# ---------------------------------------------------------------- what has to be, and what PyTorch leaves


class BroadcastCounter(TorchFunctionMode):
    """Counts the operands that want a gradient and are smaller than what a pointwise operator made of them."""

    POINTWISE = {"add", "sub", "mul", "div", "truediv", "where", "addcmul", "rsub"}

    def __init__(self):
        self.count = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if getattr(function, "__name__", "").strip("_") in self.POINTWISE:
            self.count += sum(isinstance(a, torch.Tensor) and a.requires_grad and a.shape != result.shape for a in args)
        return result


def needed(function, arguments):
    with BroadcastCounter() as counter:
        function(*arguments)
    return counter.count


def sums_in(graph):
    """The _grad_sum_to_size nodes of a TorchScript graph, those of its blocks and subgraphs included."""
    count = 0
    for node in graph.nodes():
        count += node.kind() == "aten::_grad_sum_to_size"
        count += sum(map(sums_in, node.blocks()))
        count += sum(sums_in(node.g(name)) for name in node.attributeNames() if node.kindOf(name) == "g")
    return count


@pytest.fixture(scope="module")
def legacy_executor():
    before = torch._C._jit_set_profiling_executor(False)
    yield
    torch._C._jit_set_profiling_executor(before)


def left_by_pytorch(function, arguments):
    """The sums in the backward plans that PyTorch's executor makes for one kind of call; None where it makes none."""
    # Scripted anew: the plans of other calls would be counted too.
    fresh = types.FunctionType(function.__code__, function.__globals__, function.__name__)
    fresh.__annotations__ = function.__annotations__
    scripted = torch.jit.script(fresh)
    for _ in range(2):
        result = scripted(*[a if a is None else a.detach().clone().requires_grad_() for a in arguments])
        result.sum().backward()
    plans = scripted.get_debug_state().execution_plans.values()
    backward = [plan for forward in plans for state in forward.code.grad_executor_states() for plan in state.execution_plans.values()]
    return sum(sums_in(plan.graph) for plan in backward) if backward else None


# ---------------------------------------------------------------- what we leave


def examine(archive, function, arguments, folder, any_sizes=False):
    """The sums in our backward pass, whose gradients have to be PyTorch's."""
    folder.mkdir()
    flags = ["--grad", f"--dump-ir={folder / 'ir'}", *["--any-sizes"] * any_sizes]
    outcome = JitRun(tool("jit-run"), folder)(archive, *arguments, flags=flags)
    outcome.assert_ok()
    graph = next((folder / "ir").glob("forward-0/*-autodiff.mlir")).read_text()
    is_open = any_sizes and any(s > 1 for a in arguments if a is not None for s in a.shape)
    assert ("jit.symbolic" in graph) == is_open, "expected one plan for all sizes"
    wanted = [a for a in arguments if a is not None]
    expected = iter(torch.autograd.grad(function(*arguments).sum(), wanted, allow_unused=True, materialize_grads=True))
    for position, argument in enumerate(arguments):
        if argument is not None:
            torch.testing.assert_close(torch.from_numpy(outcome.gradient(position)), next(expected), rtol=1e-9, atol=1e-11)
    return graph.count("aten._grad_sum_to_size")


@pytest.mark.parametrize("name", ["tanh(x*w+b)", "where", "Optional bias", "layer norm by hand", "attention by hand"])
def test_a_plan_for_any_sizes_has_the_sums_of_its_pattern(name, tmp_path, report):
    function = PROGRAMS[name][0]
    torch.jit.script(function).save(str(tmp_path / "program.pt"))
    found = list(cases(name))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(examine, tmp_path / "program.pt", function, arguments, tmp_path / str(number), True)
                for number, (_, arguments) in enumerate(found)]
        ours = [run.result() for run in runs]
    broadcast = [needed(function, arguments) for _, arguments in found]
    report(f"{name:20} {len(found):3} patterns, sizes open: {sum(broadcast):4} operands broadcast, {sum(ours):4} sums left")
    for (patterns, _), own, most in zip(found, ours, broadcast):
        assert own == most if name not in SHARED else own <= most, f"{patterns}: {own} sums, {most} operands were broadcast"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_sum_stays_only_where_something_was_broadcast(name, legacy_executor, tmp_path, report):
    function = PROGRAMS[name][0]
    torch.jit.script(function).save(str(tmp_path / "program.pt"))
    found = list(cases(name))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(examine, tmp_path / "program.pt", function, arguments, tmp_path / str(number))
                for number, (_, arguments) in enumerate(found)]
        ours = [run.result() for run in runs]
    broadcast = [needed(function, arguments) for _, arguments in found]
    theirs = [left_by_pytorch(function, arguments) for _, arguments in found]
    in_pytorch = sum(n for n in theirs if n is not None) if any(n is not None for n in theirs) else "none differentiated"
    report(f"{name:20} {len(found):3} patterns: {sum(broadcast):4} operands broadcast, {sum(ours):4} sums left, in PyTorch's executor {in_pytorch}")
    for (patterns, _), own, other, most in zip(found, ours, theirs, broadcast):
        assert own <= most, f"{patterns}: {own} sums, {most} operands were broadcast"
        assert other is None or own <= other, f"{patterns}: {own} sums, PyTorch leaves {other}"
        if name not in SHARED:
            assert own == most, f"{patterns}: {own} sums, {most} operands were broadcast"
