"""Compiles PyTorch programs by way of MLIR, as they are called or ahead of time. Imports neither torch nor numpy."""

from ._artifact import Artifact
from ._compile import compile
from ._errors import Error
from ._load import load
from ._objects import Object
from ._operators import register
from ._program import Program
from ._runtime import version as __version__

__all__ = ["Artifact", "Error", "Object", "Program", "compile", "load", "register", "__version__"]
