#!/usr/bin/env python3
"""The first second: from a file to a program's second result, each time in a new process.

    scripts/setup bench && scripts/build release && JIT_BUILD=build/release .venv/bin/python benchmarks/start.py
    .venv/bin/python benchmarks/start.py resnet18 densenet121 --rounds 5 -o out/start.md

Ten of torchvision's networks with random weights, traced, one image; every peer in turn in each round, the least of the rounds counts.
We are `jit-run` as a whole process, from exec to exit: without a cache, by default and with `--tier=optimised`, and with the cache that a process before has left. The peers are libraries, so
Python and their import are not counted: loading the file and two calls are. onnxruntime's file is PyTorch's own export, made before.
Nothing else should run on the machine; the page says what its load was.
"""

import argparse
import functools
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = (1, 3, 224, 224)
NETWORKS = ("resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "densenet121", "squeezenet1_1",
            "vit_b_16", "swin_t", "convnext_tiny")
PEERS = {
    "TorchScript": """
import sys, time, torch
torch.set_num_threads(int(sys.argv[2]))
x = torch.rand(1, 3, 224, 224)
began = time.perf_counter()
with torch.no_grad():
    module = torch.jit.load(sys.argv[1] + ".pt")
    module(x)
    module(x)
print(time.perf_counter() - began)
""",
    "onnxruntime": """
import sys, time, numpy, onnxruntime
x = numpy.random.rand(1, 3, 224, 224).astype("float32")
began = time.perf_counter()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(sys.argv[2])
session = onnxruntime.InferenceSession(sys.argv[1] + ".onnx", options, providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
session.run(None, {name: x})
session.run(None, {name: x})
print(time.perf_counter() - began)
""",
}


def write(name, folder):
    """NAME.pt and NAME.onnx; where the exporter of the latter is missing or fails, the former alone."""
    import torch

    sys.path.append(str(ROOT / "test/Numerics"))
    from architectures import torchvision

    torch.manual_seed(0)
    module = torchvision().models.get_model(name, weights=None).eval()
    x = torch.rand(SIZES)
    with torch.no_grad():
        torch.jit.trace(module, x).save(folder / f"{name}.pt")
        try:
            torch.onnx.export(module, (x,), folder / f"{name}.onnx", dynamo=True, verbose=False)
        except Exception as error:  # noqa: BLE001 - an exporter's errors have no common class
            print(f"{name}: no onnx file: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)


def peer(source, path, threads):
    process = subprocess.run([sys.executable, "-c", source, path, str(threads)], capture_output=True, text=True, timeout=600)
    return float(process.stdout.split()[-1]) if process.returncode == 0 else None


def ours(build, path, threads, cache, tier="both"):
    sizes = ",".join(map(str, SIZES))
    command = [build / "bin/jit-run", f"{path}.pt", f"--input=f32[{sizes}]", "--time=1", f"--threads={threads}", f"--cache={cache}",
               f"--tier={tier}"]
    began = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True, capture_output=True, timeout=600)
    return time.perf_counter() - began


def measured(name, folder, build, threads, rounds):
    """{who: seconds}, the least of the rounds; who cannot run the network is left out."""
    path, cache = folder / name, folder / "cache"
    ways = {"jit": functools.partial(ours, build, path, threads, "off"), "jit, optimised": functools.partial(ours, build, path, threads, "off", "optimised"),
            "jit, cached": functools.partial(ours, build, path, threads, cache)}
    ways |= {who: functools.partial(peer, source, path, threads) for who, source in PEERS.items()}
    ways["jit, cached"]()
    times = {who: [] for who in ways}
    for _ in range(rounds):
        for who, way in ways.items():
            times[who].append(way())
    return {who: min(found) for who, found in times.items() if None not in found}


def mean(ratios):
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else ""


def table(rows):
    names = ["jit", "jit, optimised", "jit, cached", *PEERS]
    pairs = [(way, peer) for peer in PEERS for way in ("jit", "jit, optimised")]
    yield "| network | " + " | ".join([f"{name} s" for name in names] + [f"{way} / {peer}" for way, peer in pairs]) + " |"
    yield "|---|" + "---:|" * (len(names) + len(pairs))
    ratios = {pair: [] for pair in pairs}
    for network, found in rows.items():
        cells = [f"{found[who]:.2f}" if who in found else "" for who in names]
        for way, peer in pairs:
            ratios[way, peer] += [found[way] / found[peer]] if peer in found else []
            cells.append(f"{ratios[way, peer][-1]:.2f}" if peer in found else "")
        yield f"| {network} | {' | '.join(cells)} |"
    yield f"| geometric mean | {'| ' * len(names)}{' | '.join(mean(ratios[pair]) for pair in pairs)} |"


def machine(threads, load):
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown CPU")
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    return f"{cpu}, {threads} threads, commit {commit}, load {load[0]:.2f} before and {os.getloadavg()[0]:.2f} at the end"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=NETWORKS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "benchmarks/results/start.md")
    chosen = parser.parse_args()
    build = ROOT / os.environ.get("JIT_BUILD", "build/dev")
    load, rows = os.getloadavg(), {}
    with tempfile.TemporaryDirectory() as folder:
        for network in chosen.networks:
            # In a process of its own: what PyTorch keeps would be memory that the measured ones lack.
            subprocess.run([sys.executable, "-c", f"import sys, pathlib; sys.path.insert(0, {str(ROOT / 'benchmarks')!r})\n"
                            f"import start; start.write({network!r}, pathlib.Path({folder!r}))"], check=True)
            rows[network] = measured(network, pathlib.Path(folder), build, chosen.threads, chosen.rounds)
            print(network, {who: round(seconds, 3) for who, seconds in rows[network].items()}, flush=True)
    lines = ["# From a file to the second result, in a new process", "",
             f"Written by `benchmarks/start.py`: {machine(chosen.threads, load)}; least of {chosen.rounds} rounds in turn.", "", *table(rows)]
    chosen.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
