"""How many threads share a call's work."""

import sys


def shared_by(threads: int) -> int:
    """What was asked for; for 0 as many as PyTorch uses, where it is imported. 0 again lets the runtime ask for CPUs."""
    if not isinstance(threads, int) or threads < 0:
        raise TypeError(f"expected a number of threads, got {threads!r}")
    # Amidst its own import it has no such function yet.
    of_torch = getattr(sys.modules.get("torch"), "get_num_threads", None)
    return of_torch() if threads == 0 and of_torch else threads
