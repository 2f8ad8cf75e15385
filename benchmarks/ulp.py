#!/usr/bin/env python3
"""The largest error of each function of one argument over all floats, in units in the last place, beside PyTorch's.

    .venv/bin/python benchmarks/ulp.py [FUNCTION...] [--stride 1]

Exact values are libm's for doubles. A stride of n looks at every n-th run of 2^16 numbers. Writes benchmarks/results/ulp.md.
"""

import argparse
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "test" / "Numerics"))
import artifacts  # noqa: E402
from peers.jit import BUILD  # noqa: E402

COUNT = 1 << 16
OWN = {"silu": F.silu, "gelu": F.gelu, "softplus": F.softplus}
NAMES = ("exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc sigmoid silu gelu "
         "softplus sqrt rsqrt reciprocal").split()


class Distance(ctypes.Structure):
    _fields_ = [("worst", ctypes.c_double), ("at", ctypes.c_float), ("kinds", ctypes.c_int64), ("kind_at", ctypes.c_float)]


def build(folder):
    made = []
    for name, flags in (("reference", ["-DREFERENCE", "-ffast-math"]), ("plain", [])):
        path = folder / f"{name}.so"
        compiled = folder / f"{name}.o"
        subprocess.run(["gcc", "-O3", "-march=native", *flags, "-fPIC", "-c", HERE / "ulp.c", "-o", compiled], check=True)
        # Linked without the flags: fast math at link time would switch subnormal numbers off in this whole process.
        subprocess.run(["gcc", "-shared", compiled, "-o", path, "-lmvec", "-lm"], check=True)
        made.append(ctypes.CDLL(str(path)))
    return made


def compiled(name, folder):
    """Our function as a call on memory."""
    function = OWN.get(name) or getattr(torch, name)
    archive = folder / f"{name}.pt"
    torch.jit.trace(function, torch.ones(COUNT)).save(str(archive))
    library = folder / f"lib{name}.so"
    subprocess.run([str(BUILD / "bin" / "jit-compile"), str(archive), f"--input=f32[{COUNT}]", "-o", str(library)], check=True)
    module = artifacts.Library(library).open()
    return lambda x, y: module.call("forward", x, results=[y]), function


def worst(name, stride, folder, reference, plain):
    ours, theirs = compiled(name, folder)
    x, y, exact = torch.empty(COUNT), torch.empty(COUNT), torch.empty(COUNT, dtype=torch.float64)
    precise, fill = getattr(plain, f"precise_{name}"), getattr(reference, f"reference_{name}")
    pointer, count = lambda t: ctypes.c_void_p(t.data_ptr()), ctypes.c_int64(COUNT)  # noqa: E731
    found = Distance(), Distance()
    for first in range(0, 1 << 32, COUNT * stride):
        plain.floats(ctypes.c_uint32(first), pointer(x), count)
        fill(pointer(x), pointer(exact), count)
        ours(x, y)
        plain.compare(pointer(x), pointer(y), pointer(exact), precise, count, ctypes.byref(found[0]))
        z = theirs(x)
        plain.compare(pointer(x), pointer(z), pointer(exact), precise, count, ctypes.byref(found[1]))
    return found


def page(rows, stride):
    looked = "all floats" if stride == 1 else f"one run of {COUNT} in {stride}"
    yield "# Errors of functions\n"
    yield f"In units in the last place of the exact value, over {looked}; PyTorch {torch.__version__} on the same machine.\n"
    yield "sigmoid, silu and gelu lose what is next to nothing to the formula that PyTorch has too: 1 / (1 + exp(-x)) is 0 where the"
    yield "exponential is infinite, and 1 + erf(x) where erf(x) rounds to -1.\n"
    yield "| function | jit | at | PyTorch | NaN or infinity where it should not be, or the other way round |"
    yield "|---|---:|---:|---:|---|"
    for name, (ours, theirs) in rows:
        kinds = f"jit: {ours.kinds}, first at {ours.kind_at:.6g}; PyTorch: {theirs.kinds}" if ours.kinds else ""
        yield f"| {name} | {ours.worst:.2f} | {ours.at:.7g} | {theirs.worst:.2f} | {kinds} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*", default=NAMES, metavar="FUNCTION", help=" ".join(NAMES))
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results" / "ulp.md")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        reference, plain = build(pathlib.Path(folder))
        for name in options.functions:
            rows.append((name, worst(name, options.stride, pathlib.Path(folder), reference, plain)))
            print(list(page(rows, options.stride))[-1], flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(page(rows, options.stride)) + "\n")


if __name__ == "__main__":
    main()
