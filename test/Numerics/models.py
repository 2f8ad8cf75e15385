"""Networks as people write and save them; weights are random, from the test's seed."""

from typing import List, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class AlexNet(nn.Module):
    """The layer sizes that torchvision's network of this name has."""

    def __init__(self, classes=1000):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 11, stride=4, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2),
            nn.Conv2d(64, 192, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2),
            nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2),
        )
        self.pool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(inplace=True),
            nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU(inplace=True),
            nn.Linear(4096, classes),
        )

    def forward(self, image):
        return self.classifier(torch.flatten(self.pool(self.features(image)), 1))


def traced_alexnet():
    return torch.jit.trace(AlexNet().eval(), torch.randn(1, 3, 224, 224))


class HandwrittenConv2d(nn.Module):
    """A convolution as unfold and one product for each output channel, written in place."""

    def __init__(self, inputs: int, outputs: int, kernel: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs, kernel, kernel) * 0.1)
        self.bias = nn.Parameter(torch.randn(outputs))
        self.kernel = kernel

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        batch, _, height, width = image.shape
        columns = F.unfold(image, [self.kernel, self.kernel], padding=self.kernel // 2)
        rows = self.weight.view(self.weight.size(0), -1)
        out = torch.empty([batch, self.weight.size(0), height, width])
        for channel in range(self.weight.size(0)):
            plane = torch.matmul(rows[channel], columns).view(batch, height, width)
            out[:, channel] = plane + self.bias[channel]
        return out


State = Tuple[torch.Tensor, torch.Tensor]


class LoopedLstm(nn.Module):
    """An LSTM as a loop over time steps; the state is given or starts at zero."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__()
        self.w_ih = nn.Parameter(torch.randn(4 * hidden, inputs) * 0.05)
        self.w_hh = nn.Parameter(torch.randn(4 * hidden, hidden) * 0.05)
        self.bias = nn.Parameter(torch.randn(4 * hidden) * 0.05)

    def cell(self, x: torch.Tensor, hx: torch.Tensor, cx: torch.Tensor) -> State:
        gates = torch.mm(x, self.w_ih.t()) + torch.mm(hx, self.w_hh.t()) + self.bias
        enter, forget, value, leave = gates.chunk(4, 1)
        cy = torch.sigmoid(forget) * cx + torch.sigmoid(enter) * torch.tanh(value)
        return torch.sigmoid(leave) * torch.tanh(cy), cy

    def forward(self, x: torch.Tensor, state: Optional[State] = None) -> Tuple[torch.Tensor, State]:
        if state is None:
            zero = torch.zeros(x.size(1), self.w_hh.size(1))
            hx, cx = zero, zero
        else:
            hx, cx = state
        outputs: List[torch.Tensor] = []
        for step in range(x.size(0)):
            hx, cx = self.cell(x[step], hx, cx)
            outputs.append(hx)
        return torch.stack(outputs), (hx, cx)


def _traced_block(inputs, outputs):
    norm = nn.BatchNorm2d(outputs)
    with torch.no_grad():  # statistics as if it had been trained
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)
    block = nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), norm, nn.ReLU())
    return torch.jit.trace(block.eval(), torch.randn(2, inputs, 28, 28))


class ThreeBlocks(torch.jit.ScriptModule):
    """Conv, batch norm, ReLU three times: a ScriptModule whose children were traced."""

    def __init__(self):
        super().__init__()
        self.first = _traced_block(3, 16)
        self.second = _traced_block(16, 32)
        self.third = _traced_block(32, 64)

    @torch.jit.script_method
    def forward(self, image):
        return self.third(self.second(self.first(image)))
