"""How small TorchScript functions are listed with the arguments of their calls."""

import torch

X = torch.arange(12.0).reshape(3, 4) - 5


def listed_in(cases):
    """A decorator case(*calls), each call a tuple of arguments, that adds (function, calls) to `cases`."""

    def case(*calls):
        def note(function):
            # Its name is that of its file.
            assert all(function.__name__ != other.__name__ for other, _ in cases), f"expected names of their own, got {function.__name__} twice"
            cases.append((function, calls))
            return function

        return note

    return case
