"""Operators of tensors without dimensions or elements, along dimensions that they have and have not: most calls eager refuses, and of ways
through a program that nobody takes nobody asks eager. Ours is a value or an error with a reason, never a crash. With --full all
operators of PyTorch, many thousands of calls; without, those that once ended the process or were errors inside."""

import os
import pathlib
import subprocess
import sys

import odd_operands

CRASHED = ["argsort", "avg_pool2d_backward", "avg_pool3d_backward", "ctc_loss", "dsplit", "gather", "glu_backward", "gru", "lstm",
           "max_pool2d_with_indices_backward", "rnn_relu", "scatter", "scatter_", "scatter_add", "sort", "split", "split_with_sizes", "tensor_split"]


def pytest_generate_tests(metafunc):
    names = sorted(odd_operands.operators()) if metafunc.config.getoption("full") else CRASHED
    metafunc.parametrize("name", names)


def test_a_value_or_a_reason(jit_mlir, name, tmp_path):
    site = pathlib.Path(jit_mlir.__file__).parents[1]
    child = subprocess.run([sys.executable, odd_operands.__file__, site, name], cwd=tmp_path, capture_output=True, text=True,
                           env={**os.environ, "JIT_CACHE": "off"})
    said = child.stdout.splitlines()
    assert child.returncode == 0, f"{child.returncode} in {said[-1:]}: {child.stderr[-500:]}"
    errors = [f"{before}: {line}" for before, line in zip(said, said[1:]) if line.startswith("error")]
    assert not errors, "\n".join(errors)
    assert said, "no call was made"
