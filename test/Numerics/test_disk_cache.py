"""Compiled calls that processes leave each other: found where all is the same, never where anything is not."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch
from torch import nn

from conftest import tool

INPUT = "--input=@"


class Net(nn.Module):
    """Weights that are too large to be read for a key, and a small one; state; a message with a place."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(512, 384)
        self.scale = nn.Parameter(torch.rand(384))
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        if x.shape[0] > 6:
            raise ValueError("too many rows")
        self.calls += 1
        return torch.relu(self.layer(x)) * self.scale + self.calls


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def run(cache, tmp_path):
    """run(archive, x, *flags): the results, and whether anything was compiled for them."""

    def call(archive, x, *flags, folder=cache):
        np.save(tmp_path / "x.npy", x)
        prefix = tmp_path / "out"
        command = [tool("jit-run"), archive, f"{INPUT}{tmp_path / 'x.npy'}", f"--output={prefix}", f"--cache={folder}", "--time-report"]
        done = subprocess.run([*map(str, command), *flags], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return np.load(f"{prefix}.0.npy"), " codegen" in done.stderr

    return call


def records(cache):
    return sorted(path for path in cache.iterdir() if not path.suffix)


def test_the_second_run_compiles_nothing_and_gives_the_same(saved, run, cache):
    archive, reference = saved(Net())
    x = torch.rand(3, 512)
    first, was_compiled = run(archive, x)
    second, is_compiled = run(archive, x)
    assert was_compiled and not is_compiled
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(second, reference(x).detach(), rtol=1e-4, atol=1e-5)
    assert len(records(cache)) == 2
    # Another call of the same program finds what is known of the program, and is compiled.
    assert run(archive, torch.rand(2, 512))[1]


def test_other_weights_are_used_and_need_no_other_code(saved, run):
    torch.manual_seed(1)
    module = Net()
    archive, _ = saved(module, "before")
    x = torch.rand(3, 512)
    run(archive, x)
    with torch.no_grad():
        module.layer.weight.mul_(2)
    archive, reference = saved(module, "after")
    after, is_compiled = run(archive, x)
    np.testing.assert_allclose(after, reference(x).detach(), rtol=1e-4, atol=1e-5)
    assert not is_compiled
    with torch.no_grad():
        module.scale.mul_(3)
    archive, reference = saved(module, "small")
    np.testing.assert_allclose(run(archive, x)[0], reference(x).detach(), rtol=1e-4, atol=1e-5)


def test_a_constant_of_a_trace_is_part_of_the_key(tmp_path, run):
    x = torch.rand(3, 512)
    for number in (2.0, 3.0):
        constant = torch.tensor(number)
        path = tmp_path / "traced.pt"
        torch.jit.trace(lambda x: x * constant, x).save(str(path))
        np.testing.assert_allclose(run(path, x)[0], x * number)


def test_what_changes_the_code_changes_the_key(saved, run):
    archive, _ = saved(nn.Sequential(nn.Linear(12, 7), nn.ReLU()))
    x = torch.rand(3, 12)
    assert run(archive, x)[1] and not run(archive, x)[1]
    assert run(archive, x, "--numerics=strict")[1] and not run(archive, x, "--numerics=strict")[1]
    assert run(archive, x, "--any-sizes")[1] and not run(archive, x, "--any-sizes")[1]
    assert run(archive, x, "--grad")[1] and not run(archive, x, "--grad")[1]
    assert not run(archive, x)[1]
    assert not run(archive, x, "--threads=2")[1], "code for several threads is the same"


def test_training_and_its_options(saved, run, tmp_path, cache):
    class Loss(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 1)

        def forward(self, x):
            return self.layer(x).square().mean()

    archive, _ = saved(Loss())

    def losses(*flags):
        command = [tool("jit-run"), archive, "--input=f32[4,8]", "--train=5", f"--cache={cache}", "--time-report", *flags]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout, " codegen" in done.stderr

    first = losses("--lr=0.1")
    assert first[1] and losses("--lr=0.1") == (first[0], False)
    second = losses("--lr=0.2")
    assert second[1] and second[0] != first[0]
    assert losses("--lr=0.2", "--optimizer=adam")[1]


def test_a_message_of_the_program_says_its_place(saved, cache, tmp_path):
    archive, _ = saved(Net())
    command = [tool("jit-run"), archive, "--input=f32[7,512]", f"--cache={cache}"]
    first, second = (subprocess.run(list(map(str, command)), capture_output=True, text=True) for _ in range(2))
    assert first.returncode == second.returncode == 1
    assert "too many rows" in first.stderr and first.stderr == second.stderr


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "swap"])
def test_damaged_records_are_compiled_anew(saved, run, cache, damage):
    archive, _ = saved(Net())
    x = torch.rand(3, 512)
    expected, _ = run(archive, x)
    contents = [path.read_bytes() for path in records(cache)]
    for path, content, other in zip(records(cache), contents, reversed(contents)):
        at = random.randrange(len(content))
        path.write_bytes({"flip": content[:at] + bytes([content[at] ^ 16]) + content[at + 1:], "cut": content[:at],
                          "empty": b"", "swap": other}[damage])
    again, is_compiled = run(archive, x)
    assert is_compiled
    np.testing.assert_array_equal(again, expected)
    assert not run(archive, x)[1], "what was damaged has been replaced"


def test_others_folders_and_records_are_refused(saved, run, cache):
    archive, _ = saved(Net())
    x = torch.rand(3, 512)
    run(archive, x)
    for path in records(cache):
        path.chmod(0o666)
    assert run(archive, x)[1] and not run(archive, x)[1]
    cache.chmod(0o777)
    assert run(archive, x)[1]
    cache.chmod(0o700)
    if os.geteuid() == 0:
        for path in records(cache):
            os.chown(path, 12345, 12345)
        assert run(archive, x)[1] and not run(archive, x)[1]
        os.chown(cache, 12345, 12345)
        assert run(archive, x)[1]


def test_a_folder_that_cannot_be_written_is_no_error(saved, run):
    archive, _ = saved(Net())
    assert run(archive, torch.rand(1, 512), folder="/proc/no/cache")[1]


def start(archive, x, output, cache):
    command = [tool("jit-run"), archive, f"{INPUT}{x}", f"--output={output}", f"--cache={cache}"]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def test_sixteen_processes_race(saved, cache, tmp_path):
    archive, reference = saved(Net())
    x = torch.rand(3, 512)
    np.save(tmp_path / "x.npy", x)
    expected = reference(x).detach()
    for _ in range(2):
        running = [start(archive, tmp_path / "x.npy", tmp_path / f"out{i}", cache) for i in range(16)]
        for i, process in enumerate(running):
            assert process.wait(timeout=300) == 0, process.stderr.read()
            np.testing.assert_allclose(np.load(tmp_path / f"out{i}.0.npy"), expected, rtol=1e-4, atol=1e-5)
        assert len(records(cache)) == 2 == len(list(cache.iterdir()))


def test_processes_are_killed_at_any_moment(saved, run, cache, tmp_path):
    archive, _ = saved(Net())
    x = torch.rand(3, 512)
    expected, _ = run(archive, x, folder="off")
    begun = time.monotonic()
    run(archive, x, folder="off")
    whole = time.monotonic() - begun
    for attempt in range(20):
        process = start(archive, tmp_path / "x.npy", tmp_path / "killed", cache)
        # Most of them near the end, where records are written.
        time.sleep(whole * random.choice([random.uniform(0, 1), random.uniform(0.7, 1.1)]))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if attempt % 4 == 3:
            np.testing.assert_array_equal(run(archive, x)[0], expected)
            shutil.rmtree(cache)
    np.testing.assert_array_equal(run(archive, x)[0], expected)


def test_a_small_cache_stays_small(saved, run, cache, monkeypatch):
    monkeypatch.setenv("JIT_CACHE_SIZE", "200K")
    archive, _ = saved(Net())
    for rows in (1, 2, 3, 4, 5, 6):
        run(archive, torch.rand(rows, 512))
        assert sum(path.stat().st_size for path in cache.iterdir()) <= 200 << 10


SCRIPT = """
import sys, time
import numpy as np, torch, jit_mlir
x = torch.from_numpy(np.load(sys.argv[2]))
program = jit_mlir.load(sys.argv[1])
np.save(sys.argv[3], program(x).numpy())
again = torch.compile(torch.nn.Sequential(torch.nn.Linear(512, 8), torch.nn.ReLU()), backend="jit_mlir")
again(x).sum().backward()
print(program.report())
"""


def test_python_and_the_tool_share_records(saved, run, cache, installed, tmp_path):
    archive, _ = saved(Net())
    x = torch.rand(3, 512)
    expected, _ = run(archive, x)
    found = records(cache)
    environment = {**os.environ, "JIT_CACHE": str(cache), "PYTHONPATH": str(installed)}

    def python():
        command = [sys.executable, "-c", SCRIPT, archive, tmp_path / "x.npy", tmp_path / "y.npy"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
        np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), expected)
        return done.stdout

    first = python()
    assert set(found) < set(records(cache)), "torch.compile's graphs are kept too"
    assert first.strip(), "what is found says what its compilation said"
    kept = records(cache)
    assert python() == first and records(cache) == kept


def test_a_program_whose_file_has_gone_compiles_further_calls(saved, cache, installed, tmp_path):
    """The second process knows the program by its record, and reads the file, which is no longer there, for another call."""
    archive, reference = saved(Net())
    x = torch.rand(3, 512)
    script = """
import os, shutil, sys
import torch, jit_mlir
path = sys.argv[1] + ".copy"
shutil.copy(sys.argv[1], path)
program = jit_mlir.load(path)
os.remove(path)
print(program(torch.ones(2, 512)).sum().item(), program(torch.ones(int(sys.argv[2]), 512)).sum().item())
"""
    environment = {**os.environ, "JIT_CACHE": str(cache), "PYTHONPATH": str(installed)}
    for rows in (3, 4):
        done = subprocess.run([sys.executable, "-c", script, str(archive), str(rows)], capture_output=True, text=True,
                              env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
        fresh = torch.jit.load(str(archive))
        expected = [fresh(torch.ones(n, 512)).sum().item() for n in (2, rows)]
        np.testing.assert_allclose([float(word) for word in done.stdout.split()], expected, rtol=1e-4)
