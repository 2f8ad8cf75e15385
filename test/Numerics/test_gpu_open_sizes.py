"""GPU kernels for any sizes, run as in test_gpu.py: against PyTorch."""

import re

import pytest
import torch
from conftest import tool
from test_gpu import GPU, Gelu, assert_assembles
from torch import nn


class Chain(nn.Module):
    """Results of two sizes, one of them computed; what is between them is scratch."""

    def forward(self, x, y):
        rows = torch.sigmoid(x * y + x)
        return rows.tanh(), rows.unsqueeze(0).expand(3, x.size(0), x.size(1)) * 2


class Reshapes(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        return x.reshape(rows, -1) + 1, x.transpose(0, 1) * 2, x.contiguous().view(-1) - x.size(1), torch.full([rows, 2], 3.0)


class Sums(nn.Module):
    def forward(self, x):
        return x.sum(1), x.mean(0), torch.softmax(x, -1), x.amax()


class Halves(nn.Module):
    def forward(self, x, mask):
        return (x.half() * 2).float(), mask & (x > 0), torch.where(mask, x, -x).any()


class Norms(nn.Module):
    """Rows whose length follows from weights, and what stands before and after them."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        nn.init.uniform_(self.norm.weight), nn.init.uniform_(self.norm.bias)

    def forward(self, x, y):
        squares = (x * x).mean(-1, keepdim=True)
        return self.norm(torch.relu(x) + y) + x, x * torch.rsqrt(squares + 1e-6) * self.norm.weight


class Softmaxes(nn.Module):
    """Rows of any length."""

    def __init__(self, width: int):
        super().__init__()

    def forward(self, x, y):
        return (
            torch.softmax(x * 2 + y, -1),
            torch.log_softmax(x, -1).exp().sum(-1),
            (x.half().softmax(-1) * 2).float(),
            torch.nn.functional.normalize(x + y.abs(), dim=-1),
        )


class Dots(nn.Module):
    """Sums of products that are not products of matrices, and a softmax of one row."""

    def forward(self, x, y, v):
        return x @ v, (x * y).sum(-1), x.reshape(-1).softmax(0)


class Written(nn.Module):
    """A softmax by hand, of sequences; what is normalised is used elsewhere too."""

    def forward(self, x):
        shifted = x * 0.5
        powers = torch.exp(shifted - shifted.amax(-1, keepdim=True))
        return powers / powers.sum(-1, keepdim=True), shifted, powers.amax(-1)


PROGRAMS = {
    "gelu": (Gelu, lambda n, m: [torch.randn(n, m), torch.randn(m), 0.5]),
    "chain": (Chain, lambda n, m: [torch.randn(n, m), torch.randn(n, m)]),
    "reshapes": (Reshapes, lambda n, m: [torch.randn(n, m)]),
    "sums": (Sums, lambda n, m: [torch.randn(n, m)]),
    "dots": (Dots, lambda n, m: [torch.randn(n, m), torch.randn(n, m), torch.randn(m)]),
    "written": (Written, lambda n, m: [torch.randn(2, n, m)]),
    "halves": (Halves, lambda n, m: [torch.randn(n, m), torch.randn(n, m) > 0]),
}


# Rows that are whole vectors and such that are not; fewer elements than threads, and more.
@pytest.mark.parametrize("sizes", [(2, 3), (5, 64), (301, 1022)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name, sizes, saved, jit_run):
    program, arguments = PROGRAMS[name]
    archive, reference = saved(program())
    given = arguments(*sizes)
    outcome = jit_run(archive, *given, flags=["--any-sizes", "--explain"], target=GPU)
    with torch.no_grad():
        # Sums of up to a thousand numbers, in another order.
        outcome.assert_close(reference(*given), rtol=1e-4, atol=1e-4)
    assert "is compiled for each of its sizes" not in outcome.stderr


# Rows shorter than a block's step, whole vectors and not, longer ones; fewer rows than blocks and more.
@pytest.mark.parametrize("rows,columns", [(1, 3), (5, 64), (7, 130), (301, 1000), (2500, 12)])
@pytest.mark.parametrize("program", [Norms, Softmaxes])
def test_rows_are_one_kernel(program, rows, columns, saved, jit_run, tmp_path):
    archive, reference = saved(program(columns))
    x, y, dump = torch.randn(rows, columns), torch.randn(rows, columns), tmp_path / "ir"
    outcome = jit_run(archive, x, y, flags=["--any-sizes", "--explain", f"--dump-ir={dump}"], target=GPU)
    with torch.no_grad():
        outcome.assert_close(reference(x, y), rtol=1e-3, atol=1e-4)
    assert "is compiled for each of its sizes" not in outcome.stderr
    lowered = next(dump.glob("forward-0/*codegen.mlir")).read_text()
    kernels = set(re.findall(r"@(forward_[a-z]+_\d+)", lowered))
    assert all("_rows_" in kernel for kernel in kernels) and len(kernels) <= 2, sorted(kernels)
    if tool("jit-translate", must_exist=False).exists():
        assert_assembles(next(dump.glob("forward-0/*lower.mlir")), tmp_path, ["sm_80", "sm_90"])


class Selected(nn.Module):
    def forward(self, x, y):
        chosen = torch.masked_select(x, x > y)
        return chosen * 2 + 1, chosen.sum()


@pytest.mark.parametrize("above", [-10.0, 0.0, 10.0])
def test_sizes_of_data(above, saved, jit_run):
    """The host reads how many elements there are before it asks for their memory."""
    archive, reference = saved(Selected())
    x = torch.randn(30, 41)
    jit_run(archive, x, torch.full_like(x, above), target=GPU).assert_close(reference(x, torch.full_like(x, above)), rtol=1e-4, atol=1e-4)


def test_sizes_that_do_not_meet(saved, jit_run):
    """What a guard refuses is compiled for its sizes, whose error is PyTorch's."""
    archive, _ = saved(Chain())
    outcome = jit_run(archive, torch.randn(3, 4), torch.randn(5, 4), flags=["--any-sizes"], target=GPU)
    assert outcome.code != 0 and "size" in outcome.stderr


def test_products_are_compiled_for_their_sizes(saved, jit_run):
    """Tiles are of known sizes."""
    archive, reference = saved(nn.Linear(8, 20))
    x = torch.randn(17, 8)
    outcome = jit_run(archive, x, flags=["--any-sizes", "--explain"], target=GPU)
    with torch.no_grad():
        outcome.assert_close(reference(x))
    assert "forward is compiled for each of its sizes" in outcome.stderr and "expected static sizes" in outcome.stderr


class WrittenFlat(nn.Module):
    """A write through a view of one dimension: sizes of the flat memory are a product."""

    def forward(self, x):
        x.flatten().add_(2.0)
        return x


def test_writes_through_flat_views(saved, jit_run):
    archive, reference = saved(WrittenFlat())
    for shape in ((2, 3, 2), (4, 5, 6)):
        x = torch.randn(shape)
        jit_run(archive, x, flags=["--any-sizes"], target=GPU).assert_close(reference(x.clone()))
