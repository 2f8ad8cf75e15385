"""Programs saved by torch.export, against eager PyTorch: as exported, and after run_decompositions()."""

import collections
import copy
import dataclasses
import io
import zipfile
from typing import Optional

import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim, export, save

from conftest import clone


@pytest.fixture
def exported(tmp_path):
    """Exports a module and saves it; gives the file's path."""

    def make(module, arguments, kwargs=None, decompose=False, **options):
        program = export(module, clone(tuple(arguments)), kwargs, **options)
        if decompose:
            program = program.run_decompositions()
        path = tmp_path / "program.pt2"
        save(program, str(path))
        return path

    return make


@pytest.fixture(params=[False, True], ids=["exported", "decomposed"])
def agrees(request, exported, jit_run):
    """Runs a module both ways: on what it was exported with and on more calls, each with arguments of its own."""

    def check(module, *arguments, calls=(), rtol=None, atol=None, **options):
        path = exported(module, arguments, decompose=request.param, **options)
        for call in [arguments, *calls]:
            with torch.no_grad():
                expected = module(*clone(call))
            jit_run(path, *call).assert_close(expected, rtol=rtol, atol=atol)
        return path

    return check


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4))

    def forward(self, x):
        return torch.softmax(self.layers(x), -1)


def test_mlp(agrees):
    agrees(Mlp(), torch.randn(3, 8))


def test_dynamic_batch(agrees):
    batch = Dim("batch", min=1, max=64)
    agrees(Mlp(), torch.randn(3, 8), calls=[[torch.randn(n, 8)] for n in (1, 5, 64)], dynamic_shapes={"x": {0: batch}})


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, stride=2), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(8, 8, 3, groups=4), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))

    def forward(self, x):
        return self.body(x)


def test_conv_net(agrees):
    agrees(ConvNet().eval(), torch.randn(2, 3, 20, 20))


def test_dynamic_image(agrees):
    shapes = {"x": {0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO}}
    agrees(ConvNet().eval(), torch.randn(2, 3, 20, 20), calls=[[torch.randn(4, 3, 25, 33)]], dynamic_shapes=shapes)


def test_attention(agrees):
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, dropout=0.0)
    agrees(layer, torch.randn(2, 7, 16))


def test_recurrent(agrees):
    agrees(nn.LSTM(4, 6, batch_first=True), torch.randn(2, 5, 4))


def test_sizes_in_arithmetic(agrees):
    class Sizes(nn.Module):
        def forward(self, x):
            n = x.shape[0]
            return x.reshape(n * 2, 3).mean(1), torch.full((n * 3 - n // 2, 3), n % 3 + 0.5), x.sum() / n, n * 3 - 1, n / 2, n**2

    agrees(Sizes(), torch.randn(4, 6), calls=[[torch.randn(n, 6)] for n in (2, 7)], dynamic_shapes={"x": {0: Dim.AUTO}})


def test_related_sizes(agrees):
    class Related(nn.Module):
        def forward(self, x, y):
            return x.repeat(2, 1)[1:] * y

    n = Dim("n", min=2, max=50)
    agrees(Related(), torch.randn(3, 4), torch.randn(5, 4), calls=[[torch.randn(6, 4), torch.randn(11, 4)]],
           dynamic_shapes={"x": {0: n}, "y": {0: 2 * n - 1}})


class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("history", torch.zeros(3, 4), persistent=False)

    def forward(self, x):
        x = x[0]
        self.count += 1
        self.history[1:] = self.history[:-1].clone()
        self.history[0] = x.mean(0)
        return self.norm(x), self.count.clone(), self.history.clone()


@pytest.mark.parametrize("decompose", [False, True], ids=["exported", "decomposed"])
def test_buffers_are_written(exported, jit_run, decompose):
    """Three calls of one session: each finds the state that the one before left."""
    module = Running().train()
    path = exported(module, [torch.randn(1, 5, 4)], decompose=decompose)
    rows = torch.randn(3, 5, 4)
    expected = [[o.detach().clone() for o in module(row[None])] for row in rows]
    got = jit_run(path, repeat_over=rows)
    got.assert_ok()
    for output, wanted in zip(got.outputs, zip(*expected)):
        np.testing.assert_allclose(output, torch.stack(wanted).numpy(), rtol=1e-4, atol=1e-5)


def test_inputs_are_written(agrees):
    class Writes(nn.Module):
        def forward(self, x, y):
            x.add_(y)
            return x * 2, y

    agrees(Writes(), torch.randn(3), torch.randn(3))


class Nested(nn.Module):
    def forward(self, pair, items, table, *, scale=2.0):
        a, (b, c) = pair
        named = collections.OrderedDict(sum=a + b, parts=[c * scale, (items[0] - items[1], None)])
        return {"named": named, "x": table["x"] + 1, "n": 3}


def test_nested_arguments_and_results(exported, jit_run):
    a, b, c, d, e, x = torch.randn(6, 2, 3)
    module = Nested()
    arguments = [(a, (b, c)), [d, e], {"x": x}]
    path = exported(module, arguments, {"scale": 0.5})
    # A dict among the arguments is given as the tuple of its values.
    jit_run(path, (a, (b, c)), [d, e], (x,)).assert_close(module(*arguments, scale=0.5))
    jit_run(path, (a, (b, c)), [d, e], (x,), 0.5).assert_close(module(*arguments, scale=0.5))
    jit_run(path, (a, (b, c)), [d, e], (x,), 2.0).assert_fails_with("expected 'scale' as the program was exported with: 0.5, got 2")
    jit_run(path, (a, (b, c)), [d], (x,)).assert_fails_with("expected 2 elements of 'items', got 1")


def test_a_list_of_several_kinds(exported, jit_run):
    class Mixed(nn.Module):
        def forward(self, items):
            return items[0] + items[1][0] * items[1][1]

    a, b, c = torch.randn(3, 2)
    path = exported(Mixed(), [[a, (b, c)]])
    jit_run(path, [a, (b, c)]).assert_close(a + b * c)
    jit_run(path, [a, (b, torch.randn(3))]).assert_fails_with("expected dimension 0 of 'items[1][1]' to be 2, got 3")


def test_calls_that_do_not_fit(exported, jit_run):
    path = exported(Mlp(), [torch.randn(3, 8)], dynamic_shapes={"x": {0: Dim("n", min=3, max=6)}})
    jit_run(path, torch.randn(2, 8)).assert_fails_with("expected dimension 0 of 'x' to be at least 3, got 2")
    jit_run(path, torch.randn(7, 8)).assert_fails_with("expected dimension 0 of 'x' to be at most 6, got 7")
    jit_run(path, torch.randn(3, 7)).assert_fails_with("expected argument 0 of type f32[?,8]")
    jit_run(path, torch.randn(3, 8).double()).assert_fails_with("expected argument 0 of type f32[?,8]")


class Stored(nn.Module):
    """Shared parameters, views of one memory, constants, and element types."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = self.first
        base = torch.arange(24.0).reshape(4, 6)
        self.register_buffer("slice", base[1:, ::2])
        self.register_buffer("turned", base.t())
        self.register_buffer("mask", torch.tensor([True, False, True, True]))
        self.register_buffer("small", torch.randn(4).half())
        self.register_buffer("brain", torch.randn(4).bfloat16())
        self.register_buffer("bytes", torch.arange(4, dtype=torch.uint8))
        self.constant = torch.tensor([3, -1, 0, 5])

    def forward(self, x):
        y = self.second(self.first(x)) * self.mask
        literal = torch.tensor([0.5, 1.5, 2.5, 3.5])
        return (y + literal, self.slice.sum(), self.turned @ y.t(), self.constant * self.bytes, self.small * 2,
                (self.brain + 1).float(), self.mask & (self.constant > 0), y.double())


def test_stored_tensors(agrees):
    agrees(Stored(), torch.randn(2, 4), rtol=1e-3)


def save_before(program, path):
    """The layout of torch before 2.7."""
    from torch._export.serde.schema import SCHEMA_VERSION
    from torch._export.serde.serialize import serialize

    parts = serialize(program)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("version", ".".join(map(str, SCHEMA_VERSION)))
        archive.writestr("serialized_exported_program.json", parts.exported_program)
        archive.writestr("serialized_state_dict.pt", parts.state_dict)
        archive.writestr("serialized_constants.pt", parts.constants)
        archive.writestr("serialized_example_inputs.pt", parts.example_inputs)


def test_the_layout_before(tmp_path, jit_run):
    module, x = Stored(), torch.randn(2, 4)
    path = tmp_path / "before.zip"  # a name says nothing
    save_before(export(module, (x,)), path)
    with torch.no_grad():
        jit_run(path, x).assert_close(module(x), rtol=1e-3)


def test_saved_to_a_buffer(tmp_path, jit_run):
    """Then the archive's root folder has another name."""
    module, x = Mlp(), torch.randn(3, 8)
    buffer = io.BytesIO()
    save(export(module, (x,)), buffer)
    path = tmp_path / "saved"
    path.write_bytes(buffer.getvalue())
    with torch.no_grad():
        jit_run(path, x).assert_close(module(x))


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.linear(x).sin(), lambda x: x.cos() - 1, (x,))


def test_cond(agrees):
    x = torch.randn(3, 4).abs()
    agrees(Branch(), x, calls=[[-x]])


def test_numbers_beside_tensors(agrees):
    """A number has no say in the element type, also where the graph gives it to an operator on tensors."""

    class Numbers(nn.Module):
        def forward(self, i, f, h, b):
            i = i + 0  # what is written below
            i *= 3
            return i * 0.5, f * 0.5, h + 2, b + 1, i / 2, f - 1, i // 2, i == 1, b * 1.5, h.sum() * 2.5, i % 4, f**2, i

    agrees(Numbers(), torch.arange(4), torch.tensor(1.5), torch.ones(3).half(), torch.tensor([True, False]))


def test_while_loop(agrees):
    from torch._higher_order_ops import while_loop

    class Loop(nn.Module):
        def forward(self, n, x):
            return while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * 1.5 + x), (torch.zeros((), dtype=torch.int64), x + 1))

    agrees(Loop(), torch.tensor(3), torch.randn(4), calls=[[torch.tensor(0), torch.randn(4)]])


def test_scan(agrees):
    from torch._higher_order_ops import scan

    class Cell(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = nn.Linear(8, 4)

        def forward(self, state, xs):
            def step(state, x):
                state = torch.tanh(self.cell(torch.cat([state, x], -1)))
                return state, state * 2

            return scan(step, state, xs)

    agrees(Cell(), torch.randn(2, 4), torch.randn(5, 2, 4))


def test_map(agrees):
    from torch._higher_order_ops import map

    class Each(nn.Module):
        def forward(self, xs, y):
            return map(lambda x, y: (x.sin() + y, x.sum()), xs, y)

    agrees(Each(), torch.randn(5, 3), torch.randn(3))


def test_numbers_from_tensors(agrees):
    class Items(nn.Module):
        def forward(self, x, n):
            k = n.item()
            torch._check(k >= 0)
            torch._check(k < 10)
            return x * k, k + 1

    agrees(Items(), torch.randn(3), torch.tensor(4), calls=[[torch.randn(3), torch.tensor(9)]])


def test_assertions_fail_with_their_message(exported, jit_run):
    class Checked(nn.Module):
        def forward(self, x, n):
            torch._check(n.item() < 10)
            return x + n

    path = exported(Checked(), [torch.randn(3), torch.tensor(4)])
    jit_run(path, torch.randn(3), torch.tensor(10)).assert_fails_with("RuntimeError: Runtime assertion failed")


def test_no_grad(exported, jit_run):
    class Frozen(nn.Module):
        def forward(self, x):
            with torch.no_grad():
                y = x * 3
            return x * y

    x = torch.randn(4, requires_grad=True)
    path = exported(Frozen(), [x])
    got = jit_run(path, x, flags=["--grad"])
    got.assert_ok()
    np.testing.assert_allclose(got.gradient(0), (3 * x).detach().numpy(), rtol=1e-5)


def test_gradients(exported, jit_run):
    module = Mlp()
    x = torch.randn(3, 8, requires_grad=True)
    path = exported(module, [x])
    got = jit_run(path, x, flags=["--grad"])
    got.assert_ok()
    module(x).sum().backward()
    np.testing.assert_allclose(got.gradient(0), x.grad.numpy(), rtol=1e-3, atol=1e-5)


def test_joint_graph(tmp_path, jit_run):
    """Forward and backward as one program: the loss, and a dict of gradients by the parameters' names."""
    from torch.export.experimental import _export_forward_backward

    class Loss(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(4, 4)

        def forward(self, x):
            return self.linear(x).relu().square().mean()

    module, x = Loss(), torch.randn(2, 4)
    path = tmp_path / "joint.pt2"
    save(_export_forward_backward(export(module, (x,))), str(path))
    loss = module(x)
    loss.backward()
    jit_run(path, x).assert_close((loss, module.linear.weight.grad, module.linear.bias.grad))


def test_an_operator_that_is_missing(exported, jit_run):
    class Missing(nn.Module):
        def forward(self, x):
            return torch.hash_tensor(x)

    jit_run(exported(Missing(), [torch.randn(3, 3)]), torch.randn(3, 3)).assert_fails_with(
        "test_exported.py:", "operator aten::hash_tensor is not supported")


@dataclasses.dataclass
class Pair:
    y: torch.Tensor
    none: Optional[torch.Tensor] = None
    z: Optional[torch.Tensor] = None


torch.export.register_dataclass(Pair, serialized_type_name="test_exported.Pair")


def test_parts_of_a_class_are_a_dict(exported, jit_run):
    class Gives(nn.Module):
        def forward(self, pair):
            return Pair(pair.y + 1, None, pair.y * 2), {"again": Pair(pair.y)}

    y = torch.randn(2)
    jit_run(exported(Gives(), [Pair(y)]), (y,)).assert_close(({"y": y + 1, "z": y * 2}, {"again": {"y": y}}))


def test_a_class_that_does_not_name_its_parts_is_refused(exported, jit_run):
    class Bag:
        def __init__(self, parts):
            self.parts = parts

    torch.utils._pytree.register_pytree_node(Bag, lambda bag: (bag.parts, None), lambda parts, _: Bag(parts),
                                             serialized_type_name="test_exported.Bag")

    class Gives(nn.Module):
        def forward(self, x):
            return Bag([x + 1])

    jit_run(exported(Gives(), [torch.randn(2)]), torch.randn(2)).assert_fails_with(
        "expected inputs and outputs made of tuples, lists and dicts, got test_exported.Bag")


def test_training(tmp_path):
    """An exported loss is trained as a scripted one is, batch norm's statistics included."""
    from test_training import Normalized, train_compiled, train_eagerly

    class Saved:
        def __init__(self, program):
            self.program = program

        def save(self, path):
            save(self.program, path)

    model = Normalized().train()
    arguments = torch.randn(32, 6), torch.randn(32, 1)
    losses, trained = train_compiled(tmp_path, Saved(export(copy.deepcopy(model), arguments)), "adam", ["--lr=0.01"], arguments, 10)
    expected = train_eagerly(model, torch.optim.Adam(model.parameters(), lr=0.01), arguments, 10)
    np.testing.assert_allclose(losses, expected, rtol=1e-3)
    np.testing.assert_allclose(trained["first.weight"], model.first.weight.detach().numpy(), rtol=1e-3, atol=1e-5)


class ConvLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Conv2d(3, 4, 3, stride=2), nn.GroupNorm(2, 4), nn.Linear(4, 5)

    def forward(self, x, target):
        features = torch.relu(self.norm(self.first(x))).mean((2, 3))
        return torch.nn.functional.cross_entropy(self.last(features), target)


class TokenLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.norm, self.last = nn.Embedding(11, 6), nn.LayerNorm(6), nn.Linear(6, 11)

    def forward(self, tokens, target):
        return torch.nn.functional.cross_entropy(self.last(torch.tanh(self.norm(self.embedding(tokens)))).flatten(0, 1), target)


@pytest.mark.parametrize("module, arguments", [(ConvLoss(), (torch.randn(2, 3, 9, 9), torch.tensor([1, 4]))),
                                               (TokenLoss(), (torch.tensor([[1, 2, 1], [0, 5, 9]]), torch.arange(6)))],
                         ids=["images", "tokens"])
def test_joint_graphs_of_layers(tmp_path, jit_run, module, arguments):
    from torch.export.experimental import _export_forward_backward

    path = tmp_path / "joint.pt2"
    save(_export_forward_backward(export(module, arguments)), str(path))
    loss = module(*arguments)
    loss.backward()
    jit_run(path, *arguments).assert_close((loss, [p.grad for p in module.parameters()]), rtol=1e-3)


def test_symbolic_sizes_stay_open(exported, jit_run):
    """One variant for all sizes, its demands checked at each call."""
    module = Mlp()
    path = exported(module, [torch.randn(3, 8)], dynamic_shapes={"x": {0: Dim("n", min=2, max=6)}})
    for n in (2, 5):
        x = torch.randn(n, 8)
        with torch.no_grad():
            jit_run(path, x, flags=["--any-sizes"]).assert_close(module(x), rtol=1e-4, atol=1e-5)
    jit_run(path, torch.randn(7, 8), flags=["--any-sizes"]).assert_fails_with("dimension 0 of 'x' to be at most 6, got 7")
