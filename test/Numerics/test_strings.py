"""Strings in calls, in state and in results: any text goes through, quotation marks, backslashes and control characters included."""

import pytest
import torch
from torch import nn

TEXTS = ['plain', 'say "hi"', 'back\\slash', 'a\\"b\\\\', 'two\nlines\tand\x7f', '"', '\\', 'größe', '"),default,(', "it's"]


class Choose(nn.Module):
    """A value that depends on a string, and the string itself."""

    def forward(self, x: torch.Tensor, mode: str):
        return x * len(mode) if '"' in mode else x + len(mode), (mode, [mode])


class Remember(nn.Module):
    """The string is state."""

    def __init__(self):
        super().__init__()
        self.last = 'first "one"'

    def forward(self, x: torch.Tensor, mode: str):
        before = self.last
        self.last = mode
        return x + len(before), before


def close(got, want):
    torch.testing.assert_close(got[0], want[0])
    assert got[1] == want[1]


@pytest.mark.parametrize("text", TEXTS)
def test_a_session_takes_any_text(jit_mlir, text):
    x = torch.randn(3)
    close(jit_mlir.compile(torch.jit.script(Choose()))(x, text), torch.jit.script(Choose())(x, text))


def test_a_package_takes_any_text(jit_mlir, tmp_path):
    x = torch.randn(3)
    jit_mlir.compile(torch.jit.script(Choose())).save(tmp_path / "choose.so", *((x, text) for text in TEXTS))
    package = jit_mlir.load(tmp_path / "choose.so")
    for text in TEXTS:
        close(package(x, text), torch.jit.script(Choose())(x, text))
    with pytest.raises(jit_mlir.Error) as refused:
        package(x, 'other "one"\n')
    assert r'got forward(f32[3], "other \"one\"\x0a")' in str(refused.value)
    assert r'forward(f32[3], "a\\\"b\\\\")' in str(refused.value)


def test_state_is_any_text(jit_mlir, tmp_path):
    x = torch.randn(3)
    program, reference = jit_mlir.compile(torch.jit.script(Remember())), Remember()
    program.save(tmp_path / "remember.so", *((x, text) for text in TEXTS[:4]))
    for run in (program, jit_mlir.load(tmp_path / "remember.so")):
        reference.last = Remember().last
        run.reset()
        for text in TEXTS[:4]:
            close(run(x, text), reference(x, text))
