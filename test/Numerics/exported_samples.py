"""PyTorch's own operator samples as .pt2 programs: each exported, saved, run by jit-run and compared with eager.

    .venv/bin/python test/Numerics/exported_samples.py [--samples=N] [--decompose] [NAME...]

prints a line for each sample that does not pass, and how many did what.
"""

import argparse
import collections
import pathlib
import tempfile
import warnings

import torch
from conftest import tool
from operator_cases import LARGEST, is_undefined
from running import JitRun
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_flatten, tree_unflatten

DTYPES = (torch.float32, torch.int64, torch.bool)
# What jit-run has no way to be given or to print.
KINDS = {torch.float32, torch.float64, torch.int64, torch.int32, torch.uint8, torch.int8, torch.int16, torch.float16, torch.bfloat16,
         torch.bool}


class Sample(torch.nn.Module):
    """One sample as a module of its tensors; everything else is a constant of the program."""

    def __init__(self, info, sample):
        super().__init__()
        self.op = info.op
        self.flat, self.tree = tree_flatten((sample.input, sample.args, sample.kwargs))
        self.places = [i for i, value in enumerate(self.flat) if isinstance(value, torch.Tensor)]
        strided = all(self.flat[i].layout == torch.strided for i in self.places)
        self.tensors = tuple(self.flat[i].detach().contiguous() for i in self.places) if strided else ()

    def forward(self, *tensors):
        flat = list(self.flat)
        for place, tensor in zip(self.places, tensors):
            flat[place] = tensor
        first, args, kwargs = tree_unflatten(flat, self.tree)
        result = self.op(first, *args, **kwargs)
        # Results with names of PyTorch's own cannot be exported.
        return tuple(result) if isinstance(result, tuple) else result

    def is_usable(self):
        return (self.tensors and all(t.dtype in KINDS for t in self.tensors)
                and sum(t.numel() for t in self.tensors) <= LARGEST)


def samples(info, count):
    dtype = next((d for d in DTYPES if d in info.supported_dtypes("cpu")), None)
    found = 0
    for sample in info.sample_inputs("cpu", dtype) if dtype else ():
        module = Sample(info, sample)
        if module.is_usable():
            yield module
            found += 1
        if found == count:
            return


def outcome_of(module, folder, decompose=False):
    """("passes" | "not exported" | "not supported" | "differs", a message)."""
    try:
        expected = module(*(t.clone() for t in module.tensors))
        program = torch.export.export(module, tuple(t.clone() for t in module.tensors))
        if decompose:
            program = program.run_decompositions()
        torch.export.save(program, str(folder / "sample.pt2"))
    except Exception as error:  # whatever PyTorch cannot export is not ours to run
        return "not exported", str(error)[:200]
    run = JitRun(tool("jit-run"), folder)(folder / "sample.pt2", *module.tensors, flags=["--threads=1"])
    if run.code != 0:
        return "not supported", run.stderr[:300]
    undefined = any(is_undefined(tuple(n.target._schema.name.split(".")[:1]) + (n.target._schema.overload_name,))
                    for n in program.graph.nodes if isinstance(n.target, torch._ops.OpOverload))
    try:
        if not undefined:
            run.assert_close(expected)
    except AssertionError as error:
        return "differs", str(error)[:300]
    return "passes", ""


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--samples", type=int, default=1, help="of each operator")
    options.add_argument("--decompose", action="store_true")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    warnings.simplefilter("ignore")
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for info in op_db:
            if options.names and info.name not in options.names:
                continue
            for number, module in enumerate(samples(info, options.samples)):
                mine = pathlib.Path(folder) / f"{info.name}.{info.variant_test_name}.{number}"
                mine.mkdir()
                torch.manual_seed(0)
                verdict, message = outcome_of(module, mine, options.decompose)
                counts[verdict] += 1
                if verdict != "passes":
                    print(f"{verdict}: {info.name} {info.variant_test_name}: {message.strip()}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))


if __name__ == "__main__":
    main()
