#!/usr/bin/env python3
"""What a call costs before its code runs, ours beside TorchScript's: ten tensors in, the first one out.

    scripts/setup test && scripts/build dev CallKeyBenchmark
    .venv/bin/python benchmarks/scripted_call.py [--rounds 20] [--calls 20000]

TorchScript is called from Python, so each of its figures has the conversion of arguments in it. The same call with
optimization off takes the same way but for the spec and its look-up: the difference is what the legacy executor pays for
those. The default executor has no specs, it guards inside the graph, and a graph that only returns needs no guard. Rounds
are interleaved; all figures are medians in ns.
"""

import argparse
import json
import os
import pathlib
import subprocess
import time
from statistics import median

import torch

BUILD = pathlib.Path(os.environ.get("JIT_BUILD", pathlib.Path(__file__).resolve().parents[1] / "build" / "dev"))
SOURCE = "def first(a, b, c, d, e, f, g, h, i, j):\n    return a\n"


def scripted(profiling, arguments):
    """A new function, so that it gets an executor of this kind at its first call."""
    torch._C._jit_set_profiling_executor(profiling)
    function = torch.jit.CompilationUnit(SOURCE).first
    for _ in range(10):
        function(*arguments)
    return function


def per_call(function, arguments, calls, optimize=True):
    with torch.jit.optimized_execution(optimize):
        function(*arguments)
        start = time.perf_counter_ns()
        for _ in range(calls):
            function(*arguments)
        return (time.perf_counter_ns() - start) / calls


def ours():
    command = [BUILD / "bin" / "CallKeyBenchmark", "--benchmark_filter=encodeAndLookUp/tensors:10/variants:1$",
               "--benchmark_format=json", "--benchmark_min_time=0.1"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["benchmarks"][0]["real_time"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=20000, help="of each peer in a round")
    args = parser.parse_args()
    torch.set_num_threads(1)
    tensors = [torch.randn(4, 8 + i) for i in range(10)]
    legacy, default = scripted(False, tensors), scripted(True, tensors)
    rounds = []
    for _ in range(args.rounds):
        specialized = per_call(legacy, tensors, args.calls)
        plain = per_call(legacy, tensors, args.calls, optimize=False)
        rounds.append((ours(), specialized - plain, specialized, plain, per_call(default, tensors, args.calls)))
    names = ("ours: key and look-up", "legacy executor: spec and look-up (difference of the next two)",
             "legacy executor: whole call", "legacy executor: whole call, no specialization",
             "default executor: whole call")
    for name, times in zip(names, zip(*rounds)):
        print(f"{median(times):8.0f} ns  {name}")


if __name__ == "__main__":
    main()
