"""docs/add-an-op.md to the letter: its example, built (a minute with a warm ccache, so with --full), run and compared with PyTorch."""

import pathlib

import pytest
import torch
from conftest import ROOT
from guide import Guide
from running import JitRun

GUIDE = Guide("add-an-op.md")


def test_the_page_has_an_example():
    assert {"tablegen", "mlir", "sh"} <= GUIDE.languages()
    for name in GUIDE.files():
        assert (ROOT / pathlib.Path(name).parent).is_dir(), name


def test_the_example(tmp_path, request):
    if not request.config.getoption("--full"):
        pytest.skip("builds everything: with --full")
    scratch = tmp_path / "scratch"
    shown = GUIDE.follow(scratch)
    assert "aten::_test_serialization_subcmul(Tensor self, Tensor other, Scalar alpha=1) -> Tensor" in shown

    class Uses(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return torch.ops.aten._test_serialization_subcmul(x, y, 3) * 2

    scripted = torch.jit.script(Uses())
    scripted.save(str(tmp_path / "uses.pt"))
    x, y = torch.randn(4, 5, requires_grad=True), torch.randn(5, requires_grad=True)
    jit_run = JitRun(scratch / "build/dev/bin/jit-run", tmp_path)
    jit_run(tmp_path / "uses.pt", x, y).assert_close(scripted(x, y))
    scripted(x, y).sum().backward()
    got = jit_run(tmp_path / "uses.pt", x, y, flags=["--grad"])
    got.assert_ok()
    for position, argument in enumerate((x, y)):
        torch.testing.assert_close(torch.from_numpy(got.gradient(position)), argument.grad)
