"""As differential_cases.py: state that was saved in one memory, or in a part of one, and is written in place."""

import torch
from differential_case import case
from state_cases import WAYS
from torch import Tensor

CALLS = ("(torch.arange(4.0), 0)", "(torch.arange(4.0), 1)", "(-torch.arange(4.0), 2)", "(torch.arange(4.0) * 3, 1)", "(torch.ones(4), 3)")


@case(*CALLS, ways=WAYS)
class parts_beside_the_whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0).reshape(2, 4))
        self.register_buffer("k", self.s[0])
        self.register_buffer("v", self.s[1])

    def forward(self, x: Tensor, n: int):
        self.k[n] = x[1]
        self.v.add_(x)
        if n == 2:
            self.s.mul_(-2.0)
        return self.s + 1, self.k * 1, self.v * 1


@case(*CALLS, ways=WAYS)
class parts_of_what_no_state_has_whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("a", torch.arange(12.0)[1:5])
        self.register_buffer("b", self.a.as_strided([4, 2], [1, 4], 3))
        self.register_buffer("c", self.a.as_strided([4], [3], 0))

    def forward(self, x: Tensor, n: int):
        self.a.add_(x)
        self.b[n].mul_(3.0)
        if n == 1:
            self.c.neg_()
        return self.a * 1, self.b * 1, self.c * 1


@case(*CALLS, ways=WAYS)
class strides_beside_a_part(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(20.0).reshape(5, 4)[1:])

    def forward(self, x: Tensor, n: int):
        self.s.as_strided([2, 3], [1, 4], 2).mul_(-1.0)
        self.s[n].add_(x)
        return self.s * 1, self.s.as_strided([20], [1], 0) + 1


@case(*CALLS, ways=WAYS)
class strides_of_a_part_that_nothing_writes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(9.0).reshape(3, 3)[1:, 1:])

    def forward(self, x: Tensor, n: int):
        y = x.clone()
        y.add_(self.s.as_strided([4], [1], n))
        return y


@case(*CALLS, ways=WAYS)
class one_memory_in_two_orders(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(16.0).reshape(4, 4))
        self.register_buffer("t", self.s.t())

    def forward(self, x: Tensor, n: int):
        self.s[n] = x
        self.t[n].sub_(1.0)
        return self.s * 1, self.t.contiguous().view(-1)


@case(*CALLS, ways=WAYS)
class a_part_that_is_set_to_new_memory(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0))
        self.register_buffer("t", self.s[2:6])
        self.register_buffer("u", self.s[4:])

    def forward(self, x: Tensor, n: int):
        if n == 0:
            self.t.add_(x)
        elif n == 1:
            self.t = x * 2
        elif n == 2:
            self.u = self.t
        else:
            self.s.zero_()
        self.u.add_(1.0)
        return self.s * 1, self.t * 1, self.u * 1


@case(*CALLS, ways=WAYS)
class overlapping_parts_of_integers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.zeros(6, dtype=torch.int64)[:4])
        self.register_buffer("t", self.s.as_strided([4], [1], 2))

    def forward(self, x: Tensor, n: int):
        self.s[n] += 1
        self.t[n] += 10
        return self.s.sum() * x, self.t.sum() * x


@case(*CALLS, ways=WAYS)
class two_names_of_one_buffer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", self.s[...])

    def forward(self, x: Tensor, n: int):
        self.s[n] = x[1]
        self.t.add_(x)
        return self.s + 1


@case(*CALLS, ways=WAYS)
class sizes_of_one_of_two_names(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0).reshape(2, 4))
        self.register_buffer("t", self.s[...])

    def forward(self, x: Tensor, n: int):
        self.t.transpose_(0, 1)
        self.s.add_(x)
        return self.s * 1, self.t + 1


@case(*CALLS, ways=WAYS)
class a_part_that_a_loop_replaces(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0))
        self.register_buffer("t", self.s[2:6])

    def forward(self, x: Tensor, n: int):
        self.t.add_(x)
        for i in range(3):
            if bool(x.sum() > i):
                x = x - 1
            self.t = self.t * 0.5 + x
        return self.s * 1, self.t * 1


@case(*CALLS, ways=WAYS)
class parts_that_nothing_writes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(8.0))
        self.register_buffer("t", self.s[2:6])

    def forward(self, x: Tensor, n: int):
        y = x + self.t
        y[n] = self.s[n]
        return y
