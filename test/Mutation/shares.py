"""What is said of results: the survivors, the shares, and the block of docs/reliability.md."""

import collections
import datetime
import re
import subprocess

import checkout
import hunt

PAGE = checkout.ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- scripts/mutate writes here, by {}: -->", "<!-- to here -->"


def folder_of(mutant):
    return mutant.file.removeprefix("lib/").rpartition("/")[0]


def state(mutant, kept, by):
    """ "noticed", "survived", "not reached": no test has the condition as the mutant does not; or None where it was not run. What
    only comparisons have noticed, lit tests have not."""
    entry = kept.get(mutant.key)
    if entry is None:
        return None
    if entry["noticed"]:
        return "survived" if by == "lit" and not hunt.is_lit(entry["noticed"]) else "noticed"
    return "survived" if entry["ran"] else "not reached"


def counts(mutants, kept, by):
    """{folder: Counter of states}."""
    found = collections.defaultdict(collections.Counter)
    for mutant in sorted(mutants, key=lambda mutant: checkout.FOLDERS.index(folder_of(mutant))):
        found[folder_of(mutant)][state(mutant, kept, by)] += 1
    return dict(found)


def share(counter):
    run = sum(count for name, count in counter.items() if name)
    return f"{100 * counter['noticed'] / run:.1f} %" if run else "none run"


def lines(mutants, kept, by):
    for mutant in mutants:
        if (what := state(mutant, kept, by)) in ("survived", "not reached"):
            yield f"{mutant.file}:{mutant.line}: {what}: {mutant.kind}: {mutant.text}"
    for folder, counter in counts(mutants, kept, by).items():
        yield f"{folder}: {share(counter)} noticed: " + ", ".join(f"{count} {name or 'not run'}" for name, count in counter.items())


def row(name, measured, counter):
    run = sum(count for key, count in counter.items() if key)
    return f"| {name} | {measured} | {run} | {counter['noticed']} | {counter['survived']} | {counter['not reached']} | {share(counter)} |"


def table(mutants, kept, chosen, before):
    """A row for each folder of this run, and those that `before` has of others: each says which checkout it is of."""
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=checkout.ROOT, check=True, capture_output=True, text=True).stdout
    sample = f", a sample of {chosen.sample} (seed {chosen.seed})" if chosen.sample else ""
    known = [line for line in before.splitlines() if line.startswith(tuple(f"| {folder}" for folder in checkout.FOLDERS))]
    rows = {re.split(r"[ ,|]+", line)[1]: line for line in known if line.count("|") == 8}
    for folder, counter in counts(mutants, kept, chosen.by).items():
        rows[folder] = row(folder + sample, f"{datetime.date.today()}, {commit.strip()}", counter)
    yield "| `lib/` | measured | mutants run | noticed | survived | not reached | share noticed |"
    yield "|---|---|---|---|---|---|---|"
    yield from (rows[folder] for folder in checkout.FOLDERS if folder in rows)


def write(mutants, kept, chosen):
    """Puts the table into the page, in the block for these tests."""
    by = {"lit": "lit tests", "comparisons": "comparisons with PyTorch"}.get(chosen.by, "all tests")
    begin, page = BEGIN.format(by), PAGE.read_text()
    if begin not in page:
        raise RuntimeError(f"expected {PAGE.name} with a line '{begin}'")
    block = re.compile(re.escape(begin) + "(.*?)" + re.escape(END), re.DOTALL)
    lines = ["", "", f"By {by}, each folder by a run of its own:", "", *table(mutants, kept, chosen, block.search(page)[1]), "", ""]
    PAGE.write_text(block.sub(lambda _: begin + "\n".join(lines) + END, page, count=1))
