"""The command line tools: programs of their own, which take this process's place."""

import os
import pathlib
import sys


def main() -> None:
    """Runs the tool that the script was called as: jit-run, jit-compile, ..."""
    name = pathlib.Path(sys.argv[0]).name
    os.execv(pathlib.Path(__file__).parent / "bin" / name, [name, *sys.argv[1:]])
