"""Places outside of a tensor that data tell: PyTorch's exception, nothing written, and the next call is right. --full: all of them."""

import pytest
import torch
from checked_places import cases

OPTIONS = [{"threads": 1, "any_sizes": False, "tier": "optimised"}, {"threads": 1, "any_sizes": True, "tier": "optimised"}, {}]
OUTSIDE = [4, -7, 1 << 40, -(1 << 40)]


def pytest_generate_tests(metafunc):
    if "text" in metafunc.fixturenames:
        chosen = [(name, text, OPTIONS[i % 3]) for i, (name, text) in enumerate(cases()) if i % 5 == 0]  # every second one writes to an argument
        if metafunc.config.getoption("full"):
            chosen = [(name, text, options) for name, text in cases() for options in OPTIONS]
        metafunc.parametrize("text, options", [case[1:] for case in chosen], ids=[case[0] for case in chosen])


def arguments(place):
    return torch.linspace(0.1, 0.7, 4), torch.tensor(place), torch.linspace(-1, 1, 16).view(4, 4)


def outcome(call, given):
    """The results; None where the call raises what PyTorch raises."""
    try:
        return call(*given)
    except RuntimeError:
        return None


def test_places_are_checked(text, options, jit_mlir):
    function = torch.jit.CompilationUnit(text).program
    program = jit_mlir.compile(function, **options)
    for place in [1, 3, *OUTSIDE, 1]:
        theirs, ours = arguments(place), arguments(place)
        want = outcome(function, theirs)
        try:
            got = program(*ours)
        except jit_mlir.Error as error:
            assert error.kind == "raised" and want is None, error
            assert torch.equal(ours[2], arguments(place)[2]) or torch.equal(ours[2], theirs[2])
            continue
        assert want is not None, f"{place}: eager raises"
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(ours[2], theirs[2], rtol=1e-4, atol=1e-5)
