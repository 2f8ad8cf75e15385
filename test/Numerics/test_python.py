"""The Python package as its users have it: installed by pip, called with arrays of torch, numpy and JAX."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import List, Optional, Tuple

import numpy as np
import pytest
import torch
from conftest import ROOT
from make_speech import into_chunks, make_speech
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(1, 2, 8))

    def forward(self, x, bias: Optional[torch.Tensor] = None):
        if x.size(-1) != 8:
            raise ValueError("expected 8 channels")
        y = x * self.scale
        if bias is not None:
            y = y + bias
        return torch.relu(y), [y.sum(), y]


def close(got, want):
    torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)


def test_it_imports_and_runs_without_torch(installed, silero_archive):
    code = f"""
import sys, numpy as np, jit_mlir
y = jit_mlir.load({str(silero_archive)!r})(np.zeros((1, 512), np.float32), 16000)
assert isinstance(y, np.ndarray) and y.shape == (1, 1) and 0 < y[0, 0] < 0.1, y
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, env={**os.environ, "PYTHONPATH": str(installed)})


def test_numbers_need_no_array_library(installed, tmp_path):
    (tmp_path / "square.txt").write_text("graph(%n : int):\n  %m : int = aten::mul(%n, %n)\n  return (%m)\n")
    code = "import sys; sys.modules['numpy'] = None; import jit_mlir; assert jit_mlir.load('square.txt')(7) == 49"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)})


@pytest.mark.parametrize("name", ["jit-cache", "jit-compile", "jit-opt", "jit-run", "jit-translate"])
def test_it_has_the_tools(installed, name):
    done = subprocess.run([installed / "bin" / name, "--version"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(installed)})
    assert done.returncode == 0 and re.match(r"JIT [\d.]+, LLVM \d", done.stdout), done


def test_it_is_typed(installed):
    assert all((installed / "jit_mlir" / name).exists() for name in ("py.typed", "_compiler.pyi", "_runtime.pyi"))


def test_results_are_of_the_arguments_library(jit_mlir):
    program = jit_mlir.compile(Gate())
    x = torch.randn(2, 8)
    for arguments in [(x,), (x, torch.randn(8))]:
        close(program(*arguments), Gate()(*arguments))
    got = program(x.numpy())
    assert all(isinstance(leaf, np.ndarray) for leaf in [got[0], *got[1]])
    np.testing.assert_allclose(got[0], Gate()(x)[0].detach(), rtol=1e-6)


def test_nothing_is_copied_on_the_way_out(jit_mlir):
    results = jit_mlir.compile(Gate())(torch.randn(2, 8))
    kept = results[0].clone()
    one, other = results[0], np.from_dlpack(results[0])
    assert one.data_ptr() == other.ctypes.data
    del results
    close(one, kept)


def test_strided_arguments(jit_mlir):
    x = torch.randn(8, 2).T
    assert not x.is_contiguous()
    close(jit_mlir.compile(Gate())(x)[0], Gate()(x)[0])


def test_an_argument_that_is_written_in_place(jit_mlir):
    class Scale(nn.Module):
        def forward(self, x):
            x.mul_(2)
            return x.sum()

    program = jit_mlir.compile(Scale())
    x = torch.ones(4)
    assert program(x) == 8 and x.tolist() == [2.0] * 4
    column = torch.ones(4, 2)[:, 0]
    assert program(column) == 8 and column.tolist() == [2.0] * 4


class Flatten(nn.Module):
    def forward(self, x, y):
        x.flatten().square_()
        return y + 1


def test_what_is_a_view_of_an_argument_follows_from_its_strides(jit_mlir):
    program = jit_mlir.compile(Flatten())
    for given in (lambda x: x, lambda x: x.t(), lambda x: x[:, :1], lambda x: x[:, 0], lambda x: x[None].permute(2, 1, 0)):
        ours, eager = (torch.arange(1.0, 7.0).reshape(3, 2) for _ in range(2))
        program(given(ours), torch.ones(2))
        Flatten()(given(eager), torch.ones(2))
        assert ours.tolist() == eager.tolist()


def test_arguments_that_share_memory(jit_mlir):
    class Both(nn.Module):
        def forward(self, x, y):
            x.mul_(2.0)
            y.t().add_(1.0)
            return x.sum(), y * 1.0

    program = jit_mlir.compile(Both())
    pairs = [lambda x: (x, x), lambda x: (x, x.t()), lambda x: (x[1:], x[:2]), lambda x: (x[0], x[:, 1]), lambda x: (x[0:2], x[2:])]
    for pair in pairs:
        ours, eager = (torch.arange(1.0, 10.0).reshape(3, 3) for _ in range(2))
        for got, want in zip(program(*pair(ours)), Both()(*pair(eager))):
            close(got, want)
        assert ours.tolist() == eager.tolist()


def test_what_is_written_has_a_place_for_each_element_and_one_type(jit_mlir):
    program = jit_mlir.compile(Flatten())
    x = torch.arange(1.0, 7.0).reshape(3, 2)
    for given, problem in (((x, x.view(torch.int32)), "one element type"), ((torch.ones(1).expand(4), torch.ones(2)), "a place each")):
        with pytest.raises(jit_mlir.Error, match=problem):
            program(*given)
        assert x.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_tensors_in_lists_and_tuples_are_written_in_place(jit_mlir):
    class Inside(nn.Module):
        def forward(self, xs: List[torch.Tensor], pair: Tuple[torch.Tensor, torch.Tensor]):
            xs[1].mul_(3.0)
            pair[0].add_(xs[1].sum())
            return xs[0] + pair[1]

    program = jit_mlir.compile(torch.jit.script(Inside()))
    values = [torch.ones(2), torch.full((2,), 2.0), torch.ones(2, 2).t(), torch.zeros(2)]
    close(program(values[:2], tuple(values[2:])), torch.ones(2))
    assert [v.tolist() for v in values] == [[1.0] * 2, [6.0] * 2, [[13.0] * 2] * 2, [0.0] * 2]


def test_an_element_that_is_replaced_is_not_written(jit_mlir):
    class Replace(nn.Module):
        def forward(self, xs: List[torch.Tensor]):
            xs[0] = xs[1] * 2.0
            return xs[0]

    x, y = torch.ones(2), torch.ones(2)
    close(jit_mlir.compile(torch.jit.script(Replace()))([x, y]), torch.full((2,), 2.0))
    assert x.tolist() == [1.0] * 2


def test_errors_are_typed(jit_mlir, tmp_path):
    program = jit_mlir.compile(Gate())
    with pytest.raises(jit_mlir.Error, match="expected 8 channels") as raised:
        program(torch.randn(2, 7))
    assert raised.value.kind == "raised" and raised.value.python_class == "builtins.ValueError"
    for wrong in (object(), torch.ones(2, 8, dtype=torch.float8_e8m0fnu), {"x": object()}):
        with pytest.raises(jit_mlir.Error) as refused:
            program(wrong)
        assert refused.value.kind == "invalid argument"
    with pytest.raises(jit_mlir.Error) as missing:
        jit_mlir.load(tmp_path / "nothing.pt")
    assert "nothing.pt" in str(missing.value)
    with pytest.raises(AttributeError, match="forward"):
        program.backward


def test_seeing_what_a_call_runs(jit_mlir):
    program = jit_mlir.compile(Gate())
    x = torch.randn(2, 8)
    graph = program.graph_for(x)
    assert "jit.group" in graph and "jit.tensor<[2,8],f32>" in graph and "scf.if" not in graph
    program(x)
    assert "fuse:" in program.report()
    assert program.methods == ["forward(x: !jit.tensor, bias: !jit.optional<!jit.tensor> = default)"]


def test_pictures(jit_mlir, tmp_path):
    program = jit_mlir.compile(Gate())
    x = torch.randn(2, 8)
    assert program._repr_svg_() is None and "forward(x" in repr(program)
    program(x)
    shown = program._repr_svg_()
    assert ET.fromstring(shown).tag.endswith("svg") and "relu" in shown
    assert shown == program.draw(x)._repr_svg_() == program.forward.draw(x).svg
    x.requires_grad_()
    program(x)
    assert program._repr_svg_() == program.draw(x, gradients=True).svg != shown
    program.draw(x).save(tmp_path / "graph.svg")
    assert (tmp_path / "graph.svg").read_text() == shown


def test_state(jit_mlir, silero_archive):
    program = jit_mlir.load(silero_archive)
    chunk = torch.zeros(1, 512)
    first = program(chunk, 16000)
    assert program(chunk, 16000) != first
    program.reset()
    assert program(chunk, 16000) == first
    program.reset_states()
    assert program(chunk, 16000) == first


def test_save(jit_mlir, silero_archive, tmp_path):
    from artifacts import Library

    chunks = into_chunks(make_speech(16000)[:16000], 16000)
    program = jit_mlir.load(silero_archive)
    program.save(tmp_path / "libsilero.so", (chunks[:1], 16000), "forward(f32[1,256], 8000)")
    module = Library(tmp_path / "libsilero.so").open()
    for chunk in chunks:
        np.testing.assert_allclose(module.call("forward", chunk[None], 16000)[0], program(chunk[None], 16000), atol=1e-6)


def test_gradients_go_on_in_autograd(jit_mlir):
    gate = Gate()
    program = jit_mlir.compile(gate)
    x, bias = torch.randn(2, 8), torch.randn(8)
    gradients = []
    for call in (program, gate):
        given = [value.clone().requires_grad_() for value in (x, bias)]
        out, (total, y) = call(*given)
        (out.sin().sum() * total + y.square().sum()).backward()
        gradients.append([value.grad for value in given])
    close(*gradients)


def test_a_backward_pass_twice_and_results_unused(jit_mlir):
    program = jit_mlir.compile(Gate())
    x = torch.randn(2, 8, requires_grad=True)
    out = program(x)[0]
    one = torch.autograd.grad(out.sum(), x, retain_graph=True)
    close(torch.autograd.grad(out.sum(), x), one)
    close(one, torch.autograd.grad(Gate()(x)[0].sum(), x))


def test_the_example(installed, tmp_path):
    output = tmp_path / "libmodel.so"
    subprocess.run([sys.executable, ROOT / "examples/python/compile_and_save.py", output], check=True, timeout=300,
                   stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(installed)})
    assert output.exists() and output.with_suffix(".h").exists()


def test_the_readme(installed, tmp_path):
    section = (ROOT / "README.md").read_text().split("## In Python", 1)[1]
    lines = re.search(r"```python\n(.*?)```", section, re.DOTALL).group(1)
    assert "jit_mlir.compile(" in lines and "torch.compile(" in lines
    (tmp_path / "readme.py").write_text(lines)
    subprocess.run([sys.executable, "readme.py"], cwd=tmp_path, check=True, timeout=300, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PYTHONPATH": str(installed)})
    assert (tmp_path / "libmodel.so").exists()


def test_memory_that_must_not_be_written(jit_mlir):
    class Scale(nn.Module):
        def forward(self, x):
            x.mul_(2)
            return x.sum()

    program = jit_mlir.compile(Scale())
    x = np.ones(4, np.float32)
    x.flags.writeable = False
    with pytest.raises(jit_mlir.Error, match="expected memory that may be written") as refused:
        program(x)
    assert refused.value.where == "argument 0" and x.tolist() == [1.0] * 4


@pytest.mark.parametrize("lazily", (torch.conj, lambda x: x.conj().imag), ids=("conjugated", "negated"))
def test_tensors_that_are_changed_lazily(jit_mlir, lazily):
    """PyTorch writes through the mark: a copy's owner would not see it."""
    def scale(x):
        return x.mul_(2) + 1

    def shift(x):
        return x + 1

    def scale_another(x, y):
        return x + y.mul_(2).real

    x = torch.complex(torch.arange(3.0), torch.arange(1.0, 4.0))
    before = x.clone()
    assert lazily(x).is_conj() or lazily(x).is_neg()
    assert torch.equal(jit_mlir.compile(shift)(lazily(x)), shift(lazily(x)))
    with pytest.raises(jit_mlir.Error, match="expected memory that may be written"):
        jit_mlir.compile(scale)(lazily(x))
    with pytest.raises(jit_mlir.Error, match="expected memory that may be written"):
        jit_mlir.compile(scale_another)(lazily(x), x)
    assert torch.equal(x, before)


def test_jax(jit_mlir):
    import jax

    x = jax.numpy.arange(16.0).reshape(2, 8) - 8
    want = Gate()(torch.from_dlpack(x))
    out, (total, y) = jit_mlir.compile(Gate())(x)
    assert all(isinstance(value, jax.Array) for value in (out, total, y))
    np.testing.assert_allclose(out, want[0].detach(), rtol=1e-6)

    def scale(x):
        return x.mul_(2).sum()

    before = np.array(x)
    with pytest.raises(jit_mlir.Error, match="expected memory that may be written"):
        jit_mlir.compile(scale)(x)
    np.testing.assert_array_equal(x, before)
