"""The one exception of this package."""

STATUS = ["ok", "io", "malformed", "unsupported", "limit exceeded", "not found", "invalid argument", "raised", "internal"]


class Error(Exception):
    """What was refused, or raised by the compiled program itself.

    `kind` is "unsupported", "invalid argument", "raised", ...; `where` a place in a file, or ""; `python_class` the name
    of the program's own exception ("builtins.ValueError"), or "".
    """

    def __init__(self, message: str, status: int = 8, where: str = "", python_class: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.kind = STATUS[status]
        self.where = where
        self.python_class = python_class


def check_numerics(numerics: str) -> None:
    if numerics not in ("fast", "strict"):
        raise TypeError(f"expected numerics 'fast' or 'strict', got {numerics!r}")


def check_tier(tier: str) -> None:
    if tier not in ("baseline", "optimised", "both"):
        raise TypeError(f"expected tier 'baseline', 'optimised' or 'both', got {tier!r}")


def refusal(kind: str, message: str) -> Error:
    return Error(message, STATUS.index(kind))
