"""The Python package as its users have it: installed by pip, called with arrays of torch and numpy, under torch.compile."""

import os
import pathlib
import subprocess
import sys
import warnings
from typing import List, Optional

import numpy as np
import pytest
import torch
from conftest import ROOT
from make_speech import into_chunks, make_speech
from models import AlexNet
from torch import nn


@pytest.fixture(scope="module")
def jit_mlir(installed):
    sys.path.insert(0, str(installed))
    import jit_mlir

    return jit_mlir


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


def test_it_is_typed(installed):
    assert (installed / "jit_mlir" / "py.typed").exists() and (installed / "jit_mlir" / "_core.pyi").exists()


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
    for x in (torch.ones(4), torch.ones(4, 2)[:, 0]):
        assert program(x) == 8 and x.tolist() == [2.0] * 4


def test_errors_are_typed(jit_mlir, tmp_path):
    program = jit_mlir.compile(Gate())
    with pytest.raises(jit_mlir.Error, match="expected 8 channels") as raised:
        program(torch.randn(2, 7))
    assert raised.value.kind == "raised" and raised.value.python_class == "builtins.ValueError"
    for wrong in (object(), torch.randn(2, 8).to(torch.complex64), {"x": 1}):
        with pytest.raises(jit_mlir.Error) as refused:
            program(wrong)
        assert refused.value.kind == "invalid argument"
    with pytest.raises(jit_mlir.Error) as missing:
        jit_mlir.load(tmp_path / "nothing.pt")
    assert "nothing.pt" in str(missing.value)
    with pytest.raises(AttributeError, match="forward"):
        program.backward


def test_a_function_is_traced(jit_mlir):
    def distance(a, b):
        return (a - b).square().sum(-1).sqrt()

    a, b = torch.randn(3, 5), torch.randn(3, 5)
    close(jit_mlir.compile(distance, (a, b))(a, b), distance(a, b))
    with pytest.raises(TypeError, match="example_inputs"):
        jit_mlir.compile(distance)


def test_seeing_what_a_call_runs(jit_mlir):
    program = jit_mlir.compile(Gate())
    x = torch.randn(2, 8)
    graph = program.graph_for(x)
    assert "jit.group" in graph and "jit.tensor<[2,8],f32>" in graph and "scf.if" not in graph
    program(x)
    assert "fuse:" in program.report()
    assert program.methods == ["forward(x: !jit.tensor, bias: !jit.optional<!jit.tensor> = default)"]


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


class Block(nn.Module):
    """Attention and a perceptron, as in every transformer."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm2(x))


class Residual(nn.Module):
    """Convolutions and batch norms around a shortcut, then a classifier."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(8), nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.norm1(self.conv1(x)))
        x = torch.relu(x + self.norm2(self.conv2(x)))
        return self.head(torch.flatten(nn.functional.adaptive_avg_pool2d(x, 1), 1))


COMPILED = {
    "perceptron": (lambda: nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4)), (5, 8)),
    "transformer": (Block, (2, 6, 32)),
    "residual": (Residual, (4, 3, 8, 8)),
}


@pytest.fixture
def compiled(jit_mlir):
    """torch.compile with our backend, by a module's own copy; a graph that is left to PyTorch is an error."""
    from jit_mlir import dynamo

    torch._dynamo.reset()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="jit_mlir")
        yield lambda module: torch.compile(module, backend=dynamo.backend, dynamic=False)


@pytest.mark.parametrize("name", COMPILED)
def test_torch_compile_trains_as_eager_does(compiled, name):
    make, sizes = COMPILED[name]
    torch.manual_seed(1)
    module, reference = make(), make()
    reference.load_state_dict(module.state_dict())
    run = compiled(module)
    one, other = (torch.optim.SGD(m.parameters(), lr=0.05) for m in (module, reference))
    for step in range(3):
        x = torch.randn(sizes)
        for optimizer, call in ((one, run), (other, reference)):
            optimizer.zero_grad()
            call(x).square().mean().backward()
            optimizer.step()
    for (key, got), want in zip(module.state_dict().items(), reference.state_dict().values()):
        torch.testing.assert_close(got, want, rtol=1e-3, atol=1e-5, msg=lambda text: f"{key}: {text}")


@pytest.mark.parametrize("name", COMPILED)
def test_torch_compile_infers_as_eager_does(compiled, name):
    make, sizes = COMPILED[name]
    module = make().eval()
    x = torch.randn(sizes)
    with torch.no_grad():
        close(compiled(module)(x), module(x))


def test_the_backend_is_found_by_its_name(installed):
    code = "import torch; f = torch.compile(lambda x: x.sin() + 1, backend='jit_mlir'); x = torch.ones(3); assert torch.allclose(f(x), x.sin() + 1)"
    subprocess.run([sys.executable, "-W", "error::UserWarning:jit_mlir", "-c", code], check=True, timeout=300,
                   env={**os.environ, "PYTHONPATH": str(installed)})


def test_what_we_cannot_do_is_left_to_pytorch_with_a_reason(jit_mlir):
    from jit_mlir import dynamo

    torch._dynamo.reset()
    function = torch.compile(lambda x: torch.linalg.eigvalsh(x @ x.T) + 1, backend=dynamo.backend)
    x = torch.randn(4, 4)
    with pytest.warns(UserWarning, match="left to PyTorch: .*linalg"):
        got = function(x)
    close(got, torch.linalg.eigvalsh(x @ x.T) + 1)


DISTRIBUTED = """
import sys, torch, torch.distributed as dist, torch.multiprocessing as mp
from torch import nn

def work(rank, port, out):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    run = torch.compile(nn.parallel.DistributedDataParallel(module), backend="jit_mlir", dynamic=False)
    torch.manual_seed(rank)
    run(torch.randn(6, 4)).square().mean().backward()
    torch.save([p.grad for p in module.parameters()], f"{out}.{rank}")
    dist.destroy_process_group()

if __name__ == "__main__":
    mp.spawn(work, (int(sys.argv[1]), sys.argv[2]), nprocs=2)
"""


def test_distributed_data_parallel(installed, tmp_path):
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = tmp_path / "work.py"
    script.write_text(DISTRIBUTED)
    subprocess.run([sys.executable, "-W", "error:jit_mlir", script, str(port), tmp_path / "grads"], check=True, timeout=300,
                   env={**os.environ, "PYTHONPATH": str(installed)})
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    losses = []
    for rank in range(2):
        torch.manual_seed(rank)
        losses.append(module(torch.randn(6, 4)).square().mean())
    (sum(losses) / 2).backward()
    for rank in range(2):
        close(torch.load(tmp_path / f"grads.{rank}"), [p.grad for p in module.parameters()])


def test_the_example(installed, tmp_path):
    output = tmp_path / "libmodel.so"
    subprocess.run([sys.executable, ROOT / "examples/python/compile_and_save.py", output], check=True, timeout=300,
                   stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(installed)})
    assert output.exists() and output.with_suffix(".h").exists()
