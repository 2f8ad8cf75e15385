"""PyTorch's own operator samples (OpInfo), all of them, against eager: as traced archives and as .pt2 programs, and traced as
they write in place, into out=, for any sizes, by their gradients, and exported from a region of autocast.

    .venv/bin/python test/Numerics/opinfo.py --package DIR [--dtypes float32,int64] [--part K/N]
        [--doors traced,exported,decomposed,inplace,out,anysizes,gradients,anygradients,autobf16,autof16]
        [--most N] [--jobs N] [--target NAME] [--out FILE] [NAME...]
    .venv/bin/python test/Numerics/opinfo.py --gaps FILE...

The first writes {"samples": {operator: {dtype: {door: {"passed": count, VERDICT: {message: [samples]}}}}}, "records": {schema's
name: {door: [passed, others]}}} as JSON and prints how many operators pass every sample. DIR has the Python package jit_mlir. A
sample that crashes or hangs is told as such. The second writes opinfo_gaps.txt, what test_opinfo.py expects, from such files
of all samples; the lines of operators that they do not have stay as they are.
"""

import argparse
import collections
import json
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading

import torch
from operator_samples import op_db

DTYPES, DOORS = ("float32", "int64"), ("traced", "exported")
FORMS = ("inplace", "out", "anysizes", "gradients")  # by one float32 sample of each operator
HEADER = ("# PyTorch's samples that do not pass: operator | element type | doors | how many of how many | why most of them do not.",
          "# Written by opinfo.py --gaps from the results of full runs; test_opinfo.py holds every run against it.")
PATIENCE = 60  # seconds for one sample
GAPS = pathlib.Path(__file__).with_name("opinfo_gaps.txt")
WORKER = pathlib.Path(__file__).with_name("opinfo_worker.py")


def name_of(info):
    return f"{info.name} {info.variant_test_name}".strip()


class Worker:
    """One process, started again after a sample that ended it."""

    def __init__(self, package, target):
        self.command = [sys.executable, str(WORKER), str(package), target]
        self.process = None

    def _start(self):
        self.stop()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _line(self):
        """The next answer, or how the process ended."""
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.start()
        line = self.process.stdout.readline()
        watch.cancel()
        return json.loads(line) if line else {"ended": "hangs" if self.process.wait() == -signal.SIGKILL else "crashes"}

    def samples(self, task):
        """Yields (sample, verdict, message, operators) of a task."""
        first, ended = 0, True
        while ended:
            if self.process is None:
                self._start()
            print(json.dumps({**task, "first": first}), file=self.process.stdin, flush=True)
            begun = first
            while True:
                answer = self._line()
                if "begins" in answer:
                    begun = answer["begins"]
                elif "sample" in answer:
                    yield answer["sample"], answer["verdict"], answer["message"], answer["operators"]
                else:
                    break
            if "error" in answer:
                yield begun, "not sampled", answer["error"], []
            ended = answer.get("ended")
            if ended:
                yield begun, ended, "", []
                self.stop()
                first = begun + 1


def run(package, tasks, jobs, say=print, target="cpu"):
    """What the file says, of these tasks."""
    waiting, results, records = queue.SimpleQueue(), {}, {}
    for task in tasks:
        waiting.put(task)

    def work():
        worker = Worker(package, target)
        while not waiting.empty():
            task = waiting.get_nowait()
            passed, others = 0, collections.defaultdict(lambda: collections.defaultdict(list))
            for number, verdict, message, operators in worker.samples(task):
                if verdict == "passed":
                    passed += 1
                else:
                    others[verdict][message].append(number)
                for operator in operators:
                    counts = records.setdefault(operator, {}).setdefault(task["door"], [0, 0])
                    counts[verdict != "passed"] += 1
            name = name_of(op_db[task["info"]])
            found = results.setdefault(name, {}).setdefault(task["dtype"], {})
            found[task["door"]] = {"passed": passed, **others}
            say(f"{name} {task['dtype']} {task['door']}: {passed} passed" + "".join(
                f", {sum(map(len, samples.values()))} {verdict}" for verdict, samples in others.items()))
        worker.stop()

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"samples": results, "records": records}


def has(info, door):
    """Not every operator has a form that writes in place, takes out=, or has gradients."""
    return {"inplace": bool(info.inplace_variant), "out": info.supports_out, "gradients": info.supports_autograd,
            "anygradients": info.supports_autograd}.get(door, True)


def tasks_of(dtypes, doors, part=(0, 1), names=(), most=0):
    """Part (k, n) of all operators, each with each dtype through each door; `most` samples of each, 0 for all."""
    k, n = part
    chosen = [i for i, info in enumerate(op_db) if i % n == k and (not names or info.name in names or name_of(info) in names)]
    return [{"info": i, "dtype": dtype, "door": door, "most": most} for i in chosen for dtype in dtypes
            if getattr(torch, dtype) in op_db[i].supported_dtypes("cpu") for door in doors if has(op_db[i], door)]


def merged(files):
    """One result from several parts."""
    whole = {"samples": {}, "records": {}}
    for part in (json.loads(pathlib.Path(file).read_text()) for file in files):
        for name, dtypes in part["samples"].items():
            for dtype, doors in dtypes.items():
                whole["samples"].setdefault(name, {}).setdefault(dtype, {}).update(doors)
        for record, doors in part["records"].items():
            for door, counts in doors.items():
                total = whole["records"].setdefault(record, {}).setdefault(door, [0, 0])
                total[:] = [a + b for a, b in zip(total, counts)]
    return whole


# ---------------------------------------------------------------- what is known to be missing


def failing(outcome):
    """(samples that do not pass, samples) of one operator through one door."""
    others = sum(len(samples) for verdict, found in outcome.items() if verdict != "passed" for samples in found.values())
    return others, others + outcome["passed"]


def reason_of(outcome):
    """Why most of the failing samples fail, in a line."""
    counts = collections.Counter()
    for verdict, messages in outcome.items():
        for message, samples in messages.items() if verdict != "passed" else ():
            missing = re.search(r"operator (\S+) is not supported", message)
            plain = re.sub(r"\S*/\S+:\d+: |\S*/\S+", "", message)[:90].strip().replace("|", "/")
            counts[f"no record of {missing[1]}" if missing else f"{verdict}: {plain}"] += len(samples)
    return counts.most_common(1)[0][0]


def gaps_in(results):
    """Lines "operator | dtype | doors | failing/all | reason", for what does not pass."""
    for name, dtypes in sorted(results["samples"].items()):
        for dtype, doors in sorted(dtypes.items()):
            found = {door: (*failing(outcome), reason_of(outcome)) for door, outcome in doors.items() if not is_whole(outcome)}
            for door, gap in found.items():
                alike = [d for d in found if found[d] == gap]
                if door == alike[0]:
                    yield f"{name} | {dtype} | {' '.join(sorted(alike))} | {gap[0]}/{gap[1]} | {gap[2]}"


def known_gaps():
    """{(operator, dtype, door): (failing, all, reason)} as committed."""
    known = {}
    for line in GAPS.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, dtype, doors, counts, reason = line.split(" | ", 4)
        for door in doors.split():
            known[name, dtype, door] = (*map(int, counts.split("/")), reason)
    return known


def gaps_beside(results):
    """The committed lines of what these results have not run."""
    for line in GAPS.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, dtype, doors, rest = line.split(" | ", 3)
        others = [door for door in doors.split() if door not in results["samples"].get(name, {}).get(dtype, {})]
        if others:
            yield f"{name} | {dtype} | {' '.join(others)} | {rest}"


def is_whole(outcome):
    """Did every sample pass?"""
    return set(outcome) == {"passed"}


def summary(results, dtypes, doors):
    for dtype in dtypes:
        found = [operator[dtype] for operator in results["samples"].values() if dtype in operator]
        counts = {door: sum(door in o and is_whole(o[door]) for o in found) for door in doors}
        both = sum(all(is_whole(o[door]) for door in doors if door in o) for o in found)
        yield f"{dtype}: of {len(found)} operators pass every sample: {both} through all doors, " + ", ".join(
            f"{count} {door}" for door, count in counts.items())


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--package")
    options.add_argument("--gaps", nargs="+", metavar="FILE")
    options.add_argument("--dtypes", default=",".join(DTYPES))
    options.add_argument("--doors", default=",".join(DOORS))
    options.add_argument("--part", default="0/1")
    options.add_argument("--most", type=int, default=0, help="samples of each operator, at equal distances; all without it")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--target", default="cpu")
    options.add_argument("--out")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    dtypes, doors = options.dtypes.split(","), options.doors.split(",")
    if options.gaps:
        results = merged(options.gaps)
        GAPS.write_text("".join(line + "\n" for line in [*HEADER, *sorted([*gaps_beside(results), *gaps_in(results)])]))
    else:
        tasks = tasks_of(dtypes, doors, tuple(map(int, options.part.split("/"))), options.names, options.most)
        results = run(options.package, tasks, options.jobs, lambda line: print(line, flush=True), options.target)
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps(results, indent=1, sort_keys=True))
    print("\n".join(summary(results, dtypes, doors)))


if __name__ == "__main__":
    main()
