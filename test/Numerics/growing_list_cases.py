"""As differential_cases.py: lists of tensors whose number, and sizes, only data tell."""

from typing import List

import torch
from differential_case import case
from torch import Tensor

WAYS = ("exact", "any", "package", "threads")
X = "torch.arange(24.0).reshape(8, 3) / 7 - 1"
CALL = f"({X}, torch.tensor([1, 2]))"


@case(CALL, f"({X}, torch.tensor([3, 4]))", ways=WAYS)
def parts_of_several_sizes(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1] + i)
    return torch.cat(parts), torch.cat(parts[1:]), torch.cat(parts + [x]), len(parts), parts[-1], parts[int(k[0])]


@case(CALL, f"({X}, torch.tensor([3, 4]))", f"({X}, torch.tensor([0, 0]))", ways=WAYS)
def a_list_of_several_sizes_as_a_result(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1] + i)
    return parts, [parts, parts + [x]]


@case("(torch.arange(6.0).reshape(2, 3),)", "(-torch.arange(6.0).reshape(2, 3),)", ways=("exact", "package"))
def a_list_that_a_loop_on_data_fills_and_that_is_written(x: Tensor):
    rows: List[Tensor] = [x * 1]
    k = 0
    while k < 3 and bool(rows[-1].sum() > 1):
        k += 1
        rows.append(rows[-1][:, 1:] * 0.5)
        rows[0].add_(1.0)
    return rows


@case("(torch.arange(40.0), 9)", "(torch.arange(40.0), 70)", ways=WAYS)
def as_often_as_the_call_says(x: Tensor, n: int):
    parts: List[Tensor] = []
    for i in range(n):
        parts.append(x[: i % 5 + 1] * i)
    return torch.cat(parts)


@case(f"({X}, torch.tensor([0, 0, 1, 1, 2, 2, 2, 2]))", ways=WAYS)
def rows_of_each_graph(x: Tensor, batch: Tensor):
    parts: List[Tensor] = []
    for i in range(int(batch.max()) + 1):
        rows = x[batch == i]
        parts.append(rows - rows.mean(0))
    return torch.cat(parts, 0)


@case(CALL, ways=WAYS)
def parts_along_the_second_dimension(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[:, : i + 1])
    out = x.sum()
    for part in parts:
        out = out * 0.5 + part.sum()
    return torch.cat(parts, -1), out


@case(f"({X},)", f"(2 - {X},)", f"({X} * 0 + 1,)", ways=WAYS)
def rows_that_data_choose(x: Tensor):
    rows: List[Tensor] = []
    for i in range(x.size(0)):
        if float(x[i].sum()) > 0:
            rows.append(x[i])
    if len(rows) == 0:
        return torch.zeros(0)
    return torch.stack(rows, 1)


@case(CALL, f"({X}, torch.tensor([4, 3]))", ways=WAYS)
def a_queue(x: Tensor, k: Tensor):
    queue: List[Tensor] = [x]
    out = x.sum()
    n = int(k.sum())
    while len(queue) > 0 and n > 0:
        n -= 1
        part = queue.pop(0)
        out = out * 0.5 + part.mean()
        if part.size(0) > 1 and float(part.sum()) > -100:
            queue.append(part[: part.size(0) // 2])
            queue.append(part[part.size(0) // 2 :])
    return out, len(queue)


@case(CALL, ways=WAYS)
def taken_out_and_put_in(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1] + i)
    a = parts.pop()
    b = parts.pop(0)
    parts.insert(1, x[:2])
    parts[0] = x[:4]
    return a, b, torch.cat(parts), len(parts)


@case(CALL, ways=WAYS)
def beams(x: Tensor, k: Tensor):
    done: List[Tensor] = []
    scores: List[Tensor] = []
    ids = x[:1, 0] + 1.5
    n = int(k.sum())
    while n > 0:
        ids = torch.cat([ids, ids[-1:] * 0.5 + 1])
        if float(ids[-1]) > 1.2:
            done.append(ids)
            scores.append(ids.sum())
        n -= 1
    best = torch.stack(scores).argmax()
    return done[int(best)], len(done)


@case(f"({X}, 5)", ways=WAYS)
def the_last_two(x: Tensor, n: int):
    history: List[Tensor] = []
    i = 0
    s = x[0]
    while i < n and float(s.abs().sum()) < 100:
        if len(history) > 0:
            s = s + history[-1] * 0.5
        history.append(torch.tanh(s))
        if len(history) > 2:
            history = history[1:]
        i += 1
    return torch.stack(history).mean(0), s


@case(CALL, f"({X}, torch.tensor([0, 1]))", ways=WAYS)
def rows_of_one_size(x: Tensor, k: Tensor):
    rows: List[Tensor] = []
    for i in range(int(k.sum())):
        rows.append(x[:2] + i)
    return torch.cat(rows, 0), torch.cat(rows, 1)


@case(CALL, ways=WAYS)
def lists_in_lists_of_trips(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        inner: List[Tensor] = []
        for j in range(i + 1):
            inner.append(x[j : j + 2])
        parts.append(torch.cat(inner))
    return torch.cat(parts, 0)


@case(CALL, ways=WAYS)
def what_happens_to_have_one_size(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[int(k[0]) :] * i)
    return torch.stack(parts), torch.stack(parts, 2)


@case(CALL, ways=WAYS)
def emptied_within_the_loop(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    out = x[:1]
    for i in range(int(k.sum())):
        parts.append(x[: i + 1])
        if i == 1:
            out = torch.cat(parts)
            parts = []
    return out, len(parts)


@case(CALL, ways=WAYS)
def integers_and_bools(x: Tensor, k: Tensor):
    numbers: List[Tensor] = []
    masks: List[Tensor] = []
    for i in range(int(k.sum())):
        numbers.append(torch.arange(i) * k[0])
        masks.append(x[:i, 0] > -0.5)
    return torch.cat(numbers), torch.cat(masks)


@case(CALL, ways=("exact", "any"), refused=True)
def written_in_the_list(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1] + i)
    parts[0].add_(1)
    return torch.cat(parts, 0)


@case(CALL, ways=("exact", "any"), refused=True)
def written_after_it_was_appended(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        part = x[: i + 1] + i
        parts.append(part)
        part.add_(1)
    return torch.cat(parts, 0)


@case(CALL, ways=("exact", "any"), refused=True)
def two_sizes_that_differ(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[i:, : 3 - i])
    return parts[0].sum() + parts[-1].sum()


@case(f"({X},)", ways=("gradients", "any-gradients"), refused=True)
def gradients_of_rows_that_data_choose(x: Tensor):
    rows: List[Tensor] = []
    for i in range(x.size(0)):
        if float(x[i].sum()) > 0:
            rows.append(x[i] * x[i])
    return torch.stack(rows, 1).sum()


@case(CALL, f"({X}, torch.tensor([3, 4]))", ways=WAYS)
def sequences_of_a_number_that_data_tell(x: Tensor, k: Tensor):
    parts: List[Tensor] = []
    for i in range(int(k.sum())):
        parts.append(x[: i + 1] + i)
    return torch.nn.utils.rnn.pad_sequence(parts, True), torch.nn.utils.rnn.pad_sequence(parts, False, 0.5, "left")


@case(f"({X},)", f"({X} * 2,)", ways=WAYS)
def sequences_whose_lengths_data_tell(x: Tensor):
    parts = [x[x[:, 0] > 0], x[:2], x[x[:, 1] < 0.5]]
    return torch.nn.utils.rnn.pad_sequence(parts), torch.nn.utils.rnn.pad_sequence(parts, True, -1.0, "left")
