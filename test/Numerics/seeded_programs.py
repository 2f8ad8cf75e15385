"""Programs to be compiled wrongly on purpose, and how: what test_seeded_faults.py has jit-diff and jit-reduce find."""

import inspect
from typing import List, Optional

import torch
from torch import Tensor, nn


def normalise(x: Tensor, w: Tensor):
    mean = x.mean(dim=1, keepdim=True)
    centred = x - mean
    var = (centred * centred).mean(dim=1, keepdim=True)
    scaled = centred / torch.sqrt(var + 0.1)
    shifted = scaled * w + 0.25
    gate = torch.sigmoid(shifted)
    return shifted * gate


def attention(q: Tensor, k: Tensor, v: Tensor):
    scores = torch.matmul(q, k.transpose(0, 1))
    scaled = scores * 0.35
    weights = torch.softmax(scaled, 1)
    mixed = torch.matmul(weights, v)
    out = mixed + q
    return torch.tanh(out)


def windows(x: Tensor):
    left = x[:, 2:6]
    right = x[:, 4:8]
    both = torch.cat([left, right], 1)
    low = torch.minimum(left, right)
    high = torch.maximum(left, right)
    spread = high - low
    return both, spread / (high.abs() + 1.0)


def accumulate(x: Tensor, steps: int):
    total = torch.zeros_like(x)
    for i in range(steps):
        part = torch.sin(x * float(i + 1))
        damped = part / (x.abs() + 2.0)
        total = total + damped
    return torch.exp(total * 0.5)


def choose(x: Tensor, y: Tensor):
    d = x - y
    if bool(d.sum() > 1000.0):
        r = d * 3.0
    else:
        r = torch.relu(d) - y
    s = torch.clamp(r, -1.0, 1.0)
    return s + torch.where(d > 0.0, x, y)


def rows(x: Tensor):
    y = x * 2.0
    y[1].mul_(0.5)
    first = y.select(0, 1)
    total = torch.cumsum(y, 1)
    top = torch.amax(total, 0)
    return top - first, torch.sum(total, 1)


def halves(x: Tensor, w: Tensor):
    h = x.half() * w.half()
    f = h.float() - x
    g = torch.relu(f) + w
    return torch.log(g.abs() + 1.5)


def counts(n: Tensor, m: Tensor):
    s = n - m
    t = torch.floor_divide(s, 3)
    u = torch.remainder(s, 4)
    v = t * 5 + u
    return v, torch.cumsum(v, 0), torch.argmax(v, 0)


def polynomial(x: Tensor):
    a = x * x
    b = a * x - 3.0
    c = torch.cos(b) + a
    d = c / (a + 1.5)
    e = torch.atan2(d, a)
    return torch.pow(e.abs() + 0.5, 1.7)


def pooled(x: Tensor, w: Tensor):
    y = torch.conv2d(x, w, None, [1, 1], [1, 1])
    z = torch.relu(y)
    p = torch.max_pool2d(z, [2, 2])
    m = p.mean(dim=[2, 3])
    return torch.log_softmax(m, 1)


def until(x: Tensor):
    y = x.abs() + 1.0
    n = 0
    while bool(y.sum() > 4.0) and n < 8:
        z = y * 0.75
        y = z - torch.tanh(z) * 0.1
        n += 1
    return y, n


def parts(x: Tensor, flag: Optional[Tensor]):
    pieces: List[Tensor] = []
    for i in range(3):
        pieces.append(x[i] * float(i + 2))
    s = torch.stack(pieces, 0)
    if flag is not None:
        s = s - flag
    t = s.permute(1, 0)
    return torch.matmul(t, s) + 0.5


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.inner = nn.Linear(6, 12)
        self.outer = nn.Linear(12, 6)
        self.norm = nn.LayerNorm(6)

    def forward(self, x: Tensor):
        h = torch.nn.functional.gelu(self.inner(x))
        y = self.outer(h) + x
        z = self.norm(y)
        return z - torch.sigmoid(y) * 0.5


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.weight = nn.Parameter(torch.randn(5, 5) * 0.3)

    def forward(self, x: Tensor):
        state = torch.zeros(5)
        for i in range(x.size(0)):
            pre = torch.mv(self.weight, state) + x[i]
            state = torch.tanh(pre)
        return state - x.mean(dim=0)


S, J, F = "simplify", "simplify-joint", "fuse"
INPUTS = {
    normalise: ["f32[5,6]", "f32[6]"],
    attention: ["f32[4,6]", "f32[4,6]", "f32[4,6]"],
    windows: ["f32[3,9]"],
    accumulate: ["f32[7]", "4"],
    choose: ["f32[3,4]", "f32[3,4]"],
    rows: ["f32[3,5]"],
    halves: ["f32[4,4]", "f32[4,4]"],
    counts: ["i64[3,4]", "i64[3,4]"],
    polynomial: ["f32[9]"],
    pooled: ["f32[1,2,6,6]", "f32[3,2,3,3]"],
    until: ["f32[3]"],
    parts: ["f32[3,4]", "f32[3,4]"],
    Cell: ["f32[3,6]"],
    Recurrent: ["f32[4,5]"],
}

# Program, a statement of it, its operator that is made wrong, the kind of fault, the stage after which, and when.
FAULTS = [
    (normalise, "x - mean", "aten.sub.Tensor", "negate", S, "always"),
    (normalise, "centred * centred", "aten.mul.Tensor", "scale", F, "always"),
    (normalise, "torch.sqrt", "aten.sqrt", "other as=aten.abs", S, "always"),
    (normalise, "scaled * w", "aten.add.Scalar", "constant", F, "fused"),
    (normalise, "torch.sigmoid", "aten.sigmoid", "drop", S, "used-once"),
    (attention, "mixed + q", "aten.add.Tensor", "other as=aten.sub.Tensor", J, "always"),
    (attention, "k.transpose", "aten.matmul", "scale", S, "used-once"),
    (attention, "scores * 0.35", "aten.mul.Scalar", "constant", S, "always"),
    (attention, "torch.softmax", "aten.softmax.int", "index", S, "always"),
    (attention, "torch.matmul(weights", "aten.matmul", "offset", F, "always"),
    (attention, "torch.tanh", "aten.tanh", "other as=aten.sigmoid", F, "always"),
    (windows, "x[:, 2:6]", "aten.slice.Tensor", "index", S, "always"),
    (windows, "x[:, 4:8]", "aten.slice.Tensor", "index", J, "always"),
    (windows, "torch.minimum", "aten.minimum", "other as=aten.maximum", F, "always"),
    (windows, "high - low", "aten.sub.Tensor", "swap", S, "always"),
    (windows, "spread /", "aten.div.Tensor", "swap", F, "always"),
    (accumulate, "torch.sin", "aten.sin", "other as=aten.cos", S, "always"),
    (accumulate, "part /", "aten.div.Tensor", "swap", S, "always"),
    (accumulate, "total + damped", "aten.add.Tensor", "scale", J, "always"),
    (accumulate, "torch.exp", "aten.exp", "other as=aten.exp2", F, "fused"),
    (choose, "x - y", "aten.sub.Tensor", "swap", S, "always"),
    (choose, "torch.relu", "aten.relu", "drop", S, "always"),
    (choose, "torch.clamp", "aten.clamp", "constant", J, "always"),
    (choose, "torch.where", "aten.where.self", "swap", F, "always"),
    (rows, "mul_", "aten.mul.Scalar", "constant", S, "always"),
    (rows, "x * 2.0", "aten.mul.Scalar", "constant", S, "always"),
    (rows, "torch.cumsum", "aten.cumsum", "index", S, "always"),
    (rows, "torch.amax", "aten.amax", "other as=aten.amin", J, "always"),
    (rows, "top - first", "aten.sub.Tensor", "negate", F, "always"),
    (halves, "h.float() - x", "aten.sub.Tensor", "swap", S, "always"),
    (halves, "torch.relu", "aten.relu", "drop", F, "always"),
    (halves, "torch.log", "aten.log", "scale", S, "always"),
    (counts, "n - m", "aten.sub.Tensor", "swap", S, "always"),
    (counts, "torch.floor_divide", "aten.floor_divide.Scalar", "drop", S, "always"),
    (counts, "t * 5", "aten.add.Tensor", "other as=aten.sub.Tensor", F, "always"),
    (polynomial, "a * x", "aten.sub.Scalar", "constant", S, "always"),
    (polynomial, "torch.cos", "aten.cos", "other as=aten.sin", J, "used-once"),
    (polynomial, "torch.atan2", "aten.atan2", "swap", S, "always"),
    (polynomial, "torch.pow", "aten.pow.Tensor_Scalar", "constant", S, "always"),
    (pooled, "torch.conv2d", "aten.conv2d", "scale", S, "always"),
    (pooled, "torch.relu", "aten.relu", "drop", F, "always"),
    (pooled, "p.mean", "aten.mean.dim", "scale", S, "used-once"),
    (until, "y * 0.75", "aten.mul.Scalar", "constant", S, "always"),
    (until, "z - torch.tanh", "aten.tanh", "drop", F, "always"),
    (parts, "x[i] *", "aten.mul.Scalar", "scale", S, "always"),
    (parts, "s - flag", "aten.sub.Tensor", "swap", S, "always"),
    (parts, "torch.matmul", "aten.matmul", "scale", F, "always"),
    (Cell, "functional.gelu", "aten.gelu", "scale", S, "always"),
    (Cell, "z - torch.sigmoid", "aten.sub.Tensor", "swap", F, "always"),
    (Recurrent, "torch.mv", "aten.add.Tensor", "scale", S, "always"),
]


def line_of(program, statement):
    lines, first = inspect.getsourcelines(program)
    (found,) = [number for number, line in enumerate(lines) if statement in line]
    return first + found


def save(program, path):
    torch.jit.script(program() if inspect.isclass(program) else program).save(str(path))
