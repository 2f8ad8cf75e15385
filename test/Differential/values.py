"""Arguments, as Python text: small tensors of every element type, with what is special among numbers."""

import math

FLOATS = ("float32", "float64", "float16", "bfloat16")
COMPLEX = ("complex64", "complex128")
INTS = ("int64", "int32", "uint8")
STRIDED, STRIDED_STATE = 0.08, 0.3  # shares of the tensors that lie otherwise than row by row
EXTREMES = {"int64": (2**63 - 1, -(2**63), 2**31), "int32": (2**31 - 1, -(2**31)), "uint8": (255, 254)}


def _float(rng, is_special):
    if is_special and rng.random() < 0.15:
        return rng.choice(("nan", "inf", "-inf", "0.0", "-0.0"))
    return str(rng.randint(-12, 12) / 4) if rng.random() < 0.5 else str(round(rng.uniform(-2, 2), 2))


def number(rng, dtype, is_special):
    """One element as text."""
    if dtype == "bool":
        return rng.choice(("True", "False"))
    if dtype in COMPLEX:
        return f"complex({_float(rng, is_special)}, {_float(rng, is_special)})"
    if dtype in FLOATS:
        return _float(rng, is_special)
    if is_special and rng.random() < 0.15:
        return str(rng.choice(EXTREMES[dtype]))
    return str(rng.randint(0 if dtype == "uint8" else -5, 9))


def _shaped(flat, sizes):
    return flat if len(sizes) == 1 else f"{flat}.reshape({', '.join(map(str, sizes))})"


def _strided(rng, sizes):
    """(sizes to make, the view of them that has `sizes`) of one way to lie in memory."""
    ways = [([*sizes[:-1], 2 * sizes[-1]], "[..., ::2]"), ([sizes[0] + 1, *sizes[1:]], "[1:]")]
    if len(sizes) == 2:
        ways += [(sizes[::-1], ".t()")] * 4
    if len(sizes) == 3:
        ways += [([sizes[1], sizes[2], sizes[0]], ".permute(2, 0, 1)")] * 2
    return rng.choice(ways)


def tensor(rng, dtype, sizes, is_special=False, is_state=False):
    """A tensor's text: row-major, or now and then with other strides or as a part of its memory."""
    kind = f"dtype=torch.{dtype}"
    if not sizes:
        return f"torch.tensor({number(rng, dtype, is_special)}, {kind})"
    made, view = _strided(rng, sizes) if rng.random() < (STRIDED_STATE if is_state else STRIDED) else (sizes, "")
    if view == "[1:]" and not is_state:  # a part that is passed alone is all of its memory: docs/rationale.md
        made, view = sizes, ""
    elements = ", ".join(number(rng, dtype, is_special) for _ in range(math.prod(made)))
    return _shaped(f"torch.tensor([{elements}], {kind})", made) + view
