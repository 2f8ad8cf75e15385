"""One thread at a time in Python's parser.

CPython counts how deep it is in converting a syntax tree in one number per process (gh-106905). A collection during the conversion may
let another thread in, whose own parsing then changes the number: `SystemError: AST constructor recursion depth mismatch`. np.load
parses the header of each file, so every test that compares on several threads is open to it.
"""

import ast
import functools
import threading

_lock = threading.RLock()  # a finaliser may parse while its own thread does
_parse = ast.parse


@functools.wraps(_parse)
def _parse_alone(*arguments, **options):
    with _lock:
        return _parse(*arguments, **options)


def hold():
    """From here on ast.parse, and with it all that numpy, inspect and torch.jit.script parse, runs on one thread at a time."""
    ast.parse = _parse_alone
