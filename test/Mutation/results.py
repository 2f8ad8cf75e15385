"""What is kept from run to run in build/mutate: what each test reaches, and what became of each mutant."""

import hashlib
import json

import checkout

RESULTS = checkout.FOLDER / "results.jsonl"
COVERAGE = checkout.FOLDER / "coverage.json"


def stamp(mutants):
    """Of the points' numbers: what was measured by other ones says nothing."""
    return hashlib.sha256("\n".join(f"{mutant.point} {mutant.key}" for mutant in mutants).encode()).hexdigest()[:16]


def digest(name):
    """Of a test: (the same name, another text) is another test."""
    path = checkout.ROOT / ("" if name.startswith("test/") else "test") / name.split("::")[0]
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


def coverage(mark):
    """{test: what it reaches}, of the tests that are as they were."""
    found = json.loads(COVERAGE.read_text()) if COVERAGE.exists() else {}
    if found.get("stamp") != mark:
        return {}
    return {name: test for name, test in found["tests"].items() if test["digest"] == digest(name)}


def keep_coverage(mark, tests):
    for name, test in tests.items():
        test.setdefault("digest", digest(name))
    COVERAGE.write_text(json.dumps({"stamp": mark, "tests": tests}))


def results():
    """{key: the last result}."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {entry["key"]: entry for entry in map(json.loads, lines)}


def keep(mutant, noticed, ran):
    entry = {"key": mutant.key, "noticed": noticed, "ran": {name: digest(name) for name in ran} if noticed is None else {}}
    with open(RESULTS, "a") as file:
        print(json.dumps(entry), file=file)
    return entry
