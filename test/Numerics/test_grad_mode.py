"""no_grad, set_grad_enabled and is_grad_enabled in programs, as in eager PyTorch."""

import pytest
import torch
from torch import Tensor, nn


class Region(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x * 2
        return y * x


class Nested(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x * 2
            with torch.no_grad():
                z = y * x
            w = z * x
        return y * x + z * x.sin() + w * x.cos()


class TurnedOnInside(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x * 2
            torch.set_grad_enabled(True)
            z = x * x
            torch.set_grad_enabled(False)
            w = x * 3
        return y * x + z * x + w * x


def scaled(x: Tensor) -> Tensor:
    return x * x


class Called(nn.Module):
    """The mode holds for what is called, and a function that is called may leave its own."""

    def forward(self, x):
        y = scaled(x)
        with torch.no_grad():
            z = scaled(x)
        return y * z


class Inner(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            return x.exp()


class ReturnedFrom(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x) * x


class EarlyReturn(nn.Module):
    def forward(self, x):
        y = x
        with torch.no_grad():
            for i in range(3):
                if i == 2:
                    return y * 4 + x
                y = y * x
        return y


class Loop(nn.Module):
    def forward(self, x):
        y = x
        for _ in range(3):
            y = y * x
            with torch.no_grad():
                scale = y.sum()
            y = y / scale
        return y


class OnData(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            with torch.no_grad():
                y = x * 2
        else:
            y = x * 3
        return y * x


class InPlace(nn.Module):
    """A write that is not recorded leaves the history as it is."""

    def forward(self, x):
        y = x * 3
        with torch.no_grad():
            y.clamp_(0.2, 0.9)
            y[0].mul_(2)
        return y * y


class Parts(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            a, b = x.chunk(2)
            c = torch.cat([a, b]) + torch.stack([x, x]).sum(0)
        return c * x


class Modes(nn.Module):
    def forward(self, x):
        before = torch.is_grad_enabled()
        with torch.no_grad():
            inside = torch.is_grad_enabled()
        after = torch.is_grad_enabled()
        return x * (1.0 if before else 2.0) * (3.0 if inside else 5.0) * (7.0 if after else 11.0)


PROGRAMS = [Region, Nested, TurnedOnInside, Called, ReturnedFrom, EarlyReturn, Loop, OnData, InPlace, Parts, Modes]


def eager(program, x):
    x = x.clone().requires_grad_()
    result = program(x)
    if not result.requires_grad:
        return result, torch.zeros_like(x)
    result.sum().backward()
    return result.detach(), x.grad


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("sign", [1, -1])
def test_gradients(program, sign, saved, jit_run):
    x = sign * torch.linspace(0.1, 1.2, 6)
    archive, _ = saved(torch.jit.script(program()))
    result, gradient = eager(program(), x)
    outcome = jit_run(archive, x.clone().requires_grad_(), flags=["--grad"])
    outcome.assert_close(result)
    torch.testing.assert_close(torch.from_numpy(outcome.gradient(0)), gradient)


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_of_a_backward_pass_of_its_own(program, jit_mlir):
    x = torch.linspace(0.1, 1.2, 6)
    compiled = jit_mlir.compile(torch.jit.script(program()))
    for got, want in zip(eager(compiled, x), eager(program(), x)):
        torch.testing.assert_close(got, want)


class Asked(nn.Module):
    def forward(self, x, on: bool):
        torch.set_grad_enabled(on)
        y = x * 2
        torch.set_grad_enabled(True)
        return y * x


@pytest.mark.parametrize("on", [True, False])
def test_a_mode_that_the_call_says(on, saved, jit_run):
    x = torch.rand(3)
    archive, _ = saved(torch.jit.script(Asked()))
    _, gradient = eager(lambda x: Asked()(x, on), x)
    outcome = jit_run(archive, x.requires_grad_(), on, flags=["--grad"])
    outcome.assert_ok()
    torch.testing.assert_close(torch.from_numpy(outcome.gradient(0)), gradient)


class Exported(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x * 2
            with torch.enable_grad():
                z = x * x
        return y * x + z


def test_an_exported_program(tmp_path, jit_run):
    x = torch.rand(3)
    path = tmp_path / "exported.pt2"
    torch.export.save(torch.export.export(Exported(), (x,)), path)
    result, gradient = eager(Exported(), x)
    outcome = jit_run(path, x.requires_grad_(), flags=["--grad"])
    outcome.assert_close(result)
    torch.testing.assert_close(torch.from_numpy(outcome.gradient(0)), gradient)


