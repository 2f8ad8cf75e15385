#!/usr/bin/env python3
"""Peers side by side in one run: each round gives every peer its turn, so that a noisy minute hits them all.

    scripts/setup bench && scripts/build dev
    .venv/bin/python benchmarks/run.py [WORKLOAD...] [--threads 1] [--rounds 8] [--seconds 0.5] [--grad]

Prints the machine, its multiply-add peak, and for each workload the minimum and the median of a call and its ratio to TorchScript's
(below 1 is faster). Peers: this project's jit-run, TorchScript, and onnxruntime where the model has an .onnx beside it; with --grad,
forward and backward by all parameters, also eager PyTorch and Inductor where the workload is a Python module too.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from statistics import median

import workloads

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("JIT_BUILD", HERE.parent / "build" / "dev"))


class Worker:
    """A Python peer that stays alive between rounds."""

    def __init__(self, peer, workload, folder, args):
        command = [sys.executable, HERE / "worker.py", peer, workload, folder, args.threads, *["--grad"] * args.grad]
        threads = args.threads
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONWARNINGS": "ignore"}
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def round(self, seconds):
        self.process.stdin.write(json.dumps({"seconds": seconds}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{' '.join(self.process.args[1:4])}: died, exit code {self.process.wait()}")
        answer = json.loads(line)
        return answer["min"], answer["median"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class JitRun:
    """Our own: each round is a run of the tool, which compiles first and times only the calls."""

    def __init__(self, workload, folder, args):
        made = workloads.files(workload, folder)
        self.command = [str(BUILD / "bin" / "jit-run"), made.archive, f"--threads={args.threads}", *["--grad"] * args.grad,
                        *(f"--input={spec}" for spec in made.specs)]
        self.runs = 3 if args.grad else 20

    def round(self, seconds):
        output = subprocess.run([*self.command, f"--time={self.runs}"], check=True, capture_output=True, text=True).stdout
        found = re.search(r"time: min ([\d.]+) ms, median ([\d.]+) ms", output)
        least, middle = float(found[1]), float(found[2])
        self.runs = max(3, int(1000 * seconds / middle))
        return least, middle

    def close(self):
        pass


def peak(folder):
    binary = folder / "peak"
    subprocess.run(["clang-22", "-O3", "-march=native", "-ffp-contract=fast", HERE / "peak.c", "-o", binary], check=True)
    return float(subprocess.run([binary], capture_output=True, text=True).stdout)


def measure(workload, folder, args):
    """{peer: (min, median)} in ms."""
    workloads.make(workload, folder)
    others = ["torchscript"]
    if workloads.files(workload, folder).onnx and not args.grad:
        others.append("onnxruntime")
    if args.grad and workloads.module(workload):
        others += ["eager", "inductor"]
    peers = {"jit": JitRun(workload, folder, args), **{peer: Worker(peer, workload, folder, args) for peer in others}}
    rounds = {name: [] for name in peers}
    names = list(peers)
    for number in range(args.rounds + 1):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            result = peers[name].round(args.seconds)
            if number > 0:  # the first only warms up
                rounds[name].append(result)
    for peer in peers.values():
        peer.close()
    return {name: (min(r[0] for r in results), median(r[1] for r in results)) for name, results in rounds.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=", ".join(workloads.NAMES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each peer's turn in a round")
    parser.add_argument("--grad", action="store_true", help="forward and backward")
    args = parser.parse_args()
    cpu = next(line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        print(f"{cpu}, {os.cpu_count()} cores; {args.threads} thread(s) a peer, {args.rounds} rounds of {args.seconds} s")
        print(f"multiply-add peak, one thread: {peak(folder):.0f} GFLOP/s before", end="", flush=True)
        rows = [(name, measure(name, folder, args)) for name in args.workloads or workloads.NAMES]
        print(f", {peak(folder):.0f} after\n")
    print("| workload | peer | min ms | median ms | min / TorchScript's |\n|---|---|---:|---:|---:|")
    for name, results in rows:
        for peer, (least, middle) in results.items():
            print(f"| {name} | {peer} | {least:.3f} | {middle:.3f} | {least / results['torchscript'][0]:.2f} |")


if __name__ == "__main__":
    main()
