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


class Sample(torch.nn.Module):
    """One sample as a module of its tensors; everything else is a constant of the program."""

    def __init__(self, info, sample, form):
        super().__init__()
        self.op = form(info)
        process = sample.output_process_fn_grad
        self.process = process if form is itself else lambda both: tuple(map(process, both))
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


@dataclasses.dataclass(frozen=True)
class Door:
    """What a sample calls, how that is written to which file, and what it is loaded with."""

    write: Callable
    suffix: str = ".pt"
    form: Callable = itself
    options: dict = dataclasses.field(default_factory=dict)


DOORS = {"traced": Door(traced), "exported": Door(exported, ".pt2"), "decomposed": Door(functools.partial(exported, decompose=True), ".pt2"),
         "inplace": Door(traced, form=in_place), "out": Door(traced, form=into_out), "anysizes": Door(traced, options={"any_sizes": True})}


def clones(module):
    return tuple(t.clone() for t in module.tensors)


def leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, torch.Tensor):
        yield value.detach()
    elif value is not None:
        yield torch.as_tensor(value)


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
            assert_near(a.numpy(force=True), b.contiguous().numpy(force=True))
        except AssertionError as error:
            return " ".join(str(error).split())
    return ""


def is_own_fault(module, info, sample, want, path, undefined):
    """PyTorch's own out= is not always its result (ihfft2), nor what it writes down what it has run (max of all elements)."""
    alone = Sample(info, sample, itself)
    result = alone(*clones(alone))
    again = torch.jit.load(str(path))(*(clones(module) or (torch.zeros(1),)))
    return bool(difference(want, (result, result), undefined) or difference(again, want, undefined))


def depends_on_seed(module, want):
    """Operators that may draw do not always: attention without dropout has one result. PyTorch's own samples set a seed in each call."""
    with unittest.mock.patch("torch.manual_seed"):
        for seed in range(1, 9):
            torch.default_generator.manual_seed(seed)
            if difference(module(*clones(module)), want, False):
                return True
    return False


def is_as_near_as_eager(module, got, want):
    """Where rounding is enlarged it is everybody's: no result is more than three times as far from float64's as eager's own."""
    exact = module(*(t.double() if t.dtype == torch.float32 else t for t in clones(module)))
    far = lambda t, e: (t.double() - e.double()).abs().max().item()
    return all(a.shape == e.shape and far(a, e) <= 3 * far(b, e) for a, b, e in zip(leaves(got), leaves(want), leaves(exact)))


def outcome(jit_mlir, info, sample, door, folder):
    """(verdict, message, operators) of one sample through one door."""
    door = DOORS[door]
    path = pathlib.Path(folder) / f"sample{door.suffix}"
    torch.manual_seed(0)
    try:
        module = Sample(info, sample, door.form)
        want = module(*clones(module))
        operators = door.write(module, path)
        undefined = any(map(is_undefined, operators))
        if door.form is into_out and is_own_fault(module, info, sample, want, path, undefined):
            return "not written", "PyTorch's own out= differs", ()
    except Exception as error:  # whatever PyTorch itself has no words for is not ours to read
        return "not written", " ".join(str(error).split()), ()
    named = sorted(f"{name}.{overload}" if overload else name for name, overload in operators)
    try:
        got = jit_mlir.load(path, target=TARGET, **door.options)(*(clones(module) or (torch.zeros(1),)))
    except Exception as error:
        return "refused", " ".join(str(error).split()), named
    if undefined and all(map(is_random, filter(is_undefined, operators))):
        undefined = depends_on_seed(module, want)
    wrong = difference(got, want, undefined)
    if wrong and not undefined:
        # Where a result is one of several right ones, the sample says what of it is settled.
        with contextlib.suppress(Exception):
            wrong = difference(module.process(got), module.process(want), False)
    if wrong and not undefined:
        with contextlib.suppress(Exception):
            wrong = "" if is_as_near_as_eager(module, got, want) else wrong
    return ("differs" if wrong else "passed"), wrong, named


def spread(count, most):
    """The numbers below `count`, or `most` of them at equal distances; all where `most` is 0."""
    return range(count) if not most or count <= most else [i * count // most for i in range(most)]


def run(jit_mlir, task, say, folder):
    from torch.testing._internal.common_methods_invocations import op_db

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
