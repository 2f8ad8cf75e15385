"""Takes the models of one package through the doors that PyTorch can write and compares what jit_mlir computes of each file with what
PyTorch does; a JSON line for each program. `scripts/package-table` runs it, with the package where PYTHONPATH finds it:

    package_runs.py PACKAGE [--model=NAME] [--door=DOOR]
"""

import argparse
import json
import os
import pathlib
import tempfile
import time
import warnings

import package_models
import torch
from torch.utils import _pytree as pytree

# The largest difference of an element, as a share of the largest element.
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 1e-4, torch.float64: 1e-9, torch.complex64: 1e-4, torch.complex128: 1e-9}
GRADIENT_FACTOR = 10  # sums of more
TURNS, BUDGET = 15, 1.0


def script(model, arguments, file):
    # Of what an earlier model of this process could not be scripted for, classes would be left half made.
    torch._C._jit_clear_class_registry()
    torch.jit._recursive.concrete_type_store = torch.jit._recursive.ConcreteTypeStore()
    torch.jit._state._clear_class_state()
    torch.jit.script(model).save(file)


def trace(model, arguments, file):
    torch.jit.trace(model, arguments, check_trace=False).save(file)


def export(model, arguments, file):
    torch.export.save(torch.export.export(model, arguments), file)


DOORS = {"scripted": script, "traced": trace, "exported": export}


def reference(door, file):
    return torch.export.load(file).module() if door == "exported" else torch.jit.load(file).eval()


def first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[:1])}"[:300]


def numbers(result):
    return [torch.as_tensor(leaf) for leaf in pytree.tree_leaves(result) if leaf is not None and not isinstance(leaf, str)]


def difference(got, want):
    """The largest difference as a share of what is allowed; inf where types or sizes differ."""
    got, want = numbers(got), numbers(want)
    if len(got) != len(want):
        return float("inf")
    return max((leaf_difference(a.detach(), b.detach()) for a, b in zip(got, want, strict=True)), default=0.0)


def leaf_difference(got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return float("inf")
    if want.dtype not in TOLERANCE:
        return 0.0 if torch.equal(got, want) else float("inf")
    finite = want.isfinite()
    if not torch.equal(got[~finite].nan_to_num(nan=1), want[~finite].nan_to_num(nan=1)):
        return float("inf")
    tolerance, wide = TOLERANCE[want.dtype], torch.complex128 if want.is_complex() else torch.float64
    got, want = got[finite].to(wide), want[finite].to(wide)
    largest = want.abs().max().item() if want.numel() else 0.0
    return (got - want).abs().max().item() / max(largest, 1e-6) / tolerance if want.numel() else 0.0


def milliseconds(calls):
    """CPU time of a call of each, the best of some turns."""
    best, start = [float("inf")] * len(calls), time.monotonic()
    for turn in range(TURNS):
        for i, call in enumerate(calls):
            before = time.process_time()
            call()
            best[i] = min(best[i], time.process_time() - before)
        if turn > 1 and time.monotonic() - start > BUDGET:
            break
    return [1e3 * seconds for seconds in best]


def fresh(arguments):
    """As they were: some programs write to them."""
    return tuple(argument.clone() for argument in arguments)


def derivatives(call, arguments):
    """Those of a sum of sines by the arguments that are floats; None where there is nothing to differentiate."""
    arguments = [argument.requires_grad_(argument.is_floating_point()) for argument in fresh(arguments)]
    by = [argument for argument in arguments if argument.requires_grad]
    with torch.enable_grad():
        found = [result for result in numbers(call(*arguments)) if result.requires_grad]
        if not by or not found:
            return None
        total = sum((result.abs() if result.is_complex() else result).sin().sum() for result in found)
        parts = torch.autograd.grad(total, by, allow_unused=True)
    return tuple(torch.zeros_like(value) if part is None else part for value, part in zip(by, parts, strict=True))


def gradients(door, file, arguments, make):
    import jit_mlir

    try:
        want = derivatives(reference(door, file), arguments)
    except Exception as error:  # what PyTorch cannot differentiate
        return {"result": "not written", "why": first_line(error)}
    if want is None:
        return {"result": "none"}
    try:
        got = derivatives(jit_mlir.load(file, threads=1), arguments)
    except jit_mlir.Error as error:
        return {"result": "refused", "why": first_line(error), "whole": str(error)[:3000]}
    found = difference(got or (), want) / GRADIENT_FACTOR
    return {"result": verdict(found, lambda: rounding(make, arguments, derivatives) / GRADIENT_FACTOR), "difference": found}


def rounding(make, arguments, by):
    """How far PyTorch's own float32 is from its float64, as a share of what is allowed: a long chain enlarges the rounding of its first layers."""
    try:
        torch.manual_seed(0)
        model = make()[0].eval()
        want = by(model, arguments)
        wide = by(model.double(), tuple(argument.double() if argument.is_floating_point() else argument for argument in arguments))
        return difference(pytree.tree_map(lambda leaf: leaf.float() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf, wide), want)
    except Exception:  # it is of float32 alone
        return 0.0


def called(model, arguments):
    return model(*fresh(arguments))


def verdict(found, allowed):
    """`allowed` is asked where it matters. NaN is no number that is small enough."""
    return "equal" if found <= 1 or found <= 3 * allowed() else "differs"


def measure(door, file, arguments, make):
    import jit_mlir

    expected = reference(door, file)
    with torch.no_grad():
        want = expected(*fresh(arguments))
        try:
            program = jit_mlir.load(file, threads=1)
            got = program(*fresh(arguments))
        except jit_mlir.Error as error:
            return {"result": "refused", "why": first_line(error), "whole": str(error)[:3000]}
        found = {"difference": difference(got, want)}
        found["result"] = verdict(found["difference"], lambda: rounding(make, arguments, called))
        if not difference(reference(door, file)(*fresh(arguments)), want) <= 1:
            return found | {"result": "random"}
        found["gradients"] = gradients(door, file, arguments, make)
        found["ours"], found["theirs"] = milliseconds([lambda: program(*arguments), lambda: expected(*arguments)])
    return found


def run(make, door, folder):
    torch.manual_seed(0)
    model, arguments = make()
    model.eval()
    file = str(pathlib.Path(folder) / f"program{'.pt2' if door == 'exported' else '.pt'}")
    try:
        with torch.no_grad():
            DOORS[door](model, fresh(arguments), file)
            reference(door, file)(*fresh(arguments))  # some of what PyTorch writes it does not run
    except Exception as error:  # whatever a package or PyTorch raises
        return {"result": "not written", "why": first_line(error)}
    return measure(door, file, arguments, make)


def programs(package):
    return [(name, make, door) for name, make in package_models.MODELS[package]().items() for door in DOORS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--model")
    parser.add_argument("--door")
    parser.add_argument("--skip", type=int, default=0, help="programs that were run before")
    parser.add_argument("--keep", help="a folder to keep the last file in")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for name, make, door in programs(options.package)[options.skip:]:
        if (options.model or name) != name or (options.door or door) != door:
            continue
        program = {"package": options.package, "model": name, "door": door}
        print(json.dumps(program | {"result": "begun"}), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(program | run(make, door, options.keep or folder)), flush=True)
    os._exit(0)  # what a package leaves running is not waited for


if __name__ == "__main__":
    main()
