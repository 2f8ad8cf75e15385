"""docs/add-a-pass.md to the letter: its pass is built in a copy of the sources, tested and documented (with --full: it builds jit-opt)."""

import pathlib

import pytest
from conftest import ROOT
from guide import Guide

GUIDE = Guide("add-a-pass.md")


def test_the_page_has_an_example():
    assert {"tablegen", "cpp", "mlir", "sh"} <= GUIDE.languages()
    for name in GUIDE.files():
        assert (ROOT / pathlib.Path(name).parent).is_dir(), name


def test_the_example(tmp_path, request):
    if not request.config.getoption("--full"):
        pytest.skip("builds jit-opt: with --full")
    shown = GUIDE.follow(tmp_path / "scratch")
    assert "Passed: 1" in shown and "jit-merge-relu" in shown
