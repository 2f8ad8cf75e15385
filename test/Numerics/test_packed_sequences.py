"""Packed sequences whose lengths data tell, through recurrent networks and beside them, compared with eager PyTorch."""

from typing import Optional

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

CALLS = [torch.tensor([3, 5, 2, 5]), torch.tensor([1, 1, 1, 1]), torch.tensor([5, 5, 5, 5]), torch.tensor([2, 1, 4, 3])]


class Network(nn.Module):
    def __init__(self, kind, sorts: bool, total: Optional[int], batch_first=True, **options):
        super().__init__()
        self.network = kind(3, 4, batch_first=batch_first, **options)
        self.sorts, self.total, self.batch_first = sorts, total, batch_first

    def forward(self, x: Tensor, lengths: Tensor):
        packed = pack_padded_sequence(x, lengths, batch_first=self.batch_first, enforce_sorted=not self.sorts)
        outputs, state = self.network(packed)
        padded, counts = pad_packed_sequence(outputs, batch_first=self.batch_first, padding_value=-1.0, total_length=self.total)
        return padded, state, counts


@pytest.mark.parametrize("kind, options", [
    (nn.LSTM, {}), (nn.LSTM, {"bidirectional": True, "num_layers": 2}), (nn.GRU, {"bidirectional": True}), (nn.RNN, {"bias": False}),
    (nn.RNN, {"nonlinearity": "relu", "batch_first": False}), (nn.LSTM, {"batch_first": False, "num_layers": 2}),
])
@pytest.mark.parametrize("total", [None, 5, 7])
def test_networks_of_sequences_of_several_lengths(kind, options, total, saved, jit_mlir):
    archive, reference = saved(Network(kind, True, total, **options))
    program = jit_mlir.load(archive)
    for lengths in CALLS:
        x = torch.randn(4, 5, 3) if options.get("batch_first", True) else torch.randn(5, 4, 3)
        torch.testing.assert_close(program(x, lengths), reference(x, lengths), rtol=1e-4, atol=1e-5)


def test_sequences_that_are_sorted_already(saved, jit_mlir):
    archive, reference = saved(Network(nn.LSTM, False, None))
    program, x = jit_mlir.load(archive), torch.randn(3, 5, 3)
    lengths = torch.tensor([4, 4, 2])
    torch.testing.assert_close(program(x, lengths), reference(x, lengths), rtol=1e-4, atol=1e-5)
    for wrong in ([2, 4, 4], [4, 2, 0], [6, 2, 1], [4, 2, -1]):
        with pytest.raises(RuntimeError):
            reference(x, torch.tensor(wrong))
        with pytest.raises(jit_mlir.Error, match="expected lengths") as caught:
            program(x, torch.tensor(wrong))
        assert caught.value.python_class == "builtins.RuntimeError"


def test_a_total_length_that_is_too_small(saved, jit_mlir):
    archive, reference = saved(Network(nn.LSTM, False, 3))
    program, x = jit_mlir.load(archive), torch.randn(3, 5, 3)
    torch.testing.assert_close(program(x, torch.tensor([3, 2, 1])), reference(x, torch.tensor([3, 2, 1])), rtol=1e-4, atol=1e-5)
    with pytest.raises(jit_mlir.Error):
        program(x, torch.tensor([4, 2, 1]))


class Rows(nn.Module):
    """The rows themselves, and a layer on them."""

    def __init__(self):
        super().__init__()
        self.before, self.network, self.after = nn.Linear(3, 3), nn.GRU(3, 4), nn.Linear(4, 2)

    def forward(self, x: Tensor, lengths: Tensor):
        packed = pack_padded_sequence(x, lengths)
        outputs, state = self.network(packed)
        return packed.data, packed.batch_sizes, self.after(outputs.data), state, self.before(packed.data).sum(0)


def test_the_rows_of_packed_sequences(saved, jit_mlir):
    archive, reference = saved(Rows())
    program, x = jit_mlir.load(archive), torch.randn(5, 3, 3)
    for lengths in ([5, 3, 1], [2, 2, 2], [1, 1, 1], [4, 4, 2]):
        torch.testing.assert_close(program(x, torch.tensor(lengths)), reference(x, torch.tensor(lengths)), rtol=1e-4, atol=1e-5)


def test_gradients_of_packed_sequences(saved, jit_mlir):
    archive, reference = saved(Network(nn.LSTM, True, 5, bidirectional=True))
    program = jit_mlir.load(archive)
    x, lengths = torch.randn(4, 5, 3), torch.tensor([3, 5, 2, 4])
    grads = []
    for run in (program, reference):
        given = x.clone().requires_grad_()
        padded, (h, c), _ = run(given, lengths)
        grads.append(torch.autograd.grad((padded.sin() * torch.linspace(0, 1, 8)).sum() + h.sin().sum() + c.sum(), given)[0])
    torch.testing.assert_close(*grads, rtol=1e-4, atol=1e-5)


class Foreign(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = nn.GRU(3, 4)

    def forward(self, data: Tensor, counts: Tensor):
        return self.network(PackedSequence(data, counts, None, None))[0].data


def test_rows_that_a_caller_packed(saved, jit_mlir):
    """Of known sizes, as before."""
    archive, reference = saved(Foreign())
    data, counts = torch.randn(6, 3), torch.tensor([3, 2, 1])
    try:
        got = jit_mlir.load(archive)(data, counts)
    except jit_mlir.Error as error:
        assert "needs" in str(error) or "static" in str(error)
        return
    torch.testing.assert_close(got, reference(data, counts), rtol=1e-4, atol=1e-5)


class Padded(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor, padding: float):
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        return pad_packed_sequence(packed, batch_first=True, padding_value=padding)


@pytest.mark.parametrize("padding", [0.0, -1.5])
@pytest.mark.parametrize("x", [torch.arange(2**53, 2**53 + 12).view(3, 4), torch.arange(12).view(3, 4).to(torch.uint8), torch.randn(3, 4, 2).to(torch.bfloat16)],
                         ids=lambda x: str(x.dtype))
def test_padding_takes_the_element_type_of_the_rows(x, padding, saved, jit_mlir):
    if x.dtype == torch.uint8 and padding < 0:
        padding = 1.5
    archive, reference = saved(Padded())
    lengths = torch.tensor([4, 2, 1])
    torch.testing.assert_close(jit_mlir.load(archive)(x, lengths, padding), reference(x, lengths, padding), rtol=0, atol=0)
