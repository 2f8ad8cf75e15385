"""What is measured beside what. A peer is a class with

  name, modes     and `only`, where it is tried on some workloads
  prepare(work)   once, in a process of its own: exports, compiles ahead of time into work.folder. Stages go through work.timed(),
                  files that a user ships into work.ships
  load(work)      in the process that is timed, which imports only what a user ships: gives a Run. Compilers that compile as they
                  load or are called first are timed here
"""

import fnmatch
import json
import pathlib
import time

import numpy as np


class Run:
    """call() is one iteration; values(result) its numbers by name, to compare."""

    def __init__(self, call, values):
        self.call, self.values = call, values


class Peer:
    name = "?"
    modes = ("infer",)
    only = ("*",)

    def takes(self, row):
        return row.mode in self.modes and self.name not in row.slow and any(fnmatch.fnmatch(row.name, p) for p in self.only)

    def prepare(self, work):
        pass

    def load(self, work):
        raise NotImplementedError


class Work:
    """One workload for one peer: what the first stage left in the folder, and the peer's own folder in it."""

    def __init__(self, name, threads, folder, peer):
        self.name, self.threads, self.shared = name, threads, pathlib.Path(folder)
        self.folder = self.shared / peer
        self.folder.mkdir(parents=True, exist_ok=True)
        self.times, self.ships = {}, []

    @property
    def row(self):
        import workloads

        return workloads.WORKLOADS[self.name]

    def about(self):
        return json.loads((self.shared / "about.json").read_text())

    def arguments(self):
        """Arrays, and Python's own numbers."""
        saved = np.load(self.shared / "arguments.npz")
        return [saved[f"{i}"].item() if f"{i}" in self.about()["numbers"] else saved[f"{i}"] for i in range(len(saved.files))]

    def expected(self):
        saved = np.load(self.shared / "expected.npz")
        return {name: saved[name] for name in saved.files}

    def onnx(self):
        path = pathlib.Path(self.about().get("onnx") or self.shared / "model.onnx")
        if not path.exists():
            raise RuntimeError("no ONNX file: " + (self.shared / "onnx.error").read_text()[:200])
        return path

    def timed(self, stage, function):
        start = time.perf_counter()
        result = function()
        self.times[stage] = self.times.get(stage, 0) + time.perf_counter() - start
        return result


def registry():
    """{name: peer}, in the order of the tables."""
    from . import jit, mobile, onnx, pytorch, xla

    made = [jit.Jit(), jit.JitPython(), jit.JitStrict(), jit.JitBefore(), pytorch.Eager(), pytorch.TorchScript(), pytorch.Inductor(), pytorch.InductorMax(), pytorch.AotInductor(),
            onnx.OnnxRuntime(), onnx.OpenVino(), mobile.ExecuTorch(), mobile.Ncnn(), xla.Xla(), xla.Iree()]
    return {peer.name: peer for peer in made}
