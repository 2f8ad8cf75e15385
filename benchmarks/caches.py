#!/usr/bin/env python3
"""What a call costs that writes a part of a large tensor, by the size of that tensor.

    scripts/setup test && scripts/build release && JIT_BUILD=build/release .venv/bin/python benchmarks/caches.py -o benchmarks/results/caches.md

A row of a cache of 64 columns is written, and one is read: a cache that is an argument, one that is the module's state, and one that a loop fills row by row. The
last has to be made at first, so its own time is set apart: twice as many rows are written, and the difference counts. All ways are called from Python with the same
tensors, one after the other in each round; the median of the rounds counts. Nothing else should run on the machine.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from torch import Tensor, nn

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ROWS = (1000, 10_000, 100_000, 1_000_000)
WRITTEN = 400


class Argument(nn.Module):
    def forward(self, cache: Tensor, row: Tensor, at: int):
        cache[at] = row
        return cache[at - 1] + row


class State(nn.Module):
    def __init__(self, rows: int):
        super().__init__()
        self.register_buffer("cache", torch.zeros(rows, 64))

    def forward(self, row: Tensor, at: int):
        self.cache[at] = row
        return self.cache[at - 1] + row


class Loop(nn.Module):
    def forward(self, row: Tensor, rows: int, written: int):
        cache = torch.zeros(rows, 64)
        for i in range(written):
            cache[i] = row * i
        return cache[:8].sum()


def seconds_of(call, times):
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def calls(rows, jit_mlir):
    """By kind of cache and by way: what measures one call, or one row of a loop, in seconds."""
    row = torch.randn(64)
    found = {}
    for kind, module in (("argument", Argument()), ("state", State(rows)), ("loop", Loop())):
        scripted = torch.jit.script(module)
        for way, program in (("jit", jit_mlir.compile(scripted)), ("TorchScript", scripted), ("eager", module)):
            arguments = {"argument": (torch.zeros(rows, 64), row, 5), "state": (row, 5)}.get(kind)
            if arguments:
                found[kind, way] = lambda program=program, arguments=arguments: seconds_of(lambda: program(*arguments), 20)
            else:
                found[kind, way] = lambda program=program: (seconds_of(lambda: program(row, rows, 2 * WRITTEN), 3) -
                                                            seconds_of(lambda: program(row, rows, WRITTEN), 3)) / WRITTEN
    return found


def measured(rows, options, jit_mlir):
    found = calls(rows, jit_mlir)
    with torch.no_grad():
        for measure in found.values():
            measure()  # compiles
        rounds = [{key: measure() for key, measure in found.items()} for _ in range(options.rounds)]
    return {key: statistics.median(each[key] for each in rounds) for key in found}


def page(table, options, load):
    cpu = next(line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True).stdout.strip()
    ways = ("jit", "TorchScript", "eager")
    lines = ["# Parts of large tensors\n",
             f"Written by `benchmarks/caches.py`: us for a call that writes a row of a cache in place and reads one, from Python, and of a row in a loop (a difference of two times, which noise may make "
             f"negative); medians of {options.rounds} rounds. "
             f"{cpu}, PyTorch {torch.__version__}, {options.threads} threads, commit {commit}, {os.environ.get('JIT_BUILD', 'build/dev')}, load {load:.2f} before.\n",
             "| cache | MiB | " + " | ".join(ways) + " |", "|---|---:|" + "---:|" * len(ways)]
    for kind, what in (("argument", "an argument"), ("state", "the module's state"), ("loop", "filled in a loop, for a row")):
        for rows, found in table.items():
            lines.append(f"| {what} | {rows * 256 / 2**20:.1f} | " + " | ".join(f"{1e6 * found[kind, way]:.2f}" for way in ways) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    os.environ["JIT_CACHE"] = "off"
    torch.set_num_threads(options.threads)
    sys.path.append(str(ROOT / "test/Numerics"))
    import package

    with tempfile.TemporaryDirectory() as folder:
        build = ROOT / os.environ.get("JIT_BUILD", "build/dev")
        sys.path.insert(0, str(package.install(build, pathlib.Path(folder), build / "benchmark-site-objects")))
        import jit_mlir

        text = page({rows: measured(rows, options, jit_mlir) for rows in ROWS}, options, load)
    print(text)
    if options.output:
        options.output.write_text(text)


if __name__ == "__main__":
    main()
