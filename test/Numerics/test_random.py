"""Random operators: their distributions, and that the calls of a session draw on while a new session repeats them."""

import functools
import sys

import pytest
import torch
from torch import nn

COUNT = 20000


@pytest.fixture(scope="module")
def jit_mlir(installed):
    sys.path.insert(0, str(installed))
    import jit_mlir

    return jit_mlir


# Each with the mean and the deviation of its results.
DISTRIBUTIONS = {
    "rand": (lambda x: torch.rand_like(x), 0.5, 12**-0.5),
    "randn": (lambda x: torch.randn_like(x), 0, 1),
    "randint": (lambda x: torch.randint_like(x, 3, 9), 5.5, (35 / 12) ** 0.5),
    "uniform": (lambda x: x.clone().uniform_(-2, 4), 1, 6 * 12**-0.5),
    "normal": (lambda x: x.clone().normal_(3, 0.5), 3, 0.5),
    "normal in place, by default": (lambda x: (x + 5).normal_(), 0, 1),
    "normal in place, with a mean": (lambda x: (x + 5).normal_(3), 3, 1),
    "normal around elements": (lambda x: torch.normal(x + 5, 2.0), 5, 2),
    "exponential": (lambda x: x.clone().exponential_(2), 0.5, 0.5),
    "geometric": (lambda x: x.clone().geometric_(0.25), 4, 12**0.5),
    "bernoulli": (lambda x: torch.bernoulli(torch.full_like(x, 0.3)), 0.3, 0.21**0.5),
    "dropout": (lambda x: nn.functional.dropout(torch.ones_like(x), 0.2), 1, 0.5),
    "multinomial": (lambda x: torch.multinomial(torch.tensor([1.0, 0, 3]) + 0 * x[0], COUNT, True) * 1.0, 1.5, 0.75**0.5),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_distributions(name, jit_mlir):
    function, mean, deviation = DISTRIBUTIONS[name]
    got = jit_mlir.compile(function, [torch.zeros(COUNT)])(torch.zeros(COUNT)).double()
    # Five deviations of what so many numbers show.
    assert abs(got.mean().item() - mean) < 5 * deviation / COUNT**0.5
    assert abs(got.std().item() - deviation) < 0.05 * deviation
    assert abs(torch.corrcoef(torch.stack([got[1:], got[:-1]]))[0, 1].item()) < 5 / COUNT**0.5


def test_a_permutation(jit_mlir):
    got = jit_mlir.compile(lambda x: torch.randperm(50) + 0 * x, [torch.tensor(0)])(torch.tensor(0))
    assert sorted(got.tolist()) == list(range(50)) != got.tolist()


class Noisy(nn.Module):
    def forward(self, x):
        for _ in range(2):
            x = nn.functional.dropout(x, 0.5, self.training) + torch.rand_like(x)
        return x


def test_sessions_repeat(jit_mlir):
    x = torch.ones(100)
    first, second = (jit_mlir.compile(torch.jit.script(Noisy().train())) for _ in range(2))
    drawn = [first(x) for _ in range(3)]
    assert not any(torch.equal(a, b) for a, b in zip(drawn, drawn[1:]))
    assert all(torch.equal(a, second(x)) for a in drawn)
    first.reset()
    assert torch.equal(first(x), drawn[0])


def test_dropout_where_the_call_trains(jit_mlir):
    class Flagged(nn.Module):
        def forward(self, x, train: bool):
            return nn.functional.dropout(x, 0.5, train)

    program = jit_mlir.compile(torch.jit.script(Flagged()))
    x = torch.ones(1000)
    assert torch.equal(program(x, False), x)
    got = program(x, True)
    assert set(got.tolist()) == {0.0, 2.0} and abs(got.mean().item() - 1) < 0.2


def test_gradients_go_through_what_is_kept(jit_mlir):
    program = jit_mlir.compile(lambda x: nn.functional.dropout(x, 0.5), [torch.ones(100)])
    x = torch.ones(100, requires_grad=True)
    got = program(x)
    got.sum().backward()
    assert torch.equal(x.grad, got.detach())


DRAWS = {
    "normal around": lambda x: torch.normal(x, 1.0),
    "normal as wide as": lambda x: torch.normal(0.0, x),
    "normal around and as wide as": lambda x: torch.normal(x, x),
    "bernoulli": torch.bernoulli,
    "a write by a chance": lambda x: (x * 1.0).bernoulli_(0.5),
    "a write by chances": lambda x: (x * 1.0).bernoulli_(x),
    "a write": lambda x: (x * 1.0).uniform_(),
    "a write of the normal distribution": lambda x: (x * 1.0).normal_(),
}


@pytest.mark.parametrize("name", DRAWS)
def test_no_gradient_goes_through_what_is_drawn(name, jit_mlir):
    draw = DRAWS[name]
    x = torch.rand(8).requires_grad_()
    jit_mlir.compile(lambda x: draw(x) * 2 + x, [x.detach()])(x).sum().backward()
    assert torch.equal(x.grad, torch.ones(8))


class Attention(nn.Module):
    def forward(self, query, key, value, p: float):
        return nn.functional.scaled_dot_product_attention(query, key, value, dropout_p=p)


@pytest.mark.parametrize("grouped", [False, True])
def test_attention_drops_shares_out(jit_mlir, grouped):
    """Values of ones and zeros make its result the shares."""
    query = torch.randn(2, 4, 6, 8)
    key, value = torch.randn(2, 2 if grouped else 4, 5, 8), torch.eye(5).expand(2, 2 if grouped else 4, 5, 5).contiguous()
    attention = functools.partial(nn.functional.scaled_dot_product_attention, enable_gqa=grouped)
    program = jit_mlir.compile(lambda *heads: attention(*heads, dropout_p=0.25), [query, key, value])
    shares, got = attention(query, key, value), program(query, key, value)
    kept = got != 0
    assert 0.6 < kept.float().mean().item() < 0.9
    torch.testing.assert_close(got, torch.where(kept, shares / 0.75, 0.0), rtol=1e-5, atol=1e-6)
    assert not torch.equal(program(query, key, value), got)


def test_attention_where_the_call_says_whether_it_drops_out(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(Attention()))
    query, key, value = (torch.randn(2, 4, 8) for _ in range(3))
    expected = nn.functional.scaled_dot_product_attention(query, key, value)
    torch.testing.assert_close(program(query, key, value, 0.0), expected)
    assert not torch.allclose(program(query, key, value, 0.5), expected)
    assert torch.equal(program(query, key, value, 1.0), torch.zeros(2, 4, 8))
    with pytest.raises(jit_mlir.Error, match="expected a probability from 0 to 1, got 1.5"):
        program(query, key, value, 1.5)


def test_gradients_of_attention_go_through_kept_shares(jit_mlir):
    query, key = torch.randn(2, 6, 8), torch.randn(2, 5, 8)
    value = torch.eye(5).expand(2, 5, 5).contiguous().requires_grad_()
    program = jit_mlir.compile(lambda *heads: nn.functional.scaled_dot_product_attention(*heads, dropout_p=0.25), [query, key, value.detach()])
    got = program(query, key, value)
    got.sum().backward()
    torch.testing.assert_close(value.grad, got.detach().sum(1)[..., None].expand(2, 5, 5))


def test_an_encoder_layer_trains_with_dropout(jit_mlir):
    """As it comes: a tenth dropped out in four places. Scripted, only the module's state says whether it trains."""
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
    x = torch.randn(2, 7, 32)
    program = jit_mlir.compile(torch.jit.script(layer))
    first, second = program(x), program(x)
    assert first.shape == x.shape and not torch.equal(first, second)
    with torch.no_grad():
        spread = torch.stack([layer(x) for _ in range(64)]).std(0).mean()
        torch.testing.assert_close(torch.stack([program(x) for _ in range(64)]).std(0).mean(), spread, rtol=0.1, atol=0)


class Outputs(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def forward(self, x):
        return self.layers(x)[0]


@pytest.mark.parametrize("network", [nn.LSTM, nn.GRU, nn.RNN])
@pytest.mark.parametrize("way", ["traced", "scripted"])
def test_dropout_between_the_layers_of_a_network(jit_mlir, network, way):
    x = torch.randn(4, 2, 6)

    def compiled(module):
        return jit_mlir.compile(torch.jit.script(module)) if way == "scripted" else jit_mlir.compile(module, [x])

    # Where all is dropped out the layers behind the first see zeros.
    module = Outputs(network(6, 5, num_layers=3, dropout=1.0, bidirectional=True))
    torch.testing.assert_close(compiled(module)(x), module(x).detach())
    module.layers.dropout = 0.25
    program = compiled(module)
    assert not torch.equal(program(x), program(x))
    with torch.no_grad():
        spread = torch.stack([module(x) for _ in range(200)]).std(0).mean()
    torch.testing.assert_close(torch.stack([program(x) for _ in range(200)]).std(0).mean(), spread, rtol=0.1, atol=0)
    torch.testing.assert_close(compiled(module.eval())(x), module(x).detach(), rtol=1e-4, atol=1e-5)
