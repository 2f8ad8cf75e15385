"""What PyTorch raises for, in a branch on data: calls that take the other way have their values, calls that get there an exception."""

import pytest
import torch
from raising_cases import EXPRESSIONS, REFUSED

POSITIVE = torch.arange(1.0, 13.0).reshape(3, 4)
SOURCE = """
def f(x):
    if bool(x.sum() > 0):
        y = x * 3
    else:
        y = {}
    return y
"""


@pytest.mark.parametrize("any_sizes", [False, True], ids=["exact", "any"])
@pytest.mark.parametrize("expression", EXPRESSIONS + REFUSED)
def test_a_way_that_raises(jit_mlir, expression, any_sizes):
    function = torch.jit.CompilationUnit(SOURCE.format(expression.replace("F.", "torch.nn.functional."))).f
    with pytest.raises(RuntimeError):
        function(-POSITIVE)
    ours = jit_mlir.compile(function, any_sizes=any_sizes)
    assert torch.equal(ours(POSITIVE.clone()), POSITIVE * 3)
    with pytest.raises(jit_mlir.Error) as raised:
        ours(-POSITIVE)
    assert raised.value.kind == "raised" or ((any_sizes or expression in REFUSED) and raised.value.kind == "unsupported")
