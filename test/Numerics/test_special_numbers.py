"""Operators on NaN and infinities where PyTorch's own way of computing decides what comes out; found by scripts/differential --single."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

NAN, INF = float("nan"), float("inf")
ROWS = torch.tensor([[1.0, NAN, -2.0, 3.0], [NAN, 1.0, 2.0, INF], [-INF, 0.5, NAN, 1.0], [NAN, NAN, NAN, NAN]])

CASES = {
    "multi_margin_loss adds no NaN": lambda x: F.multi_margin_loss(x, torch.tensor([0, 1, 3, 2]), reduction="none"),
    "multi_margin_loss by squares": lambda x: F.multi_margin_loss(x, torch.tensor([0, 1, 3, 2]), p=2, reduction="none"),
    "multilabel_margin_loss adds no NaN": lambda x: F.multilabel_margin_loss(x, torch.tensor([[0, 2, -1, 0], [1, -1, 0, 0], [3, 1, -1, 0], [0, 1, 2, 3]]),
                                                                             reduction="none"),
    "trapezoid that begins with an infinity": lambda x: torch.trapezoid(x, dim=0),
    "trapezoid that ends with an infinity": lambda x: torch.trapezoid(x, dx=0.5),
    "median of what holds NaN": lambda x: torch.median(x, 1),
    "median of columns": lambda x: torch.median(x, 0, keepdim=True),
    "trapezoid of one number": lambda x: torch.trapezoid(x[1:2, 2:], dim=0),
}


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


@pytest.mark.parametrize("case", CASES)
def test_values(case, saved, jit_run):
    archive, reference = saved(torch.jit.trace(Calls(CASES[case]), ROWS, check_trace=False))
    jit_run(archive, ROWS).assert_close(reference(ROWS), rtol=1e-6, atol=0)
