"""Running jit-run as a user does: arguments to command-line specs and .npy files, output files back to arrays."""

import itertools
import os
import subprocess

import numpy as np
import torch
from tolerance import assert_near


class Outcome:
    """What one run of jit-run did."""

    def __init__(self, process, prefix):
        self.code = process.returncode
        self.stdout, self.stderr = process.stdout, process.stderr
        self._prefix = prefix

    @property
    def outputs(self):
        """The arrays written, in order: PREFIX.0.npy, PREFIX.1.npy, ..."""
        found = []
        for number in itertools.count():
            path = self._prefix.with_name(f"{self._prefix.name}.{number}.npy")
            if not path.exists():
                return found
            found.append(np.load(path))

    def gradient(self, position):
        """The array written for an argument that requires a gradient: PREFIX.gradN.npy."""
        return np.load(self._prefix.with_name(f"{self._prefix.name}.grad{position}.npy"))

    @property
    def losses(self):
        """The losses of the steps of a training."""
        return np.load(self._prefix.with_name(f"{self._prefix.name}.loss.npy"))

    def assert_ok(self):
        assert self.code == 0, f"exit code {self.code}\n{self.stdout}{self.stderr}"

    def assert_fails_with(self, *texts):
        """Bad input is exit code 1 and a message on stderr; 2 or a signal would be a bug of ours."""
        assert self.code == 1, f"exit code {self.code}\n{self.stdout}{self.stderr}"
        for text in texts:
            assert text in self.stderr, f"expected {text!r} in: {self.stderr}"

    def assert_close(self, expected, rtol=None, atol=None):
        """Compares with PyTorch's (nested) result, leaf by leaf: same element type, same shape, values as near as tolerance.py says."""
        self.assert_ok()
        expected = list(leaves(expected))
        assert len(self.outputs) == len(expected), f"{len(self.outputs)} outputs, expected {len(expected)}"
        for number, (got, want) in enumerate(zip(self.outputs, expected)):
            assert_near(got, want, rtol, atol, f"output {number}")


class JitRun:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        # Every test can be run for another target.
        self.target = os.environ.get("JIT_TARGET", "cpu")
        # And to run what an earlier process has compiled: JIT_TEST_CACHE=1.
        self.is_found = bool(os.environ.get("JIT_TEST_CACHE"))
        self._numbers = itertools.count()

    def __call__(self, archive, *arguments, method="forward", repeat_over=None, flags=(), target=None):
        number = next(self._numbers)
        prefix = self.folder / f"out{number}"
        command = [self.tool, archive, f"--method={method}", f"--output={prefix}", "--verify-stages"]
        command += [f"--target={target or self.target}", *flags]
        if repeat_over is not None:
            command.append(f"--repeat-over={self._file(repeat_over, f'in{number}.rows')}")
        for position, argument in enumerate(arguments):
            command.append(f"--input={self.spec(argument, f'in{number}.{position}')}")
        if self.is_found:
            command.remove("--verify-stages")
            command.append(f"--cache={self.folder / 'cache'}")
            self._run(command)
        return Outcome(self._run(command), prefix)

    @staticmethod
    def _run(command):
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", timeout=600)

    def spec(self, value, name):
        """The command line's way to write one argument."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, (int, float)):
            return repr(value)
        if isinstance(value, (torch.Tensor, np.ndarray)):
            return self._file(value, name) + ":grad" * getattr(value, "requires_grad", False)
        brackets = "()" if isinstance(value, tuple) else "[]"
        inner = ",".join(self.spec(v, f"{name}.{i}") for i, v in enumerate(value))
        return brackets[0] + inner + brackets[1]

    def _file(self, array, name):
        path = self.folder / f"{name}.npy"
        np.save(path, array.detach().numpy() if isinstance(array, torch.Tensor) else array)
        return f"@{path}"


def leaves(value):
    """The tensors and numbers in a program's result, in order, as arrays."""
    if isinstance(value, torch.Tensor):
        yield value.detach().contiguous().numpy(force=True)
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif value is not None:
        yield np.asarray(value)
