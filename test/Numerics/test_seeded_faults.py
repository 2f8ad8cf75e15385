"""A miscompile is found: jit-diff names the operator and its line, jit-reduce leaves little else. docs/reliability.md has the figures."""

import re
import subprocess

import pytest
from conftest import ROOT, tool
from seeded_faults import SEEDED, diff, is_named, reduced
from seeded_programs import INPUTS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("seeded")


@pytest.mark.parametrize("program", INPUTS, ids=lambda program: program.__name__)
def test_what_is_right_is_equal(program, folder):
    found = diff(tool("jit-diff"), folder, program, *(f"--input={spec}" for spec in INPUTS[program]), "--verbose")
    assert found.returncode == 0 and re.fullmatch(r"equal: \d+ operators\n", found.stdout), found.stdout + found.stderr


@pytest.mark.parametrize("seeded", SEEDED, ids=lambda seeded: seeded.name)
def test_what_is_wrong_is_named(seeded, folder):
    found = diff(tool("jit-diff"), folder, seeded.program, *seeded.options())
    assert is_named(found, seeded), found.stdout + found.stderr


def test_what_is_wrong_is_made_small(folder, request):
    """At most five operators are left, of nine in ten."""
    part = SEEDED if request.config.getoption("--full") else SEEDED[::6]
    left = {seeded.name: reduced(tool("jit-reduce"), folder, seeded) for seeded in part}
    assert all(left.values()), left
    small = [name for name, (operators, _, _) in left.items() if operators <= 5]
    assert len(small) >= 0.9 * len(part) - 1e-9, left


def test_a_reduced_program_is_still_wrong(folder):
    seeded = SEEDED[0]
    _, _, file = reduced(tool("jit-reduce"), folder, seeded)
    inputs = re.findall(r"--input=\S+", file.read_text().splitlines()[0])
    found = subprocess.run([tool("jit-diff"), file, *inputs, *seeded.options()[-1:]], capture_output=True, text=True)
    assert is_named(found, seeded), found.stdout + found.stderr


def test_the_page_has_these_faults():
    page = (ROOT / "docs/reliability.md").read_text()
    assert f"| seeded miscompiles | {len(SEEDED)} |" in page, "run scripts/diff-report"
