"""Random programs against eager PyTorch, and those that were found wrong before. scripts/differential runs more of them."""

import dataclasses
import sys

import absent_gradient_cases  # noqa: F401
import argument_cases  # noqa: F401
import changed_size_cases  # noqa: F401  notes its cases
import complex_memory_cases  # noqa: F401
import data_size_cases  # noqa: F401  notes its cases
import differential_cases  # noqa: F401  notes its cases
import early_return_cases  # noqa: F401
import grad_mode_cases  # noqa: F401
import growing_list_cases  # noqa: F401
import layout_cases  # noqa: F401
import loop_name_cases  # noqa: F401
import loop_type_cases  # noqa: F401
import name_cases  # noqa: F401
import open_repeat_cases  # noqa: F401
import out_cases  # noqa: F401
import part_name_cases  # noqa: F401
import place_cases  # noqa: F401
import pytest
import resize_cases  # noqa: F401
import resized_loop_cases  # noqa: F401
import saved_memory_cases  # noqa: F401
import state_cases  # noqa: F401
import torch
from conftest import ROOT
from differential_case import CASES
from view_writes import LAYOUTS, MADE, NEW_MEMORY, NEW_OR_SHARED, OF_ELEMENTS, RESHAPES, layout_source, shared_source, strides_source

sys.path.append(str(ROOT / "test" / "Differential"))

from oracle import noisy_runs, run, verdict  # noqa: E402
from program import Program  # noqa: E402
from report import Report  # noqa: E402
from workers import Worker, run_all  # noqa: E402

# By their kind; worker.py has the others.
PROGRAMS, SEED = {"random": 500, "aliases": 250}, 1_000_000
# A refusal is a gap, and counted in the report; these are faults.
FAULTS = ("wrong", "crash", "timeout", "raised")


@pytest.fixture(scope="module")
def worker(installed):
    worker = Worker(installed)
    yield worker
    worker.stop()


@pytest.mark.parametrize("name, source, calls, ways, allowed", CASES, ids=[case[0] for case in CASES])
def test_what_was_wrong_before(name, source, calls, ways, allowed, worker):
    outcomes = worker.run({"program": Program.from_source(source, calls).as_json(), "ways": list(ways)})[1]
    assert {way: outcomes.get(way, ("not run", "")) for way in ways if outcomes.get(way, ("not run",))[0] not in allowed} == {}


@pytest.mark.parametrize("made", MADE)
def test_view_or_copy_by_layout(made, worker):
    found = {}
    for layout in LAYOUTS:
        for reshape in (text for text in RESHAPES if text.startswith("y" if made == "y" else "w")):
            program = Program.from_source(layout_source(layout, reshape, made), ["(torch.arange(1.0, 25.0).reshape(4, 6),)"])
            outcomes = worker.run({"program": program.as_json(), "ways": ["exact"]})[1]
            found[layout, reshape] = outcomes.get("exact", ("not written",))[0]
    assert {pair for pair, outcome in found.items() if outcome not in ("equal", "refused", "not written")} == set()
    assert list(found.values()).count("equal") > 40


@pytest.mark.parametrize("made", NEW_MEMORY)
def test_strides_of_new_memory(made, worker):
    found = {}
    for layout in LAYOUTS:
        program = Program.from_source(strides_source(layout, made), ["(torch.arange(1.0, 25.0).reshape(4, 6),)"])
        found[layout] = worker.run({"program": program.as_json(), "ways": ["exact"]})[1].get("exact", ("not written", ""))
    assert {layout: outcome for layout, outcome in found.items() if outcome[0] not in ("equal", "refused", "not written")} == {}
    assert [outcome[0] for outcome in found.values()].count("equal") > 10


@pytest.mark.parametrize("made", NEW_OR_SHARED)
def test_new_or_shared_memory(made, worker):
    program = Program.from_source(shared_source(made), ["(torch.arange(1.0, 25.0).reshape(4, 6),)"])
    outcomes = worker.run({"program": program.as_json(), "ways": ["exact", "trace", "export"]})[1]
    assert {way: outcome for way, outcome in outcomes.items() if outcome[0] not in ("equal", "refused", "not written", "unsettled")} == {}


@pytest.mark.parametrize("dtype, made", [(dtype, made) for dtype, all_made in OF_ELEMENTS.items() for made in all_made])
def test_new_or_shared_memory_of_other_elements(dtype, made, worker):
    program = Program.from_source(shared_source(made), [f"(torch.arange(1, 25).to(torch.{dtype}).reshape(4, 6),)",
                                                        f"(torch.arange(-24, 0).to(torch.{dtype}).reshape(4, 6),)"])
    outcomes = worker.run({"program": program.as_json(), "ways": ["exact", "any"]})[1]
    assert {way: outcome[0] for way, outcome in outcomes.items()} == {"exact": "equal", "any": "equal"}, outcomes


def test_rounding_of_what_is_written_in_place():
    """Of tanh(5) - 1 half the digits are gone, in place too."""
    def difference(x):
        near = torch.tanh(x)
        near += -1
        return near * 1.0

    calls = [(torch.tensor([5.0]),)]
    runs = noisy_runs(lambda: difference, list(run(difference, calls)), calls)
    results = [one[0].result.item() for one in runs]
    assert max(results) - min(results) > 1e-3 * abs(results[0])


def test_rounding_of_what_is_widened():
    """The sine of a float32 is rounded to one, whatever it is written to."""
    def widened(x):
        y = torch.zeros(1, dtype=torch.float64)
        torch.sin(x, out=y)
        return y

    calls = [(torch.tensor([1.0]),)]
    want = list(run(widened, calls))
    for away, outcome in ((1e-7, "equal"), (1e-5, "wrong")):
        got = [dataclasses.replace(one, result=one.result + away) for one in want]
        assert verdict(lambda: widened, got, want, calls)[0] == outcome


@pytest.mark.parametrize("kind, programs", PROGRAMS.items())
def test_random_programs(kind, programs, installed, tmp_path, report):
    made = Report(tmp_path)
    tasks = [{"seed": seed, "ways": ["exact"], kind: True} for seed in range(SEED, SEED + programs)]
    run_all(installed, tasks, 2, lambda task, program, outcomes: made.add(task["seed"], program, outcomes))
    report("\n".join(made.lines()))
    assert sum(made.counts["exact"].values()) == programs
    assert {failure[0] for failure in made.failures if failure[3].split(":")[0] in FAULTS} == set()
