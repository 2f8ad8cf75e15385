"""Writes to as_strided of a part of a tensor: gradients reach all that it shows of the memory once that is written, as in eager PyTorch."""

import pytest
import torch

WRITES = [
    "v.copy_(v * 2.0)",
    "v.copy_(v.mul(2.0).add(1.0))",
    "v.add_(v * 2.0)",
    "v[:] = v * 2.0",
    "v.sub_(1.0).mul_(3.0)",
    "v.clamp_(0.0, 3.0)",
    "v.relu_()",
    "v.zero_()",
    "v.fill_(2.0)",
    "v.lerp_(v * 0.0, 0.5)",
    "v.pow_(2.0)",
    "v.cumsum_(0)",
    "v.tril_()",
    "v.renorm_(2.0, 0, 1.0)",
    "v.fill_diagonal_(1.0)",
    "v.addr_(v[:, 0], torch.ones([1]))",
    "v.masked_fill_(v > 0.3, 1.0)",
    "v.masked_scatter_(v > 0.3, torch.ones([3]))",
    "v.put_(torch.tensor([2]), torch.ones([1]))",
    "v.index_add_(0, torch.tensor([2]), torch.ones([1, 1]))",
    "v.index_copy_(0, torch.tensor([2]), torch.ones([1, 1]))",
    "v.index_fill_(0, torch.tensor([2]), 1.0)",
    "v.index_reduce_(0, torch.tensor([2]), torch.ones([1, 1]), 'amax')",
    "v.index_put_([torch.tensor([2])], torch.ones([1, 1]), True)",
    "v.scatter_(0, torch.tensor([[2]]), torch.ones([1, 1]))",
    "v.scatter_add_(0, torch.tensor([[2]]), torch.ones([1, 1]))",
    "v.scatter_reduce_(0, torch.tensor([[2]]), torch.ones([1, 1]), 'sum')",
    "v[torch.tensor([2])] += 1.0",
    "v[v > 0.3] = 0.0",
    "v[1:].mul_(2.0)",
    "v[1:].index_add_(0, torch.tensor([1]), torch.ones([1, 1]))",
    "v.t_().mul_(2.0)",
    "torch.nn.functional.elu_(v)",
]


@pytest.mark.parametrize("results", ["z * 2.0", "z * 2.0, v * 3.0"], ids=["memory", "both"])
@pytest.mark.parametrize("write", WRITES)
def test_the_memory_of_a_part_is_written(jit_mlir, write, results):
    text = f"def f(z):\n    z = z.clone()\n    v = z[:, 1].as_strided([3, 1], [3, 3])\n    {write}\n    return {results}\n"
    names = {"torch": torch}
    exec(text, names)
    outcomes = []
    for program in (names["f"], jit_mlir.compile(torch.jit.CompilationUnit(text).f)):
        z = (torch.arange(16.0).reshape(4, 4) * 0.05).requires_grad_()
        values = program(z)
        values = values if isinstance(values, tuple) else (values,)
        seeds = [torch.linspace(0.5, 2.0, value.numel()).reshape(value.shape) for value in values]
        outcomes.append((values, torch.autograd.grad(values, z, seeds)))
    torch.testing.assert_close(outcomes[1], outcomes[0])
