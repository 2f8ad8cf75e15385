"""Places that only a call knows: what counts from the end, and what is refused, as PyTorch has it."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

X = torch.randn(4, 7)


class Call(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


@pytest.fixture
def traced(saved):
    return lambda function, *arguments: saved(torch.jit.trace(Call(function), arguments))[0]


def agrees(jit_run, archive, function, *arguments):
    """The same result as PyTorch's, or an error where it has one; gives whether it has one."""
    got = jit_run(archive, *arguments)
    try:
        expected = function(*arguments)
    except (IndexError, RuntimeError):
        got.assert_fails_with("Error: ")
        return True
    got.assert_ok()
    torch.testing.assert_close(torch.from_numpy(got.outputs[0]), expected)
    return False


S = torch.randn(4, 3)
FUNCTIONS = {
    "index_select": lambda x, i: x.index_select(1, i), "embedding": lambda x, i: F.embedding(i, x),
    "embedding_bag": lambda x, i: F.embedding_bag(i[None], x), "gather": lambda x, i: x.gather(1, i.expand(4, 3)),
    "index": lambda x, i: x[:, i], "take": lambda x, i: x.take(i), "index_add": lambda x, i: x.index_add(1, i, S),
    "index_copy": lambda x, i: x.index_copy(1, i, S), "index_fill": lambda x, i: x.index_fill(1, i, 2.0),
    "index_put": lambda x, i: x.index_put((i[:2],), S[0, 0]), "scatter": lambda x, i: x.scatter(1, i.expand(4, 3), S),
    "one_hot": lambda x, i: F.one_hot(i, 7), "multilabel_margin_loss": lambda x, i: F.multilabel_margin_loss(x[:1, :3], i[None] - 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_indices(traced, jit_run, name):
    archive = traced(FUNCTIONS[name], X, torch.tensor([0, 1, 2]))
    indices = [0, 3, 1], [2, -1, 0], [0, 30, 0], [0, 0, -30]
    refused = [agrees(jit_run, archive, FUNCTIONS[name], X, torch.tensor(i)) for i in indices]
    assert not refused[0] and any(refused)


def narrowed(x, start):
    return torch.narrow(x, 1, start, 3)


def test_narrow_from_a_tensor(traced, jit_run):
    archive = traced(narrowed, X, torch.tensor(0))
    refused = [agrees(jit_run, archive, narrowed, X, torch.tensor(start)) for start in (0, 2, 4, -3, -7, 5, -2, -8, 9)]
    assert refused == [False] * 5 + [True] * 4


def test_its_gradient(traced, jit_run):
    archive = traced(lambda x, start: narrowed(x, start).exp(), X, torch.tensor(0))
    x = X.clone().requires_grad_()
    narrowed(x, torch.tensor(-4)).exp().sum().backward()
    got = jit_run(archive, X.clone().requires_grad_(), torch.tensor(-4), flags=["--grad"])
    got.assert_ok()
    torch.testing.assert_close(torch.from_numpy(got.gradient(0)), x.grad)
