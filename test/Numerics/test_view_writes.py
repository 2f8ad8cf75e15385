"""Each view x each write x {straight, branch, loop, list, state}: what eager PyTorch gives, given here."""

import pytest
import torch
from view_writes import PLACES, VIEWS, WRITES, source_of


class Program(torch.jit.ScriptModule):
    """A module with a buffer, which the programs of `state` write."""

    def __init__(self, source):
        super().__init__()
        self.register_buffer("state", torch.linspace(-2.0, 2.0, 24).reshape(4, 6))
        self.define(source)


def flat(result):
    return list(result) if isinstance(result, tuple) else [result]


def difference(got, want):
    for ours, theirs in zip(flat(got), flat(want), strict=True):
        ours = torch.as_tensor(ours)
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
            return f"{ours.dtype} {tuple(ours.shape)}, expected {theirs.dtype} {tuple(theirs.shape)}"
        if not torch.allclose(ours, theirs, rtol=1e-5, atol=1e-6):
            return "other values"
    return None


def finding(jit_mlir, folder, view, write, place):
    """None where all calls are equal, else what was wrong or refused."""
    Program(source_of(view, write, place)).save(str(folder / "program.pt"))
    compiled = jit_mlir.load(str(folder / "program.pt"))
    reference = torch.jit.load(str(folder / "program.pt"))
    for x in (torch.linspace(-1.0, 1.0, 24).reshape(4, 6), torch.linspace(1.0, -1.0, 24).reshape(4, 6)):
        want = reference(x.clone())
        try:
            got = compiled(x.clone())
        except Exception as error:
            return f"refused: {error}"
        if wrong := difference(got, want):
            return f"wrong: {wrong}"
    return None


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("write", WRITES)
def test_written_through_each_view(write, place, jit_mlir, tmp_path):
    found = {view: finding(jit_mlir, tmp_path, view, write, place) for view in VIEWS}
    assert {view: text for view, text in found.items() if text} == {}
