"""Lists and dicts that programs change and go through."""

from typing import Dict, List, Tuple

import pytest
import torch
from torch import Tensor, nn


class ListChanges(nn.Module):
    def forward(self, x: Tensor, sizes: List[int]) -> Tuple[Tensor, List[int], int]:
        grown = [s + 1 for s in sizes]
        grown.insert(1, 5)
        grown.insert(-1, 6)
        grown.insert(100, 7)
        grown[0] = 9
        grown[-2] = 8
        last = grown.pop()
        first = grown.pop(0)
        grown.extend([1, 2])
        grown += [3]
        grown.remove(2)
        del grown[0]
        other = grown
        other.clear()
        other.append(last)
        other.append(grown.index(last) + grown.count(last))
        return x * first, grown, last


class ListChangesInALoop(nn.Module):
    def forward(self, x: Tensor) -> List[Tensor]:
        waiting = [x, x + 1]
        done: List[Tensor] = []
        while len(waiting) > 0:
            first = waiting.pop(0)
            if len(done) < 3:
                waiting.append(first * 2)
            done.insert(0, first)
        return done


class SetItemInALoop(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        rows = [x, x, x]
        for i in range(3):
            rows[i] = rows[i - 1] + i
        return torch.stack(rows)


def test_list_changes(agrees):
    agrees(ListChanges(), torch.rand(2), [1, 2])


def test_list_changes_in_a_loop(agrees):
    agrees(ListChangesInALoop(), torch.rand(2))


def test_set_item_in_a_loop(agrees):
    agrees(SetItemInALoop(), torch.rand(2))


class SetItem(nn.Module):
    def forward(self, x: Tensor, at: int) -> List[Tensor]:
        rows = [x, x + 1]
        rows[at] = x * 5
        return rows


@pytest.mark.parametrize("at", [0, 1, -1, -2])
def test_set_item(at, agrees):
    agrees(SetItem(), torch.rand(2), at)


@pytest.mark.parametrize("at", [2, -3])
def test_set_item_out_of_range(at, saved, jit_run):
    archive, _ = saved(SetItem())
    jit_run(archive, torch.rand(2), at).assert_fails_with("IndexError", "list index out of range")


class DictChanges(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Dict[str, Tensor], int, Tensor]:
        found: Dict[str, Tensor] = {}
        found["b"] = x
        found["a"] = x + 1
        found["b"] = x * 3
        found.update({"c": x, "a": x - 1})
        taken = found.pop("c")
        rest = found.setdefault("d", x * 7)
        same = found.setdefault("a", x * 9)
        total = taken + rest + same
        nothing = found.get("zz")
        if nothing is not None:
            total = total + nothing
        total = total + found.get("zz", x)
        keys: List[str] = []
        for key, value in found.items():
            total = total + value
            keys.append(key)
        for key in found:
            total = total * found[key]
        copy = found.copy()
        del copy["a"]
        return found, len(copy) + len(keys), total


def test_dict_changes(agrees):
    agrees(DictChanges(), torch.rand(3))


class Zips(nn.Module):
    def forward(self, x: Tensor, weights: List[float]) -> Tensor:
        parts = [x, x * 2, x * 3]
        for i, (part, weight) in enumerate(zip(parts, weights)):
            x = x + part * weight + i
        for part in parts[::2]:
            x = x - part
        for row in x:
            x = x + row
        for i in range(7, 1, -2):
            x = x * i
        return x


def test_zips(agrees):
    agrees(Zips(), torch.rand(2, 3), [0.5, 0.25])
