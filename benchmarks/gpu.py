"""What the GPU's kernels take, beside PyTorch eager, TorchScript and torch.compile on the same GPU, in turns.

    python benchmarks/gpu.py --tool out/gpu/bin/jit-run --out benchmarks/results/gpu.json [--rows PATTERN] [--emulate]

Arguments and results stay on the device, and calls are queued in one stream, ours as the peers'. What one call takes is the difference
of many of them and of few. Each row's values (of gradients' rows those of the forward pass) are compared with eager's before its time
counts. Rows that only jit-run has flags for repeat their work within a call; each peer has a process of its own.
--emulate: small sizes on this machine's CPU, to see that everything runs; its times mean nothing."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
import torch
from torch import nn

from device_calls import Program


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
    tolerance: float = 1e-4  # of the norm of the difference from eager's results, by that of the results
    tf32: bool = False  # whether products of f32, the peers' too, may round their factors to 10 bits
    bytes: int = 0  # that one repetition has to move
    flops: int = 0
    flags: list = field(default_factory=list)  # of jit-run
    options: dict = field(default_factory=dict)  # of a session, instead
    rival: Callable | None = None  # what the peers run instead

    @property
    def tool_flags(self):
        """All of it for jit-run, the gradient too."""
        said = {"any_sizes": "--any-sizes", "gpu_tf32": "--gpu-tf32", "gpu_libraries": "--gpu-libraries=on"}
        return [*self.flags, *(said[name] for name, value in self.options.items() if value), *["--grad"] * self.grad]


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
                       repeats=(2, 12), tolerance=2e-2, flops=2 * side**3)
        yield Workload(f"bf16_matmul_{side}_library", Product(), (random(side, side), random(side, side) / side**0.5),
                       repeats=(2, 12), tolerance=2e-2, flops=2 * side**3, options={"gpu_libraries": b"on"})
    batch, channels, pixels = (2, 16, 8) if small else (64, 128, 56)
    for kind, dtype, tolerance in (("f32", torch.float32, 1e-4), ("tf32", torch.float32, 1e-2), ("f16", torch.float16, 1e-2)):
        for name, options in (("", {}), ("_library", {"gpu_libraries": b"on"})):
            tf32 = kind == "tf32"
            yield Workload(f"{kind}_convolution{name}", Convolution(channels, dtype), (random(batch, channels, pixels, pixels),),
                           repeats=(2, 12), tolerance=tolerance, tf32=tf32, flops=2 * batch * (channels * pixels) ** 2 * 9,
                           options=options | {"gpu_tf32": tf32})
    yield Workload("pointwise_any_sizes", OpenChain(), (random(rows, width), random(rows, width)), bytes=4 * size, options={"any_sizes": 1})
    heads, queries, head = (2, 80, 32) if small else (64, 4096, 64)
    for name, causal in (("attention", False), ("causal_attention", True)):
        # Two products; the flops that a causal mask leaves are half of them.
        # Four dimensions: of fewer PyTorch has no fused kernel.
        yield Workload(name, Attention(causal), (random(1, heads, queries, head), random(1, heads, queries, head)),
                       tolerance=2e-2, flops=4 * heads * queries * queries * head // (2 if causal else 1))
    steps, batch, inputs, hidden = (3, 4, 8, 16) if small else (100, 64, 512, 512)
    yield Workload("lstm_grad", Lstm(inputs, hidden), (random(steps, batch, inputs),), repeats=(1, 3), grad=True,
                   rival=lambda: OwnLstm(inputs, hidden))


def save(workload, folder):
    archive = folder / f"{workload.name}.pt"
    torch.jit.script(workload.module.cpu()).save(str(archive))
    return archive


def by_jit(library, workload, folder):
    """Seconds of one repetition on the device, where its values are eager's."""
    program = Program(library, save(workload, folder), **workload.options)
    inputs = [value.to("cuda") for value in workload.inputs]
    result = program.call([*inputs, 1], workload.grad)
    compare_with_eager(workload, program.first_tensor(result), "cuda")
    program.release(result)

    def call(repeat):
        for _ in range(repeat):
            program.release(program.call([*inputs, 1], workload.grad))

    try:
        return difference(workload, call, torch.cuda.synchronize)
    finally:
        program.close()


def by_jit_run(tool, target, workload, folder, device):
    """The same by jit-run, for what the C interface has no option for and for the emulation: arguments and results are copied at each
    call, so that the repetitions have to be many."""
    command = [tool, save(workload, folder), f"--target={target}", "--cache=off", *workload.tool_flags]
    for number, value in enumerate(workload.inputs):
        np.save(folder / f"{number}.npy", value.numpy())
        command.append(f"--input=@{folder / f'{number}.npy'}")

    def run(*flags):
        said = subprocess.run([*map(str, command), *flags], capture_output=True, text=True, timeout=300)
        if said.returncode:
            raise RuntimeError(said.stderr.strip()[-400:])
        return said.stdout

    run(f"--output={folder / 'result'}", "--input=1")
    compare_with_eager(workload, torch.from_numpy(np.load(folder / "result.0.npy")), device)
    few, many = workload.repeats[0], workload.repeats[1] * (1 if device == "cpu" else 10)
    times = [float(re.search(r"time: min ([\d.]+) ms", run("--time=5", f"--input={repeat}"))[1]) / 1000
             for repeat in (few, many)]
    return (times[1] - times[0]) / (many - few)


def difference(workload, run, synchronize):
    """Seconds of one repetition, of the best of some runs of few and of many."""
    times = []
    for repeat in workload.repeats:
        best = float("inf")
        for trial in range(8):
            synchronize()
            start = time.perf_counter()
            run(repeat)
            synchronize()
            if trial > 2:  # the first ones compile, warm up and record
                best = min(best, time.perf_counter() - start)
        times.append(best)
    return (times[1] - times[0]) / (workload.repeats[1] - workload.repeats[0])


def compare_with_eager(workload, got, device):
    """One repetition: more of them make large differences of small ones."""
    with torch.no_grad():
        result = workload.module.to(device)(*(value.to(device) for value in workload.inputs), 1)
    expected = (result[0] if isinstance(result, tuple) else result).double()
    error = float((got.to(device).double() - expected).norm() / expected.norm())
    if not error <= workload.tolerance:
        raise RuntimeError(f"expected a relative error of at most {workload.tolerance}, got {error:.3g}")


def by_torch(compile, device, workload):
    module = (workload.rival() if workload.rival else workload.module).to(device)
    inputs = [value.to(device) for value in workload.inputs]
    run = compile(module)

    def calls(repeat):
        with torch.set_grad_enabled(workload.grad):
            for _ in range(repeat):
                result = run(*inputs, 1)
                if workload.grad:
                    result.sum().backward()

    return difference(workload, calls, torch.cuda.synchronize if device == "cuda" else lambda: None)


PEER_SECONDS = 120
PEERS = {"eager": lambda module: module, "torchscript": torch.jit.script,
         "torch.compile": lambda module: torch.compile(module, fullgraph=False)}


def in_process(name, workload, emulate):
    """What by_torch gives, by a process of its own: a peer may hang or end it."""
    command = [sys.executable, __file__, "--peer", name, "--rows", f"^{workload.name}$", *["--emulate"] * emulate]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=PEER_SECONDS)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no result in {PEER_SECONDS} seconds") from None
    if said.returncode:
        raise RuntimeError(said.stderr.strip()[-300:] or f"exit code {said.returncode}")
    return float(said.stdout.split()[-1])


def print_peer(options):
    """Seconds of the one row that is named."""
    workload = next(w for w in workloads(options.emulate) if re.search(options.rows, w.name))
    allow_tf32(workload)
    print(by_torch(PEERS[options.peer], "cpu" if options.emulate else "cuda", workload))


def allow_tf32(workload):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = workload.tf32


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
    results = {"device": "emulated" if options.emulate else torch.cuda.get_device_name(), "torch": torch.__version__, "commit": packed_commit(options.tool),
               "copy_bytes_per_second": copy_bandwidth(device, options.emulate), "workloads": {}}
    peers = {"eager": PEERS["eager"]} if options.emulate else PEERS
    for workload in workloads(options.emulate):
        if not re.search(options.rows, workload.name):
            continue
        allow_tf32(workload)
        row = {"bytes": workload.bytes, "flops": workload.flops, "seconds": {}}
        if options.emulate or workload.flags:
            ways = {"jit": lambda w=workload: by_jit_run(options.tool, target, w, options.folder, device)}
        else:
            ways = {"jit": lambda w=workload: by_jit(options.tool.parent.parent / "lib" / "libjit.so.0", w, options.folder)}
        if not workload.name.startswith("nc_") and not workload.name.endswith(("_library", "_any_sizes")):
            ways |= {name: lambda w=workload, n=name: in_process(n, w, options.emulate) for name in peers if name in options.peers}
        for name, way in ways.items():
            try:
                row["seconds"][name] = way()
            except Exception as error:  # what cannot run is a result too
                row["seconds"][name] = f"{type(error).__name__}: {str(error)[:300]}"
        results["workloads"][workload.name] = row
        options.out.write_text(json.dumps(results, indent=1) + "\n")  # what was measured before a machine is taken away
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


def packed_commit(tool):
    """That of the build, as scripts/gpu-check pack notes it."""
    note = tool.parent.parent / "commit"
    return note.read_text().strip() if note.exists() else ""


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
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--peer", choices=PEERS, help="print what one peer takes for the row that --rows names, in seconds")
    parser.add_argument("--rows", default="", help="a regular expression: the rows whose names it is found in")
    parser.add_argument("--peers", nargs="*", default=[*PEERS], help="which of %(default)s stand beside")
    parser.add_argument("--emulate", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(0)
    if options.peer:
        return print_peer(options)
    if not options.out:
        parser.error("expected --out")
    if options.tests:
        return add_tests(options)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        options.folder = pathlib.Path(folder)
        results = measure(options)
    failed = [name for name, row in results["workloads"].items() if isinstance(row["seconds"]["jit"], str)]
    if failed:
        raise SystemExit(f"not run: {', '.join(failed)}")


if __name__ == "__main__":
    main()
