"""nn.TransformerEncoder as torch.jit.script has it: which of its ways a call takes depends on masks, and on gradients."""

import warnings

import pytest
import torch
from torch import nn

BATCH, LENGTH, WIDTH = 3, 5, 8
# What is padding: at the end of a sequence, as nested tensors may have it, or elsewhere.
AT_END = torch.tensor([[False] * 5, [False, False, False, True, True], [False, False, False, False, True]])
AT_FRONT = AT_END.flip(1)
CAUSAL = nn.Transformer.generate_square_subsequent_mask(LENGTH)
MASKS = {"none": (None, None), "causal": (CAUSAL, None), "of bools": (CAUSAL < 0, None), "front": (None, AT_FRONT), "later, front": ((CAUSAL < 0).T.contiguous(), AT_FRONT),
         "causal, end": (CAUSAL < 0, AT_END), "end": (None, AT_END)}


def encoder(norm_first, layers=2, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = nn.TransformerEncoderLayer(WIDTH, 2, 16, dropout=0.0, batch_first=True, norm_first=norm_first, **options)
        model = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(WIDTH) if norm_first else None)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model.eval()


def eager(model, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model(*arguments)


@pytest.mark.parametrize("norm_first", [False, True], ids=["norm last", "norm first"])
def test_values(norm_first, saved, jit_run):
    """A call without gradients is one within torch.no_grad()."""
    model = encoder(norm_first)
    archive, _ = saved(model)
    x = torch.randn(BATCH, LENGTH, WIDTH)
    for name, masks in MASKS.items():
        outcome = jit_run(archive, x, *masks, None)
        if name == "end" and not norm_first:
            outcome.assert_fails_with("aten::_nested_tensor_from_mask is not supported")
            continue
        with torch.no_grad():
            outcome.assert_close(eager(model, x, *masks), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("norm_first", [False, True], ids=["norm last", "norm first"])
def test_gradients(norm_first, saved, jit_run):
    """By parameters and by the input: where PyTorch records gradients it takes no nested tensors."""
    model = encoder(norm_first)
    archive, _ = saved(model)
    for name in ("none", "later, front", "end"):
        x = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
        outcome = jit_run(archive, x, *MASKS[name], None, flags=["--grad"])
        model.zero_grad()
        y = eager(model, x, *MASKS[name])
        y.sum().backward()
        outcome.assert_close(y.detach(), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(torch.from_numpy(outcome.gradient(0)), x.grad, rtol=1e-3, atol=1e-4)
        for path, parameter in model.named_parameters():
            torch.testing.assert_close(torch.from_numpy(outcome.gradient(f".{path}")), parameter.grad, rtol=1e-3, atol=1e-4)


def test_queries_without_keys(saved, jit_run):
    """Where padding and a mask leave a query nothing, the operator that a call without gradients takes has NaN."""
    model = encoder(False, 1)
    archive, _ = saved(model)
    x = torch.randn(BATCH, LENGTH, WIDTH)
    with torch.no_grad():
        expected = eager(model, x, CAUSAL < 0, AT_FRONT)
    assert expected.isnan().any()
    jit_run(archive, x, CAUSAL < 0, AT_FRONT, None).assert_close(expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("masks", [(None, None), (CAUSAL < 0, None), (None, AT_END), (None, AT_FRONT)], ids=["none", "causal", "end", "front"])
def test_a_layer(masks, saved, jit_run):
    model = encoder(False, 1, activation="gelu").layers[0]
    archive, _ = saved(model)
    x = torch.randn(BATCH, LENGTH, WIDTH)
    with torch.no_grad():
        jit_run(archive, x, *masks).assert_close(eager(model, x, *masks), rtol=1e-4, atol=1e-5)
