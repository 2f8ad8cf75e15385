"""PyTorch's samples (OpInfo) as programs whose gradients eager autograd knows."""

import itertools
import random
import warnings
from dataclasses import dataclass

import numpy as np
import torch
from operator_cases import as_function, is_undefined, operators_in, samples, trace
from torch.utils._pytree import tree_leaves

LOOKED_AT = 12  # of each OpInfo's samples
CHOSEN = {torch.float64: 3, torch.float32: 1}
STEP = 1e-6  # of finite differences
FD_TOLERANCE = 1e-4
# Several results are right: of these what the sample says is settled.
OPEN_SIGNS = {"linalg.eigh"}


def name_of(info):
    return f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name


def differentiable_operators():
    """The OpInfos, by name, that have a derivative and take float64: what we count."""
    from operator_samples import op_db

    return {name_of(i): i for i in op_db if i.supports_autograd and torch.float64 in i.supported_dtypes("cpu")}


@dataclass
class GradientCase:
    """One program, its arguments (those that want a gradient require one), and their gradients by eager autograd."""

    text: str
    program: object  # has save(path)
    function: object
    arguments: list
    expected: list  # None for an argument that requires no gradient
    operators: set  # keys

    @property
    def is_double(self):
        return all(a.dtype == torch.float64 for a in self.arguments if a.requires_grad)


# ---------------------------------------------------------------- what eager says


def total(outputs):
    """The sum of all elements of the floating outputs, of complex ones their real parts, or None where there is none."""
    tensors = [o.real if o.is_complex() else o for o in tree_leaves(outputs) if isinstance(o, torch.Tensor)]
    floating = [o.sum(dtype=torch.float64) for o in tensors if o.is_floating_point()]
    return sum(floating) if floating else None


def gradients(function, tensors, wanted):
    """Eager's gradients of the total, zeros where nothing flows, or None where eager has none."""
    leaves = [t.detach().clone().requires_grad_(w) for t, w in zip(tensors, wanted)]
    try:
        # Clones, since a program may write into its inputs and may not into leaves.
        result = total(function(*[leaf.clone() for leaf in leaves]))
        if result is None or not result.requires_grad:
            return None
        sources = [leaf for leaf in leaves if leaf.requires_grad]
        found = iter(torch.autograd.grad(result, sources, allow_unused=True, materialize_grads=True))
    except Exception:  # a derivative that eager does not have
        return None
    return [next(found) if leaf.requires_grad else None for leaf in leaves]


def finite_difference(case, directions):
    """The slope of the total along the directions, by central differences."""

    def at(step):
        moved = [a.detach().clone() if d is None else a.detach() + step * d for a, d in zip(case.arguments, directions)]
        with torch.no_grad():
            return float(total(case.function(*moved)))

    return (at(STEP) - at(-STEP)) / (2 * STEP)


def slope(gradients, directions):
    return sum(float((torch.as_tensor(g) * d).sum()) for g, d in zip(gradients, directions) if d is not None)


def slope_error(case, ours):
    """How our gradient contradicts finite differences along one random direction: a message; None where it does not; and
    NotImplemented where even eager's gradient does, since the function is not smooth there."""
    generator = torch.Generator().manual_seed(0)
    directions = [torch.randn(a.shape, generator=generator, dtype=a.dtype) if a.requires_grad else None for a in case.arguments]
    measured = finite_difference(case, directions)

    def agrees(slope):
        return abs(slope - measured) <= FD_TOLERANCE * (1 + abs(measured))

    if not agrees(slope(case.expected, directions)):
        return NotImplemented
    got = slope(ours, directions)
    return None if agrees(got) else f"slope {got}, by finite differences {measured}"


# ---------------------------------------------------------------- from OpInfo


def is_listed(key, listed):
    """True also for an in-place operator, which the importer reads as the operator and a write."""
    name, overload = key
    return key in listed or (name.endswith("_") and not name.endswith("__") and (name[:-1], overload) in listed)


def settled(info, sample):
    """The sample as a function of its tensors, those tensors, or None."""
    found = as_function(info, sample)
    if not found or info.name not in OPEN_SIGNS:
        return found
    function, tensors = found
    return lambda *given: sample.output_process_fn_grad(function(*given)), tensors


def case_from_sample(info, sample, listed):
    found = settled(info, sample)
    program = found and trace(*found)
    operators = program and operators_in(program.inlined_graph)
    if not operators or not all(is_listed(key, listed) for key in operators) or any(map(is_undefined, operators)):
        return None
    function, tensors = found
    # By every floating input; where eager cannot, by those that the sample differentiates by.
    for wanted in ([t.is_floating_point() for t in tensors], [t.requires_grad for t in tensors]):
        if any(wanted) and (expected := gradients(function, tensors, wanted)):
            arguments = [t.detach().requires_grad_(w) for t, w in zip(tensors, wanted)]
            return GradientCase("", program, function, arguments, expected, operators)
    return None


def spread(items, count):
    """`count` of the items, from the first to the last."""
    last = len(items) - 1
    return [items[i] for i in sorted({round(last * n / max(1, count - 1)) for n in range(count)})] if items else []


def gradient_cases(info, listed):
    """The cases of one OpInfo: in float64 and, to see element types through, in float32."""
    for dtype, count in CHOSEN.items():
        torch.manual_seed(0), np.random.seed(0), random.seed(0)
        if dtype not in info.supported_dtypes("cpu"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tried = [case_from_sample(info, sample, listed) for sample in itertools.islice(samples(info, dtype, True), LOOKED_AT)]
        for number, case in spread([(n, case) for n, case in enumerate(tried) if case], count):
            case.text = f"{name_of(info)} {dtype} sample {number}"
            yield case
