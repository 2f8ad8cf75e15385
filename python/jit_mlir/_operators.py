"""Operators of a user's own."""

import os
from typing import Union

_files: list[str] = []


def register(path: Union[str, os.PathLike[str]]) -> list[str]:
    """Lets programs that are opened from now on use the operators of a file of operators (jit-c/Operators.h); gives their schemas.

    The file is a shared object that is loaded and stays so: register only what you trust. One that has taken the place of a
    file registered before takes its place here too. Raises Error where the file is none of operators, and where its operators
    go under names that others have.
    """
    from . import _compiler  # it is large: not before there is something to compile

    name = os.path.abspath(os.fspath(path))
    files = [file for file in _files if file != name]
    _compiler.operators_in([*files, name])
    _files[:] = [*files, name]
    return _compiler.operators_in([name]).splitlines()


def registered() -> list[str]:
    """The files, in the order in which they were registered."""
    return list(_files)
