"""Regions of automatic precision: the casts of eager PyTorch, whatever TorchScript's own pass does."""

import os
import re
import typing
import warnings
from typing import List

import opinfo
import pytest
import torch
from conftest import ROOT
from torch import nn

x32 = torch.linspace(-1, 1, 12).reshape(3, 4)


def seen(tensors: list[torch.Tensor]):
    """Tensors as files can hold them, and which of them are of either half."""
    values = [tensor.to(torch.float64 if tensor.dtype == torch.float64 else torch.float32) for tensor in tensors]
    return values, [(tensor.dtype == torch.bfloat16, tensor.dtype == torch.float16) for tensor in tensors]


class Products(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 5)
        self.conv = nn.Conv1d(1, 2, 3, padding=1)


class OfBFloat16(Products):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
            z = self.conv(y.unsqueeze(1))
            w = torch.nn.functional.mse_loss(z, torch.zeros_like(z))
        return seen([y, z, w, torch.mm(x.t(), x)])


class OfHalf(Products):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            y = self.linear(x)
            z = torch.cat([y, x], 1)
            w = torch.softmax(y, 1)
            d = torch.cdist(y, y)
        return seen([y, z, w, d])


class Nested(Products):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
            with torch.autocast("cpu", enabled=False):
                z = torch.mm(y.float().t(), x)
            with torch.autocast("cpu", dtype=torch.float16):
                v = torch.mm(x.t(), x)
            w = torch.mm(z, x.t())
        return seen([y, z, v, w])


def product(x, y):
    return torch.matmul(x, y)


class Called(Products):
    """The region reaches into what is called."""

    def forward(self, x):
        y = product(x, x.t())
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = product(x, x.t())
        return seen([y, z])


class InLoop(Products):
    def forward(self, x, n: int):
        y = x
        for i in range(n):
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=i > 0):
                y = torch.mm(y, x.t()).float() @ x
        return seen([y])


class InWhile(Products):
    def forward(self, x):
        y = x
        while bool(y.abs().sum() > 0.5):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = torch.mm(y, x.t()).float() @ x * 0.1
        return seen([y])


class InBranch(Products):
    def forward(self, x):
        y = torch.mm(x, x.t())
        if bool(x.sum() > 100):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = torch.mm(x, x.t()).float()
        else:
            with torch.autocast("cpu", dtype=torch.float16):
                y = torch.mm(x, x.t()).float() * 2
        return seen([y])


class ByFlag(Products):
    def forward(self, x, amp: bool):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp):
            return seen([self.linear(x), torch.mm(x, x.t())])


class OtherDevice(Products):
    """A region for tensors elsewhere changes nothing."""

    def forward(self, x):
        with torch.autocast("cuda", dtype=torch.float16):
            return seen([torch.mm(x, x.t()), torch.exp(x.half())])


class OtherType(Products):
    """On the CPU a region of any other type is none."""

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.float64):
            return seen([torch.mm(x, x.t())])


class WhatIsCast(Products):
    """Neither doubles nor integers are, and tensors without dimensions are."""

    def forward(self, x):
        d = x.double()
        n = (x * 10).long()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return seen([torch.mm(d, d.t()), torch.mm(n, n.t()), torch.prelu(x, torch.tensor(0.1)), torch.prod(x.to(torch.bfloat16))])


class InPlace(Products):
    """What writes to a tensor that was there knows nothing of autocast."""

    def forward(self, x):
        y = torch.zeros(3, 3)
        z = torch.ones(3, 3)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            torch.mm(x, x.t(), out=y)
            z.addmm_(x, x.t())
            z[0] = torch.mm(x, x.t())[0]
        return seen([y, z])


class Optional(Products):
    def __init__(self):
        super().__init__()
        self.plain = nn.Linear(4, 5, bias=False)

    def forward(self, x, bias: torch.Tensor | None):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return seen([self.plain(x), torch.nn.functional.linear(x, self.linear.weight, bias)])


class Parts(Products):
    """What is made of products, where PyTorch makes it."""

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            a = torch.einsum("ij,kj->ik", x, x)
            b = torch.einsum("i,j->ij", x[0], x[1])
            c = torch.einsum("ij,ij->ij", x, x)
            d = torch.tensordot(x, x, [[1], [1]])
            e = torch.inner(x, x)
            f = torch.linalg.multi_dot([x, x.t(), x])
            g = torch.chain_matmul(x, x.t(), x)
            h = torch.matrix_power(x @ x.t(), 3)
            k = torch.mv(x, x[0])
            m = torch.dot(x[0], x[1])
        return seen([a, b, c, d, e, f, g, h, k, m])


class Statistics(Products):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return seen([torch.cov(x), torch.corrcoef(x)])


class Lists(Products):
    def forward(self, x):
        parts: list[torch.Tensor] = []
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for i in range(3):
                parts.append(torch.mm(x, x.t()) * i)
            a = torch.stack(parts)
            b = torch.cat([parts[0], x], 1)
        return seen([a, b])


class Attention(Products):
    def forward(self, x):
        q = x.view(1, 1, 3, 4)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return seen([torch.nn.functional.scaled_dot_product_attention(q, q, q)])


class Asks(Products):
    def forward(self, x):
        a = torch.is_autocast_cpu_enabled()
        with torch.autocast("cpu", dtype=torch.float16):
            b = torch.is_autocast_cpu_enabled()
            c = torch.is_autocast_enabled()
            d = torch.get_autocast_dtype("cpu")
            with torch.autocast("cpu", enabled=False):
                e = torch.is_autocast_cpu_enabled()
        return a, b, c, d == torch.float16, e, torch.get_autocast_dtype("cpu") == torch.bfloat16


class OldName(Products):
    def forward(self, x):
        with torch.cpu.amp.autocast(dtype=torch.bfloat16):
            return seen([self.linear(x)])


class Recurrent(Products):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, batch_first=True)
        self.rnn = nn.RNN(4, 5)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y, (h, c) = self.lstm(x.unsqueeze(0))
            z, r = self.rnn(x)
        return seen([y, h, c, z, r])


class Cells(Products):
    """Products are cast; a state that is combined with them by elements stays what it is."""

    def __init__(self):
        super().__init__()
        self.gru, self.lstm, self.tanh = nn.GRUCell(4, 5), nn.LSTMCell(4, 5), nn.RNNCell(4, 5)
        self.relu = nn.RNNCell(4, 5, nonlinearity="relu", bias=False)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            results = [self.gru(x), self.tanh(x), self.relu(x)]
            h, c = self.lstm(x)
            results += [h, c]
            half = torch.mm(x, torch.eye(4))
            h, c = self.lstm(half)
            results += [self.gru(half), self.tanh(half), h, c, self.gru(half, torch.ones(3, 5))]
        return seen(results)


class Gated(Products):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5, num_layers=2, bidirectional=True)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            y, h = self.gru(x)
            z, k = self.gru(torch.mm(x, torch.eye(4)))
            w, m = self.gru(torch.mm(x, torch.eye(4)), torch.ones(4, 5))
        return seen([y, h, z, k, w, m])


class Packed(Products):
    def __init__(self):
        super().__init__()
        self.gru, self.lstm, self.rnn = nn.GRU(4, 5), nn.LSTM(4, 5, bidirectional=True), nn.RNN(4, 5)

    def forward(self, x, lengths):
        sequences = torch.stack([x, x * 2], 1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            packed = torch.nn.utils.rnn.pack_padded_sequence(sequences, lengths)
            a, h = self.gru(packed)
            b, (k, c) = self.lstm(packed)
            d, m = self.rnn(packed)
            y, _ = torch.nn.utils.rnn.pad_packed_sequence(a)
        return seen([y, h, b.data, k, c, d.data, m])


class Factors(Products):
    def forward(self, x):
        square = x @ x.t() + torch.eye(3)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            a = torch.linalg.pinv(square)
            b = torch.pinverse(square)
            c = torch.nn.functional.bilinear(x, x, torch.ones(2, 4, 4), torch.ones(2))
            d = torch.linalg.pinv(square.double())
        return seen([a, b, c, d])


CASES = {
    OfBFloat16: (x32,), OfHalf: (x32,), Nested: (x32,), Called: (x32,), InLoop: (x32, 3), InWhile: (x32,), InBranch: (x32,),
    OtherDevice: (x32,), OtherType: (x32,), WhatIsCast: (x32,), InPlace: (x32,), Parts: (x32,), Statistics: (x32,), Lists: (x32,), Attention: (x32,),
    OldName: (x32,), Recurrent: (x32,), Cells: (x32,), Gated: (x32,), Packed: (x32, torch.tensor([3, 2])), Factors: (x32,),
}
CALLS = [(kind, arguments) for kind, arguments in CASES.items()]
CALLS += [(ByFlag, (x32, True)), (ByFlag, (x32, False)), (Optional, (x32, None)), (Optional, (x32, torch.ones(5)))]


def eager(module, *arguments):
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            return module(*arguments)
        except RuntimeError as error:
            if "could not create a primitive descriptor" not in str(error):
                raise
            pytest.skip(f"PyTorch's oneDNN has no code for this CPU: {error}")


def scripted(module, saved):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return saved(module)[0]


@pytest.mark.parametrize("kind, arguments", CALLS, ids=lambda value: getattr(value, "__name__", ""))
def test_scripted(kind, arguments, saved, jit_run):
    module = kind().eval()
    outcome = jit_run(scripted(module, saved), *arguments)
    outcome.assert_close(eager(module, *arguments), rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("kind", [OfBFloat16, OfHalf, Nested, Called, WhatIsCast, Parts, Lists, Attention])
def test_exported(kind, tmp_path, jit_run):
    module = kind().eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, (x32,))
    assert kind is Called or "wrap_with_autocast" in str(program.graph)
    forms = {"whole": program}
    if kind is not Parts:  # PyTorch's decomposition of its own einsum loses the casts, and stops at that
        forms["decomposed"] = program.run_decompositions()
    for name, written in forms.items():
        torch.export.save(written, tmp_path / f"{name}.pt2")
        jit_run(tmp_path / f"{name}.pt2", x32).assert_close(eager(module, x32), rtol=2e-2, atol=2e-2)


class Values(nn.Module):
    """What a trace can give."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)[0]


@pytest.mark.parametrize("kind", [OfBFloat16, OfHalf, Nested, Lists])
def test_traced(kind, tmp_path, jit_run):
    """A trace has the casts themselves."""
    module = Values(kind().eval())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.trace(module, x32, check_trace=False).save(tmp_path / "traced.pt")
    jit_run(tmp_path / "traced.pt", x32).assert_close(eager(module, x32), rtol=2e-2, atol=2e-2)


def test_questions(saved, jit_run):
    """A region of the CPU's answers as eager PyTorch does."""
    module = Asks().eval()
    jit_run(scripted(module, saved), x32).assert_close(eager(module, x32))


class Gradient(Products):
    """A gradient that is taken in the region of what it gives."""

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x).tanh()
            z = self.conv(torch.mm(y, y.t()).unsqueeze(1))
            loss = torch.nn.functional.mse_loss(z, torch.ones_like(z)) + torch.softmax(y, 1).prod()
            g = torch.autograd.grad([loss], [x])[0]
        assert g is not None
        return seen([g])


class GradientOfBefore(Products):
    """Products of before the region have backward passes of other elements than its own."""

    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.linspace(-1, 1, 24).reshape(2, 4, 3))

    def forward(self, x):
        a = torch.mm(x, x.t()) + self.linear(x).sum()
        b = torch.addmm(x[0, :3], x, x.t()) * torch.mv(x, x[0])
        c = torch.matmul(x, self.factor).sum(0) + torch.baddbmm(a.unsqueeze(0), x.unsqueeze(0), x.t().unsqueeze(0))[0]
        d = self.conv(x.unsqueeze(1)).sum() + torch.dot(x[0], x[1]) + torch.einsum("ij,kj->ik", x, x).sin().sum()
        y = (a * b.exp() + c).sum() * d
        with torch.autocast("cpu", dtype=torch.bfloat16):
            g = torch.autograd.grad([y], [x])[0]
        assert g is not None
        return seen([g, y])


class GradientOfGradient(Products):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = torch.mm(x.sin(), x.t()).float().pow(2).sum()
            g = torch.autograd.grad([y], [x], create_graph=True)[0]
            assert g is not None
            h = torch.autograd.grad([g.pow(2).sum()], [x])[0]
        assert h is not None
        return seen([g, h])


class GradientOfHalf(Products):
    """Several inputs, one in doubles, one of the region's own type."""

    def forward(self, x):
        d, h = x.double(), x.half()
        with torch.autocast("cpu", dtype=torch.float16):
            y = torch.mm(d, d.t()).sum() * torch.mm(h, x.t()).sum()
            gradients = torch.autograd.grad([y], [d, h])
        g, k = gradients[0], gradients[1]
        assert g is not None and k is not None
        return seen([g, k])


@pytest.mark.parametrize("kind", [Gradient, GradientOfBefore, GradientOfGradient, GradientOfHalf])
def test_gradients_inside_of_a_region(kind, saved, jit_run):
    module = kind().eval()
    x = x32.clone().requires_grad_()
    outcome = jit_run(scripted(module, saved), x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values, types = module(x)
    # Rounded to halves the two differ by no more than the order of their sums.
    outcome.assert_close(([value.detach() for value in values], types), rtol=1e-2, atol=1e-2)


def test_what_is_rounded_in_a_backward_pass(saved, jit_run):
    """A gradient in floats of a product from before the region is rounded as its operands are, and by no more."""

    class Rounded(nn.Module):
        def forward(self, x, w):
            y = torch.mm(x, w)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                weights: List[typing.Optional[torch.Tensor]] = [torch.ones_like(y) * 1.001]
                return torch.autograd.grad([y], [x], weights)

    x, w = torch.ones(2, 3).requires_grad_(), torch.full((3, 1), 1.003)
    outcome = jit_run(scripted(Rounded(), saved), x, w)
    outcome.assert_close((torch.full((2, 3), 1.0),), rtol=0, atol=0)
    assert torch.equal(Rounded()(x, w)[0], torch.full((2, 3), 1.0))


class GradientOfAttention(nn.Module):
    def forward(self, x):
        y = nn.functional.scaled_dot_product_attention(x, x, x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.autograd.grad([y.sum()], [x])


class GradientOfInverse(nn.Module):
    def forward(self, x):
        y = torch.linalg.inv(torch.mm(x, x.t()) + torch.eye(3))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.autograd.grad([y.sum()], [x])


@pytest.mark.parametrize("kind", [GradientOfAttention, GradientOfInverse])
def test_gradients_whose_products_are_not_known_are_refused(kind, saved, jit_run):
    x = x32.clone() if kind is GradientOfInverse else x32.reshape(1, 3, 4).clone()
    outcome = jit_run(scripted(kind(), saved), x.requires_grad_())
    outcome.assert_fails_with("where autocast is enabled")


def listed(array):
    """The operators of a device's lists."""
    source = (ROOT / "lib/Dialect/Aten/AutocastPolicy.cpp").read_text()
    table = re.search(rf"Policies {array}\[\] = {{(.*?)\n}};", source, re.DOTALL)[1]
    return set(re.findall(r"[\w.]+", " ".join(re.findall(r'"([^"]*)"', table))))


@pytest.mark.parametrize("device, array", [("CPU", "onCpu"), ("CUDA", "onCuda")])
def test_every_operator_that_pytorch_registers_is_listed(device, array):
    names = torch._C._dispatch_get_all_op_names()
    registered = {name.split("::")[1] for name in names if name.startswith("aten::")
                  and torch._C._dispatch_has_kernel_for_dispatch_key(name, f"Autocast{device}")}
    assert registered - listed(array) == set()


def sampled():
    """PyTorch's samples' names of the operators of the CPU's lists, and of compositions of them."""
    names = {name.split(".")[0] for name in listed("onCpu")} | {"einsum", "inner", "linalg_matrix_power"}
    plain = lambda name: name.removeprefix("nn.functional.").replace(".", "_")
    return sorted({info.name for info in opinfo.op_db if names & {plain(info.name), info.aten_name, *(plain(alias.name) for alias in info.aliases)}})


# What of PyTorch's samples cannot be held against it, or not yet, and why.
UNWRITTEN = {
    "cov": "cannot be exported", "corrcoef": "cannot be exported", "linalg.lstsq": "cannot be exported", "linalg.lstsq grad_oriented": "cannot be exported",
    "nn.functional.ctc_loss": "cannot be exported", "nn.functional.gaussian_nll_loss": "cannot be exported",
    "nn.functional.fractional_max_pool3d": "draws numbers", "linalg.pinv singular": "PyTorch refuses halves",
    "linalg.eig": "the order of eigenvalues is open", "linalg.eigvals": "the order of eigenvalues is open",
}
HALVES = ("autobf16", "autof16")


@pytest.fixture(scope="module")
def samples(installed, pytestconfig):
    tasks = opinfo.tasks_of(("float32",), HALVES, names=sampled(), most=0 if pytestconfig.getoption("full") else 1)
    return opinfo.run(installed, tasks, os.cpu_count(), say=lambda line: None)["samples"]


@pytest.mark.parametrize("door", HALVES)
@pytest.mark.parametrize("name", sorted({opinfo.name_of(info) for info in opinfo.op_db if info.name in sampled()} - set(UNWRITTEN)))
def test_every_listed_operator_gives_what_eager_gives(name, door, samples):
    """Values and element types, of PyTorch's own samples in a region."""
    outcome = samples[name]["float32"][door]
    assert opinfo.is_whole(outcome), outcome


class Trained(Products):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = torch.mm(x, self.linear.weight.t())
        return (y.float() * x.sum()).sum()


def test_gradients_go_back_through_the_casts(saved, jit_run):
    x = x32.clone().requires_grad_()
    module = Trained().eval()
    module(x).backward()
    outcome = jit_run(scripted(module, saved), x, flags=["--grad"])
    outcome.assert_ok()
    torch.testing.assert_close(torch.from_numpy(outcome.gradient(0)), x.grad, rtol=2e-2, atol=2e-2)


def step(x, weight, bias, head, target):
    """A weight that is used twice: PyTorch keeps its cast, and adds up its gradients in the half type."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        h = torch.nn.functional.gelu(torch.nn.functional.linear(x, weight, bias))
        h = torch.nn.functional.layer_norm(torch.nn.functional.linear(h, weight), [6])
        return torch.nn.functional.cross_entropy(torch.nn.functional.linear(h, head), target)


class Step(nn.Module):
    def forward(self, x, weight, bias, head, target):
        return step(x, weight, bias, head, target)


def trained(call, half):
    """The loss of a step, and the gradients of its weights."""
    torch.manual_seed(0)
    weights = [torch.randn(6, 6), torch.randn(6), torch.randn(4, 6).to(torch.bfloat16 if half else torch.float32)]
    weights = [weight.requires_grad_() for weight in weights]
    loss = call(torch.randn(5, 6), *weights, torch.arange(5) % 4)
    loss.backward()
    return loss, *(weight.grad for weight in weights)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("door", ["scripted", "compiled"])
def test_a_training_step(door, half, jit_mlir):
    """Gradients have their weights' element types, whatever was computed in between."""
    if door == "compiled":
        from jit_mlir import dynamo

        torch._dynamo.reset()
        program = torch.compile(step, backend=dynamo.backend, fullgraph=True)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = jit_mlir.compile(torch.jit.script(Step()))
    torch.testing.assert_close(trained(program, half), trained(step, half), rtol=2e-2, atol=2e-2)
    if door == "compiled":
        assert not any(graph.reason for graph in dynamo.graphs()), dynamo.report()


def test_torch_compile_in_a_region(jit_mlir):
    """What is compiled under a region of the caller's."""
    from jit_mlir import dynamo

    torch._dynamo.reset()
    module = nn.Sequential(nn.Linear(4, 5), nn.Softmax(1), nn.Linear(5, 3))
    program = torch.compile(module, backend=dynamo.backend, fullgraph=True)
    for dtype in (torch.bfloat16, torch.float16):
        with torch.autocast("cpu", dtype=dtype), torch.no_grad():
            torch.testing.assert_close(program(x32), module(x32), rtol=2e-2, atol=2e-2)
    assert not any(graph.reason for graph in dynamo.graphs()), dynamo.report()
