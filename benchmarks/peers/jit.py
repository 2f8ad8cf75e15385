"""This project: as a package, which is called as a program in C calls it, and through Python as people use it."""

import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

from . import Peer, Run

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("JIT_BUILD", ROOT / "build" / "dev"))
DTYPES = {"float32": "f32", "int64": "i64"}


def artifacts(build=BUILD):
    """The calls of packages as the checkout of `build` has them."""
    sys.path.append(str(build.resolve().parents[1] / "test" / "Numerics"))
    import artifacts

    return artifacts


class Jit(Peer):
    name = "jit"
    modes = ("infer", "grad", "step")
    build = BUILD
    flags = ()

    def specs(self, work):
        return [f"{DTYPES[str(a.dtype)]}[{','.join(map(str, a.shape))}]" if isinstance(a, np.ndarray) else str(a)
                for a in work.arguments()]

    def prepare(self, work):
        row = work.row
        archive, library = work.folder / "model.pt", work.folder / "libmodel.so"
        scripted = work.timed("export", row.scripted)
        scripted.save(str(archive))
        specs = self.specs(work)
        how = {"infer": [f"--input={spec}" for spec in specs],
               "grad": [f"--call=forward.grad({', '.join(specs)})"],
               "step": [*(f"--input={spec}" for spec in specs), "--train", "--optimizer=adam", "--lr=1e-4"]}[row.mode]
        command = [self.build / "bin" / "jit-compile", archive, *how, *self.flags, "-o", library]
        work.timed("compile", lambda: subprocess.run(list(map(str, command)), check=True))
        # Parameters as the module orders them: what their gradients are called.
        (work.folder / "about.json").write_text(json.dumps([name for name, _ in scripted.named_parameters()]))
        work.ships.append(str(library))

    def load(self, work):
        made = artifacts(self.build)
        mode = work.about()["mode"]
        method = "forward.grad" if mode == "grad" else "forward"
        module = made.Library(work.folder / "libmodel.so").open(threads=work.threads)
        arguments = (made.Value * len(work.arguments()))(*map(made.to_value, held := work.arguments()))
        structure, count = module._find(method, arguments)
        names = [f"out{i}" for i in range(count)]
        if mode != "infer":
            names[0] = "loss"
            for name, number in re.findall(r'"([^"]+)": %(\d+)', structure):
                names[int(number)] = name
        memory = [np.zeros(work.expected()[name].shape, work.expected()[name].dtype) for name in names]
        results = (made.Value * count)(*map(made.to_value, memory))
        function, error = module.library.function("call"), made.ErrorStruct()
        given = (module.handle, method.encode(), arguments, ctypes.c_size_t(len(arguments)), results, ctypes.c_size_t(count),
                 ctypes.byref(error))

        def call(_held=(held, memory, module)):
            if function(*given) != 0:
                raise made.ArtifactError(error)

        return Run(call, lambda _: {name: array.copy() for name, array in zip(names, memory)})


class JitStrict(Jit):
    """Convolutions are summed as the program writes them."""

    name = "jit-strict"
    flags = ("--numerics=strict",)
    only = ("alexnet", "vgg11", "resnet*", "unet*", "nn_conv2d*", "three_blocks*")


class JitBefore(Jit):
    """Packages of another commit: JIT_BEFORE is the build folder (build/dev or build/release) of a checkout of it. It counts as a
    peer: what stands behind it is slower than it was."""

    name = "jit-before"
    build = pathlib.Path(os.environ.get("JIT_BEFORE", BUILD))

    def takes(self, row):
        return "JIT_BEFORE" in os.environ and super().takes(row)


class JitPython(Peer):
    """`jit_mlir.load`, arrays of numpy in and out; training by `torch.compile`."""

    name = "jit-python"
    modes = ("infer", "grad", "step")

    def takes(self, row):
        return super().takes(row) and not (row.mode != "infer" and row.form == "archive")

    def prepare(self, work):
        artifacts()
        import package

        package.install(BUILD, BUILD / "benchmark-site", BUILD / "benchmark-site-objects")
        work.timed("export", lambda: work.row.scripted().save(str(work.folder / "model.pt")))

    def load(self, work):
        sys.path.insert(0, str(BUILD / "benchmark-site"))
        os.environ["JIT_CACHE"] = "off"
        return self.inference(work) if work.row.mode == "infer" else self.training(work)

    def inference(self, work):
        import jit_mlir

        program, arguments = jit_mlir.load(work.folder / "model.pt", threads=work.threads, tier="optimised"), work.arguments()
        return Run(lambda: program(*arguments), lambda given: {f"out{i}": np.array(a) for i, a in enumerate(leaves(given))})

    def training(self, work):
        import jit_mlir  # noqa: F401 - its backend is registered
        import torch

        from . import pytorch

        torch.set_num_threads(work.threads)
        module, arguments = work.row.build()
        compiled = torch.compile(module, dynamic=False, backend="jit_mlir", options={"tier": "optimised"})
        return pytorch.run_of(work.row, module, arguments, compiled, lambda step: torch.compile(step, dynamic=False, backend="jit_mlir", options={"tier": "optimised"}))


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, (list, tuple)) else [value]
