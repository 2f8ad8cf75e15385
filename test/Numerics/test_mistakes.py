"""Wrong uses as newcomers make them: each is refused by a message that says what to do."""

import os
import pathlib
import subprocess
import sys

import pytest
import torch
from conftest import ROOT
from torch import nn


def model():
    return nn.Sequential(nn.Linear(8, 4), nn.ReLU()).eval()


@pytest.fixture(scope="module")
def program(jit_mlir):
    return jit_mlir.compile(model())


def save_weights(path):
    torch.save(model().state_dict(), path)


def save_module(path):
    torch.save(model(), path)


@pytest.mark.parametrize("write, message", [
    (lambda path: None, "No such file"),
    (lambda path: path.mkdir(), "got a directory"),
    (save_weights, "expected a program, got an archive of torch.save.*torch.jit.script.module..save.path. writes a program"),
    (save_module, "expected a program, got an archive of torch.save"),
    (lambda path: path.write_bytes(b""), "expected a TorchScript archive, an exported program, the text of a graph or MLIR"),
])
def test_files(jit_mlir, tmp_path, write, message):
    write(tmp_path / "model.pt")
    with pytest.raises(jit_mlir.Error, match=message):
        jit_mlir.load(tmp_path / "model.pt")


@pytest.mark.parametrize("given, message", [
    (model().state_dict(), "got a dict of tensors: a state_dict has weights and no code, load it into its module"),
    (nn.Linear, "got the class Linear: make an instance of it"),
    ("model.pt", "got 'model.pt': load.. opens files"),
    (pathlib.Path("model.pt"), "load.. opens files"),
    (torch.ones(3), "expected a module or function of PyTorch, got Tensor"),
    (None, "got NoneType"),
])
def test_what_is_no_module(jit_mlir, given, message):
    with pytest.raises(TypeError, match=message):
        jit_mlir.compile(given)


@pytest.mark.parametrize("arguments, message", [
    ((), "expected argument 'input' of 'forward', which has no default, got no more arguments"),
    ((torch.ones(2, 8), 1), "expected at most 1 arguments for 'forward', got 2"),
    ((torch.ones(2, 7),), "expected as many columns as rows, got 7 and 8"),
    ((torch.ones(2, 8).long(),), "linear.py:.*expected operands of one element type, got i64 and f32"),
    ((torch.ones(2, 8).double(),), "expected operands of one element type, got f64 and f32"),
    ((torch.ones(2, 8, dtype=torch.float8_e8m0fnu),), "expected elements that are bool.*torch.float8_e8m0fnu"),
    ((torch.ones(2, 8).to_sparse(),), "expected a dense array.*torch.sparse_coo"),
    (("text",), "expected argument 0 of type Tensor, got a string"),
])
def test_arguments(jit_mlir, program, arguments, message):
    with pytest.raises(jit_mlir.Error, match="(?s)" + message):
        program(*arguments)


def test_arguments_by_name(jit_mlir):
    class Blend(nn.Module):
        def forward(self, x, y, gain: float = 2.0):
            return x * gain + y

    x, y = torch.randn(3), torch.randn(3)
    program = jit_mlir.compile(Blend())
    for got in (program(x, y=y), program(y=y, x=x), program(x, y, gain=2.0)):
        torch.testing.assert_close(got, x * 2 + y)
    for arguments, named, message in [((x,), {"z": y}, "expected the arguments .x, y, gain. of forward, got 'z'"),
                                      ((x,), {"x": y}, "expected one value for the argument 'x' of forward, got two"),
                                      ((x,), {"gain": 1.0}, "expected the argument 'y' of forward before those")]:
        with pytest.raises(TypeError, match=message):
            program(*arguments, **named)


@pytest.mark.parametrize("given, found", [([1.0, 2.0, 3.0, 4.0], 4), ([1.0, 2.0, -3.0, -4.0], 2), ([1.0, -2.0, -3.0, -4.0], 1)])
def test_sizes_that_data_tell(jit_mlir, given, found):
    @torch.jit.script
    def three(x):
        return x[x > 0].expand(3)

    with pytest.raises(jit_mlir.Error, match=f"got 3 and {found}"):
        jit_mlir.compile(three)(torch.tensor(given))


def test_options(jit_mlir):
    with pytest.raises(jit_mlir.Error, match="expected one of the targets cpu, .*cuda.*, got 'gpu'"):
        jit_mlir.compile(model(), target="gpu")
    with pytest.raises(TypeError, match="expected a number of threads, got -1"):
        jit_mlir.compile(model(), threads=-1)


@pytest.mark.parametrize("name, calls, options, message", [
    ("m.so", [], {}, "expected at least one call to compile, got none"),
    ("m.onnx", [(torch.ones(2, 8),)], {}, "expected a file called .so, .o or .a, got '.*m.onnx'"),
    ("m.so", ["f32[2,8]"], {}, "expected a call as 'method.arguments.', got 'f32.2,8.'"),
    ("m.so", ["forward(float32[2,8])"], {}, "expected a spec such as f32.1,512."),
    ("m.so", [(torch.ones(2, 8),)], {"cpu": "haswel"}, "expected the name of a CPU, such as native or x86-64-v3, got 'haswel'"),
    ("m.so", [(torch.ones(2, 8),)], {"target": "gpu"}, "expected the target cpu or cuda, got 'gpu'"),
])
def test_saving(jit_mlir, program, tmp_path, name, calls, options, message):
    with pytest.raises(jit_mlir.Error, match=message):
        program.save(tmp_path / name, *calls, **options)
    assert not list(tmp_path.iterdir())


def test_saving_for_an_array_alone(jit_mlir, program, tmp_path):
    program.save(tmp_path / "m.so", torch.ones(2, 8))
    x = torch.randn(2, 8)
    torch.testing.assert_close(jit_mlir.load(tmp_path / "m.so")(x), program(x))


def test_pip_says_what_the_machine_lacks(tmp_path):
    """Of all that building needs, on a Debian that has only clang-22."""
    (tmp_path / "bin").mkdir()
    stub = tmp_path / "bin" / "dpkg-query"
    stub.write_text('#!/bin/sh\n[ "$4" != clang-22 ] || echo install ok installed\n')
    stub.chmod(0o755)
    configure = subprocess.run(["cmake", "-GNinja", "-S", ROOT / "python", "-B", tmp_path / "build",
                                f"-DPython_EXECUTABLE={sys.executable}"],
                               capture_output=True, text=True, timeout=120,
                               env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})
    said = " ".join(configure.stderr.split())
    assert configure.returncode != 0
    assert "needs packages that this machine lacks: ccache cmake" in said and "scripts/setup build does so" in said
    assert " clang-22 " not in said and "libmlir-22-dev" in said
