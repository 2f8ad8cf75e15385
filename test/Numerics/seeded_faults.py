"""Runs jit-diff and jit-reduce on programs that are compiled wrongly on purpose (seeded_programs.py)."""

import dataclasses
import re
import subprocess

import seeded_programs
from seeded_programs import FAULTS, INPUTS, line_of, save


@dataclasses.dataclass
class Seeded:
    """A program with a fault in what is made of it."""

    program: object
    statement: str
    operator: str
    kind: str
    stage: str
    when: str

    @property
    def line(self):
        return line_of(self.program, self.statement)

    @property
    def name(self):
        return f"{self.program.__name__}-{self.operator}-{self.line}"

    def options(self):
        fault = f"after={self.stage} kind={self.kind} op={self.operator} line={self.line} when={self.when}"
        return [f"--input={spec}" for spec in INPUTS[self.program]] + [f"--seed-fault={fault}"]


SEEDED = [Seeded(*fault) for fault in FAULTS]


def archive(program, folder):
    path = folder / f"{program.__name__}.pt"
    if not path.exists():
        save(program, path)
    return path


def diff(tool, folder, program, *options):
    return subprocess.run([tool, archive(program, folder), *options], capture_output=True, text=True, timeout=300)


def is_named(found, seeded):
    """Whether the first operator that is said to be wrong is the one that is, at its line."""
    place = f"{seeded_programs.__name__}.py:{seeded.line}: {seeded.operator} is wrong"
    return found.returncode == 1 and place in found.stdout.splitlines()[0]


def reduced(tool, folder, seeded):
    """(operators that are left, operators that there were, the file), or None where that failed."""
    output = folder / f"{seeded.name}.mlir"
    done = subprocess.run([tool, archive(seeded.program, folder), *seeded.options(), "--mismatch", f"--output={output}"],
                          capture_output=True, text=True, timeout=600)
    found = re.search(r": (\d+) of (\d+) operators$", done.stdout.strip())
    return (int(found[1]), int(found[2]), output) if done.returncode == 0 and found else None
