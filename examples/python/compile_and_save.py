"""A module of PyTorch compiled as it is called, then saved as one file that needs neither PyTorch nor Python."""

import sys

import jit_mlir
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).eval()
x = torch.randn(2, 8)

program = jit_mlir.compile(model)
torch.testing.assert_close(program(x), model(x))
print(program.graph_for(x))
program.save(sys.argv[1], [x])

trained = torch.compile(model, backend="jit_mlir")
trained(x).square().mean().backward()
print("gradients:", [tuple(parameter.grad.shape) for parameter in model.parameters()])
