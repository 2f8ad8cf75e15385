"""What an operator gives is written in place: its operand changes where PyTorch's result is the operand's memory, whether or not
its schema says so, and does not where it is new memory."""

import importlib.util

import pytest
import torch

OPERATORS = """
torch.atleast_1d(x) | torch.atleast_1d(x[0]) | torch.atleast_2d(x) | torch.atleast_3d(x[None]) | torch.atleast_3d([x, x[0]])[1]
F.dropout(x, 0.5, False) | F.alpha_dropout(x, 0.5, False) | F.dropout2d(x[None], 0.5, False) | torch.feature_dropout(x, 0.5, False)
torch.feature_alpha_dropout(x, 0.5, False) | torch.native_dropout(x, 0.5, False)[0] | torch.broadcast_tensors(x, x[:1])[0]
torch.meshgrid(x[0], x[1], indexing='ij')[0][:, 0] | torch.cartesian_prod(x[0]) | torch.chain_matmul(x) | x.sum_to_size([2, 3])
x.type_as(x) | x.float() | x.double().float() | x.to(torch.float32) | x.cpu() | torch.real(x) | torch.conj(x) | torch.conj_physical(x)
torch.resolve_conj(x) | torch.resolve_neg(x) | torch.positive(x) | x.contiguous() | x.t().contiguous() | x[:1].t().contiguous()
torch.ravel(x) | torch.flatten(x.t()) | x.reshape([3, 2]) | x.t().reshape([6]) | x.view_as(x) | x.expand(2, 3) | torch.squeeze(x[:1])
torch.movedim(x, 0, 1) | torch.swapaxes(x, 0, 1) | torch.einsum('ij->ji', x) | torch.einsum('ij->ij', x) | torch.einsum('ii->i', x[:, :2])
torch.unsafe_chunk(x, 2)[0] | x.unsafe_split(1)[1] | x.split(2)[0] | torch.tensor_split(x, 1)[0] | torch.narrow_copy(x, 0, 0, 2)
torch.constant_pad_nd(x, [0, 0]) | torch.diff(x, 0) | torch.rot90(x, 0) | torch.roll(x, 0) | torch.fliplr(x) | x.repeat(1, 1)
torch.tile(x, [1]) | x.repeat_interleave(1) | torch.hstack([x]) | torch.cat([x]) | torch.column_stack([x]) | torch.block_diag(x)
torch.masked_fill(x, x > 30, 0) | torch.clamp(x, min=0) | torch.sum(x, []) | torch.tril(x, 5) | torch.nan_to_num(x) | x.abs()
F.interpolate(x[None], size=3) | torch.adaptive_avg_pool1d(x, 3) | torch.take(x, torch.arange(6)) | x.index_select(0, torch.arange(2))
torch.pixel_shuffle(x[None, None], 1) | torch.channel_shuffle(x[None, None], 1) | x.diagonal_scatter(x[0][:2]) | x.clone()
""".replace("\n", " | ").strip(" |").split(" | ")

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import Tensor

def program(x: Tensor):
    y = {}
    y.add_(1)
    return x, y
"""


def imported(text, path):
    """TorchScript reads sources from files."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_write_to_a_result(operator, jit_mlir, tmp_path):
    program = imported(PROGRAM.format(operator), tmp_path / "written.py").program
    ours, eager = (torch.arange(1.0, 7.0).reshape(2, 3) for _ in range(2))
    got, expected = jit_mlir.compile(torch.jit.script(program))(ours), program(eager)
    assert torch.equal(ours, eager)
    for mine, theirs in zip(got, expected, strict=True):
        assert mine.dtype == theirs.dtype and torch.equal(mine, theirs)
