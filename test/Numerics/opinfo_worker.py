"""Runs PyTorch's own samples of one operator after another, in one process: what opinfo.py starts and feeds.

Each line on stdin is a task, {"info": number in op_db, "dtype": "float32", "door": one of DOORS, "first": sample, "most": samples
or 0}. The answer is a line for each sample, {"sample": number, "verdict": ..., "message": ..., "operators": [...]}, with {"begins":
number} before it, so that a crash can be told of the right one; and {"done": true}.
"""

import contextlib
import dataclasses
import functools
import io
import json
import pathlib
import sys
import tempfile
import unittest.mock
import warnings
from typing import Callable

import numpy as np
import torch
from operator_cases import is_random, is_undefined, key_of
from tolerance import assert_near
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

# Relative and absolute: two steps of its seven bits.
BFLOAT16 = (1.6e-2, 1e-3)
STEP = 1e-6  # of finite differences
TARGET = sys.argv[2] if len(sys.argv) > 2 else "cpu"


def itself(info):
    return info.op


def in_place(info):
    """The form that writes its first argument: what it gives and what was written."""
    def call(first, *args, **kwargs):
        written = first.clone()
        return info.inplace_variant(written, *args, **kwargs), written

    return call


def into_out(info):
    """With out=, tensors of zeros of the results' sizes and types."""
    def call(*args, **kwargs):
        zeros = tree_map(torch.zeros_like, info.op(*args, **kwargs))
        out = tuple(zeros) if isinstance(zeros, (tuple, list)) else zeros
        return info.op(*args, **kwargs, out=out), out

    return call


def in_region(dtype):
    """The operator in a region of autocast."""
    def form(info):
        def call(*args, **kwargs):
            with torch.autocast("cpu", dtype=dtype):
                return info.op(*args, **kwargs)

        return call

    return form


class Sample(torch.nn.Module):
    """One sample as a module of its tensors; everything else is a constant of the program."""

    def __init__(self, info, sample, form):
        super().__init__()
        self.op = form(info)
        process = sample.output_process_fn_grad
        self.process = (lambda both: tuple(map(process, both))) if form in (in_place, into_out) else process
        self.flat, self.tree = tree_flatten((sample.input, sample.args, sample.kwargs))
        self.places = [i for i, value in enumerate(self.flat) if isinstance(value, torch.Tensor)]
        self.tensors = tuple(plain(self.flat[i]) for i in self.places)

    def forward(self, *tensors):
        flat = list(self.flat)
        for place, tensor in zip(self.places, tensors):
            flat[place] = tensor
        first, args, kwargs = tree_unflatten(flat, self.tree)
        return untyped(self.op(first, *args, **kwargs))


def plain(tensor):
    return tensor.detach().contiguous() if tensor.layout == torch.strided else tensor.detach()


def untyped(result):
    """Results with names of PyTorch's own cannot be exported; tuples of lists cannot be traced."""
    return tuple(map(untyped, result)) if isinstance(result, (tuple, list)) else result


def traced(module, path):
    """Saves a TorchScript archive; gives the operators that it calls."""
    program = torch.jit.trace(module, clones(module) or (torch.zeros(1),), check_trace=False)
    program.save(str(path))
    nodes = program.inlined_graph.findAllNodes
    calls = [node for kind in {n.kind() for n in program.inlined_graph.nodes()} for node in nodes(kind)]
    return {key_of(node.schema()) for node in calls if node.kind().startswith("aten::")}


def exported(module, path, decompose=False):
    """Saves a .pt2; gives the operators that it calls."""
    program = torch.export.export(module, clones(module) or (torch.zeros(1),))
    program = program.run_decompositions() if decompose else program
    torch.export.save(program, str(path))
    targets = [node.target for node in program.graph.nodes if isinstance(node.target, torch._ops.OpOverload)]
    return {key_of(str(target._schema)) for target in targets}


def results(call, module, tensors):
    return call(*tensors)


def gradients(call, module, tensors):
    """By every floating tensor, of a sum in which each element of a result has a factor of its own."""
    tensors = [t.requires_grad_() if t.is_floating_point() else t for t in tensors]
    total = sum(map(weighted, leaves(module.process(call(*tensors)))))
    wanted = [t for t in tensors if t.requires_grad]
    return torch.autograd.grad(total, wanted, allow_unused=True, materialize_grads=True)


def weighted(result):
    if result.is_complex():
        result = torch.view_as_real(result.resolve_conj())
    if not result.is_floating_point():
        return 0.0
    return (result.double().flatten() * torch.cos(torch.arange(result.numel(), dtype=torch.float64))).sum()


@dataclasses.dataclass(frozen=True)
class Door:
    """What a sample calls, how that is written to which file, what it is loaded with, and what is compared of a call."""

    write: Callable
    suffix: str = ".pt"
    form: Callable = itself
    options: dict = dataclasses.field(default_factory=dict)
    observe: Callable = results


DOORS = {"traced": Door(traced), "exported": Door(exported, ".pt2"), "decomposed": Door(functools.partial(exported, decompose=True), ".pt2"),
         "inplace": Door(traced, form=in_place), "out": Door(traced, form=into_out), "anysizes": Door(traced, options={"any_sizes": True}),
         "autobf16": Door(exported, ".pt2", form=in_region(torch.bfloat16)), "autof16": Door(exported, ".pt2", form=in_region(torch.float16)),
         "gradients": Door(traced, observe=gradients), "anygradients": Door(traced, options={"any_sizes": True}, observe=gradients)}


def clones(module):
    return tuple(t.clone() for t in module.tensors)


def leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, torch.Tensor):
        yield value
    elif value is not None:
        yield torch.as_tensor(value)


def array(tensor):
    """The elements; numpy has no bfloat16."""
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).detach().contiguous().numpy(force=True)


def difference(got, want, undefined):
    """What is wrong with a result, or an empty text."""
    got, want = list(leaves(got)), list(leaves(want))
    if len(got) != len(want):
        return f"{len(got)} results, expected {len(want)}"
    for a, b in zip(got, want):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{a.dtype}{list(a.shape)}, expected {b.dtype}{list(b.shape)}"
        if undefined:
            continue
        try:
            assert_near(array(a), array(b), *(BFLOAT16 if b.dtype == torch.bfloat16 else ()))
        except AssertionError as error:
            return " ".join(str(error).split())
    return ""


def is_own_fault(module, info, sample, want, path, undefined):
    """PyTorch's own out= is not always its result (ihfft2), nor what it writes down what it has run (max of all elements)."""
    alone = Sample(info, sample, itself)
    result = alone(*clones(alone))
    again = torch.jit.load(str(path))(*(clones(module) or (torch.zeros(1),)))
    return bool(difference(want, (result, result), undefined) or difference(again, want, undefined))


def depends_on_seed(observe, module, want):
    """Operators that may draw do not always: attention without dropout has one result. PyTorch's own samples set a seed in each call."""
    with unittest.mock.patch("torch.manual_seed"):
        for seed in range(1, 9):
            torch.default_generator.manual_seed(seed)
            if difference(observe(module, module, clones(module)), want, False):
                return True
    return False


def is_as_near_as_eager(observe, module, got, want):
    """Where rounding is enlarged it is everybody's: no result is more than three times as far from float64's as eager's own."""
    exact = observe(module, module, tuple(t.double() if t.dtype in (torch.float32, torch.float16, torch.bfloat16) else t for t in clones(module)))
    far = lambda t, e: (t.double() - e.double()).abs().max().item()
    return all(a.shape == e.shape and far(a, e) <= 3 * far(b, e) for a, b, e in zip(leaves(got), leaves(want), leaves(exact)))


def is_slope(module):
    """Whether eager's gradients, in float64, are what the function's differences say: some follow a convention of their own."""
    tensors = [t.double() if t.is_floating_point() else t for t in clones(module)]
    ways = [torch.cos(torch.arange(t.numel(), dtype=t.dtype)).reshape(t.shape) if t.is_floating_point() else None for t in tensors]

    def at(step):
        with torch.no_grad():
            return sum(map(weighted, leaves(module.process(module(*(t if way is None else t + step * way for t, way in zip(tensors, ways)))))))

    measured = (at(STEP) - at(-STEP)) / (2 * STEP)
    told = sum((g * way).sum() for g, way in zip(gradients(module, module, tensors), (way for way in ways if way is not None)))
    return bool((told - measured).abs() <= 1e-4 * (1 + measured.abs()))


def outcome(jit_mlir, info, sample, door, folder):
    """(verdict, message, operators) of one sample through one door."""
    door = DOORS[door]
    path = pathlib.Path(folder) / f"sample{door.suffix}"
    torch.manual_seed(0)
    try:
        module = Sample(info, sample, door.form)
        want = door.observe(module, module, clones(module))
        operators = door.write(module, path)
        undefined = any(map(is_undefined, operators))
        if door.form is into_out and is_own_fault(module, info, sample, want, path, undefined):
            return "not written", "PyTorch's own out= differs", ()
    except Exception as error:  # whatever PyTorch itself has no words for is not ours to read
        return "not written", " ".join(str(error).split()), ()
    named = sorted(f"{name}.{overload}" if overload else name for name, overload in operators)
    try:
        program = jit_mlir.load(path, target=TARGET, **door.options)
        got = door.observe(program, module, clones(module) or (torch.zeros(1),))
    except Exception as error:
        return "refused", " ".join(str(error).split()), named
    if undefined and all(map(is_random, filter(is_undefined, operators))):
        undefined = depends_on_seed(door.observe, module, want)
    wrong = difference(got, want, undefined)
    if wrong and not undefined and door.observe is results:
        # Where a result is one of several right ones, the sample says what of it is settled.
        with contextlib.suppress(Exception):
            wrong = difference(module.process(got), module.process(want), False)
    if wrong and not undefined:
        with contextlib.suppress(Exception):
            wrong = "" if is_as_near_as_eager(door.observe, module, got, want) else wrong
    if wrong and door.observe is gradients and not is_slope(module):
        return "not written", "PyTorch's own gradient is not the slope", ()
    return ("differs" if wrong else "passed"), wrong, named


def spread(count, most):
    """The numbers below `count`, or `most` of them at equal distances; all where `most` is 0."""
    return range(count) if not most or count <= most else [i * count // most for i in range(most)]


def run(jit_mlir, task, say, folder):
    from operator_samples import op_db

    info = op_db[task["info"]]
    samples = list(info.sample_inputs("cpu", getattr(torch, task["dtype"])))
    for number in spread(len(samples), task["most"]):
        if number < task["first"]:
            continue
        say(begins=number)
        verdict, message, operators = outcome(jit_mlir, info, samples[number], task["door"], folder)
        say(sample=number, verdict=verdict, message=message[:300], operators=list(operators))
    say(done=True)


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    sys.path.insert(0, sys.argv[1])
    import jit_mlir

    answers = sys.stdout
    sys.stdout = io.StringIO()

    def say(**answer):
        print(json.dumps(answer), file=answers, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            torch.manual_seed(0)
            np.random.seed(0)
            try:
                run(jit_mlir, json.loads(line), say, folder)
            except Exception as error:  # a sample function may need a library that is not here
                say(done=True, error=" ".join(str(error).split())[:300])


if __name__ == "__main__":
    main()
