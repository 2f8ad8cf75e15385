"""What eager PyTorch gives, and what of it another computation has to give too.

Numbers are compared by the tolerance of their element type, complex ones by their parts; ints and bools have to be equal, NaN equals
NaN alone. Where that fails the program is run some times more with each operand moved by about as much as rounding may have moved it:
what differs between such runs is not settled by the program, and of a float may differ by as much. It is also run in float64: a float
may differ by twice eager's error there.
"""

import copy
import dataclasses
import warnings

import torch
from watch import Noise

RUNS = 20
TOLERANCE = {torch.float32: (2e-5, 2e-6), torch.float64: (1e-12, 1e-13), torch.float16: (2e-3, 2e-4), torch.bfloat16: (1.6e-2, 1e-3)}


@dataclasses.dataclass
class Observed:
    """What one call shows: its result, its arguments after it, its module's state, and gradients where they were asked for."""

    result: object
    arguments: object
    state: object
    gradients: object = None
    chosen: object = None  # which results were differentiated

    def leaves(self):
        parts = ("result", self.result), ("argument", self.arguments), ("state", self.state), ("gradient", self.gradients)
        return [pair for name, value in parts for pair in leaves(value, name)]


def leaves(value, name):
    """Pairs of a place and the tensor, number or None there."""
    if isinstance(value, (list, tuple)):
        return [pair for i, item in enumerate(value) for pair in leaves(item, f"{name}[{i}]")]
    return [(name, value)]


def is_differentiable(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point() and value.requires_grad


def loss_of(result, chosen=None):
    """A sum of all floats that are results, each with a factor of its own, and which these are."""
    given = [value for _, value in held(result)]
    if chosen is None:
        chosen = [i for i, value in enumerate(given) if is_differentiable(value)]
        if len(chosen) > 1 and len(given) % 4 == 3:  # one has no gradient
            chosen = chosen[1:]
    total = torch.zeros((), dtype=torch.float64)
    for i in chosen:
        factors = torch.cos(torch.arange(given[i].numel(), dtype=torch.float64) + i)
        total = total + (given[i].double().flatten() * factors).sum()
    return total, chosen


def held(value, name=""):
    """As leaves(), but the values themselves."""
    if isinstance(value, (list, tuple)):
        return [pair for i, item in enumerate(value) for pair in held(item, f"{name}[{i}]")]
    return [(name, value)]


def marked(arguments):
    """The arguments with those that are floats marked as requiring a gradient."""
    return [value.requires_grad_() if isinstance(value, torch.Tensor) and value.is_floating_point() else value for value in arguments]


def gradients_of(arguments):
    """Where nothing depends on an argument its gradient is zero."""
    return [(value.grad if value.grad is not None else torch.zeros_like(value)).detach() if is_differentiable(value) else None
            for value in arguments]


def observe(function, arguments, state=(), chosen=None):
    """Calls a function once; `state` names what is read of its state."""
    arguments = list(copy.deepcopy(arguments))
    given = [value for _, value in held(arguments)]  # what lists hold now: what becomes of these themselves is the callee's own
    with torch.no_grad():
        return Observed(settled(function(*arguments)), settled(given), [settled(read(function, path)) for path in state])


def observe_gradients(function, arguments, state=(), chosen=None):
    """The same with a backward pass; `chosen`: the results that are differentiated, where it is known."""
    arguments = list(copy.deepcopy(arguments))
    given = [value for _, value in held(arguments)]
    result = function(*marked(arguments))
    loss, chosen = loss_of(result, chosen)
    if chosen and loss.requires_grad:
        loss.backward()
    values = settled(result), settled(given), [settled(read(function, path)) for path in state]
    for path in state if isinstance(function, torch.nn.Module) else ():
        *owners, name = path.split(".")
        owner = read(function, ".".join(owners)) if owners else function
        setattr(owner, name, read(owner, name).detach())  # no call of ours differentiates through one before it
    return Observed(*values, gradients_of(arguments), chosen)


class Packaged:
    """A package, which keeps no state that no call writes: that is what it was."""

    def __init__(self, package, initial):
        self.package, self.initial = package, initial

    def __call__(self, *arguments):
        return self.package(*arguments)

    def read(self, path):
        try:
            return self.package.state(path)
        except Exception as error:
            if getattr(error, "kind", "") != "not found":
                raise
            return read(self.initial, path)


def read(function, path):
    """A module's state, or a compiled program's."""
    if hasattr(function, "reset"):
        return function.state(path)
    if isinstance(function, Packaged):
        return function.read(path)
    for name in path.split("."):
        function = getattr(function, name)
    return function


def settled(value):
    """As it is now: later calls may write it."""
    if isinstance(value, (list, tuple)):
        return [settled(item) for item in value]
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def run(function, calls, state=(), with_gradients=False, chosen=()):
    """What each of some calls shows, one after another."""
    look = observe_gradients if with_gradients else observe
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, call in enumerate(calls):
            yield look(function, call, state, chosen[i] if chosen else None)


def text(value):
    shown = " ".join(str(value.tolist() if isinstance(value, torch.Tensor) else value).split())
    kind = f"{str(value.dtype)[6:]}{list(value.shape)} " if isinstance(value, torch.Tensor) else ""
    return f"{kind}{shown[:200]}"


def spread(wide, runs):
    """By how much each element differs between runs; infinite where it is not even of one kind."""
    away = torch.zeros_like(wide)
    for run in runs:
        same = (run == wide) | (run.isnan() & wide.isnan())
        away = torch.maximum(away, torch.where(same, torch.zeros_like(wide), (run - wide).abs().nan_to_num(torch.inf, torch.inf)))
    return away


def as_double(value):
    return value.detach().to(torch.float64)


def parts(value):
    """A complex tensor as the real one of its parts."""
    return torch.view_as_real(value.resolve_conj()) if isinstance(value, torch.Tensor) and value.is_complex() else value


def own_error(want, exact):
    """By how much each element of eager's is off what float64 gives; 0 where that is not known, or is no number."""
    if not isinstance(exact, torch.Tensor) or exact.shape != want.shape or not want.is_floating_point():
        return torch.zeros_like(as_double(want))
    return (as_double(want) - as_double(exact)).abs().nan_to_num(0, 0)


def is_right(got, exact):
    """Whether each element is what float64 gives, where eager's own type has led it elsewhere."""
    if not isinstance(exact, torch.Tensor) or exact.shape != got.shape or not got.is_floating_point() or got.dtype == exact.dtype:
        return torch.zeros_like(got, dtype=torch.bool)
    relative, absolute = TOLERANCE.get(got.dtype, (0, 0))
    near = (as_double(got) - as_double(exact)).abs() <= relative * as_double(exact).abs() + absolute
    return near | (got == exact.to(got.dtype)) | (got.isnan() & exact.isnan())


def is_equal(got, want, noisy, exact=None):
    """Whether two leaves agree; `noisy` are the same leaf of other runs, `exact` that of one in float64."""
    if isinstance(want, torch.Tensor) and want.is_complex() and isinstance(got, torch.Tensor) and got.dtype == want.dtype:
        return is_equal(parts(got), parts(want), [parts(run) for run in noisy], parts(exact))
    if not isinstance(want, torch.Tensor) or not isinstance(got, torch.Tensor):
        if isinstance(want, float) and isinstance(got, float):
            return is_equal(torch.tensor(got), torch.tensor(want), [torch.tensor(run) for run in noisy])
        return type(got) is type(want) and (got == want or any(run != want for run in noisy))
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if any(run.shape != want.shape or run.dtype != want.dtype for run in noisy):
        return True
    relative, absolute = TOLERANCE.get(want.dtype, (0, 0))
    allowed = relative * as_double(want).abs() + absolute
    allowed = allowed + 2 * own_error(want, exact)
    if noisy:
        allowed = allowed + 8 * spread(as_double(want), [as_double(run) for run in noisy])
    if want.is_floating_point():
        near = (as_double(got) - as_double(want)).abs() <= allowed
    else:
        near = allowed > 0
    same = (got == want) | (got.isnan() & want.isnan() if want.is_floating_point() else False)
    return bool((near | same | is_right(got, exact) | (allowed == torch.inf)).all())


def difference(got, want, noisy=(), exact=None):
    """The first leaf of calls that disagrees, in words, or nothing. Where `got` has fewer calls, these are compared."""
    for call, (mine, theirs) in enumerate(zip(got, want)):
        mine, theirs, others = mine.leaves(), theirs.leaves(), [run[call].leaves() for run in noisy]
        right = exact[call].leaves() if exact else [("", None)] * len(theirs)
        if len(mine) != len(theirs):
            return f"call {call}: {len(mine)} values, expected {len(theirs)}"
        for i, ((place, value), (_, expected)) in enumerate(zip(mine, theirs)):
            if not is_equal(value, expected, [run[i][1] for run in others], right[i][1]):
                return f"call {call} {place}: eager {text(expected)}, ours {text(value)}"
    return ""


def noisy_runs(make, want, *how):
    """Runs with moved operands, or None where these take other ways through the program."""
    runs = []
    for seed in range(RUNS):
        try:
            with Noise(seed):
                made = list(run(make(), *how))
        except Exception:
            return None
        if any(len(mine.leaves()) != len(theirs.leaves()) for mine, theirs in zip(made, want)):
            return None
        runs.append(made)
    return runs


def widened(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(widened, value))
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def exact_run(make, want, calls, state=(), *how):
    """The program of float64s; None where it is another one then, or has a state of its own."""
    if state:
        return None
    try:
        made = list(run(make(), widened(calls), state, *how))
    except Exception:
        return None
    return made if all(len(mine.leaves()) == len(theirs.leaves()) for mine, theirs in zip(made, want)) else None


def verdict(make, got, want, *how):
    """("equal" | "wrong" | "unsettled", in words); make() gives what eager runs, `how` are run()'s arguments beside it."""
    if not difference(got, want):
        return "equal", ""
    runs = noisy_runs(make, want, *how)
    if runs is None:
        return "unsettled", "rounding decides what runs"
    message = difference(got, want, runs, exact_run(make, want, *how))
    return ("wrong", message) if message else ("equal", "")
