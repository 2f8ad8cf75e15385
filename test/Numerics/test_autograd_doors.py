"""torch.autograd.grad by every door: traces and exported programs hold the backward pass itself; graphs' texts; packages."""

import numpy as np
import pytest
import torch
from autograd_programs import EXACT, LennardJones, Potential, Quartic, positions
from running import leaves
from torch import nn


class Traced(nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_(True)
        energy = (x * x * x).sum()
        (g,) = torch.autograd.grad(energy, x, create_graph=True)
        return energy, -g


def test_a_trace(tmp_path, jit_run):
    x = torch.rand(4, dtype=torch.float64)
    path = tmp_path / "traced.pt"
    torch.jit.trace(Traced(), x, check_trace=False).save(path)
    jit_run(path, x).assert_close(Traced()(x), **EXACT)


def test_an_exported_program(tmp_path, jit_run):
    x = torch.rand(4, dtype=torch.float64)
    path = tmp_path / "exported.pt2"
    torch.export.save(torch.export.export(Traced(), (x,)), path)
    jit_run(path, x).assert_close(Traced()(x), **EXACT)


def test_a_graphs_text(tmp_path, jit_run):
    path = tmp_path / "graph.txt"
    path.write_text(str(torch.jit.script(Quartic()).inlined_graph))
    x = torch.rand(4, dtype=torch.float64)
    jit_run(path, x).assert_close(Quartic()(x.clone()), **EXACT)


@pytest.mark.parametrize("module, call, counts", [(LennardJones(), "forward(f64[5,3])", [5]),
                                                   (Potential().eval(), "forward(f64[n,3])", [4, 9])], ids=["sizes", "any sizes"])
def test_a_package(module, call, counts, saved, compiled):
    archive, _ = saved(torch.jit.script(module))
    package = compiled(archive, [call]).open()
    for count in counts:
        x = positions(count)
        for got, want in zip(package.call("forward", x), leaves(module(x.clone())), strict=True):
            np.testing.assert_allclose(got, want, **EXACT)
