"""The measure over PyTorch's tests: a test's program is kept as it was called, and a wrong value of it is noticed."""

import pathlib
import subprocess
import sys

import torch
import torchscript_programs

TESTS = """
import enum
import unittest

import torch


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def scaled(x: torch.Tensor, color: Color):
    return x * 2 if color == Color.RED else x


class Small(unittest.TestCase):
    def test_scaled(self):
        scripted = torch.jit.script(scaled)
        for color in Color:
            scripted(torch.ones(2), color)
"""


def test_a_program_of_a_test_is_kept_and_judged(jit_mlir, tmp_path, monkeypatch):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_small.py").write_text(TESTS)
    tool = pathlib.Path(__file__).with_name("torchscript_collect.py")
    subprocess.run([sys.executable, tool, tmp_path / "tests", tmp_path / "out", "--file=test_small.py"], check=True, timeout=300)
    (calls,) = (tmp_path / "out" / "test_small").glob("*.calls")
    entry = torchscript_programs.loaded(calls)
    assert entry["kind"] == "function" and [call["result"].tolist() for call in entry["calls"]] == [[2, 2], [1, 1]]
    assert torchscript_programs.of_program(jit_mlir, calls)["verdict"] == "equal"
    entry["calls"][1]["result"] = torch.full((2,), 3.0)
    torch.save(entry, calls)
    # What PyTorch makes of the archive counts, whatever the test saw.
    assert torchscript_programs.of_program(jit_mlir, calls)["verdict"] == "equal"
    monkeypatch.setattr(torchscript_programs, "of_archive", lambda archive, entry, call: call)
    found = torchscript_programs.of_program(jit_mlir, calls)
    assert found["verdict"] == "wrong" and "result" in found["message"]
