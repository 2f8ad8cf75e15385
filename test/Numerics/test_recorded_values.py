"""jit-diff against what eager PyTorch made, operator by operator: python/jit_mlir/recording.py."""

import inspect
import sys

import numpy as np
import pytest
import torch
from conftest import ROOT, tool
from seeded_faults import diff
from seeded_programs import INPUTS, Cell, attention, counts, line_of, parts, rows

sys.path.append(str(ROOT / "python" / "jit_mlir"))
from recording import record  # noqa: E402

SIZES = {attention: [(4, 6)] * 3, rows: [(3, 5)], parts: [(3, 4)] * 2, Cell: [(3, 6)]}


@pytest.fixture
def recorded(tmp_path):
    """Records a program on random arguments; gives the file and the options that say the same call."""

    def make(program, arguments):
        file = tmp_path / "recorded.npz"
        record(program() if inspect.isclass(program) else program, arguments, file)
        for number, argument in enumerate(arguments):
            np.save(tmp_path / f"{number}.npy", argument.numpy())
        return file, [f"--input=@{tmp_path}/{number}.npy" for number in range(len(arguments))]

    return make


def altered(file, name, change):
    values = dict(np.load(file))
    values[name] = change(values[name])
    np.savez(file, **values)


@pytest.mark.parametrize("program", [attention, rows, parts, Cell], ids=lambda program: program.__name__)
def test_what_pytorch_makes_is_equal(program, recorded, tmp_path):
    file, inputs = recorded(program, [torch.randn(sizes) for sizes in SIZES[program]])
    found = diff(tool("jit-diff"), tmp_path, program, *inputs, f"--recorded={file}")
    assert found.returncode == 0, found.stdout + found.stderr


def test_integers_are_compared_exactly(recorded, tmp_path):
    arguments = [torch.randint(0, 9, (3, 4)) for _ in INPUTS[counts]]
    file, inputs = recorded(counts, arguments)
    assert diff(tool("jit-diff"), tmp_path, counts, *inputs, f"--recorded={file}").returncode == 0
    line = line_of(counts, "torch.remainder")
    altered(file, f"seeded_programs.py:{line} aten.remainder#0", lambda value: value + 1)
    found = diff(tool("jit-diff"), tmp_path, counts, *inputs, f"--recorded={file}")
    assert found.returncode == 1 and f"seeded_programs.py:{line}: aten.remainder.Scalar is wrong" in found.stdout


@pytest.mark.parametrize("change", [lambda value: value * 1.001, lambda value: value.astype(np.float64)], ids=["value", "dtype"])
def test_an_operator_that_pytorch_has_otherwise_is_named(change, recorded, tmp_path):
    file, inputs = recorded(attention, [torch.randn(4, 6) for _ in range(3)])
    line = line_of(attention, "torch.matmul(weights")
    altered(file, f"seeded_programs.py:{line} aten.matmul#0", change)
    found = diff(tool("jit-diff"), tmp_path, attention, *inputs, f"--recorded={file}")
    assert found.returncode == 1
    assert found.stdout.startswith(f"{inspect.getsourcefile(attention)}:{line}: aten.matmul is wrong"), found.stdout
    assert "PyTorch has recorded something else" in found.stdout


def test_one_array_is_the_first_result(recorded, tmp_path):
    arguments = [torch.randn(4, 6) for _ in range(3)]
    _, inputs = recorded(attention, arguments)
    expected = attention(*arguments).numpy()
    for value, code in ((expected, 0), (expected + 0.01, 1)):
        np.save(tmp_path / "result.npy", value)
        found = diff(tool("jit-diff"), tmp_path, attention, *inputs, f"--recorded={tmp_path}/result.npy")
        assert found.returncode == code, found.stdout + found.stderr
    assert "as result 0" in found.stdout


def test_a_file_that_is_no_archive_is_refused(recorded, tmp_path):
    file, inputs = recorded(attention, [torch.randn(4, 6) for _ in range(3)])
    file.write_bytes(b"no archive")
    found = diff(tool("jit-diff"), tmp_path, attention, *inputs, f"--recorded={file}")
    assert found.returncode == 2 and "jit-diff: error:" in found.stderr
