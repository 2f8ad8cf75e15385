"""As differential_cases.py: state that calls leave in one memory, which each call after that finds so."""

import torch
from differential_case import case
from torch import Tensor

CALLS = ("(torch.arange(4.0), 0)", "(torch.arange(4.0), 1)", "(-torch.arange(4.0), 2)", "(torch.arange(4.0) * 3, 1)", "(torch.ones(4), 0)")
WAYS = ("exact", "any", "package", "threads")


@case(*CALLS, ways=WAYS)
class state_that_is_set_to_other_state(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        if n == 0:
            self.s = self.t
        elif n == 1:
            self.s.add_(x)
        else:
            self.t.mul_(2.0)
        return self.s + 1, self.t * 1


@case(*CALLS, ways=WAYS)
class state_that_is_set_to_a_part_of_other_state(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        if n == 0:
            self.s = self.t[1:]
        elif n == 1:
            self.s.mul_(2.0)
            self.t.add_(x)
        else:
            self.t = x * 1
        return self.s + 1, self.t * 1


@case(*CALLS, ways=WAYS)
class two_names_for_what_the_program_made(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        if n == 0:
            y = x.repeat(2, 1)
            self.s = y.t()
            self.t = y
        else:
            self.t.flatten()[n].mul_(5.0)
            self.s[0].sub_(1.0)
        return self.s + 1, self.t * 1


@case(*CALLS, ways=WAYS)
class state_that_is_set_to_an_argument_twice(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        self.s.add_(1.0)
        if n == 0:
            self.s = x
            self.t = x[2:]
        return self.s + 1, self.t * 1


@case(*CALLS, ways=WAYS)
class a_part_whose_whole_is_set_to_another(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)
        self.register_buffer("u", torch.zeros(3))

    def forward(self, x: Tensor, n: int):
        if n == 0:
            self.s = self.t[1:]
            self.u = self.s
        elif n == 1:
            self.t = x.clone()
            self.u.add_(1.0)
        else:
            self.s.neg_()
            self.t.add_(100.0)
        return self.s + 1, self.t * 1, self.u * 1


@case(*CALLS, ways=WAYS)
class state_that_changes_places(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        self.s, self.t = self.t, self.s
        if n == 1:
            self.s = self.t
        self.s.add_(x)
        return self.s + 1, self.t * 1


@case(*CALLS, ways=WAYS)
class state_that_shares_and_is_never_written(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        if n == 0:
            self.s = self.t
        x = x * 1
        x.add_(1.0)
        return self.s + x, self.t * x


@case(*CALLS, ways=WAYS)
class a_frozen_tensor_that_is_written_by_another_name(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0))
        self.register_buffer("t", torch.arange(4.0) * 10)

    def forward(self, x: Tensor, n: int):
        if n == 0:
            self.s = self.t
        if n == 1:
            self.s.add_(x)
        return self.s + 1, self.t * 1


@case("(torch.ones(5),)", "(torch.ones(5) * 2,)", "(-torch.ones(5) * 9,)", "(torch.ones(5),)", ways=("exact", "any"))
class state_of_one_of_two_sizes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(20.0).reshape(5, 4))
        self.register_buffer("t", torch.arange(5.0))

    def forward(self, x: Tensor):
        self.t.add_(x)
        self.s.view(1, -1, 4).index_copy_(0, torch.tensor([0]), torch.ones_like(self.s.flatten(0, 1).view(1, -1, 4)))
        if float(self.t.sum()) > 20.0:
            self.s = torch.cat([self.s, self.s], 1)
        return self.t * 1, self.s.flatten(0, 1).mul_(0.5).sum()


@case("(0,)", "(1,)", ways=("exact", "any", "package"))
class strides_of_saved_state_along_one(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.tensor([0.27, -1.4])[..., ::2])

    def forward(self, a: int):
        self.t -= a
        return self.t.stride(0)


@case(*CALLS, ways=WAYS)
class places_in_state_that_is_made_anew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.arange(4.0).reshape(4, 1).t())

    def forward(self, x: Tensor, n: int):
        t = self.s.expand(2, -1, -1).as_strided([1, 2], [2, 1], 1)
        t.mul_(2.0)
        if n == 0:
            self.s = torch.stack([x, x]).mul_(3.0)
        elif n == 1:
            self.s = self.s if bool(x[1] > 1) else self.s + 1
        else:
            self.s *= 0.5
        return self.s * 1, t + 1, self.s.storage_offset()


@case("(torch.tensor(2.0), 1)", "(torch.tensor(-3.0), 0)", "(torch.tensor(1.5), 0)", ways=WAYS, refused=True)
class state_that_is_set_to_a_view_that_repeats(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.tensor([-1.07, -0.85, 1.44, 0.66, -0.97]))

    def forward(self, w: Tensor, n: int):
        self.s[:1].square_()
        for i in range(n):
            self.s = w.expand(2)
        return w + 1


@case("(torch.tensor(2.0), 1)", "(torch.tensor(-3.0), 0)", "(torch.tensor(1.5), 0)", ways=WAYS)
class state_that_repeats_and_is_not_written(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("s", torch.tensor([-1.07, -0.85]))

    def forward(self, w: Tensor, n: int):
        y = self.s * 2.0
        y.mul_(w)
        if n == 1:
            self.s = w.expand(2)
        return y
