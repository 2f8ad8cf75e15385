"""What came of a run: counts, kinds of refusals with their reasons, and a file for each failing program."""

import collections

from reducer import kind_of

FAILURES = ("wrong", "raised", "crash", "timeout")
OUTCOMES = ("equal", "refused", *FAILURES, "unsettled", "not written")


class Report:
    def __init__(self, folder):
        self.folder = folder
        self.counts = collections.defaultdict(collections.Counter)  # way -> outcome -> programs
        self.kinds = collections.Counter()
        self.first = {}  # kind -> (seed, program, way, message)
        self.failures = []
        self.programs = 0

    def add(self, seed, program, outcomes):
        self.programs += 1
        for way, (outcome, message) in outcomes.items():
            self.counts[way][outcome] += 1
            kind = kind_of(outcome, message)
            if outcome == "refused" or outcome in FAILURES:
                self.kinds[way, kind] += 1
                self.first.setdefault((way, kind), (seed, program, way, message))
            if outcome in FAILURES:
                self.failures.append((seed, program, way, kind, message))

    def write(self, name, program, words):
        """A file that shows one program; gives its path."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.py"
        path.write_text("".join(f"# {line}\n" for line in words) + program.text())
        return path

    def lines(self):
        for way, counts in self.counts.items():
            total = sum(counts.values())
            yield f"{way}: {total} programs: " + ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o])
        for (way, kind), count in self.kinds.most_common():
            yield f"  {count:5} {way}: {kind} (seed {self.first[way, kind][0]})"

    @property
    def failed(self):
        return bool(self.failures)
