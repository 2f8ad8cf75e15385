"""What is measured: one `@workload` a row of the tables, float32.

A builder gives (module, arguments). Modes:
  infer   outputs = module(*arguments), no autograd
  grad    loss = module(*arguments), loss.backward(): the gradients of all parameters
  step    as grad, then one step of Adam(lr=1e-4) on all parameters
Weights and arguments come from torch.manual_seed(0): every process builds the same ones.
"""

import math
import pathlib
import sys
from dataclasses import dataclass
from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPEECH = ROOT / "out/models/silero_vad.jit"
WORKLOADS = {}


@dataclass
class Workload:
    name: str
    group: str
    mode: str
    builder: Callable
    form: str  # how TorchScript takes the module: "trace", "script", or "archive" where it comes as one
    slow: tuple = ()  # peers that need minutes to compile it

    def build(self):
        torch.manual_seed(0)
        module, arguments = self.builder()
        if self.form != "archive":
            module.eval() if self.mode == "infer" else module.train()
        return module, arguments

    def scripted(self):
        module, arguments = self.build()
        if self.form == "archive":
            return module
        return torch.jit.script(module) if self.form == "script" else torch.jit.trace(module, arguments, check_trace=False)


def workload(name, group, mode="infer", form="trace", **fields):
    def register(builder):
        WORKLOADS[name] = Workload(name, group, mode, builder, form, **fields)
        return builder

    return register


def vision(name):
    sys.path.append(str(ROOT / "test" / "Numerics"))
    import architectures

    return getattr(architectures.torchvision().models, name)(weights=None)


# --------------------------------------------------------------------------- networks


@workload("silero_chunk", "networks", form="archive")
def _():
    return torch.jit.load(str(SPEECH)), (torch.randn(1, 512) * 0.1, 16000)


for _name in ("alexnet", "vgg11", "resnet18", "resnet50", "mobilenet_v2", "vit_b_16"):
    workload(_name, "networks")(lambda name=_name: (vision(name), (torch.randn(1, 3, 224, 224),)))
for _count in (8, 32):
    workload(f"resnet18_batch_{_count}", "networks")(lambda count=_count: (vision("resnet18"), (torch.randn(count, 3, 224, 224),)))


class Bert(nn.Module):
    def __init__(self, layers):
        super().__init__()
        from transformers import BertConfig, BertModel

        self.model = BertModel(BertConfig(num_hidden_layers=layers), add_pooling_layer=False)

    def forward(self, tokens):
        return self.model(input_ids=tokens)[0]


@workload("bert_4_layers", "networks")
def _():
    vision("alexnet")  # transformers looks for torchvision
    return Bert(4), (torch.randint(0, 30000, (1, 128)),)


class Gpt2Decode(nn.Module):
    """One token against the keys and values of those before it."""

    def __init__(self, layers=4, width=768, heads=12, vocabulary=50257):
        super().__init__()
        self.width, self.heads = width, heads
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(1024, width)
        block = lambda: nn.ModuleDict({  # noqa: E731
            "before": nn.LayerNorm(width), "attend": nn.Linear(width, 3 * width), "project": nn.Linear(width, width),
            "between": nn.LayerNorm(width), "up": nn.Linear(width, 4 * width), "down": nn.Linear(4 * width, width)})
        self.blocks = nn.ModuleList(block() for _ in range(layers))
        self.last = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, token, place, keys, values):
        x = self.tokens(token) + self.places(place)
        size = self.width // self.heads
        all_keys, all_values = [], []
        for number, block in enumerate(self.blocks):
            q, k, v = block["attend"](block["before"](x)).view(3, self.heads, 1, size).unbind(0)
            k, v = torch.cat([keys[number], k], 1), torch.cat([values[number], v], 1)
            weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(size), -1)
            x = x + block["project"]((weights @ v).reshape(1, self.width))
            x = x + block["down"](F.gelu(block["up"](block["between"](x)), approximate="tanh"))
            all_keys.append(k)
            all_values.append(v)
        return self.head(self.last(x)), torch.stack(all_keys), torch.stack(all_values)


@workload("gpt2_decode", "networks")
def _():
    past = lambda: torch.randn(4, 12, 128, 64)  # noqa: E731
    return Gpt2Decode(), (torch.tensor([17]), torch.tensor([128]), past(), past())


class WhisperTiny(nn.Module):
    """Whisper-tiny's encoder, of thirty seconds."""

    def __init__(self):
        super().__init__()
        from transformers import WhisperConfig, WhisperModel

        sizes = dict(d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536)
        self.encoder = WhisperModel(WhisperConfig(decoder_layers=1, **sizes)).encoder

    def forward(self, x):
        return self.encoder(x)[0]


@workload("whisper_tiny_encoder", "networks")
def _():
    vision("alexnet")
    return WhisperTiny(), (torch.randn(1, 80, 3000),)


class UNetBlock(nn.Module):
    """What Stable Diffusion's UNet has at its first resolution: a residual block, attention among places and to 77 words."""

    def __init__(self, channels=320, heads=8, words=768):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.GroupNorm(32, channels) for _ in range(3))
        self.convolutions = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.time = nn.Linear(4 * channels, channels)
        self.layer_norms = nn.ModuleList(nn.LayerNorm(channels) for _ in range(3))
        linear = lambda inputs: nn.Linear(inputs, channels, bias=False)  # noqa: E731
        self.queries = nn.ModuleList(linear(channels) for _ in range(2))
        self.keys = nn.ModuleList(linear(inputs) for inputs in (channels, words))
        self.values = nn.ModuleList(linear(inputs) for inputs in (channels, words))
        self.outs = nn.ModuleList(nn.Linear(channels, channels) for _ in range(2))
        self.up, self.down = nn.Linear(channels, 8 * channels), nn.Linear(4 * channels, channels)

    def attend(self, number, x, to):
        split = lambda t: t.view(t.size(0), t.size(1), self.heads, -1).transpose(1, 2)  # noqa: E731
        q, k, v = split(self.queries[number](x)), split(self.keys[number](to)), split(self.values[number](to))
        return self.outs[number](F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))

    def forward(self, x, time, words):
        y = self.convolutions[0](F.silu(self.norms[0](x))) + self.time(F.silu(time))[:, :, None, None]
        x = x + self.convolutions[1](F.silu(self.norms[1](y)))
        y = self.norms[2](x).flatten(2).transpose(1, 2)
        normed = self.layer_norms[0](y)
        y = y + self.attend(0, normed, normed)
        y = y + self.attend(1, self.layer_norms[1](y), words)
        values, gates = self.up(self.layer_norms[2](y)).chunk(2, -1)
        y = y + self.down(values * F.gelu(gates))
        return x + y.transpose(1, 2).reshape(x.shape)


@workload("unet_block", "networks")
def _():
    return UNetBlock(), (torch.randn(1, 320, 32, 32), torch.randn(1, 1280), torch.randn(1, 77, 768))


class Dlrm(nn.Module):
    """A recommendation: 26 sums of looked-up rows, all pairs of their products, two stacks of linear layers."""

    def __init__(self, tables=26, rows=10000, width=64):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(rows, width, mode="sum") for _ in range(tables))
        stack = lambda *sizes: nn.Sequential(*(p for a, b in zip(sizes, sizes[1:]) for p in (nn.Linear(a, b), nn.ReLU())))  # noqa: E731
        pairs = (tables + 1) * tables // 2
        self.bottom, self.top, self.last = stack(13, 512, 256, width), stack(pairs + width, 512, 256), nn.Linear(256, 1)
        self.register_buffer("places", torch.tril_indices(tables + 1, tables + 1, -1))

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        parts = torch.stack([x] + [table(sparse[:, i]) for i, table in enumerate(self.tables)], 1)
        products = (parts @ parts.transpose(1, 2))[:, self.places[0], self.places[1]]
        return torch.sigmoid(self.last(self.top(torch.cat([x, products], 1))))


@workload("dlrm", "networks")
def _():
    return Dlrm(), (torch.randn(128, 13), torch.randint(0, 10000, (128, 26, 4)))


class GraphLayer(nn.Module):
    """A graph convolution (GraphSAGE) of the size of Cora: gathered along edges, added up at nodes."""

    def __init__(self, inputs=1433, outputs=64):
        super().__init__()
        self.own, self.neighbours = nn.Linear(inputs, outputs), nn.Linear(inputs, outputs, bias=False)

    def forward(self, x, source, target):
        y = self.neighbours(x)
        total = torch.zeros_like(y).index_add(0, target, y[source])
        count = torch.zeros(y.size(0)).index_add(0, target, torch.ones(target.size(0)))
        return torch.relu(self.own(x) + total / count.clamp(min=1.0).unsqueeze(1))


@workload("gnn_layer", "networks", form="script")
def _():
    return GraphLayer(), (torch.rand(2708, 1433), torch.randint(0, 2708, (10556,)), torch.randint(0, 2708, (10556,)))


class DemucsLayer(nn.Module):
    """One layer of Demucs' encoder, of two seconds of sound after the first layer."""

    def __init__(self):
        super().__init__()
        self.down, self.mix = nn.Conv1d(64, 128, 8, 4), nn.Conv1d(128, 256, 1)

    def forward(self, x):
        return F.glu(self.mix(F.relu(self.down(x))), 1)


@workload("demucs_layer", "networks")
def _():
    return DemucsLayer(), (torch.randn(1, 64, 22050),)


# --------------------------------------------------------------------------- loops and training


class MeanOf(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x).mean()


class LoopedLstm(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        bound = 1 / math.sqrt(hidden)
        uniform = lambda *sizes: nn.Parameter((torch.rand(sizes) * 2 - 1) * bound)  # noqa: E731
        self.from_input, self.from_hidden = uniform(4 * hidden, width), uniform(4 * hidden, hidden)
        self.bias = uniform(4 * hidden)
        self.hidden = hidden

    def forward(self, x):
        h, c = torch.zeros(x.size(1), self.hidden), torch.zeros(x.size(1), self.hidden)
        steps = []
        for t in range(x.size(0)):
            i, f, g, o = (x[t] @ self.from_input.t() + h @ self.from_hidden.t() + self.bias).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            steps.append(h)
        return torch.stack(steps)


class OwnLstm(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.lstm = nn.LSTM(width, hidden)

    def forward(self, x):
        return self.lstm(x)[0]


def sequence():
    return (torch.randn(100, 64, 256),)


_UNROLLS = ("inductor-max", "xla", "iree")


@workload("lstm_loop", "loops", form="script", slow=_UNROLLS)
def _():
    return LoopedLstm(256, 512), sequence()


@workload("lstm_loop_grad", "loops", "grad", "script", slow=_UNROLLS)
def _():
    return MeanOf(LoopedLstm(256, 512)), sequence()


@workload("nn_lstm", "loops", slow=_UNROLLS)
def _():
    return OwnLstm(256, 512), sequence()


@workload("nn_lstm_grad", "loops", "grad", slow=_UNROLLS)
def _():
    return MeanOf(OwnLstm(256, 512)), sequence()


class ConvByHand(nn.Module):
    def __init__(self, inputs, outputs, window):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs, window, window) / math.sqrt(inputs * window * window))
        self.bias = nn.Parameter(torch.randn(outputs))
        self.window, self.outputs = window, outputs

    def forward(self, x):
        columns = F.unfold(x, (self.window, self.window))
        out = self.weight.view(self.outputs, -1) @ columns + self.bias.view(-1, 1)
        return out.view(x.size(0), self.outputs, x.size(2) - self.window + 1, x.size(3) - self.window + 1)


def picture():
    return (torch.randn(1, 3, 512, 512),)


@workload("conv_by_hand", "convolution", form="script")
def _():
    return ConvByHand(3, 16, 3), picture()


@workload("conv_by_hand_grad", "convolution", "grad", "script")
def _():
    return MeanOf(ConvByHand(3, 16, 3)), picture()


@workload("nn_conv2d", "convolution")
def _():
    return nn.Conv2d(3, 16, 3), picture()


@workload("nn_conv2d_grad", "convolution", "grad")
def _():
    return MeanOf(nn.Conv2d(3, 16, 3)), picture()


class ThreeBlocks(nn.Module):
    def __init__(self, channels=(3, 16, 32, 64), size=28):
        super().__init__()
        layers = []
        for before, after in zip(channels, channels[1:]):
            layers += [nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU()]
        self.features = nn.Sequential(*layers)
        self.classes = nn.Linear(channels[-1] * size * size, 10)

    def forward(self, x, target):
        return F.nll_loss(F.log_softmax(self.classes(torch.flatten(self.features(x), 1)), 1), target)


def batch():
    return torch.randn(128, 3, 28, 28), torch.randint(0, 10, (128,))


@workload("three_blocks_grad", "training", "grad")
def _():
    return ThreeBlocks(), batch()


@workload("three_blocks_adam", "training", "step")
def _():
    return ThreeBlocks(), batch()


# --------------------------------------------------------------------------- bound by memory


class TenPointwise(nn.Module):
    def forward(self, x, y):
        a = torch.sigmoid(x * y + x) * y
        b = torch.tanh(a) - x
        return torch.relu(torch.sqrt(b * b + 1.0) - y)


class LayerNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.rand(1024)), nn.Parameter(torch.rand(1024))

    def forward(self, x):
        return F.layer_norm(x, (1024,), self.weight, self.bias, 1e-5)


class LayerNormByHand(LayerNorm):
    def forward(self, x):
        centred = x - x.mean(1, keepdim=True)
        variance = (centred * centred).mean(1, keepdim=True)
        return centred * torch.rsqrt(variance + 1e-5) * self.weight + self.bias


class Softmax(nn.Module):
    def forward(self, x):
        return torch.softmax(x, 1)


class GeluBiasResidual(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.rand(1024))

    def forward(self, x, residual):
        return F.gelu(x + self.bias) + residual


class BroadcastBackward(nn.Module):
    """The backward of x * b + c with b of 1024 and c of 4096 x 1, by the gradient g."""

    def forward(self, g, x, b):
        return g * b, (g * x).sum_to_size(1024), g.sum_to_size(4096, 1)


class BroadcastGrad(nn.Module):
    def __init__(self):
        super().__init__()
        self.x = nn.Parameter(torch.randn(4096, 1024))
        self.b, self.c = nn.Parameter(torch.randn(1024)), nn.Parameter(torch.randn(4096, 1))

    def forward(self, g):
        return ((self.x * self.b + self.c) * g).sum()


def rows(count=1):
    return tuple(torch.randn(4096, 1024) for _ in range(count))


@workload("ten_pointwise", "memory", form="script")
def _():
    return TenPointwise(), (torch.randn(1 << 22), torch.randn(1 << 22))


@workload("softmax", "memory", form="script")
def _():
    return Softmax(), rows()


@workload("layer_norm", "memory", form="script")
def _():
    return LayerNorm(), rows()


@workload("layer_norm_by_hand", "memory", form="script")
def _():
    return LayerNormByHand(), rows()


@workload("gelu_bias_residual", "memory", form="script")
def _():
    return GeluBiasResidual(), rows(2)


@workload("broadcast_backward", "memory")
def _():
    return BroadcastBackward(), (*rows(2), torch.randn(1024))


@workload("broadcast_grad", "memory", "grad", "script")
def _():
    return BroadcastGrad(), rows()


class AddOne(nn.Module):
    def forward(self, x):
        return x + 1.0


@workload("one_number", "overhead", form="script")
def _():
    return AddOne(), (torch.randn(1),)


# --------------------------------------------------------------------------- products


class Product(nn.Module):
    def forward(self, a, b):
        return a @ b


for _sizes in ((512,) * 3, (1024,) * 3, (2048,) * 3, (1000, 777, 333), (127, 509, 1021)):
    workload("matmul_" + "x".join(map(str, _sizes)), "products")(
        lambda m=_sizes[0], k=_sizes[1], n=_sizes[2]: (Product(), (torch.randn(m, k), torch.randn(k, n))))


# --------------------------------------------------------------------------- the least work


def work(row):
    """(flops of products and convolutions, bytes that have to move: arguments, weights, outputs and gradients once; a step of Adam
    also reads and writes its two moments and writes the weights)."""
    from torch.utils.flop_counter import FlopCounterMode

    if row.form == "archive":
        return None
    module, arguments = row.build()
    size = lambda tensors: sum(t.numel() * t.element_size() for t in tensors)  # noqa: E731
    with FlopCounterMode(display=False) as counter, torch.set_grad_enabled(row.mode != "infer"):
        out = module(*arguments)
        if row.mode != "infer":
            out.backward()
    weights = size(module.parameters())
    moved = size(arguments) + weights + size(out if isinstance(out, (tuple, list)) else [out])
    moved -= sum(size([part.weight]) for part in module.modules() if isinstance(part, nn.Embedding))  # reads a few rows
    moved += {"infer": 0, "grad": 1, "step": 6}[row.mode] * weights
    flops = counter.get_total_flops()
    if "nn_lstm" in row.name:  # the counter does not see into it
        flops = 100 * 2 * 64 * (256 + 512) * 2048 * (1 if row.mode == "infer" else 3)
    return flops, moved
