"""Compilations in child processes: the same results, and a crash there is an error here, after which the session goes on."""

import os
import pathlib
import signal
import threading
import time

import pytest
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x, n: int):
        for _ in range(n):
            x = torch.tanh(x)
        self.calls += 1
        return torch.relu(self.layer(x)) + self.calls


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")


@pytest.fixture
def module():
    torch.manual_seed(0)
    return torch.jit.script(Net().eval())


@pytest.fixture
def path(module, tmp_path):
    module.save(str(tmp_path / "net.pt"))
    return tmp_path / "net.pt"


def children():
    tasks = pathlib.Path("/proc/self/task").glob("*/children")
    return {int(word) for task in tasks for word in task.read_text().split()}


class EndsChildren(threading.Thread):
    """Ends each child that this process gets, as a crash would."""

    def __enter__(self):
        self.before, self.ended, self.isOver = children(), 0, False
        self.start()
        return self

    def run(self):
        while not self.isOver:
            for child in children() - self.before:
                os.kill(child, signal.SIGKILL)
                self.ended += 1
                time.sleep(0.01)  # until it is waited for

    def __exit__(self, *_):
        self.isOver = True
        self.join()


@pytest.mark.parametrize("any_sizes", [False, True])
def test_results_and_state_are_the_same(jit_mlir, module, path, any_sizes):
    program = jit_mlir.load(path, isolate=True, any_sizes=any_sizes)
    for rows in (2, 3, 2):
        x = torch.rand(rows, 8)
        torch.testing.assert_close(program(x, 2), module(x, 2))


def test_gradients(jit_mlir, module, path):
    program = jit_mlir.load(path, isolate=True)
    x = torch.rand(2, 8, requires_grad=True)
    given = x.detach().clone().requires_grad_()
    program(given, 1).sum().backward()
    module(x, 1).sum().backward()
    torch.testing.assert_close(given.grad, x.grad)


def test_a_crash_is_an_error_and_the_session_goes_on(jit_mlir, module, path):
    program = jit_mlir.load(path, isolate=True)
    x = torch.rand(2, 8)
    torch.testing.assert_close(program(x, 0), module(x, 0))
    with EndsChildren() as killer, pytest.raises(jit_mlir.Error, match=r"expected a child process to compile forward\(f32\[2,8\],1,f32\[1\]\), got signal 9"):
        program(x, 1)
    assert killer.ended
    torch.testing.assert_close(program(x, 0), module(x, 0))
    torch.testing.assert_close(program(x, 1), module(x, 1))


def test_a_crash_of_the_importer_is_an_error(jit_mlir, path):
    with EndsChildren() as killer, pytest.raises(jit_mlir.Error, match="expected a child process to import .*net.pt, got signal 9"):
        jit_mlir.load(path, isolate=True)
    assert killer.ended


def test_packages(jit_mlir, module, path, tmp_path):
    program = jit_mlir.load(path, isolate=True)
    with EndsChildren(), pytest.raises(jit_mlir.Error, match="expected a child process to compile .*net.so, got signal 9"):
        program.save(tmp_path / "net.so", "forward(f32[2,8], 1)")
    program.save(tmp_path / "net.so", "forward(f32[2,8], 1)")
    x = torch.rand(2, 8)
    torch.testing.assert_close(jit_mlir.load(tmp_path / "net.so")(x, 1), module(x, 1))


def test_threads_that_compile_do_not_hinder_children(jit_mlir, path):
    """Sessions that compile here and apart, at once."""
    failures = []

    def compile_some(isolate):
        try:
            program = jit_mlir.load(path, isolate=isolate)
            for n in range(4):
                program(torch.rand(2, 8), n)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=compile_some, args=(i % 2 == 0,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not failures and not any(thread.is_alive() for thread in threads)


def test_an_artifact_was_compiled_before(jit_mlir, path, tmp_path):
    jit_mlir.load(path).save(tmp_path / "net.so", "forward(f32[2,8], 1)")
    with pytest.raises(jit_mlir.Error, match="neither any_sizes nor numerics nor isolate"):
        jit_mlir.load(tmp_path / "net.so", isolate=True)
