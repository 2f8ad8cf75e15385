"""Modules whose forward is saved as overloads, as recurrent networks are: a call finds the one that takes its arguments."""

import subprocess

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from conftest import tool

NETWORKS = {
    "lstm": lambda: nn.LSTM(3, 4),
    "lstm of two layers in both directions": lambda: nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True),
    "lstm without biases": lambda: nn.LSTM(3, 4, bias=False),
    "gru": lambda: nn.GRU(3, 4, 2),
    "gru in both directions": lambda: nn.GRU(3, 4, bidirectional=True),
}


@pytest.fixture(params=NETWORKS, ids=lambda name: name.replace(" ", "-"))
def network(request):
    torch.manual_seed(0)
    return NETWORKS[request.param]().eval()


def test_sequences(network, saved, jit_run):
    x = torch.randn(5, 2, 3)
    archive, _ = saved(network)
    with torch.no_grad():
        output, state = network(x)
        again, after = network(x, state)
    jit_run(archive, x).assert_close((output, state))
    jit_run(archive, x, state).assert_close((again, after))


@pytest.mark.parametrize("lengths", [[5, 3, 1], [4, 4, 4], [2, 5, 3]])
def test_packed_sequences(network, lengths, saved, jit_run):
    packed = pack_padded_sequence(torch.randn(5, 3, 3), torch.tensor(lengths), enforce_sorted=False)
    archive, _ = saved(network)
    layers = network.num_layers * (1 + network.bidirectional)
    start = torch.randn(layers, 3, 4)
    state = (start, torch.randn(layers, 3, 4)) if isinstance(network, nn.LSTM) else start
    with torch.no_grad():
        output, after = network(packed, state)
    jit_run(archive, tuple(packed), state).assert_close((tuple(output), after))


def test_packed_sequences_without_a_state(saved, jit_run):
    """How many there are is one of their elements, and loops have known sizes."""
    packed = pack_padded_sequence(torch.randn(5, 3, 3), torch.tensor([5, 3, 1]))
    archive, _ = saved(nn.GRU(3, 4))
    jit_run(archive, tuple(packed)).assert_fails_with("expected a static size in aten.gru.data", "rnn.py")


def test_no_overload_takes_the_arguments(saved, jit_run):
    archive, _ = saved(nn.LSTM(3, 4))
    jit_run(archive, 3).assert_fails_with("expected one of the methods forward__0, forward__1", "got 'forward'")


def test_import_needs_no_call(saved):
    archive, _ = saved(nn.LSTM(3, 4))
    translated = subprocess.run([tool("jit-translate"), "--import", archive], check=True, capture_output=True, text=True)
    assert "func.func @forward__1" in translated.stdout
