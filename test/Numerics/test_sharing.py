"""Runs of the tests that share a folder take the files from each other: scripts/test runs several."""

import subprocess
import sys

from conftest import ROOT


def run(shared, *files):
    names = [ROOT / "test" / "Numerics" / name for name in files]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names, f"--share={shared}"],
                          capture_output=True, text=True, cwd=ROOT)
    return done.stdout.splitlines()[-1]


def test_each_file_is_run_once(tmp_path):
    assert run(tmp_path, "test_build_report.py").startswith("6 passed")
    assert run(tmp_path, "test_build_report.py").startswith("no tests ran")


def test_a_file_that_is_taken_leaves_the_others(tmp_path):
    (tmp_path / "test_sharing.py").mkdir()
    assert run(tmp_path, "test_sharing.py", "test_build_report.py").startswith("6 passed")
