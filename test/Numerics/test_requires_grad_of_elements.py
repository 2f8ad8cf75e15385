"""`requires_grad` of what data or the call pick from branches, lists and dicts: PyTorch's answer, or a refusal where data decide it."""

import pytest
import torch
from torch import Tensor


def chosen(x: Tensor, y: Tensor):
    t = x if bool(x.sum() > 0) else y
    return t.requires_grad


def picked(x: Tensor, y: Tensor):
    return [x, y][int(x[0].item())].requires_grad


def grown(x: Tensor, y: Tensor):
    tensors = [x]
    for i in range(2):
        tensors.append(y)
    return tensors[int(x[0].item())].requires_grad


def appended(x: Tensor, y: Tensor):
    tensors = [torch.zeros(3)]
    tensors.append(y)
    return tensors[int(x[0].item())].requires_grad


def of_a_split(x: Tensor, y: Tensor):
    return y.unbind(0)[int(x[0].item())].requires_grad


def alike(x: Tensor, y: Tensor):
    return [y, y * 2][int(x[0].item())].requires_grad


def by_a_key(x: Tensor, y: Tensor):
    tensors = {"a": x, "b": y}
    key = "a" if bool(x.sum() > 0) else "b"
    return tensors[key].requires_grad


def by_a_key_set_later(x: Tensor, y: Tensor):
    tensors = {"a": torch.zeros(3)}
    tensors["b"] = y
    key = "a" if bool(x.sum() > 0) else "b"
    return tensors[key].requires_grad


def by_a_default(x: Tensor, y: Tensor):
    tensors = {"a": y}
    return tensors.get("b", torch.zeros(3)).requires_grad, tensors["a"].requires_grad


def of_lists_in_dicts(x: Tensor, y: Tensor):
    tensors = {"a": [y, x]}
    return tensors["a"][0].requires_grad, tensors["a"][1].requires_grad


BY_DATA = (chosen, picked, grown, appended)
ANSWERED = (of_a_split, alike, by_a_key, by_a_key_set_later, by_a_default, of_lists_in_dicts)


def calls():
    for start in (0.0, 1.0):
        yield torch.full((3,), start), torch.ones(3, requires_grad=True)


@pytest.mark.parametrize("program", ANSWERED)
def test_the_answer_is_pytorchs(jit_mlir, program):
    scripted = torch.jit.script(program)
    compiled = jit_mlir.compile(scripted)
    for x, y in calls():
        assert compiled(x, y) == scripted(x, y)


@pytest.mark.parametrize("program", BY_DATA)
def test_what_data_decide_is_refused(jit_mlir, program):
    compiled = jit_mlir.compile(torch.jit.script(program))
    for x, y in calls():
        with pytest.raises(jit_mlir.Error, match="expected to know whether a tensor requires a gradient: it depends on the data"):
            compiled(x, y)
