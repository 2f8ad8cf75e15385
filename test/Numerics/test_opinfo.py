"""All of PyTorch's operator samples against eager, as traced archives and as .pt2; some of each operator's without --full. And one
of each operator's as it writes in place, into out=, for any sizes, and by its gradients.

What does not pass has to be in opinfo_gaps.txt with its reason, and what is there has to fail as often as it says there: an
operator that gets worse fails its test, and so does one that gets better until `opinfo.py --gaps` has been run. A run of fewer
samples than were counted there only holds what passes altogether and what fails altogether."""

import json
import os

import pytest
from conftest import ROOT
from opinfo import DOORS, DTYPES, FORMS, failing, known_gaps, name_of, op_db, reason_of, run, summary, tasks_of

# Samples of each operator and element type without --full. Traced ones, of more element types, are test_operators.py's, too.
SOME = {"traced": 1, "exported": 2}
# Of PyTorch 2.13's float32 operators, these pass every sample both ways at least.
LEAST = 420


@pytest.fixture(scope="module")
def results(installed, pytestconfig):
    most = dict.fromkeys(DOORS, 0) if pytestconfig.getoption("full") else SOME
    tasks = [*(task for door in DOORS for task in tasks_of(DTYPES, (door,), most=most[door])), *tasks_of(("float32",), FORMS, most=1)]
    found = run(installed, tasks, os.cpu_count(), say=lambda line: None)
    (ROOT / "out").mkdir(exist_ok=True)
    (ROOT / "out" / "opinfo.json").write_text(json.dumps(found, indent=1, sort_keys=True))
    return found


CASES = [(name_of(op_db[task["info"]]), task["dtype"], task["door"]) for task in [*tasks_of(DTYPES, DOORS), *tasks_of(("float32",), FORMS)]]


@pytest.mark.parametrize("name, dtype, door", CASES, ids=[" ".join(case) for case in CASES])
def test_the_samples_agree(name, dtype, door, results):
    outcome = results["samples"][name][dtype][door]
    failed, count = failing(outcome)
    known, of, reason = known_gaps().get((name, dtype, door), (0, count, ""))
    got = f"; {reason_of(outcome)}" if failed else ""
    if count == of:
        assert failed == known, f"expected {known} of {of} to fail ({reason or 'none is known'}), got {failed}{got}"
    elif known == of:
        assert failed == count, f"some pass now, which did not ({reason}): run opinfo.py --gaps"


def test_how_many_are_whole(results, report):
    for line in summary(results, DTYPES, DOORS):
        report(f"operator samples, {line}")
    gaps = {name for name, dtype, door in known_gaps() if dtype == "float32" and door in DOORS}
    assert len({name for name, dtype, _ in CASES if dtype == "float32"} - gaps) >= LEAST
