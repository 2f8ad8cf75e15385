"""As differential_cases.py: repeats, areas and parts of as many elements as data tell."""

import torch
from differential_case import case
from torch import Tensor

WAYS = ("exact", "any", "package", "threads")
X = "torch.arange(12.0).reshape(4, 3) / 5 - 1"


@case(f"({X},)", f"({X} * 3,)", f"(1 - {X},)", ways=WAYS)
def repeats_of_chosen_columns(x: Tensor):
    y = x[:, x[1] > -0.3]
    return y.repeat(2, 2), y[0].repeat(3), y.repeat(2, 1, 1), torch.tile(y, (2,)), y.repeat(1, 0)


@case(f"({X}, torch.tensor([1, 2]))", f"({X}, torch.tensor([0, 3]))", ways=WAYS)
def as_many_repeats_as_data_tell(x: Tensor, n: Tensor):
    return x.repeat(int(n[0]), 1), x[0].repeat(int(n[1])), x.repeat_interleave(int(n[1]), 1), x.repeat_interleave(int(n[0]))


@case(f"({X}, torch.tensor([1, 2, 0, 3]))", ways=WAYS)
def each_row_as_often_as_data_tell(x: Tensor, n: Tensor):
    y = x[x[:, 0] > -0.7]
    counts = n[x[:, 0] > -0.7]
    return torch.repeat_interleave(y, counts, dim=0), torch.repeat_interleave(counts), torch.repeat_interleave(y, y.size(0), dim=1)


@case(f"({X}, torch.tensor([1.0, 2.0, -1.0]))", f"({X}, torch.tensor([1.0, 2.0, 5.0]))", f"({X}, -torch.ones(3))", ways=WAYS)
def areas_under_chosen_points(y: Tensor, x: Tensor):
    chosen = x > 0
    return (torch.trapz(y[0][chosen], x[chosen]), torch.trapezoid(y[:, chosen], x[chosen], dim=1), torch.trapezoid(y[0][chosen], dx=0.5),
            torch.trapezoid(y[:, chosen], dim=0))


@case(f"({X}, torch.tensor([1, 3]))", f"({X}, torch.tensor([2, -1]))", f"({X}, torch.tensor([3, 1]))", ways=WAYS)
def split_at_indices_in_a_tensor(x: Tensor, at: Tensor):
    y = x.clone()
    y.tensor_split(at)[1].add_(3)
    return y, torch.tensor_split(x, at), torch.tensor_split(x, at, 1), x.tensor_split(torch.tensor(3), 1)
