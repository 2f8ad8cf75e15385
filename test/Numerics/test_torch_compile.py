"""torch.compile with our backend, against eager: training steps, inference, sizes that change, what is left to PyTorch."""

import copy
import os
import subprocess
import sys
import warnings

import architectures
import numpy as np
import pytest
import torch
from conftest import resident_bytes
from torch import nn


def close(got, want):
    torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)


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
def dynamo(jit_mlir):
    from jit_mlir import dynamo

    torch._dynamo.reset()
    dynamo.reset()
    return dynamo


@pytest.fixture
def compiled(dynamo):
    """torch.compile with our backend, by a module's own copy. No graph may break, and none may be left to PyTorch."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="jit_mlir")
        yield lambda module, **options: torch.compile(module, backend=dynamo.backend, fullgraph=True, **options)
    assert dynamo.graphs() and not any(graph.reason for graph in dynamo.graphs()), dynamo.report()


def assert_trains_alike(call, module, arguments, steps=1, dtype=torch.float32):
    """Steps of SGD, from the same random numbers: loss, gradients, parameters and buffers as eager PyTorch's of this type."""
    reference = copy.deepcopy(module).to(dtype)
    run = call(module)
    precise = tuple(argument.to(dtype) if argument.is_floating_point() else argument for argument in arguments)
    made = []
    for forward, trained, arguments in ((run, module, arguments), (reference, reference, precise)):
        torch.manual_seed(1)
        optimizer = torch.optim.SGD(trained.parameters(), lr=0.05)
        losses = []
        for _ in range(steps):
            optimizer.zero_grad()
            result = forward(*arguments)
            loss = (result * torch.randn(result.shape)).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        gradients = {name: parameter.grad.float() for name, parameter in trained.named_parameters() if parameter.grad is not None}
        state = {name: value.float() if value.is_floating_point() else value for name, value in trained.state_dict().items()}
        made.append((torch.stack(losses).float(), gradients, state))
    (got_losses, got, got_state), (want_losses, want, want_state) = made
    close(got_losses, want_losses)
    assert got.keys() == want.keys()
    # Some gradients are zero but for rounding: that of a bias before a norm.
    floor = 1e-6 * max(gradient.abs().max() for gradient in want.values())
    for name, gradient in want.items():
        assert (got[name] - gradient).abs().max() <= 2e-4 * gradient.abs().max() + floor, name
    for name, value in want_state.items():
        torch.testing.assert_close(got_state[name], value, rtol=1e-3, atol=1e-5, msg=lambda text: f"{name}: {text}")


@pytest.mark.parametrize("name", COMPILED)
def test_training(compiled, name):
    make, sizes = COMPILED[name]
    assert_trains_alike(compiled, make(), (torch.randn(sizes),), steps=3)


@pytest.mark.parametrize("name", COMPILED)
def test_inference(compiled, name):
    make, sizes = COMPILED[name]
    module = make().eval()
    x = torch.randn(sizes)
    with torch.no_grad():
        close(compiled(module)(x), module(x))


# ---- what people train ----

QUICK = ["resnet18", "bert"]
ARCHITECTURES = [*QUICK, "mobilenet_v3_small", "vit_b_16", "gpt2"]


def pytest_generate_tests(metafunc):
    if "architecture" in metafunc.fixturenames:
        metafunc.parametrize("architecture", ARCHITECTURES if metafunc.config.getoption("--full") else QUICK)


def test_architecture(compiled, architecture):
    module, arguments = architectures.build(architecture)
    if architecture not in architectures.SMALL_MODELS:
        arguments = (torch.randn(2, *arguments[0].shape[1:]),)  # batch norms want more than one image
    # Eager's own float32 is off by a fiftieth where its rounding moves the argument of one ReLU across zero.
    assert_trains_alike(compiled, module.train(), arguments, dtype=torch.float64)
    module.eval()
    with torch.no_grad():
        want = module(*arguments)
        assert (compiled(module)(*arguments) - want).abs().max() <= 1e-4 * want.abs().max()


# ---- sizes that change ----


@pytest.mark.parametrize("way", ["marked", "automatic", "all"])
def test_sizes_that_change(compiled, dynamo, way):
    module = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Dropout(0.3), nn.Linear(16, 4))
    run = compiled(module, dynamic=True if way == "all" else None)
    for rows in (3, 4, 7, 9):
        made = []
        for call in (run, module):
            torch.manual_seed(rows)
            x = torch.randn(rows, 8, requires_grad=True)
            if way == "marked":
                torch._dynamo.mark_dynamic(x, 0)
            result = call(x)
            result.square().sum().backward()
            made.append((result, x.grad))
        close(*made)
    # Forward and backward; automatic: for the first size, then for any.
    assert len(dynamo.graphs()) == (4 if way == "automatic" else 2)


def test_arithmetic_on_sizes(compiled):
    def function(x):
        return x.reshape(-1, x.shape[0] * 2).sum(-1) * x.shape[1] + x.mean()

    run = compiled(function, dynamic=True)
    for rows in (3, 4, 7):
        x = torch.randn(rows, 8)
        close(run(x), function(x))


# ---- what PyTorch does beside the program ----


def test_random_numbers_are_pytorchs(compiled):
    def function(x):
        return nn.functional.dropout(x, 0.5) + torch.rand_like(x.T).T + torch.randn(3, 4)

    x = torch.randn(3, 4)
    made = []
    for call in (compiled(function), function):
        torch.manual_seed(7)
        made.append((call(x), torch.rand(2)))
    close(*made)


def test_results_have_the_strides_of_eager(compiled):
    def function(x):
        y = x.sin()
        return y, y.t(), y.permute(1, 0)[1:], x.t(), x.unsqueeze(0).expand(2, -1, -1), y + 1

    x = torch.randn(3, 4)
    got, want = compiled(function)(x), function(x)
    close(got, want)
    assert [r.stride() for r in got] == [r.stride() for r in want]
    assert got[3].data_ptr() == x.data_ptr() and got[1].data_ptr() == got[0].data_ptr()


def test_results_that_are_arguments_constants_and_numbers(compiled):
    def function(x, n):
        return x, x.view(-1), None, 3, n + 1, x * n, torch.tensor([1.0, 2.0]), "text"

    x = torch.randn(2, 3)
    got, want = compiled(function)(x, 2), function(x, 2)
    for one, other in zip(got, want):
        close(one, other) if isinstance(other, torch.Tensor) else None
        assert isinstance(other, torch.Tensor) or one == other
    assert got[0] is x


def test_arguments_and_buffers_that_are_written(compiled):
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x, out):
            self.count += 1
            out[1:].copy_(x[1:])
            x.mul_(self.count)
            return x.sum()

    one, other = Counter(), Counter()
    run = compiled(one)
    for _ in range(2):
        made = []
        for call, module in ((run, one), (other, other)):
            x, out = torch.arange(6.0).view(3, 2).T, torch.zeros(2, 3)
            made.append((call(x, out), x, out, module.count.clone()))
        close(*made)


def test_strided_arguments_and_element_types(compiled):
    def function(x, mask, ids):
        return torch.where(mask, x, 0).double(), ids.bool(), x.half().sum(1), ids.to(torch.int32) * 2, mask.logical_not()

    arguments = torch.randn(4, 6)[:, ::2], torch.rand(4, 3) > 0.5, torch.arange(4)
    got, want = compiled(function)(*arguments), function(*arguments)
    torch.testing.assert_close(got, want, rtol=1e-3, atol=1e-3)


def test_what_is_written_to_arguments(compiled):
    """By the program, where it computes it; views of arguments, copies between them and results that are arguments by PyTorch."""
    def function(x, y, z):
        y.t().mul_(2)
        y[1:].add_(1)
        x.add_(y[0].sum())
        z.copy_(x)
        return y.sum(), y.t()

    def arguments():
        return torch.ones(3), torch.arange(8.0).reshape(4, 2).t(), torch.zeros(3)

    given, other, call = arguments(), arguments(), compiled(function)
    with torch.no_grad():
        for _ in range(2):
            version = given[1]._version
            got, want = call(*given), function(*other)
            close((got, given), (want, other))
            assert got[1].data_ptr() == given[1].data_ptr() and given[1]._version > version


def test_caches_are_written_where_they_lie(compiled):
    """Of a gigabyte, most of which nobody has touched, a call touches what it writes."""
    def step(cache, row):
        cache[5] = row
        return cache[5] + cache[0]

    cache, row, call = torch.from_numpy(np.zeros((4000000, 64), np.float32)), torch.ones(64), compiled(step)
    with torch.no_grad():
        call(cache, row)
        before = resident_bytes()
        close(call(cache, row * 2), row * 2)
    assert resident_bytes() - before < 100 << 20


def test_training_with_a_cache(compiled):
    class Cache(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("kept", torch.zeros(8, 4))
            self.scale = nn.Parameter(torch.ones(4))

        def forward(self, x, at: int):
            self.kept[at] = x
            return (self.kept[:at + 1] * self.scale).sum(0)

    one, other = Cache(), Cache()
    call = compiled(one)
    for at in (3, 4):
        for module, run in ((one, call), (other, other)):
            module.scale.grad = None
            run(torch.ones(4) * at, at).sum().backward()
        close((one.kept, one.scale.grad), (other.kept, other.scale.grad))


def test_what_the_backward_pass_needs_of_what_is_written(compiled):
    """It computes some of the forward pass again, from what arguments were then."""
    class Sine(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("angles", torch.linspace(0.1, 1, 4))
            self.scale = nn.Parameter(torch.ones(4))

        def forward(self, x):
            y = torch.sin(self.angles) * self.scale * x + (self.angles.clone() * x).exp()
            self.angles.add_(1)
            return y

    one, other = Sine(), Sine()
    call = compiled(one)
    for _ in range(2):
        made = []
        for module, run in ((one, call), (other, other)):
            x = torch.linspace(0.5, 2, 4).requires_grad_()
            module.scale.grad = None
            y = run(x)
            y.sum().backward()
            made.append((y.detach(), x.grad, module.scale.grad, module.angles))
        close(*made)


@pytest.mark.parametrize("lazily", (torch.conj, lambda x: x.conj().imag), ids=("conjugated", "negated"))
def test_tensors_that_are_changed_lazily(compiled, lazily):
    """Their memory holds other elements than they show."""
    def function(x):
        return x.mul_(2) + 1

    x, other = (torch.complex(torch.arange(3.0), torch.arange(1.0, 4.0)) for _ in range(2))
    close(compiled(function)(lazily(x)), function(lazily(other)))
    close(x, other)

    def square(x):
        return x * x.abs()

    values, seed = (torch.complex(torch.rand(3), torch.rand(3)) for _ in range(2))
    grads = []
    for call in (compiled(square), square):
        given = lazily(values).detach().requires_grad_()
        call(given).backward(lazily(seed))
        grads.append(given.grad)
    close(*grads)


def test_nothing_to_compute(compiled):
    def function(x):
        return x.t(), x.view(-1)

    x = torch.randn(2, 3, requires_grad=True)
    close(compiled(function)(x), function(x))


def test_branches_of_cond(compiled):
    def function(x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos() * 2, (x,))

    run = compiled(function)
    for x in (torch.ones(3), -torch.ones(3)):
        with torch.no_grad():
            close(run(x), function(x))


# ---- what is left to PyTorch ----


def test_what_we_cannot_do_is_left_to_pytorch_with_a_reason(dynamo):
    def function(x):
        return torch.hash_tensor(x @ x.T).view(torch.int64)

    x = torch.randn(4, 4)
    with pytest.warns(UserWarning, match="left to PyTorch: .*aten::hash_tensor"):
        got = torch.compile(function, backend=dynamo.backend)(x)
    close(got, function(x))
    (graph,) = dynamo.graphs()
    assert graph.kind == "inference" and "aten::hash_tensor" in graph.reason and graph.reason in dynamo.report()


@torch.library.custom_op("jit_test::sine", mutates_args=())
def sine(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


sine.register_fake(torch.empty_like)
sine.register_autograd(lambda ctx, grad: grad * ctx.saved_tensors[0].cos(),
                       setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))


def test_forward_and_backward_are_left_apart(dynamo):
    def function(x):
        return sine(x).mul(2)

    made = []
    with pytest.warns(UserWarning, match="left to PyTorch"):
        for call in (torch.compile(function, backend=dynamo.backend), function):
            x = (torch.eye(3) * 2 + torch.arange(9.0).view(3, 3) / 20).requires_grad_()
            result = call(x)
            result.sum().backward()
            made.append((result, x.grad))
    close(*made)
    assert [(graph.kind, bool(graph.reason)) for graph in dynamo.graphs()] == [("forward", True), ("backward", False)]


@pytest.mark.parametrize("function, arguments, reason", [
    (lambda x: torch.multinomial(x, 2), (torch.tensor([0.0, 1.0, 1.0]),), "on sizes alone, got aten::multinomial"),
    (lambda x: x.float(), (torch.ones(2, dtype=torch.float8_e8m0fnu),), "expected tensors of .*, got one of torch.float8_e8m0fnu"),
])
def test_reasons(dynamo, function, arguments, reason):
    with pytest.warns(UserWarning, match=reason):
        torch.manual_seed(0)
        got = torch.compile(function, backend=dynamo.backend)(*arguments)
    torch.manual_seed(0)
    close(got, function(*arguments))


def test_options(dynamo):
    x = torch.randn(3)
    close(torch.compile(torch.sin, backend=dynamo.backend, options={"threads": 2})(x), x.sin())
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="expected the options 'threads' and 'tier'"):
        torch.compile(torch.cos, backend=dynamo.backend, options={"speed": 2})(x)


# ---- in processes of their own ----


def run_python(installed, *arguments):
    subprocess.run([sys.executable, *map(str, arguments)], check=True, timeout=300,
                   env={**os.environ, "PYTHONPATH": str(installed)})


def test_the_backend_is_found_by_its_name(installed):
    run_python(installed, "-c", """
import torch
f = torch.compile(lambda x: x.sin() + 1, backend="jit_mlir")
x = torch.ones(3)
assert torch.allclose(f(x), x.sin() + 1)
from jit_mlir import dynamo
assert [graph.reason for graph in dynamo.graphs()] == [""]
""")


DISTRIBUTED = """
import sys, torch, torch.distributed as dist, torch.multiprocessing as mp
from torch import nn

class Net(nn.Module):  # Dynamo compiles no frame of torch.nn's own, such as that of Sequential
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)

def work(rank, port, out):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    torch.manual_seed(0)
    module = Net()
    run = torch.compile(nn.parallel.DistributedDataParallel(module), backend="jit_mlir", dynamic=False)
    torch.manual_seed(rank)
    run(torch.randn(6, 4)).square().mean().backward()
    torch.save([p.grad for p in module.parameters()], f"{out}.{rank}")
    from jit_mlir import dynamo
    assert dynamo.graphs() and not any(graph.reason for graph in dynamo.graphs()), dynamo.report()
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
    run_python(installed, script, port, tmp_path / "grads")
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    losses = []
    for rank in range(2):
        torch.manual_seed(rank)
        losses.append(module(torch.randn(6, 4)).square().mean())
    (sum(losses) / 2).backward()
    for rank in range(2):
        close(torch.load(tmp_path / f"grads.{rank}"), [p.grad for p in module.parameters()])
