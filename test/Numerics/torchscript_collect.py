"""Runs PyTorch's own tests of TorchScript and keeps each program that they call: its archive, the arguments and what came back.

    python test/Numerics/torchscript_collect.py TESTS OUT [--file test_jit.py ...]

TESTS is the folder `test` of PyTorch's sources, which are not a part of this project. Each file of tests runs in a process of its
own. OUT gets a folder for each file, with a pair of files for each program: NAME.pt and NAME.calls, which torchscript_programs.py
reads. What the tests themselves find is no matter here.
"""

import argparse
import copy
import enum
import importlib
import io
import pathlib
import pickle
import subprocess
import sys
import unittest

import torch

FILES_OF_JIT = ["test_jit.py", "test_jit_string.py"]
# Of one function: tests that call it with a thousand numbers show no more than these.
MOST_CALLS = 12


class Opaque:
    """A value that no file can hold: an object of a class in a test's body, a stream, a module."""

    def __init__(self, value):
        self.kind = type(value).__name__


class Member:
    """A member of an Enum, whose class another process need not know."""

    def __init__(self, value):
        self.name, self.value = value.name, value.value


class Instance:
    """An object of a class of Python's, which another process need not know: its attributes."""

    def __init__(self, value):
        self.kind = type(value).__name__
        self.attributes = {name: portable(item) for name, item in vars(value).items()}


class Saved:
    """A scripted module that a function is called with, as its file."""

    def __init__(self, value):
        text = io.BytesIO()
        torch.jit.save(value, text)
        self.bytes = text.getvalue()


def portable(value):
    """A copy that pickle can take to another process, Opaque where it cannot."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, enum.Enum):
        return Member(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return tuple(map(portable, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(portable, value))
    if isinstance(value, dict):
        return {portable(key): portable(item) for key, item in value.items()}
    try:
        pickle.dumps(value)
        module = sys.modules[type(value).__module__]
        known = module.__name__ == "builtins" or module.__name__.startswith("torch")
    except Exception:
        known = False
    if known:
        return copy.copy(value)
    if isinstance(value, torch.jit.ScriptModule):
        return Saved(value)
    is_object = hasattr(value, "__dict__") and not hasattr(value, "_c") and not callable(value)
    return Instance(value) if is_object else Opaque(value)


class Collector:
    """Stands before the calls of scripted functions and methods, and notes them."""

    def __init__(self, folder):
        self.folder, self.depth, self.seen, self.count = folder, 0, {}, 0
        self.test = ""

    def attach(self):
        for kind, owner in ((torch._C.ScriptFunction, None), (torch._C.ScriptMethod, "owner")):
            kind.__call__ = self.noting(kind.__call__, owner)

    def noting(self, call, owner):
        def called(program, *args, **kwargs):
            if self.depth or torch.jit.is_tracing():
                return call(program, *args, **kwargs)
            self.depth += 1
            try:
                note = self.begun(program, owner, args, kwargs)
                try:
                    result = call(program, *args, **kwargs)
                except Exception as error:
                    self.ended(note, None, f"{type(error).__name__}: {error}")
                    raise
                self.ended(note, result, None)
                return result
            finally:
                self.depth -= 1

        return called

    def begun(self, program, owner, args, kwargs):
        """What is known before the call, None where nothing is to be noted."""
        try:
            thing = getattr(program, owner) if owner else program
            # A test may compile one function several times; a module's state may have changed between two calls.
            key = self.test, program.name, program.code
            if key not in self.seen:
                self.seen[key] = self.saved(program, thing, owner)
            entry = self.seen[key]
            if entry is None or len(entry["calls"]) >= (1 if owner else MOST_CALLS):
                return None
            return entry, portable(positional(program, args, kwargs, bool(owner)))
        except Exception as error:
            print(f"not noted: {type(error).__name__}: {error}", file=sys.stderr)
            return None

    def saved(self, program, thing, owner):
        """A new entry, or None where PyTorch itself cannot save the program."""
        name = f"{self.count:05}"
        try:
            thing.save(str(self.folder / f"{name}.pt"))
        except Exception as error:
            print(f"not saved: {' '.join(str(error).split())[:200]}", file=sys.stderr)
            return None
        self.count += 1
        return {"name": name, "method": program.name if owner else "forward", "kind": "method" if owner else "function",
                "test": self.test, "code": program.code, "calls": []}

    def ended(self, note, result, error):
        if note is None:
            return
        entry, arguments = note
        entry["calls"].append({"arguments": arguments, "result": portable(result), "error": error})
        text = io.BytesIO()
        try:
            torch.save(entry, text)
        except Exception as error:  # a result that no file can hold
            entry["calls"].pop()
            print(f"not written: {' '.join(str(error).split())[:200]}", file=sys.stderr)
        else:
            (self.folder / f"{entry['name']}.calls").write_bytes(text.getvalue())


def positional(program, args, kwargs, is_method):
    """All arguments in the schema's order, defaults where a later one is given by name."""
    if not kwargs:
        return list(args)
    rest = program.schema.arguments[(1 if is_method else 0) + len(args):]
    last = max(i for i, argument in enumerate(rest) if argument.name in kwargs)
    return [*args, *(kwargs[a.name] if a.name in kwargs else a.default_value for a in rest[:last + 1])]


def run_tests(file, out):
    """Runs one file's tests in this process; not those of the files that it imports, which have their own."""
    out.mkdir(parents=True, exist_ok=True)
    sys.argv = [str(file)]
    sys.path[:0] = [str(file.parent), str(file.parent.parent)]
    sys.modules["torchvision"] = None  # as for who has not installed it: its operators may be of another PyTorch
    from torch.testing._internal import common_utils

    if hasattr(common_utils, "parse_cmd_line_args"):
        common_utils.parse_cmd_line_args()
    module = importlib.import_module(f"jit.{file.stem}" if file.parent.name == "jit" else file.stem)
    collector = Collector(out)
    begin = unittest.TestCase.run

    def run(case, result=None):
        collector.test = case.id()
        return begin(case, result)

    unittest.TestCase.run = run
    collector.attach()
    suite = unittest.TestSuite()
    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, unittest.TestCase) and kind.__module__ == module.__name__:
            suite.addTest(unittest.defaultTestLoader.loadTestsFromTestCase(kind))
    unittest.TextTestRunner().run(suite)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tests", type=pathlib.Path)
    options.add_argument("out", type=pathlib.Path)
    options.add_argument("--file", action="append", default=[])
    options.add_argument("--here", action="store_true", help="in this process")
    options = options.parse_args()
    tests = options.tests.resolve()
    if options.here:
        run_tests(tests / options.file[0], options.out)
        return
    files = options.file or [*FILES_OF_JIT, *sorted(f"jit/{f.name}" for f in (tests / "jit").glob("test_*.py"))]
    for file in files:
        folder = options.out / pathlib.Path(file).stem
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "log", "w") as log:
            command = [sys.executable, __file__, str(tests), str(folder.resolve()), "--here", f"--file={file}"]
            try:
                subprocess.run(command, stdout=log, stderr=log, cwd=tests, timeout=1500)
            except subprocess.TimeoutExpired:
                print(f"{file}: stopped after 1500 s")
        print(f"{file}: {len(list(folder.glob('*.calls')))} programs", flush=True)


if __name__ == "__main__":
    main()
