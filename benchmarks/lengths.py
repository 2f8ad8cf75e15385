#!/usr/bin/env python3
"""Sizes that change: BERT's layers on texts of 1 to 512 words, at random, a call at a time.

    scripts/setup bench && scripts/build release && JIT_BUILD=build/release .venv/bin/python benchmarks/lengths.py
    .venv/bin/python benchmarks/lengths.py --calls 300 --layers 2 --peers jit,torchscript

Each peer is a process of its own with its own way for sizes that change: ours is `jit_mlir.load` as it is by default, and with `any_sizes`; torch.compile has
`dynamic=True`, and as it is by default; onnxruntime and OpenVINO have a file with an open length; TorchScript and eager have nothing to compile. All
have the same texts in the same order. A call's time counts from the first one on, with what it compiles; so the sum over all calls says what a user waits for, and the
median and the 99th percentile what one call takes. The second half of the calls is given apart, when there is little left to compile. Nothing else
should run on the machine.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PEERS = ("jit", "jit-any-sizes", "torchscript", "eager", "torch.compile", "torch.compile-dynamic", "onnxruntime", "openvino")


def texts(calls):
    import numpy as np

    random = np.random.default_rng(0)
    return [random.integers(0, 30000, (1, int(length))) for length in random.integers(1, 513, calls)]


def model(layers):
    import torch

    import workloads

    workloads.vision("alexnet")  # transformers looks for torchvision
    torch.manual_seed(0)
    return workloads.Bert(layers).eval()


def write(layers, folder):
    """bert.pt and bert.onnx, of any length."""
    import torch

    module, words = model(layers), torch.randint(0, 30000, (1, 16))
    with torch.no_grad():
        torch.jit.trace(module, words).save(folder / "bert.pt")
        torch.onnx.export(module, (words,), folder / "bert.onnx", dynamo=True, verbose=False, dynamic_shapes=({1: torch.export.Dim("n", max=512)},))


def jit_caller(folder, options):
    sys.path.insert(0, str(folder / "site"))
    os.environ["JIT_CACHE"] = "off"
    import jit_mlir

    return jit_mlir.load(folder / "bert.pt", threads=options.threads, any_sizes=True if options.peer == "jit-any-sizes" else None)


def torch_caller(folder, options):
    import torch

    torch.set_num_threads(options.threads)
    module = torch.jit.load(folder / "bert.pt") if options.peer == "torchscript" else model(options.layers)
    if options.peer.startswith("torch.compile"):
        module = torch.compile(module, dynamic=True if options.peer.endswith("dynamic") else None)

    def call(words):
        with torch.no_grad():
            return module(torch.from_numpy(words)).numpy()

    return call


def onnxruntime_caller(folder, options):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    session = onnxruntime.InferenceSession(str(folder / "bert.onnx"), settings, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda words: session.run(None, {name: words})[0]


def openvino_caller(folder, options):
    import openvino

    core = openvino.Core()
    settings = {"INFERENCE_NUM_THREADS": options.threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core.compile_model(core.read_model(folder / "bert.onnx"), "CPU", settings)
    request = compiled.create_infer_request()
    return lambda words: request.infer({0: words})[compiled.output(0)]


def run(folder, options):
    """One peer: prints its seconds, and a sum of all results to compare."""
    makers = {"jit": jit_caller, "jit-any-sizes": jit_caller, "onnxruntime": onnxruntime_caller, "openvino": openvino_caller}
    began = time.perf_counter()
    call = makers.get(options.peer, torch_caller)(folder, options)
    loaded, seconds, total = time.perf_counter() - began, [], 0.0
    for words in texts(options.calls):
        start = time.perf_counter()
        result = call(words)
        seconds.append(time.perf_counter() - start)
        total += float(abs(result).mean())
    print(json.dumps({"load": loaded, "seconds": seconds, "total": total}))


def measured(peer, folder, options):
    command = [sys.executable, __file__, f"--peer={peer}", f"--folder={folder}", f"--calls={options.calls}", f"--layers={options.layers}",
               f"--threads={options.threads}"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if process.returncode:
        print(process.stderr, file=sys.stderr)
        return None
    return json.loads(process.stdout.splitlines()[-1])


def row(peer, found, reference):
    import numpy as np

    if found is None:
        return f"| {peer} | failed | | | | | |"
    seconds = np.array(found["seconds"])
    late = seconds[len(seconds) // 2:]
    wrong = "" if abs(found["total"] - reference) < 1e-3 * abs(reference) else " !"
    return (f"| {peer}{wrong} | {found['load'] + seconds.sum():.1f} | {1e3 * np.median(seconds):.1f} | {1e3 * np.percentile(seconds, 99):.1f} | "
            f"{1e3 * seconds.max():.0f} | {1e3 * np.median(late):.1f} | {late.sum():.1f} |")


def page(rows, options):
    cpu = next(line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True).stdout.strip()
    return "\n".join([
        "# Lengths that change\n",
        f"Written by `benchmarks/lengths.py`: {options.layers} layers of BERT, {options.calls} texts of 1 to 512 words at random; {cpu}, {options.threads} threads, "
        f"commit {commit}, load {options.load:.2f} before. Times include what calls compile.\n",
        "| | all, with loading, s | median ms | 99th percentile ms | longest ms | median of the second half ms | second half s |",
        "|---|---:|---:|---:|---:|---:|---:|", *rows, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=HERE / "results/lengths.md")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        return run(options.folder, options)
    options.load = os.getloadavg()[0]
    sys.path.append(str(ROOT / "test/Numerics"))
    import package

    build = pathlib.Path(os.environ.get("JIT_BUILD", ROOT / "build/dev")).resolve()
    with tempfile.TemporaryDirectory(prefix="lengths-") as name:
        folder = pathlib.Path(name)
        write(options.layers, folder)
        package.install(build, folder / "site", build / "benchmark-site-objects")
        found = {peer: measured(peer, folder, options) for peer in dict.fromkeys(["eager", *options.peers.split(",")])}
    rows = [row(peer, found[peer], found["eager"]["total"]) for peer in options.peers.split(",")]
    options.output.write_text(page(rows, options))
    print(options.output.read_text())


if __name__ == "__main__":
    main()
