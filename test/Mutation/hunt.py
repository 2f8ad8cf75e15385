"""Processes that run tests by a mutant or by none, each with a mapped file, temporary folders and a session of pytest of its own."""

import multiprocessing
import os
import queue
import random
import sys
import time

import checkout

OTHERS = 40  # lit tests of other folders at most, for a mutant
COMPARISONS = 25  # with PyTorch at most, for a mutant
SLOW = 5  # seconds; what takes longer without a mutant is not run by one


def is_lit(name):
    return not name.startswith("test/Numerics/")


def order(mutant, coverage, kills, own):
    """The tests that can notice a mutant: those by which the condition was not what it is made. The quickest answer first: tests of the
    folder, then others, then comparisons; among these what has noticed others of the file, and what reaches little else."""
    other = 2 if mutant.value else 1
    quick = {name: test for name, test in coverage.items() if test["passes"] and test["seconds"] <= SLOW}
    able = [name for name, test in quick.items() if test["seen"].get(str(mutant.point), 0) & other]
    able.sort(key=lambda name: (-kills.get((mutant.file, name), 0), len(coverage[name]["seen"]), name))
    mine = [name for name in able if is_lit(name) and name.startswith(own + "/")]
    others = [name for name in able if is_lit(name) and not name.startswith(own + "/")]
    return mine + others[:OTHERS] + [name for name in able if not is_lit(name)][:COMPARISONS]


class Job:
    """One process's part: takes tasks until there is none."""

    def __init__(self, folder, tasks, answers, wants_comparisons):
        self.folder, self.tasks, self.answers = folder, tasks, answers
        self.wants_comparisons = wants_comparisons

    def run(self):
        os.environ["JIT_CACHE"] = "off"
        log = os.open(self.folder.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1), os.dup2(log, 2)
        import littests
        import shared

        self.shared = shared.Shared(self.folder / "mapped")
        self.lit = littests.LitTests(self.folder / "lit")
        if not self.wants_comparisons:
            return self.work(None)
        import numerics

        return numerics.use(self.work, self.folder / "numerics")

    def work(self, numerics):
        self.numerics = numerics
        names = [*self.lit.tests, *(numerics.tests if numerics else ())]
        self.answers.put(("names", names))
        while (task := self.tasks.get()) is not None:
            kind, what = task
            self.answers.put(self.measured(what) if kind == "test" else self.hunted(*what))

    def passes(self, name):
        return self.lit.passes(name) if is_lit(name) else self.numerics.passes(name)

    def measured(self, name):
        self.shared.clear()
        began = time.monotonic()
        passes = self.passes(name)
        seen = {str(point): state for point, state in self.shared.seen().items()}
        return "test", name, {"passes": passes, "seconds": round(time.monotonic() - began, 2), "seen": seen}

    def hunted(self, mutant, names):
        import shared

        self.shared.change((mutant.point, mutant.value))
        try:
            noticed = next((name for name in names if not self.passes(name)), None)
        finally:
            self.shared.change(shared.NONE)
        return "mutant", mutant, noticed, names[:names.index(noticed) + 1] if noticed else names


class Crew:
    """Several jobs, fed one task at a time."""

    def __init__(self, jobs, wants_comparisons):
        context = multiprocessing.get_context("fork")
        self.answers, self.inboxes, self.processes = context.Queue(), [], []
        for number in range(jobs):
            inbox = context.Queue()
            job = Job(checkout.FOLDER / f"job{number}", inbox, self.answers, wants_comparisons)
            job.folder.mkdir(parents=True, exist_ok=True)
            self.inboxes.append(inbox)
            self.processes.append(context.Process(target=job.run, daemon=False))
            self.processes[-1].start()
        for _ in self.processes:
            self.names = self.answer()[1]

    def answer(self):
        while True:
            try:
                return self.answers.get(timeout=5)
            except queue.Empty:
                if not all(process.is_alive() for process in self.processes):
                    sys.exit(f"expected jobs that go on, got the end of one; see {checkout.FOLDER}/job*.log")

    def run(self, tasks):
        """Yields the answers to tasks, which are made when a job is free."""
        tasks, running, free = iter(tasks), 0, list(self.inboxes)
        owner = {}
        while True:
            while free and (task := next(tasks, None)) is not None:
                inbox = free.pop()
                owner[task[1] if task[0] == "test" else task[1][0].key] = inbox
                inbox.put(task)
                running += 1
            if not running:
                return
            answer = self.answer()
            free.append(owner.pop(answer[1] if answer[0] == "test" else answer[1].key))
            running -= 1
            yield answer

    def stop(self):
        for inbox in self.inboxes:
            inbox.put(None)
        for process in self.processes:
            process.join(60)
            process.kill()


def sampled(mutants, count, seed):
    return mutants if count is None or count >= len(mutants) else random.Random(seed).sample(mutants, count)
