"""One process that makes programs and runs them both ways, again and again: workers.py starts and feeds it.

It says {"ready": true}. Each line on stdin is then a task, {"seed": number, "ways": [names], "single": bool, "aliases": bool} or {"program": ..., "ways": [names]}. The
answers are lines too: {"program": ...} for what a seed made, then {"begins": way} and {"way": way, "outcome": ..., "message": ...}
for each, at last {"done": true}. What a process ends in after "begins" is that way's crash.
"""

import ctypes
import io
import json
import resource
import signal
import sys
import tempfile
import warnings

import torch
from aliases import generate_aliases
from doors import NotWritten, Prepared
from generator import failing_statement, generate
from oracle import difference, run, verdict
from program import Program
from single import generate_single
from ways import WAYS

MEMORY = 6 << 30  # bytes that a process may ask for: a compilation that needs them all fails, and not the machine
PR_SET_PDEATHSIG = 1
UNEXPECTED = ("raised", "internal", "malformed")  # errors that are no refusals: eager has given values


def outcome(jit_mlir, program, way, folder):
    """(outcome, in words) of a program by one way."""
    try:
        prepared = Prepared(program, way, folder)
        want = prepared.eager()
    except (NotWritten, RuntimeError) as error:  # autograd refuses some writes
        return "not written", " ".join(str(error).split())[:200]
    got, failed = [], None
    try:
        got.extend(run(prepared.opened(jit_mlir), *prepared.how(want)))
    except jit_mlir.Error as error:
        failed = ("raised" if error.kind in UNEXPECTED else "refused"), f"{error.kind}: {error}"
    except RuntimeError as error:  # of torch.compile
        failed = "raised", " ".join(str(error).split())[:200]
    found, message = verdict(prepared.make, got, want, *prepared.how(want))
    if found == "equal" and not failed and (reason := prepared.left()):
        failed = "refused", reason
    if found == "equal" and failed:
        found, message = failed
    return own(prepared, want, found, message) if found in ("wrong", "raised", "refused") else (found, message)


def own(prepared, want, found, message):
    """Where PyTorch itself computes something else of what it has written down, that is not ours to answer for."""
    try:
        theirs = list(run(prepared.written(), *prepared.how(want)))
    except RuntimeError:
        return "unsettled", "PyTorch's own program raises"
    return ("unsettled", "PyTorch's own program differs from eager") if difference(theirs, want) else (found, message)


def program_of(task, say):
    """The task's program; None where there is none that PyTorch runs."""
    if "program" in task:
        program = Program.from_json(task["program"])
        return program if failing_statement(program) is None else None
    ways = [WAYS[name] for name in task["ways"]]
    keeps = all(way.gradients for way in ways) or (any(way.gradients for way in ways) and task["seed"] % 2 == 0)
    if task.get("single"):
        program = generate_single(task["seed"])
    elif task.get("aliases"):
        program = generate_aliases(task["seed"])
    else:
        program = generate(task["seed"], any(way.wants_other_sizes for way in ways), keeps, any(way.gradients for way in ways))
    if program is not None:
        say(program=program.as_json())
    return program


def answer(jit_mlir, task, say):
    program = program_of(task, say)
    for name in task["ways"] if program else ():
        say(begins=name)
        with tempfile.TemporaryDirectory() as folder:
            found, message = outcome(jit_mlir, program, WAYS[name], folder)
        say(way=name, outcome=found, message=message)
    say(done=True)


def main():
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a process that is compiling reads no end of its tasks
    torch.set_num_threads(1)
    sys.path.insert(0, sys.argv[1])
    import jit_mlir

    answers = sys.stdout
    sys.stdout = io.StringIO()

    def say(**answer):
        print(json.dumps(answer), file=answers, flush=True)

    say(ready=True)
    for task in sys.stdin:
        answer(jit_mlir, json.loads(task), say)


if __name__ == "__main__":
    main()
