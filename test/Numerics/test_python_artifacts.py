"""jit_mlir.load of a shared object: what jit-compile and Program.save have written, called from Python without the compiler."""

import os
import subprocess
import sys
from typing import Optional

import numpy as np
import pytest
import torch
from conftest import tool
from make_speech import into_chunks, make_speech
from torch import nn


def close(got, want):
    torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(1, 2, 8))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x, bias: Optional[torch.Tensor] = None, gain: float = 1.0):
        if x.size(-1) != 8:
            raise ValueError("expected 8 channels")
        self.calls += 1
        y = x * self.scale * gain
        if bias is not None:
            y = y + bias
        return torch.relu(y), [y.sum(), None], torch.unbind(y), x.size(0)

    @torch.jit.export
    def double(self, x):
        x.mul_(2)
        return x.sum()


@pytest.fixture(scope="module")
def path(jit_mlir, tmp_path_factory):
    path = tmp_path_factory.mktemp("artifact") / "gate.so"
    x = torch.randn(2, 8)
    jit_mlir.compile(Gate()).save(path, (x,), (x, x[0]), (x, x[0], 1.0), "double(f32[2,8])", "forward(f32[2,7])")
    return path


@pytest.fixture
def gate(jit_mlir, path):
    return jit_mlir.load(path)


def test_calls(gate):
    reference = Gate()
    x, bias = torch.randn(2, 8), torch.randn(8)
    for arguments in ((x,), (x, bias), (x, bias, 3.0), (x, bias, 2)):
        got, want = gate(*arguments), reference(*arguments)
        close(got[0], want[0].detach())
        close(got[1][0], want[1][0].detach())
        assert got[1][1] is None and got[3] == want[3] and isinstance(got[2], list)
        close(got[2], [row.detach() for row in want[2]])


def test_results_are_of_the_arguments_library(gate):
    out, (total, _), rows, _ = gate(np.ones((2, 8), np.float32))
    assert all(isinstance(value, np.ndarray) for value in (out, total, rows[1]))
    assert all(isinstance(value, torch.Tensor) for value in gate(torch.ones(2, 8))[0])


def test_results_outlive_the_artifact(jit_mlir, path):
    x = torch.randn(2, 8)
    out = jit_mlir.load(path)(x)[0]
    close(out, torch.relu(x * torch.linspace(1, 2, 8)))


def test_state(gate):
    x = torch.ones(2, 8)
    gate(x), gate(x)
    kept = gate.state("calls")
    assert kept == 2
    gate(x)
    gate.reset()
    assert gate.state("calls") == 0 and kept == 2
    with pytest.raises(Exception, match="expected a path of state") as refused:
        gate.state("nothing")
    assert refused.value.kind == "not found"


def test_strided_arguments_and_arguments_that_are_written(jit_mlir, gate):
    for x in (torch.ones(2, 8), torch.ones(8, 2).T, torch.ones(2, 16)[:, ::2]):
        assert gate.double(x) == 32 and x.tolist() == [[2.0] * 8] * 2
    x = np.ones((2, 8), np.float32)
    x.flags.writeable = False
    assert gate(x)[3] == 2
    with pytest.raises(jit_mlir.Error, match="expected memory that may be written"):
        gate.double(x)
    assert x.sum() == 16


class Writes(torch.nn.Module):
    def forward(self, x, y):
        x.reshape(-1).mul_(2.0)
        return y + 1.0


@pytest.fixture(scope="module")
def writes(jit_mlir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("writes")
    torch.jit.script(Writes()).save(str(folder / "writes.pt"))
    jit_mlir.load(folder / "writes.pt").save(folder / "writes.so", "forward(f32[2,2], f32[2,2])", "forward(f32[2,2], f32[2])")
    return jit_mlir.load(folder / "writes.so")


def test_strides_that_say_what_is_a_copy_are_refused(jit_mlir, writes):
    x = torch.ones(2, 2)
    with pytest.raises(jit_mlir.Error, match=r"expected f32\[2,2\] as row-major memory without gaps, got other strides"):
        writes(x.t(), torch.zeros(2, 2))
    writes(x, torch.zeros(2, 2))
    assert x.tolist() == [[2.0] * 2] * 2


def test_an_argument_that_is_written_shares_no_memory(jit_mlir, writes):
    x = torch.ones(2, 2)
    for other in (x, x[0]):
        with pytest.raises(jit_mlir.Error, match="argument 0: expected memory of its own") as refused:
            writes(x, other)
        assert refused.value.kind == "unsupported" and x.tolist() == [[1.0] * 2] * 2


@pytest.mark.parametrize("arguments, expected", [
    ((torch.ones(3, 8),), "expected a call that was compiled, got forward.f32.3,8.*there are:.*forward.f32.2,8"),
    ((torch.ones(2, 8).double(),), "got forward.f64.2,8"),
    ((torch.ones(2, 8), None, None, None, None), "expected a call that was compiled"),
    ((torch.ones(2, 8, dtype=torch.float8_e8m0fnu),), "expected elements that are bool.*, got .*torch.float8_e8m0fnu"),
    ((torch.ones(2, 8).to_sparse(),), "expected a dense array in the memory of the CPU.*torch.sparse_coo"),
    ((object(),), "expected a dense array in the memory of the CPU"),
    ((torch.ones(2, 8, requires_grad=True),), "expected arguments without gradients"),
])
def test_refusals(jit_mlir, gate, arguments, expected):
    with pytest.raises(jit_mlir.Error, match="(?s)" + expected) as refused:
        gate(*arguments)
    assert refused.value.kind == "invalid argument"


def test_the_programs_own_exception(jit_mlir, gate):
    with pytest.raises(jit_mlir.Error, match="expected 8 channels") as raised:
        gate(torch.ones(2, 7))
    assert raised.value.kind == "raised" and raised.value.python_class == "builtins.ValueError"


def test_what_it_says_of_itself(jit_mlir, gate):
    assert {line.split("(")[0] for line in gate.methods} == {"forward", "double"}
    assert "forward(x: f32[2,8]) -> (%0, [%1, None]" in gate.report()
    with pytest.raises(AttributeError, match="forward"):
        gate.backward
    for refused in (lambda: gate.graph_for(torch.ones(2, 8)), lambda: gate.save("copy.so")):
        with pytest.raises(jit_mlir.Error) as error:
            refused()
        assert error.value.kind == "unsupported"


def test_gradients_and_weights_beside(jit_mlir, tmp_path, saved):
    archive, _ = saved(nn.Linear(8, 4), "linear")
    subprocess.run([tool("jit-compile"), archive, "--call=forward.grad(f32[2,8]:grad)", "-o", tmp_path / "linear.so",
                    f"--weights={tmp_path / 'linear.weights'}"], check=True, timeout=120)
    (tmp_path / "linear.weights").rename(tmp_path / "moved")
    with pytest.raises(jit_mlir.Error, match="linear.weights") as missing:
        jit_mlir.load(tmp_path / "linear.so")
    assert missing.value.kind == "io"
    linear = jit_mlir.load(tmp_path / "linear.so", weights=tmp_path / "moved", threads=2)
    x = torch.randn(2, 8)
    value, gradients = getattr(linear, "forward.grad")(x)
    module = torch.jit.load(str(archive))
    close(value, module(x).detach())
    close(gradients["0"], module.weight.detach().sum(0).expand(2, 8))


def test_files_that_are_none(jit_mlir, path, tmp_path):
    (tmp_path / "cut.so").write_bytes(path.read_bytes()[:100])
    with pytest.raises(jit_mlir.Error) as refused:
        jit_mlir.load(tmp_path / "cut.so")
    assert refused.value.kind == "io"
    runtime = tool("jit-run").parents[1] / "lib" / "libjit_runtime.so"
    with pytest.raises(jit_mlir.Error, match="expected an artifact of jit-compile"):
        jit_mlir.load(runtime)
    for options in ({"target": "cpu"}, {"any_sizes": True}, {"numerics": "fast"}):
        with pytest.raises(jit_mlir.Error, match='expected no target but the device of one for cuda, "cuda:1", and neither any_sizes nor'):
            jit_mlir.load(path, **options)


def test_without_the_compiler_and_torch(installed, path):
    code = f"""
import sys, numpy as np, jit_mlir
out = jit_mlir.load({str(path)!r})(np.ones((2, 8), np.float32))[0]
assert isinstance(out, np.ndarray) and out[0, 7] == 2, out
assert "torch" not in sys.modules and "libjit.so" not in open("/proc/self/maps").read()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, env={**os.environ, "PYTHONPATH": str(installed)})


def test_a_speech_detector(jit_mlir, silero_archive, tmp_path):
    chunks = into_chunks(make_speech(16000)[:16000], 16000)
    program = jit_mlir.load(silero_archive)
    program.save(tmp_path / "libsilero.so", (chunks[:1], 16000))
    artifact = jit_mlir.load(tmp_path / "libsilero.so")
    for chunk in chunks:
        np.testing.assert_allclose(artifact(chunk[None], 16000), program(chunk[None], 16000), atol=1e-6)


def test_another_package_at_the_same_path(jit_mlir, tmp_path):
    """The dynamic linker knows the path of one that is still open, and would give that again."""
    def saved(factor):
        module = torch.jit.trace(lambda x: x * factor, torch.ones(2))
        module.save(str(tmp_path / "program.pt"))
        jit_mlir.load(tmp_path / "program.pt").save(tmp_path / "program.so", "forward(f32[2])")
        return jit_mlir.load(tmp_path / "program.so")

    opened = [saved(factor) for factor in (2.0, 3.0, 4.0)]
    opened.append(jit_mlir.load(tmp_path / "program.so"))
    assert [program(torch.ones(2)).tolist() for program in opened] == [[2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [4.0, 4.0]]
