"""The command line tools: programs of their own, which take this process's place. Outside of the package, whose import takes
longer than they do."""

import os
import sys


def main() -> None:
    """Runs the tool that the script was called as: jit-run, jit-compile, ..."""
    name = os.path.basename(sys.argv[0])
    os.execv(os.path.join(os.path.dirname(__file__), "jit_mlir", "bin", name), [name, *sys.argv[1:]])
