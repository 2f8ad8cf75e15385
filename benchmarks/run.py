#!/usr/bin/env python3
"""Peers side by side in one run: each round gives every peer its turn, so that a noisy minute hits them all.

    scripts/setup bench && scripts/build release && JIT_BUILD=build/release .venv/bin/python benchmarks/run.py
    .venv/bin/python benchmarks/run.py 'matmul*' alexnet --peers jit,eager,onnxruntime --threads 1 --rounds 10
    JIT_BEFORE=../before/build/release .venv/bin/python benchmarks/run.py --peers jit,jit-before --out out/before.jsonl
    .venv/bin/python benchmarks/run.py --report benchmarks/results/NAME.jsonl

Writes a line of JSON a workload to --out, and beside it a page of tables and a picture. Nothing else should run on the machine:
rounds in which other processes took more than a twentieth of a peer's time count only where there are no others.
"""

import argparse
import contextlib
import fcntl
import fnmatch
import importlib.metadata
import json
import os
import pathlib
import platform
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from statistics import median

HERE = pathlib.Path(__file__).resolve().parent
STOLEN = 0.05  # of a peer's time in a round, by other processes
# From eager, relative, by mode: one ReLU whose argument rounding moves across zero moves a gradient by some thousandths.
WRONG = {"infer": 1e-3, "grad": 1e-2, "step": 1e-2}


def environment(threads, cache):
    count = str(threads)
    return {**os.environ, "OMP_NUM_THREADS": count, "MKL_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count,
            "TORCHINDUCTOR_CACHE_DIR": cache, "TORCHINDUCTOR_COMPILE_THREADS": "2", "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'}",
            # Else eager's large tensors are unmapped and mapped anew at each call, or not, as the heap's history has it: up to five
            # times its time. This is for the peers' good.
            "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296",
            "HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}


class Worker:
    """A process of worker.py. Requests answer {"ok": False, "error": ...} where it failed, died or took too long."""

    def __init__(self, stage, peer, workload, threads, folder, log):
        self.cache = tempfile.mkdtemp(prefix="benchmark-cache-")
        command = [sys.executable, HERE / "worker.py", stage, peer, workload, threads, folder]
        if threads < os.cpu_count():
            command = ["taskset", "-c", f"0-{threads - 1}", *command]
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                        text=True, env=environment(threads, self.cache), start_new_session=True)

    def answer(self, timeout):
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            return {"ok": False, "error": f"more than {timeout:.0f} s"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"ok": False, "error": f"died, exit code {self.process.wait()}"}

    def ask(self, timeout, **request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"ok": False, "error": f"died, exit code {self.process.wait()}"}
        return self.answer(timeout)

    def close(self):
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # with its compilers
            self.process.wait()
        shutil.rmtree(self.cache, ignore_errors=True)


class Measurement:
    """One workload: {peer: its numbers, or {"error": ...}}."""

    def __init__(self, row, peers, options, folder, log):
        self.row, self.peers, self.options, self.folder, self.log = row, peers, options, folder, log
        self.found, self.live = {}, {}

    def worker(self, stage, name):
        return Worker(stage, name, self.row.name, self.options.threads, self.folder, self.log)

    def take(self):
        first = self.worker("first", "eager")
        answer = first.answer(self.options.patience)
        first.close()
        if not answer["ok"]:
            return {"workload": self.row.name, "error": answer["error"], "peers": {}}
        for name, peer in self.peers.items():
            if peer.takes(self.row):
                self.found[name] = self.start(name)
        with self.quiet():
            self.rounds()
        about = json.loads((self.folder / "about.json").read_text())
        return {"workload": self.row.name, "group": self.row.group, "mode": self.row.mode, "threads": self.options.threads,
                "work": about["work"], "onnx seconds": about.get("onnx seconds", 0), "peers": {n: summed(f, WRONG[self.row.mode]) for n, f in self.found.items()}}

    def quiet(self):
        """Holds --lock, which other users of the machine may hold while they load it."""
        stack = contextlib.ExitStack()
        for path in self.options.lock:
            file = stack.enter_context(open(path, "a"))
            fcntl.flock(file, fcntl.LOCK_EX)
        return stack

    def start(self, name):
        ahead = self.worker("prepare", name)
        answer = ahead.answer(self.options.patience)
        ahead.close()
        if not answer["ok"]:
            return {"error": answer["error"]}
        found = {"ahead": answer["times"], "ships": answer["ships"], "memory to compile": answer["memory"]}
        worker = self.worker("run", name)
        answer = worker.answer(self.options.patience)
        answer = worker.ask(self.options.patience, do="load") if answer["ok"] else answer
        if not answer["ok"]:
            worker.close()
            return {**found, "error": answer["error"]}
        self.live[name] = worker
        return {**found, "load": answer["seconds"], "difference": answer["error"], "memory to load": answer["memory"], "rounds": []}

    def rounds(self):
        names, end = list(self.live), time.time() + self.options.longest
        for number in range(self.options.rounds):
            for name in names[number % len(names) :] + names[: number % len(names)] if names else ():
                answer = self.live[name].ask(120, do="round", seconds=self.options.seconds, most=1000)
                if answer["ok"]:
                    self.found[name]["rounds"].append(answer)
                else:
                    self.found[name]["error"] = answer["error"]
                    self.live.pop(name).close()
                    names.remove(name)
            if time.time() > end:
                break
        for worker in self.live.values():
            worker.close()


def summed(found, wrong):
    """A peer's rounds as one minimum and one median, in ms."""
    rounds = found.pop("rounds", [])
    if not rounds:
        return found
    clean = [r for r in rounds if r["stolen"] < STOLEN]
    used = clean if len(clean) >= 2 else rounds
    times = [ns / 1e6 for r in used for ns in r["ns"]]
    return {**found, "min": min(times), "median": median(times), "calls": len(times), "rounds": len(used),
            "noisy": len(clean) < 2, "faults": min(r["faults"] for r in used), "memory to run": max(r["memory"] for r in rounds),
            **({"wrong": True} if not found["difference"] < wrong else {})}


def peaks(threads):
    """What the machine can do, measured by peak.c: {"fma": GFLOP/s, "memory": GB/s, "cache": GB/s, ...}."""
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "peak"
        subprocess.run(["clang-22", "-O3", "-march=native", "-ffp-contract=fast", "-pthread", HERE / "peak.c", "-o", binary], check=True)
        measured = json.loads(subprocess.run([binary, str(threads)], capture_output=True, text=True, check=True).stdout)
    sizes = [cache.read_text().strip() for cache in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return measured | {"cache bytes": max((1024 * int(size.removesuffix("K")) for size in sizes), default=0)}


def commit():
    """Of the sources; what earlier runs wrote is no change of theirs."""
    ask = lambda *command: subprocess.run(["git", *command], cwd=HERE, capture_output=True, text=True).stdout.strip()  # noqa: E731
    return ask("rev-parse", "--short", "HEAD") + ("-dirty" if ask("status", "--porcelain", "--untracked-files=no", "--", ":!results") else "")


def machine(threads):
    cpu = next(line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    flags = next(line for line in open("/proc/cpuinfo") if line.startswith("flags")).split()
    versions = {}
    for package in ("torch", "onnxruntime", "openvino", "jax", "iree-base-compiler", "executorch", "ncnn", "numpy"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[package] = importlib.metadata.version(package)
    return {"cpu": cpu, "cores": os.cpu_count(), "features": [f for f in flags if f.startswith(("avx", "fma", "amx"))],
            "system": platform.platform(), "commit": commit(), "versions": versions, "threads": threads, "peaks": peaks(threads)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=["*"], metavar="WORKLOAD", help="names or patterns")
    parser.add_argument("--peers", default="*", help="names or patterns, with commas between")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each peer's turn in a round")
    parser.add_argument("--longest", type=float, default=90, help="seconds that the rounds of one workload may take")
    parser.add_argument("--patience", type=float, default=300, help="seconds that a peer may take to compile")
    parser.add_argument("--lock", action="append", default=[], help="a file to hold a lock of during the rounds")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results" / "cpu.jsonl")
    parser.add_argument("--append", action="store_true", help="keep what --out holds of other workloads")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="only write the page and the picture of FILE")
    return parser.parse_args()


def matching(names, patterns):
    return [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def main():
    options = arguments()
    import report

    if options.report:
        return report.write(options.report)
    import peers
    import workloads

    registry = peers.registry()
    chosen = {name: registry[name] for name in matching(registry, options.peers.split(","))}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with open(options.out, "a" if options.append else "w") as out:
        print(json.dumps({"machine": machine(options.threads)}), file=out, flush=True)
        for name in matching(workloads.WORKLOADS, options.workloads):
            with tempfile.TemporaryDirectory(prefix="benchmark-") as folder, open(f"{options.out}.log", "a") as log:
                found = Measurement(workloads.WORKLOADS[name], chosen, options, pathlib.Path(folder), log).take()
            print(json.dumps(found), file=out, flush=True)
            print(report.line(found), flush=True)
    report.write(options.out)


if __name__ == "__main__":
    main()
