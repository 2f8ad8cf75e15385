"""Programs that are written as .pt2: each with the spec of a call and arguments of calls that the file is to take."""

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor, nn


class Arithmetic(nn.Module):
    def forward(self, x: Tensor, scale: float = 2.0):
        y = x * scale + 1
        return torch.relu(y), y.mean([0], keepdim=True), y.to(torch.float64), y > 0


class Flags(nn.Module):
    def forward(self, x: Tensor, double: bool, bias: Optional[Tensor] = None):
        y = x * 2 if double else x - 1
        return y if bias is None else y + bias


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 4)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))
        self.register_buffer("scale", torch.full((4,), 0.5, dtype=torch.bfloat16))

    def forward(self, x: Tensor):
        self.calls += 1
        y = torch.relu(self.norm(self.conv(x)))
        return self.head(y.mean([2, 3])) * self.scale.float(), y


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(16, 8)
        self.out = nn.Linear(8, 16, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, tokens: Tensor):
        return self.out(self.embed(tokens))


class Nested(nn.Module):
    def forward(self, inputs: Dict[str, Tensor], more: List[Tensor], pair: Tuple[int, Optional[Tensor]]):
        total = inputs["a"] + more[0] * more[1] + pair[0]
        return {"total": total, "parts": (total.sum(), total.max(1))}, [total, total + 1], None, pair[0]


class WritesArguments(nn.Module):
    def forward(self, x: Tensor, out: Tensor):
        x[:, 0] = 5
        out.copy_(x.t())
        return x.sum()


class Views(nn.Module):
    def forward(self, x: Tensor):
        y = x.clone()
        y.t()[0].add_(1)
        y.view(-1)[::2] *= 2
        return y, x.permute(1, 0).contiguous(), x.unfold(1, 2, 1), x.reshape(x.size(0), -1, 2)


class Sizes(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        n, m = x.size(0), x.size(1)
        joined = torch.cat([x, x, y], 0)
        return joined.reshape(-1), torch.zeros(n, m + 1), torch.arange(n * 2), n // 2 + m, max(n, m)


class Windows(nn.Module):
    def forward(self, x: Tensor):
        y = torch.max_pool2d(x, [3, 3], stride=[2, 2])
        return y, torch.nn.functional.avg_pool2d(y, [2, 2]), torch.nn.functional.pad(x, [1, 2])


class BranchOnData(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x: Tensor):
        if bool(x.sum() > 0):
            y, k = self.lin(x), 3
        else:
            y, k = x - 1, 4
        return y, k


class NestedBranches(nn.Module):
    def forward(self, x: Tensor, n: int):
        scale = n * 2
        if bool(x.min() > 0):
            if bool(x.max() > 2):
                x = x * scale
            else:
                x = x + n
        return x


class BranchOnSize(nn.Module):
    def forward(self, x: Tensor):
        if x.size(0) > 3:
            return x * 2
        return x - 1


class CountedLoop(nn.Module):
    def forward(self, x: Tensor, n: int):
        y = torch.zeros_like(x)
        for i in range(n):
            y = y + x * i
        return y


class DataLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x: Tensor):
        steps = 0
        while bool(x.sum() < 100.0) and steps < 10:
            x = torch.relu(self.lin(x)) + 1
            steps += 1
        return x, steps


class Unrolled(nn.Module):
    def forward(self, x: Tensor):
        rows: List[Tensor] = []
        for i in range(3):
            rows.append(x[i] * i)
        return torch.stack(rows)


class BranchInLoop(nn.Module):
    def forward(self, x: Tensor):
        for i in range(3):
            if bool(x[i].sum() > 0):
                x = x + i
        return x


class Drawn(nn.Module):
    def forward(self, x: Tensor):
        dropped = torch.dropout(x.abs() + 1, 0.5, True)
        return (dropped == 0).any(), torch.rand(3).shape[0], torch.randn_like(x) * 0


class Frequencies(nn.Module):
    def forward(self, x: Tensor):
        spectrum = torch.fft.rfft(x)
        return spectrum * 2j, spectrum.abs(), torch.view_as_real(spectrum), torch.fft.fft(x)


class Training(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x: Tensor):
        return torch.batch_norm(x, self.norm.weight, self.norm.bias, self.norm.running_mean, self.norm.running_var, True, 0.1, 1e-5, True)


class Made(nn.Module):
    def forward(self, x: Tensor):
        return torch.tensor([1, 2, 3]), torch.tensor([0.5, 2.0]) + x, torch.tensor(2), torch.channel_shuffle(x.view(1, 2, 2, 1).expand(1, 2, 2, 1), 2)


class Items(nn.Module):
    def forward(self, x: Tensor):
        return x.sum().item(), int(x.argmax()), x * x.max().item()


class Checks(nn.Module):
    def forward(self, x: Tensor):
        assert bool(x.min() > -100), "too small"
        return x + 1


class DataSizes(nn.Module):
    def forward(self, x: Tensor):
        where = x.nonzero()
        return where, x[x > 0] * 2, where.size(0)


class Lists(nn.Module):
    def forward(self, x: Tensor):
        a, b = torch.chunk(x, 2, 1)
        first, rest = torch.split(x, 2, 1)
        values, places = torch.sort(x, 1)
        return a * b, first + rest, values, places, torch.stack([a, b])


class Indexes(nn.Module):
    def forward(self, x: Tensor, rows: Tensor):
        y = x.clone()
        y[rows] = 0
        return x[rows], x[:, rows], x[rows, None], y, torch.where(x > 0, x, y)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, dropout=0.0)

    def forward(self, x: Tensor):
        return self.layer(x)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8, num_layers=2, batch_first=True)

    def forward(self, x: Tensor):
        y, (h, c) = self.lstm(x)
        return y, h, c


class Running(nn.Module):
    """State that is replaced, and used in the same call."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x: Tensor):
        self.mean = self.mean * 0.9 + x.mean(0) * 0.1
        return x - self.mean


class Forces(nn.Module):
    def forward(self, x: Tensor):
        x.requires_grad_()
        energy = (x**2).sum()
        grad = torch.autograd.grad([energy], [x])[0]
        assert grad is not None
        return energy.detach(), -grad


def random(*sizes):
    return lambda: torch.randn(*sizes)


def rows(*sizes):
    return lambda: torch.randint(0, 3, sizes)


def tokens(*sizes):
    return lambda: torch.randint(0, 16, sizes)


# Module, spec, and for each call its arguments: what is made anew for it is given as a function.
CASES = [
    (Arithmetic, "f32[n,4]", [(random(2, 4),), (random(7, 4),)]),
    (Arithmetic, "f32[3,4],1.5", [(random(3, 4), 1.5)]),
    (Flags, "f32[n],true,none", [(random(5), True, None)]),
    (Flags, "f32[n],false,f32[n]", [(random(5), False, random(5))]),
    (Network, "f32[2,3,8,8]", [(random(2, 3, 8, 8),)] * 2),
    (Network, "f32[n,3,h,w]", [(random(2, 3, 8, 9),), (random(3, 3, 31, 12),)]),
    (Shared, "i64[n,m]", [(tokens(2, 5),), (tokens(3, 2),)]),
    (Nested, 'dict[("a",f32[n,4])],[f32[n,4],f32[n,4]],(3,none)', [({"a": random(3, 4)}, [random(3, 4), random(3, 4)], (3, None))]),
    (WritesArguments, "f32[3,4],f32[4,3]", [(random(3, 4), random(4, 3))]),
    (WritesArguments, "f32[n,4],f32[4,n]", [(random(5, 4), random(4, 5))]),
    (Views, "f32[3,4]", [(random(3, 4),)]),
    (Sizes, "f32[n,m],f32[k,m]", [(random(3, 4), random(2, 4)), (random(5, 6), random(7, 6))]),
    (Windows, "f32[2,3,h,w]", [(random(2, 3, 17, 24),), (random(2, 3, 30, 19),)]),
    (BranchOnData, "f32[n,4]", [(lambda: torch.ones(3, 4),), (lambda: -torch.ones(2, 4),)]),
    (NestedBranches, "f32[n,4],?int", [(lambda: torch.ones(3, 4) * v, 5) for v in (-1, 1, 3)]),
    (BranchOnSize, "f32[n,4]", [(random(2, 4),), (random(5, 4),)]),
    (CountedLoop, "f32[n,4],?int", [(random(3, 4), 3), (random(2, 4), 0)]),
    (CountedLoop, "f32[n,4],4", [(random(3, 4), 4)]),
    (DataLoop, "f32[n,4]", [(random(3, 4),), (lambda: torch.full((2, 4), 50.0),)]),
    (Unrolled, "f32[3,4]", [(random(3, 4),)]),
    (BranchInLoop, "f32[n,4]", [(random(3, 4),), (lambda: -torch.ones(3, 4),)]),
    (Drawn, "f32[n,64]", [(random(30, 64),)]),
    (Frequencies, "f32[3,8]", [(random(3, 8),)]),
    (Training, "f32[n,4]", [(random(3, 4),)] * 2),
    (Made, "f32[2,2]", [(random(2, 2),)]),
    (Items, "f32[n,4]", [(random(3, 4),)]),
    (Checks, "f32[n,4]", [(random(3, 4),)]),
    (DataSizes, "f32[n,4]", [(random(3, 4),), (random(6, 4),)]),
    (Lists, "f32[n,4]", [(random(3, 4),)]),
    (Indexes, "f32[3,4],i64[n]", [(random(3, 4), rows(2)), (random(3, 4), rows(5))]),
    (Attention, "f32[n,5,16]", [(random(2, 5, 16),), (random(3, 5, 16),)]),
    (Recurrent, "f32[2,5,4]", [(random(2, 5, 4),)]),
    (Running, "f32[n,4]", [(random(3, 4),)] * 2),
    (Forces, "f32[3,4]", [(random(3, 4),)]),
]

# Those that have no control flow of their own: traced as well.
TRACED = [Network, Shared, Windows, Attention, Recurrent, Views, Arithmetic]
