"""What the GPU's kernels take, beside PyTorch eager, TorchScript and torch.compile on the same GPU, in turns.

    python benchmarks/gpu.py --tool out/gpu/bin/jit-run --out benchmarks/results/gpu.json [--emulate]

Each program repeats its work a given number of times on the device. What one repetition takes is the difference of two runs
with different numbers, so that bringing inputs and fetching results, which jit-run does in each call and the peers do not, does
not count. --emulate: small sizes on this machine's CPU, to see that everything runs; its times mean nothing."""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile
import time
import xml.etree.ElementTree
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
import torch
from torch import nn


def seen(x, total):
    """Reads a few elements, so that one repetition cannot be computed together with the next: a loop of pointwise
    operators alone is one pass over memory for many trips."""
    return total + x[0, :32].sum()


class Chain(nn.Module):
    """Ten pointwise operators."""

    def forward(self, x, y, repeat: int):
        total = torch.zeros([], device=x.device)
        for _ in range(repeat):
            a = torch.sigmoid(x * y + x) * y
            b = torch.tanh(a) - x
            x = torch.relu(torch.sqrt(b * b + 1.0) - y)
            total = seen(x, total)
        return x, total


class OpenChain(nn.Module):
    """The same with operators that code for any sizes has; what is read on the way is sums of rows."""

    def forward(self, x, y, repeat: int):
        total = torch.zeros([x.size(0)], device=x.device)
        for _ in range(repeat):
            a = torch.sigmoid(x * y + x) * y
            b = torch.tanh(a) - x
            x = torch.relu(torch.sqrt(b * b + 1.0) - y)
            total = total + x.sum(1)
        return x, total


class LayerNorm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.rand(width)), nn.Parameter(torch.rand(width))
        self.width = width

    def forward(self, x, repeat: int):
        for _ in range(repeat):
            x = torch.nn.functional.layer_norm(x, [self.width], self.weight, self.bias, 1e-5)
        return x


class Softmax(nn.Module):
    def forward(self, x, repeat: int):
        for _ in range(repeat):
            x = torch.softmax(x, -1)
        return x


class Product(nn.Module):
    """In bf16; what comes and goes is f32, for files have no bf16."""

    def forward(self, a, b, repeat: int):
        x, w = a.to(torch.bfloat16), b.to(torch.bfloat16)
        for _ in range(repeat):
            x = x @ w
        return x.float()


class Convolution(nn.Module):
    """Three by three taps, as many filters as channels; what follows on it is a kernel's, or goes with the product."""

    def __init__(self, channels: int, dtype: torch.dtype):
        super().__init__()
        self.dtype: torch.dtype = dtype
        self.weight = nn.Parameter(torch.randn(channels, channels, 3, 3) / (3 * channels**0.5))

    def forward(self, x, repeat: int):
        x, weight = x.to(self.dtype), self.weight.to(self.dtype)
        for _ in range(repeat):
            x = torch.relu(torch.conv2d(x, weight, None, [1, 1], [1, 1]))
        return x.float()


class Attention(nn.Module):
    """In bf16; results are the next queries."""

    def __init__(self, causal: bool):
        super().__init__()
        self.causal = causal

    def forward(self, query, key, repeat: int):
        q, k = query.to(torch.bfloat16), key.to(torch.bfloat16)
        for _ in range(repeat):
            q = torch.nn.functional.scaled_dot_product_attention(q, k, k, is_causal=self.causal)
        return q.float()


class Broadcasts(nn.Module):
    """A read of everything and of what is broadcast: a row, a column, or both."""

    def forward(self, x, y, z, repeat: int):
        total = torch.zeros([], device=x.device)
        for _ in range(repeat):
            x = x * y + z
            total = seen(x, total)
        return x, total


class Lstm(nn.Module):
    """Returns the mean: its gradients are those of everything. `repeat` is how often the sequence is gone through."""

    def __init__(self, width: int, hidden: int):
        super().__init__()
        bound = hidden**-0.5
        self.from_input = nn.Parameter((torch.rand(4 * hidden, width) * 2 - 1) * bound)
        self.from_hidden = nn.Parameter((torch.rand(4 * hidden, hidden) * 2 - 1) * bound)
        self.bias = nn.Parameter((torch.rand(4 * hidden) * 2 - 1) * bound)

    def forward(self, x, repeat: int):
        h = torch.zeros(x.size(1), self.from_hidden.size(1), device=x.device)
        c = torch.zeros(x.size(1), self.from_hidden.size(1), device=x.device)
        total = torch.zeros(1, device=x.device)
        for step in range(x.size(0) * repeat):
            i, f, g, o = (x[step % x.size(0)] @ self.from_input.t() + h @ self.from_hidden.t() + self.bias).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            total = total + h.mean()
        return total


class OwnLstm(nn.Module):
    """The same by PyTorch's own layer, which is cuDNN's on a GPU: what Lstm is compared with."""

    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.lstm = nn.LSTM(width, hidden)

    def forward(self, x, repeat: int):
        return self.lstm(torch.cat([x] * repeat))[0].sum(0).mean()


@dataclass
class Workload:
    name: str
    module: nn.Module
    inputs: tuple
    repeats: tuple = (10, 60)
    grad: bool = False
    bytes: int = 0  # that one repetition has to move
    flops: int = 0
    flags: list = field(default_factory=list)
    rival: Callable | None = None  # what the peers run instead


def workloads(small):
    rows, width = (64, 96) if small else (16384, 4096)
    size = rows * width * 4
    random = lambda *sizes: torch.randn(sizes)  # noqa: E731
    yield Workload("pointwise_chain", Chain(), (random(rows, width), random(rows, width)), bytes=3 * size)
    yield Workload("layer_norm", LayerNorm(width), (random(rows, width),), bytes=2 * size)
    yield Workload("softmax", Softmax(), (random(rows, width),), bytes=2 * size)
    patterns = {"row": ((width,), (width,)), "column": ((rows, 1), (rows, 1)), "row_and_column": ((width,), (rows, 1))}
    for pattern, (first, second) in patterns.items():
        for policy in ("broadcast", "all", "none"):
            yield Workload(f"nc_{policy}_{pattern}", Broadcasts(), (random(rows, width), random(*first), random(*second)),
                           bytes=2 * size, flags=[f"--gpu-nc-loads={policy}"])
    for side in (64,) if small else (4096, 8192):
        yield Workload(f"bf16_matmul_{side}", Product(), (random(side, side), random(side, side) / side**0.5),
                       repeats=(2, 12), flops=2 * side**3)
        yield Workload(f"bf16_matmul_{side}_library", Product(), (random(side, side), random(side, side) / side**0.5),
                       repeats=(2, 12), flops=2 * side**3, flags=["--gpu-libraries=on"])
    batch, channels, pixels = (2, 16, 8) if small else (64, 128, 56)
    for kind, dtype in (("f32", torch.float32), ("f16", torch.float16)):
        for name, flags in (("", []), ("_library", ["--gpu-libraries=on"])):
            yield Workload(f"{kind}_convolution{name}", Convolution(channels, dtype), (random(batch, channels, pixels, pixels),),
                           repeats=(2, 12), flops=2 * batch * (channels * pixels) ** 2 * 9, flags=flags)
    yield Workload("pointwise_any_sizes", OpenChain(), (random(rows, width), random(rows, width)), bytes=4 * size, flags=["--any-sizes"])
    heads, queries, head = (2, 80, 32) if small else (64, 4096, 64)
    for name, causal in (("attention", False), ("causal_attention", True)):
        # Two products; the flops that a causal mask leaves are half of them.
        yield Workload(name, Attention(causal), (random(heads, queries, head), random(heads, queries, head)),
                       flops=4 * heads * queries * queries * head // (2 if causal else 1))
    steps, batch, inputs, hidden = (3, 4, 8, 16) if small else (100, 64, 512, 512)
    yield Workload("lstm_grad", Lstm(inputs, hidden), (random(steps, batch, inputs),), repeats=(1, 3), grad=True,
                   rival=lambda: OwnLstm(inputs, hidden))


def by_jit(tool, target, workload, folder):
    """Seconds of one repetition."""
    archive = folder / f"{workload.name}.pt"
    torch.jit.script(workload.module).save(str(archive))
    command = [tool, archive, f"--target={target}", "--time=5", *workload.flags, *["--grad"] * workload.grad]
    for number, value in enumerate(workload.inputs):
        np.save(folder / f"{number}.npy", value.numpy())
        command.append(f"--input=@{folder / f'{number}.npy'}")
    times = []
    for repeat in workload.repeats:
        said = subprocess.run([*map(str, command), f"--input={repeat}"], capture_output=True, text=True, timeout=600)
        found = re.search(r"time: min ([\d.]+) ms", said.stdout)
        if not found:
            raise RuntimeError(said.stderr.strip()[-400:] or "expected a time, got none")
        times.append(float(found[1]) / 1000)
    return (times[1] - times[0]) / (workload.repeats[1] - workload.repeats[0])


def by_torch(compile, device, workload):
    module = (workload.rival() if workload.rival else workload.module).to(device)
    inputs = [value.to(device) for value in workload.inputs]
    run = compile(module)
    synchronize = torch.cuda.synchronize if device == "cuda" else lambda: None

    def call(repeat):
        with torch.set_grad_enabled(workload.grad):
            result = run(*inputs, repeat)
            if workload.grad:
                result.sum().backward()

    times = []
    for repeat in workload.repeats:
        best = float("inf")
        for trial in range(7):
            synchronize()
            start = time.perf_counter()
            call(repeat)
            synchronize()
            if trial > 1:
                best = min(best, time.perf_counter() - start)
        times.append(best)
    return (times[1] - times[0]) / (workload.repeats[1] - workload.repeats[0])


PEERS = {"eager": lambda module: module, "torchscript": torch.jit.script,
         "torch.compile": lambda module: torch.compile(module, fullgraph=False)}


def copy_bandwidth(device, small):
    """Bytes a second, read and written, of PyTorch's copy of a large tensor."""
    source = torch.randn(1 << (16 if small else 28), device=device)
    target = torch.empty_like(source)
    best = float("inf")
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(10):
            target.copy_(source)
        if device == "cuda":
            torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - start) / 10)
    return 2 * source.numel() * 4 / best


def measure(options):
    device = "cpu" if options.emulate else "cuda"
    target = "cuda-emulation" if options.emulate else "cuda"
    results = {"device": "emulated" if options.emulate else torch.cuda.get_device_name(), "torch": torch.__version__,
               "copy_bytes_per_second": copy_bandwidth(device, options.emulate), "workloads": {}}
    peers = {"eager": PEERS["eager"]} if options.emulate else PEERS
    for workload in workloads(options.emulate):
        row = {"bytes": workload.bytes, "flops": workload.flops, "seconds": {}}
        ways = {"jit": lambda w=workload: by_jit(options.tool, target, w, options.folder)}
        if not workload.name.startswith("nc_") and not workload.name.endswith(("_library", "_any_sizes")):
            ways |= {name: lambda w=workload, c=compile: by_torch(c, device, w) for name, compile in peers.items()}
        for name, way in ways.items():
            try:
                row["seconds"][name] = way()
            except Exception as error:  # what cannot run is a result too
                row["seconds"][name] = f"{type(error).__name__}: {str(error)[:300]}"
        results["workloads"][workload.name] = row
        print(describe(workload.name, row, results["copy_bytes_per_second"]), flush=True)
    return results


def describe(name, row, bandwidth):
    parts = [f"{name:24}"]
    for way, seconds in row["seconds"].items():
        if isinstance(seconds, str):
            parts.append(f"{way}: {seconds.splitlines()[0][:60]}")
            continue
        extra = f" {row['bytes'] / seconds / bandwidth:.0%} of a copy" if row["bytes"] else ""
        extra += f" {row['flops'] / seconds / 1e12:.0f} TFLOP/s" if row["flops"] else ""
        parts.append(f"{way} {seconds * 1e6:.1f} us{extra}")
    return "  ".join(parts)


def add_tests(options):
    """Counts, and the names of tests that failed."""
    cases = list(xml.etree.ElementTree.parse(options.tests).iter("testcase"))
    failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    results = json.loads(options.out.read_text()) if options.out.exists() else {}
    results["tests"] = {"passed": len(cases) - len(failed) - skipped, "skipped": skipped, "failed": failed}
    options.out.write_text(json.dumps(results, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, help="the jit-run to measure")
    parser.add_argument("--tests", type=pathlib.Path, help="measure nothing: add what this JUnit file says to the results")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--emulate", action="store_true")
    options = parser.parse_args()
    if options.tests:
        return add_tests(options)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        options.folder = pathlib.Path(folder)
        results = measure(options)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1) + "\n")
    failed = [name for name, row in results["workloads"].items() if isinstance(row["seconds"]["jit"], str)]
    if failed:
        raise SystemExit(f"not run: {', '.join(failed)}")


if __name__ == "__main__":
    main()
