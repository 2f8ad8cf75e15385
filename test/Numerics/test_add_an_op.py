"""docs/add-an-op.md to the letter: its three examples, built from a copy of the sources, run and compared with PyTorch."""

import pathlib

import pytest
import torch
from conftest import ROOT
from guide import Guide
from running import JitRun
from torch.nn import functional

GUIDE = Guide("add-an-op.md")
SCHEMAS = (
    "aten::_test_serialization_subcmul(Tensor self, Tensor other, Scalar alpha=1) -> Tensor",
    "aten::_test_autograd_multiple_dispatch_view(Tensor(a) self) -> Tensor(a)",
    "aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor",
)


def pointwise(x: torch.Tensor, y: torch.Tensor):
    return torch.ops.aten._test_serialization_subcmul(x, y, 3) * 2


def view(x: torch.Tensor, y: torch.Tensor):
    z = x * y
    torch.ops.aten._test_autograd_multiple_dispatch_view(z).mul_(2)
    return z


def product(x: torch.Tensor, y: torch.Tensor):
    return torch.ops.aten._addmm_activation(y, x, x.t(), beta=2, use_gelu=True) + torch.ops.aten._addmm_activation(y, x, x.t())


def differentiable_product(x: torch.Tensor, y: torch.Tensor):
    """PyTorch has no gradient of _addmm_activation."""
    return functional.gelu(torch.addmm(y, x, x.t(), beta=2)) + functional.relu(torch.addmm(y, x, x.t()))


#: By program the sizes of its arguments, and what its gradients are to be those of.
PROGRAMS = {pointwise: ((4, 5), (5,), pointwise), view: ((4, 5), (5,), view), product: ((4, 5), (4,), differentiable_product)}


def test_the_page_has_examples():
    assert {"tablegen", "mlir", "sh"} <= GUIDE.languages()
    for name in GUIDE.files():
        assert (ROOT / pathlib.Path(name).parent).is_dir(), name


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("guide") / "scratch"
    shown = GUIDE.follow(scratch)
    assert all(schema in shown for schema in SCHEMAS), shown
    return scratch / "build/dev/bin/jit-run"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_examples(program, built, tmp_path):
    *sizes, differentiable = PROGRAMS[program]
    scripted = torch.jit.script(program)
    scripted.save(str(tmp_path / "uses.pt"))
    arguments = [torch.randn(size, requires_grad=True) for size in sizes]
    jit_run = JitRun(built, tmp_path)
    with torch.no_grad():
        jit_run(tmp_path / "uses.pt", *arguments).assert_close(scripted(*arguments))
    differentiable(*arguments).sum().backward()
    got = jit_run(tmp_path / "uses.pt", *arguments, flags=["--grad"])
    got.assert_ok()
    for position, argument in enumerate(arguments):
        torch.testing.assert_close(torch.from_numpy(got.gradient(position)), argument.grad)
