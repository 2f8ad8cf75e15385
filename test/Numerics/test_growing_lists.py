"""What PyTorch raises of lists whose length data tell. What they are otherwise: growing_list_cases.py."""

from typing import List

import pytest
import torch
from torch import Tensor


def rows_along_a_new_dimension(x: Tensor, k: Tensor):
    rows: List[Tensor] = []
    for i in range(int(k.sum())):
        rows.append(x[0] + i)
    return torch.stack(rows)


def rows_one_after_the_other(x: Tensor, k: Tensor):
    rows: List[Tensor] = []
    for i in range(int(k.sum())):
        rows.append(x[0] + i)
    return torch.cat(rows)


def parts_of_several_sizes(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1])
    return torch.cat(parts)


def a_part_that_is_not_there(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1])
    return parts[int(k[1]) + 1]


def parts_of_several_sizes_in_a_stack(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum()) + 2):
        parts.append(x[: i + 1])
    return torch.stack(parts)


def popped_too_often(x: Tensor, k: Tensor):
    parts: List[Tensor] = [x]
    for i in range(int(k.sum())):
        parts.append(x[: i + 1])
    parts.pop()
    return parts.pop()


@pytest.mark.parametrize("function, message", [
    (rows_along_a_new_dimension, "non-empty TensorList"), (rows_one_after_the_other, "non-empty list of Tensors"),
    (parts_of_several_sizes, "non-empty list of Tensors"), (a_part_that_is_not_there, "expected an index of a list of 0, got 1"),
    (parts_of_several_sizes_in_a_stack, "each tensor to be equal size"), (popped_too_often, "list index out of range")],
    ids=lambda value: getattr(value, "__name__", ""))
def test_raises_as_pytorch_does(function, message, tmp_path, jit_run):
    x, none = torch.rand(4, 3), torch.tensor([0, 0])
    with pytest.raises(Exception):
        function(x, none)
    archive = tmp_path / "program.pt"
    torch.jit.script(function).save(str(archive))
    jit_run(archive, x, none).assert_fails_with(message)
