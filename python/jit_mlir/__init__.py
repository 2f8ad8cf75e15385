"""Compiles PyTorch programs by way of MLIR, as they are called or ahead of time. Imports neither torch nor numpy."""

from ._core import version as __version__
from ._errors import Error
from ._program import Method, Program, compile, load

__all__ = ["Error", "Method", "Program", "compile", "load", "__version__"]
