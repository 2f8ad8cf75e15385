"""Programs of many thousand operators: nothing recurses along them, and no loop has all of them."""

import pytest
import torch


def chain(count):
    def program(x):
        y = x
        for i in range(count):
            y = torch.sin(y) if i % 2 else y + x
        # Whether these copy hangs on the strides, which follow from the whole chain.
        y.t().contiguous().add_(1.0)
        y.t().reshape(-1).mul_(2.0)
        y.t().t().reshape(-1).add_(0.5)
        return y

    return program


@pytest.mark.parametrize("count", [1000, 12000])
def test_a_chain(jit_mlir, count, monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")
    x = torch.rand(2, 3)
    traced = torch.jit.trace(chain(count), x, check_trace=False)
    torch.testing.assert_close(jit_mlir.compile(traced)(x), chain(count)(x))


def test_gradients_of_a_chain(jit_mlir, monkeypatch):
    monkeypatch.setenv("JIT_CACHE", "off")
    x, other = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3)
    with torch.no_grad():
        other.copy_(x)
    other.requires_grad_()
    program = jit_mlir.compile(torch.jit.trace(chain(1000), torch.rand(2, 3), check_trace=False))
    program(x).sum().backward()
    chain(1000)(other).sum().backward()
    torch.testing.assert_close(x.grad, other.grad)
