"""What is said of results: the survivors, the shares, and the block of docs/reliability.md."""

import collections
import re

import checkout

PAGE = checkout.ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- scripts/mutate writes from here -->", "<!-- to here -->"


def folder_of(mutant):
    return mutant.file.removeprefix("lib/").rpartition("/")[0]


def state(mutant, kept):
    """ "noticed", "survived", "not reached": no test has the condition as the mutant does not; or None where it was not run."""
    entry = kept.get(mutant.key)
    if entry is None:
        return None
    return "noticed" if entry["noticed"] else "survived" if entry["ran"] else "not reached"


def counts(mutants, kept):
    """{folder: Counter of states}."""
    found = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        found[folder_of(mutant)][state(mutant, kept)] += 1
    return dict(found)


def share(counter):
    run = sum(count for name, count in counter.items() if name)
    return f"{100 * counter['noticed'] / run:.1f} %" if run else "none run"


def lines(mutants, kept):
    left = [mutant for mutant in mutants if state(mutant, kept) in ("survived", "not reached")]
    yield from (f"{mutant.file}:{mutant.line}: {state(mutant, kept)}: {mutant.kind}: {mutant.text}" for mutant in left)
    for folder, counter in counts(mutants, kept).items():
        yield f"{folder}: {share(counter)} noticed: " + ", ".join(f"{count} {name or 'not run'}" for name, count in counter.items())


def table(mutants, kept):
    yield "| `lib/` | mutants run | noticed | survived | not reached | share noticed |"
    yield "|---|---|---|---|---|---|"
    found = counts(mutants, kept)
    total = sum(found.values(), collections.Counter())
    for name, counter in [*((f"{folder}", counter) for folder, counter in found.items()), ("all", total)]:
        run = sum(count for key, count in counter.items() if key)
        yield f"| {name} | {run} | {counter['noticed']} | {counter['survived']} | {counter['not reached']} | {share(counter)} |"


def write(mutants, kept, sample):
    text = "\n".join(["", sample, "", *table(mutants, kept), ""])
    page = PAGE.read_text()
    if BEGIN not in page:
        raise RuntimeError(f"expected {PAGE.name} with a line '{BEGIN}'")
    PAGE.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + text + END, page, flags=re.DOTALL))
