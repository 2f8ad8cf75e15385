"""Sums of float32 that eager PyTorch carries in double: what cancels out, or is too large in between, shows it."""

import pytest
import torch
from torch import nn

LARGE = [1e8, 1.0, 1.0, 1.0, 1.0, 1.0, -1e8]
BEYOND = [3e38, 3e38, -3e38, 1e30]

CASES = {
    "cumsum": (lambda x: torch.cumsum(x, 0), LARGE),
    "cumsum of numbers that are too large together": (lambda x: torch.cumsum(x, 0), BEYOND),
    "cumsum along columns": (lambda x: torch.cumsum(torch.stack([x, x * 2.0], 1), 0), LARGE),
    "cumsum of halves": (lambda x: torch.cumsum(x.half(), 0), [6e4, 6e4, -6e4, 1.0]),
    "cumprod": (lambda x: torch.cumprod(x, -1), [1e30, 1e30, 1e-30, 1e-30]),
    "cumprod as doubles": (lambda x: torch.cumprod(x, 0, dtype=torch.float64), [1e30, 1e30, 1e-30]),
    "trace": (lambda x: torch.trace(torch.diag(x)), LARGE),
    "trace of whole numbers": (lambda x: torch.trace(torch.diag(x).to(torch.int32)), [1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("case", CASES)
def test_values_are_eagers(jit_mlir, case):
    function, values = CASES[case]
    x = torch.tensor(values)
    program = jit_mlir.compile(torch.jit.trace(function, x, check_trace=False))
    torch.testing.assert_close(program(x), function(x), rtol=0, atol=0)


def test_a_gradient_of_products_is_finite_where_eagers_is(jit_mlir):
    def along(x):
        return torch.prod(x, 0)

    outcomes = []
    for function in (along, jit_mlir.compile(torch.jit.script(along))):
        x = torch.tensor([1e30, 1e30, 0.0, -1.0], requires_grad=True)
        outcomes.append(torch.autograd.grad(function(x), x)[0])
    torch.testing.assert_close(outcomes[1], outcomes[0], rtol=0, atol=0)


def far_from_zero(*sizes):
    return torch.randn(sizes, generator=torch.Generator().manual_seed(0)) + 1e4


@pytest.mark.parametrize("name, x", [("BatchNorm1d", far_from_zero(512, 3)), ("BatchNorm2d", far_from_zero(8, 3, 16, 16)), ("InstanceNorm2d", far_from_zero(2, 3, 32, 32))])
def test_batches_far_from_zero_are_normalized_as_exactly(jit_mlir, name, x):
    module = getattr(nn, name)(3).train()
    right = getattr(nn, name)(3).double().train()(x.double())
    program = jit_mlir.compile(torch.jit.script(module))
    with torch.no_grad():
        error = (program(x).double() - right).abs().median()
        assert error <= 2 * (module(x).double() - right).abs().median() + 1e-6


def test_the_running_variance_of_nearly_equal_elements(jit_mlir):
    module = nn.BatchNorm1d(2, momentum=1.0).train()
    program = jit_mlir.compile(torch.jit.script(module))
    x = torch.randn(256, 2, generator=torch.Generator().manual_seed(0)) * 1e-5
    with torch.no_grad():
        program(x), module(x)
    torch.testing.assert_close(program.state("running_var"), module.running_var, rtol=1e-5, atol=0)


def twice_differentiated(x, weight, bias):
    y = torch.nn.functional.batch_norm(x, None, None, weight, bias, True)
    (once,) = torch.autograd.grad([(y * y * y).sum()], [x], create_graph=True)
    assert once is not None
    return (once * once).sum() + y[0, 0]


def test_gradients_of_gradients_of_a_batch(jit_mlir):
    generator = torch.Generator().manual_seed(0)
    given = [torch.randn(sizes, generator=generator, dtype=torch.float64) for sizes in ((5, 3, 4), (3,), (3,))]
    torch.autograd.gradcheck(lambda *a: twice_differentiated(*a), [a.clone().requires_grad_() for a in given])
    outcomes = []
    for function in (twice_differentiated, jit_mlir.compile(torch.jit.script(twice_differentiated))):
        arguments = [a.clone().requires_grad_() for a in given]
        value = function(*arguments)
        outcomes.append((value, *torch.autograd.grad(value.sum(), arguments)))
    torch.testing.assert_close(outcomes[1], outcomes[0], rtol=1e-9, atol=1e-9)
