"""torch.jit._awaitable: a call that is put off runs where it is first waited for."""

from typing import Tuple

import pytest
import torch
from torch import Tensor
from torch._awaits import _Await as Await


def delayed(x: Tensor, n: int) -> Tensor:
    return x * n


def shown(x: Tensor) -> Tuple[Tensor, Tensor]:
    """What is written before the call runs is what it sees."""
    x = x + 0
    later: Await[Tensor] = torch.jit._awaitable(delayed, x, 3)
    x.add_(1)
    y = torch.jit._awaitable_wait(later)
    x.add_(1)
    return y, torch.jit._awaitable_wait(later)


def never(x: Tensor) -> Tensor:
    """What nobody waits for does not raise."""
    later: Await[Tensor] = torch.jit._awaitable(raising, x)
    return x + 1


def raising(x: Tensor) -> Tensor:
    if x.numel() > 0:
        raise ValueError("too late")
    return x


def now(x: Tensor) -> Tensor:
    ready = torch.jit._awaitable_nowait(13)
    return x + torch.jit._awaitable_wait(ready)


@pytest.mark.parametrize("function", [shown, never, now])
def test_a_call_that_is_put_off(function, jit_mlir):
    scripted = torch.jit.script(function)
    x = torch.arange(3.0)
    torch.testing.assert_close(jit_mlir.compile(scripted)(x), scripted(x))
