"""docs/stages.md is what the tools print."""

import subprocess
import sys

from conftest import ROOT, tool


def test_stages_are_as_documented():
    build = tool("jit-run").parents[1]
    done = subprocess.run([sys.executable, ROOT / "scripts/stage-pages", "--check", build], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
