"""The same in, the same out: files byte by byte, in any folder and with any number of threads; results bit by bit, from run to run."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from conftest import tool
from torch import nn


class Network(nn.Module):
    """Weights, a buffer that a call writes, random numbers, and loops that threads share."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.out = nn.Linear(8 * 64, 10)

    def forward(self, x: torch.Tensor):
        y = torch.dropout(torch.relu(self.norm(self.conv(x))), 0.1, self.training)
        return torch.softmax(self.out(y.flatten(1)), 1)


class Sequence(nn.Module):
    """A loop, and calls of any sizes."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 16)

    def forward(self, x: torch.Tensor):
        h, c = torch.zeros(x.size(1), 16), torch.zeros(x.size(1), 16)
        for step in x:
            h, c = self.cell(step, (h, c))
        return h, c


def loss(x: torch.Tensor, y: torch.Tensor):
    return (torch.tanh(x @ y) ** 2).mean()


#: What is compiled: the program, and the flags of jit-compile.
PROGRAMS = {
    "network": (Network, ["--call=forward(f32[2,3,8,8])", "--call=forward.grad(f32[4,3,8,8]:grad)"]),
    "two-cpus": (Network, ["--input=f32[2,3,8,8]", "--cpu=x86-64-v3,x86-64-v4"]),
    "sequence": (Sequence, ["--call=forward(f32[4,2,8])"]),
    "open-sizes": (lambda: loss, ["--call=forward(f32[n,8], f32[8,m])", "--call=forward.grad(f32[16,8]:grad, f32[8,16])"]),
    "gpu": (lambda: loss, ["--input=f32[64,64]", "--input=f32[64,64]", "--target=cuda", "--chip=sm_80"]),
}


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    torch.manual_seed(0)
    for name, (make, _) in PROGRAMS.items():
        torch.jit.script(make()).save(str(folder / f"{name}.pt"))
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_package(name, archives, tmp_path, request):
    first = None
    for number in range(100 if request.config.getoption("--full") else 3):
        folder = tmp_path / ("deeper/" * (number % 3)) / str(number)
        folder.mkdir(parents=True)
        copied = folder / "model.pt"
        copied.write_bytes((archives / f"{name}.pt").read_bytes())
        # What a process is given besides: where it is, its threads, and what else its environment holds, which moves its stack.
        environment = {**os.environ, "OMP_NUM_THREADS": str(1 + number % 2), "JIT_CACHE": "off", "UNUSED": "x" * (17 * number)}
        cpus = {number % os.cpu_count()} if number % 2 else os.sched_getaffinity(0)
        subprocess.run([tool("jit-compile"), "model.pt", *PROGRAMS[name][1], "-o", "libmodel.so"], cwd=folder, env=environment, check=True,
                       preexec_fn=lambda: os.sched_setaffinity(0, cpus), timeout=300)  # noqa: B023 - run at once
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        first = first or files
        assert files.keys() == first.keys()
        assert [key for key in files if files[key] != first[key]] == [], f"run {number} of {folder}"


@pytest.mark.parametrize("threads", (1, 2))
def test_the_same_results(threads, archives, tmp_path):
    x, y = tmp_path / "x.npy", tmp_path / "y.npy"
    for path in (x, y):
        np.save(path, torch.randn(256, 256).numpy())
    found = set()
    for number in range(5):
        prefix = tmp_path / f"out{number}"
        subprocess.run([tool("jit-run"), archives / "open-sizes.pt", f"--input=@{x}:grad", f"--input=@{y}:grad", "--grad", f"--threads={threads}",
                        f"--output={prefix}"], check=True, env={**os.environ, "JIT_CACHE": "off"}, timeout=300)
        found.add(b"".join(np.load(f"{prefix}.{part}.npy").tobytes() for part in ("0", "grad0", "grad1")))
    assert len(found) == 1


#: By itself, as other libraries of a test run make such pages (closures of ctypes).
READS_ITS_PAGES = """
import sys, numpy as np, jit_mlir
program = jit_mlir.load(sys.argv[1])
x = np.ones((16, 16), np.float32)
assert np.isfinite(program(x, x))
with open("/proc/self/maps") as maps:
    mapped = [line.split() for line in maps]
assert [fields for fields in mapped if "w" in fields[1] and "x" in fields[1]] == []
# The check sees compiled code at all: memory of no file that runs.
assert any("x" in fields[1] and len(fields) == 5 for fields in mapped)
"""


def test_no_page_is_written_and_run(installed, archives):
    environment = {**os.environ, "PYTHONPATH": str(installed), "JIT_CACHE": "off"}
    subprocess.run([sys.executable, "-c", READS_ITS_PAGES, archives / "open-sizes.pt"], check=True, env=environment, timeout=300)


def test_a_package_asks_for_no_such_page(archives, tmp_path):
    output = tmp_path / "libmodel.so"
    subprocess.run([tool("jit-compile"), archives / "network.pt", "--input=f32[2,3,8,8]", "-o", output], check=True, timeout=300)
    headers = subprocess.run(["readelf", "--program-headers", "--wide", output], check=True, capture_output=True, text=True).stdout
    flags = [line.split()[6:-1] for line in headers.splitlines() if line.strip().startswith(("LOAD", "GNU_STACK"))]
    assert len(flags) > 2
    assert not any("W" in "".join(each) and "E" in "".join(each) for each in flags), headers
