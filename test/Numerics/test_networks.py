"""Whole networks, traced and scripted, against PyTorch."""

import numpy as np
import pytest
import torch

import models
from running import leaves


def assert_relative(outcome, expected, tolerance=1e-4):
    """The largest difference, measured against the largest value."""
    outcome.assert_ok()
    expected = list(leaves(expected))
    assert [o.shape for o in outcome.outputs] == [e.shape for e in expected]
    for got, want in zip(outcome.outputs, expected):
        assert np.abs(got - want).max() <= tolerance * np.abs(want).max()


def both_ways(saved, jit_run, module, *arguments):
    archive, reference = saved(module)
    with torch.no_grad():
        expected = reference(*arguments)
    assert_relative(jit_run(archive, *arguments), expected)


def test_alexnet_traced(saved, jit_run):
    both_ways(saved, jit_run, models.traced_alexnet(), torch.randn(1, 3, 224, 224))


def test_convolution_by_hand(saved, jit_run):
    both_ways(saved, jit_run, models.HandwrittenConv2d(3, 16, 3), torch.randn(1, 3, 512, 512))


def test_lstm_starts_at_zero(saved, jit_run):
    both_ways(saved, jit_run, models.LoopedLstm(64, 48), torch.randn(20, 3, 64), None)


def test_lstm_goes_on_from_a_state(saved, jit_run):
    state = (torch.randn(3, 48), torch.randn(3, 48))
    both_ways(saved, jit_run, models.LoopedLstm(64, 48), torch.randn(20, 3, 64), state)


def test_traced_children(saved, jit_run):
    both_ways(saved, jit_run, models.ThreeBlocks(), torch.randn(2, 3, 28, 28))


class SelfAttention(torch.nn.Module):
    def __init__(self, averaged):
        super().__init__()
        self.attention, self.averaged = torch.nn.MultiheadAttention(8, 2, batch_first=True), averaged

    def forward(self, x, mask):
        return self.attention(x, x, x, key_padding_mask=mask, average_attn_weights=self.averaged)


@pytest.mark.parametrize("averaged", [True, False])
def test_attention_that_gives_its_weights(averaged, saved, jit_run):
    """A trace of the layer without gradients has PyTorch's fast form of it."""
    x, mask = torch.randn(2, 5, 8), torch.zeros(2, 5, dtype=torch.bool)
    mask[1, 3:] = True
    with torch.no_grad():
        traced = torch.jit.trace(SelfAttention(averaged).eval(), (x, mask), check_trace=False)
    assert "_native_multi_head_attention" in str(traced.inlined_graph)
    archive, reference = saved(traced)
    jit_run(archive, x, mask).assert_close(reference(x, mask))


def test_threads_give_the_same_logits(saved, jit_run):
    archive, _ = saved(models.traced_alexnet())
    image = torch.randn(1, 3, 224, 224)
    one, two = (jit_run(archive, image, flags=[f"--threads={n}"]) for n in (1, 2))
    one.assert_ok(), two.assert_ok()
    np.testing.assert_array_equal(one.outputs[0], two.outputs[0])


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(8, 6, num_layers=2)

    def forward(self, x):
        return self.lstm(x)[0]


def test_nn_lstm_has_gradients_by_its_parameters(saved, jit_run, tmp_path):
    archive, reference = saved(Recurrent())
    x = torch.randn(5, 3, 8)
    jit_run(archive, x, flags=["--grad"]).assert_ok()
    reference(x).sum().backward()
    for name, parameter in reference.named_parameters():
        got = np.load(tmp_path / f"out0.grad.{name}.npy")
        np.testing.assert_allclose(got, parameter.grad.numpy(), rtol=1e-4, atol=1e-5, err_msg=name)
