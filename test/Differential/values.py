"""Arguments, as Python text: small tensors of every element type, with what is special among numbers."""

import math

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTS = ("int64", "int32", "uint8")
EXTREMES = {"int64": (2**63 - 1, -(2**63), 2**31), "int32": (2**31 - 1, -(2**31)), "uint8": (255, 254)}


def _float(rng, is_special):
    if is_special and rng.random() < 0.15:
        return rng.choice(("nan", "inf", "-inf", "0.0", "-0.0"))
    return str(rng.randint(-12, 12) / 4) if rng.random() < 0.5 else str(round(rng.uniform(-2, 2), 2))


def number(rng, dtype, is_special):
    """One element as text."""
    if dtype == "bool":
        return rng.choice(("True", "False"))
    if dtype in FLOATS:
        return _float(rng, is_special)
    if is_special and rng.random() < 0.15:
        return str(rng.choice(EXTREMES[dtype]))
    return str(rng.randint(0 if dtype == "uint8" else -5, 9))


def tensor(rng, dtype, sizes, is_special=False):
    """A tensor's text: row-major, or now and then the same values with other strides."""
    count = math.prod(sizes)
    kind = f"dtype=torch.{dtype}"
    if not sizes:
        return f"torch.tensor({number(rng, dtype, is_special)}, {kind})"
    elements = ", ".join(number(rng, dtype, is_special) for _ in range(count))
    flat = f"torch.tensor([{elements}], {kind})"
    if len(sizes) == 2 and rng.random() < 0.08:
        return f"{flat}.reshape({sizes[1]}, {sizes[0]}).t()"
    return flat if len(sizes) == 1 else f"{flat}.reshape({', '.join(map(str, sizes))})"
