"""The GPU's kernels, run by the emulation on this machine's CPU, against PyTorch: the same kernels and the same plan, all but
the driver. Each case says which kernels it is about, so that a change of mapping does not silently take a test away.
With JIT_GPU_TARGET=cuda they run on a GPU, or by the PTX machine and the stand-in driver of unittests/ (scripts/gpu-check)."""

import ctypes
import importlib.util
import os
import re

import numpy as np
import pytest
import torch
from torch import nn

import architectures
import models
from conftest import tool
from machine_code import compile_to_ptx, spilled_bytes
from test_training import Classifier

GPU = os.environ.get("JIT_GPU_TARGET", "cuda-emulation")


def capability():
    """The first GPU's, by the driver; None without one."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    parts = [ctypes.c_int(), ctypes.c_int()]
    # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
    is_known = driver.cuInit(0) == 0 and all(driver.cuDeviceGetAttribute(ctypes.byref(p), 75 + i, 0) == 0 for i, p in enumerate(parts))
    return tuple(part.value for part in parts) if is_known else None


needs_sm_90 = pytest.mark.skipif(GPU == "cuda" and capability() != (9, 0), reason="needs a GPU of capability 9.0")


def assert_assembles(lowered, folder, chips):
    """NVIDIA's assembler takes the kernels of a program on tensors, and none needs more registers than there are."""
    for chip in chips:
        kernels = spilled_bytes(compile_to_ptx(lowered, chip, folder), chip)
        assert not any(kernels.values()), kernels


@pytest.fixture
def on_gpu(saved, jit_run, tmp_path):
    """Runs a module both ways; `kernels` are the kinds that its lowered form must have, `found` those that the last one had. Gives
    jit-run's Outcome."""

    def check(module, *arguments, kernels=(), only=None, rtol=None, atol=None, chip=None):
        archive, reference = saved(module)
        dump = tmp_path / "ir"
        got = jit_run(archive, *arguments, flags=[f"--dump-ir={dump}", *([f"--chip={chip}"] if chip else [])], target=GPU)
        with torch.no_grad():
            expected = reference(*[a.clone() if isinstance(a, torch.Tensor) else a for a in arguments])
        got.assert_close(expected, rtol=rtol, atol=atol)
        lowered = next(dump.glob("forward-0/*codegen.mlir")).read_text()
        check.names = set(re.findall(r"@forward(?:_init)?_[a-z]+_\d+", lowered))
        found = {name.split("_")[-2] for name in check.names}
        if tool("jit-translate", must_exist=False).exists():
            assert_assembles(next(dump.glob("forward-0/*lower.mlir")), tmp_path, [chip] if chip else ["sm_80", "sm_90"])
        assert set(kernels) <= found, f"expected kernels {kernels}, got {sorted(found)}"
        assert only is None or found == set(only), f"expected kernels {only} alone, got {sorted(found)}"
        check.found = found
        return got

    return check


class Gelu(nn.Module):
    def forward(self, x, bias, scale: float):
        return torch.nn.functional.gelu(x * scale + bias), torch.sigmoid(x) * torch.tanh(x), (x > bias) & (x < 1)


@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (64, 1024), (33, 130), (2, 3, 4, 8), (1000, 999)])
def test_pointwise(on_gpu, shape):
    on_gpu(Gelu(), torch.randn(shape), torch.randn(shape[-1]), 0.5, kernels=["pointwise"])


class Copy(nn.Module):
    """No kernel at all."""

    def forward(self, x):
        return x.clone()


class Broadcasts(nn.Module):
    def forward(self, x, row, column, number):
        return (x + row) * column - number, x.transpose(0, 1) + column.squeeze(1), x[1:, ::2] * 2


def test_broadcasts_and_views(on_gpu):
    on_gpu(Broadcasts(), torch.randn(48, 72), torch.randn(72), torch.randn(48, 1), torch.tensor(2.5), kernels=["pointwise"])


class Pieces(nn.Module):
    def forward(self, x, y):
        a, b, c = (x + 1).chunk(3, 1)
        return torch.cat([a * b, torch.tanh(y), c - y], 1), torch.stack([a, b])


def test_concatenation_and_chunks(on_gpu):
    on_gpu(Pieces(), torch.randn(20, 96), torch.randn(20, 32), kernels=["pointwise"], only=["pointwise"])


class Types(nn.Module):
    def forward(self, x):
        return x.double() * 2, x.half() + 1, x.to(torch.int64) // 3, x.to(torch.uint8), (x > 50).float(), x.to(torch.bfloat16).float()


def test_element_types(on_gpu):
    on_gpu(Types(), torch.rand(40, 36) * 100, kernels=["pointwise"], rtol=1e-2)


class Powers(nn.Module):
    def forward(self, x, n):
        return torch.pow(x, n), torch.pow(2, n.abs())


def test_integer_powers(on_gpu):
    on_gpu(Powers(), torch.arange(-6, 6), torch.tensor([5, 3, 0, 1, -1, -2, -3, 2, 7, 9, 4, 3]), kernels=["pointwise"])


@pytest.mark.parametrize("policy", ["broadcast", "all", "none"])
def test_nc_policies_compute_the_same(saved, jit_run, policy):
    archive, _ = saved(Gelu())
    x, bias = torch.randn(64, 32), torch.randn(32)
    runs = [jit_run(archive, x, bias, 0.5, flags=[f"--gpu-nc-loads={p}"], target=GPU) for p in (policy, "none")]
    for run in runs:
        run.assert_ok()
    for one, other in zip(runs[0].outputs, runs[1].outputs):
        np.testing.assert_array_equal(one, other)


class Reductions(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        d = self.dim
        return (x.sum(d), x.mean(d), x.amax(d), x.argmin(d), x.var(d), (x > 0).all(d), x.double().prod(d),
                x.to(torch.int64).sum(d))


# Short rows, a warp's rows, a block's rows, rows that the number of threads does not divide.
@pytest.mark.parametrize("dim,shape", [(1, (5, 3)), (1, (50, 40)), (1, (6, 3000)), (1, (7, 1025)), (0, (3000, 6)), (0, (40, 5000)),
                                       (-1, (2, 3, 100))])
def test_reductions(on_gpu, dim, shape):
    kernels = {(50, 40): ["rows"], (6, 3000): ["rows"], (3000, 6): ["pieces", "joined"]}
    on_gpu(Reductions(dim), torch.randn(shape), kernels=kernels.get(shape, []))


class Norms(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.LayerNorm(width)
        self.batch = nn.BatchNorm1d(width)
        nn.init.normal_(self.layer.weight), nn.init.normal_(self.layer.bias)
        nn.init.normal_(self.batch.running_mean)

    def forward(self, x):
        return self.layer(x), self.batch(x), torch.softmax(x, -1), torch.log_softmax(x, 0)


@pytest.mark.parametrize("shape", [(4, 17), (30, 100), (9, 2000)])
def test_norms_and_softmax(on_gpu, shape):
    on_gpu(Norms(shape[1]), torch.randn(shape), kernels=["rows", "pointwise"])


class Softmax(nn.Module):
    def forward(self, x):
        return torch.softmax(x * 2 + 1, -1)


class LayerNorm(nn.Module):
    """With what is often around it."""

    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.norm.weight), nn.init.normal_(self.norm.bias)

    def forward(self, x, residual):
        total = x + residual
        return total, torch.nn.functional.gelu(self.norm(total))


# Several rows in a warp, one in a warp, one in a block; as many columns as threads have, and fewer; no row is left over.
@pytest.mark.parametrize("shape", [(5, 3), (7, 12), (3, 5, 32), (33, 100), (2, 3, 513), (3, 1024), (2, 5000)])
def test_rows_are_one_kernel(on_gpu, shape):
    for module, arguments in ((Softmax(), 1), (LayerNorm(shape[-1]), 2)):
        on_gpu(module, *(torch.randn(shape) for _ in range(arguments)), kernels=["rows"], only=["rows"])


def test_rows_of_halves(on_gpu):
    x = torch.randn(9, 264).half()
    on_gpu(Softmax(), x, kernels=["rows"], only=["rows"], rtol=2e-3, atol=1e-4)


class SumsOfGradients(nn.Module):
    """What the backward pass of x * b + c is for b of one row and c of one column."""

    def forward(self, g, x):
        return (g * x).sum_to_size(1, g.size(1)), g.sum_to_size(g.size(0), 1), (g * x).sum()


@pytest.mark.parametrize("shape", [(300, 40), (2100, 17), (130, 129)])
def test_sums_over_broadcast_dimensions(on_gpu, shape):
    on_gpu(SumsOfGradients(), torch.randn(shape), torch.randn(shape), kernels=["pieces", "joined"], rtol=1e-3, atol=1e-3)


def test_sums_are_the_same_twice(saved, jit_run):
    archive, _ = saved(Reductions(1))
    x = torch.randn(16, 5000)
    one, two = (jit_run(archive, x, target=GPU) for _ in range(2))
    for a, b in zip(one.outputs, two.outputs):
        np.testing.assert_array_equal(a, b)


class Flipped(nn.Module):
    def forward(self, x):
        y = x.mean(0).flip(0).reshape(-1)
        y -= x[1]
        return y


def test_what_a_body_loads_is_not_moved_before_what_writes_it(on_gpu):
    on_gpu(Flipped(), torch.arange(1.0, 5.0))
    on_gpu(Flipped(), torch.randn(40, 64))


class Chosen(nn.Module):
    """Branches on data that give memory: an argument's, one that was changed since, one of their own, one twice."""

    def forward(self, x, y):
        t = x
        if bool(x.sum() > 0):
            y = x.clamp(min=0.5)
        else:
            t = y
        both = [t, t] if bool(y.sum() > 1) else [y, x]
        z = x.clone()
        z.sin_()
        return t, y, both, z


@pytest.mark.parametrize("sign", [1, -1])
def test_branches_that_give_memory(on_gpu, sign):
    on_gpu(Chosen(), torch.rand(3, 4) * sign, torch.randn(3, 4))


class Written(nn.Module):
    def forward(self, x, y):
        t = x
        if bool(t.sum() > 0):
            pass
        else:
            t = y
        x.sin_()
        return t + 0


def test_branches_that_give_what_is_written_later(on_gpu):
    on_gpu(Written(), torch.rand(1, 4), torch.rand(1, 4))


class ManySums(nn.Module):
    def forward(self, x):
        return torch.stack([x[i].tanh().sum() for i in range(150)])


def test_kernels_have_no_more_results_than_fit(on_gpu):
    """Sums of one tensor that stand beside each other are a kernel, of 64 buffers at most."""
    x = torch.randn(150, 4)
    on_gpu(torch.jit.trace(ManySums(), x), x, kernels=["rows"])
    assert sum("_rows_" in name for name in on_gpu.names) == 3


class Windows(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 24, 3, padding=1, stride=2)
        self.grouped = nn.Conv2d(24, 24, 3, groups=24)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        return self.pool(torch.relu(self.grouped(torch.relu(self.conv(x)))))


def test_convolution_and_pooling(on_gpu):
    on_gpu(Windows(), torch.randn(2, 3, 20, 22), kernels=["product", "elements"])


class Indexing(nn.Module):
    def forward(self, x, index):
        wide = index[:, None].expand(-1, x.size(1))
        return x[index], torch.gather(x, 0, wide), x.scatter(0, wide, x[:4] * 2), torch.sort(x, dim=1)[0], x.argmax(1)


def test_indexing(on_gpu):
    on_gpu(Indexing(), torch.randn(10, 12), torch.tensor([3, 1, 9, 0]))


class DataDependent(nn.Module):
    def forward(self, x):
        count = 0
        while bool(x.sum() < 100):
            x = x + x.abs() * 0.5 + 1
            count += 1
        if bool(x[0, 0] > 3):
            x = x * 2
        else:
            x = x - 1
        return x, count, float(x.max())


@pytest.mark.parametrize("first", [-50.0, 50.0])
def test_control_flow_on_data(on_gpu, first):
    x = torch.randn(4, 4)
    x[0, 0] = first
    on_gpu(DataDependent(), x)


class Raising(nn.Module):
    def forward(self, x):
        if bool(x.max() > 3):
            raise ValueError("expected small numbers")
        return x * 2


def test_exceptions_on_data(saved, jit_run):
    archive, _ = saved(Raising())
    jit_run(archive, torch.ones(4), target=GPU).assert_ok()
    jit_run(archive, torch.ones(4) * 5, target=GPU).assert_fails_with("ValueError", "expected small numbers")


def test_lstm_in_a_loop(on_gpu):
    on_gpu(models.LoopedLstm(64, 48), torch.randn(20, 3, 64), None)


def test_recurrent_layer(on_gpu):
    lstm = torch.jit.trace(nn.LSTM(24, 20), (torch.randn(7, 2, 24),))
    on_gpu(lstm, torch.randn(7, 2, 24))


def test_weights_are_prepared_once(on_gpu):
    on_gpu(models.ThreeBlocks(), torch.randn(2, 3, 28, 28))


def test_alexnet(on_gpu):
    on_gpu(models.traced_alexnet(), torch.randn(1, 3, 224, 224), rtol=1e-3, atol=1e-4)


def test_speech_detector(silero_archive, jit_run):
    """State is carried from call to call."""
    rows = np.random.randn(4, 512).astype(np.float32) * 0.1
    host, device = (jit_run(silero_archive, 16000, repeat_over=rows, target=target) for target in ("cpu", GPU))
    host.assert_ok(), device.assert_ok()
    np.testing.assert_allclose(device.outputs[0], host.outputs[0], rtol=1e-4, atol=1e-6)


def test_gradients(saved, jit_run):
    archive, _ = saved(nn.Sequential(nn.Linear(100, 40), nn.LayerNorm(40), nn.ReLU()))
    x = torch.randn(30, 100, requires_grad=True)
    host, device = (jit_run(archive, x, flags=["--grad"], target=target) for target in ("cpu", GPU))
    host.assert_ok(), device.assert_ok()
    np.testing.assert_allclose(device.gradient(0), host.gradient(0), rtol=1e-3, atol=1e-5)


def test_training_step(saved, jit_run):
    """Convolutions, batch norms, sums over batches, Adam: the losses of two steps."""
    archive, _ = saved(torch.jit.script(Classifier().train()))
    batch = torch.randn(6, 3, 12, 12), torch.randint(0, 10, (6,))
    losses = []
    for target in ("cpu", GPU):
        outcome = jit_run(archive, *batch, flags=["--train=2", "--optimizer=adam"], target=target)
        outcome.assert_ok()
        losses.append(outcome.losses)
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)
    assert losses[0][1] < losses[0][0]


@pytest.mark.skipif(not all(importlib.util.find_spec(name) for name in ("transformers", "torchvision")),
                    reason="needs transformers and torchvision")
def test_bert(on_gpu):
    architectures.torchvision()  # transformers looks for it
    module, arguments = architectures.bert()
    traced = torch.jit.trace(module.eval(), arguments, check_trace=False, strict=False)
    on_gpu(traced, *arguments, kernels=["rows", "product"], rtol=1e-3, atol=1e-4)


def test_without_a_driver(saved, jit_run):
    """A machine without a GPU gets a message, not a program that does not start."""
    try:
        import ctypes

        ctypes.CDLL("libcuda.so.1")
        pytest.skip("this machine has a CUDA driver")
    except OSError:
        pass
    message = "expected a CUDA driver (libcuda.so.1), got none on this machine"
    jit_run(saved(Gelu())[0], torch.randn(4), torch.randn(4), 0.5, target="cuda").assert_fails_with(message)
    jit_run(saved(Copy())[0], torch.randn(4), target="cuda").assert_fails_with(message)
