"""XLA, and IREE for gradients, by the graph that torch.export gives, decomposed and written in jax (aten_to_jax.py)."""

import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np

from . import Peer, Run


def program(work):
    """(function(weights, *arguments), weights, arguments) of the row in its mode."""
    import jax
    import torch

    import aten_to_jax

    module, given = work.row.build()
    with torch.no_grad():
        function, weights, trainable = aten_to_jax.to_jax(torch.export.export(module, given))
    narrow = lambda a: a.astype(np.int32) if a.dtype == np.int64 else a  # noqa: E731 - jax has no 64-bit numbers by default
    weights, arguments = {name: narrow(a) for name, a in weights.items()}, list(map(narrow, work.arguments()))
    if work.row.mode == "infer":
        return (lambda held, *xs: function(held, *xs)[0]), weights, arguments
    train = {name: weights.pop(name) for name in trainable}
    loss = lambda train, rest, *xs: function({**train, **rest}, *xs)[0][0]  # noqa: E731
    both = jax.value_and_grad(loss)
    if work.row.mode == "grad":
        return (lambda held, *xs: both(held["train"], held["rest"], *xs)), {"train": train, "rest": weights}, arguments
    zeros = {name: np.zeros_like(a) for name, a in train.items()}
    state = {"train": train, "rest": weights, "m": zeros, "v": {n: a.copy() for n, a in zeros.items()}, "t": np.float32(0)}
    return (lambda held, *xs: adam(both, held, *xs)), state, arguments


def adam(both, held, *arguments):
    """A step as PyTorch's Adam(lr=1e-4) does it: the loss and the state after it."""
    import jax

    loss, grads = both(held["train"], held["rest"], *arguments)
    t, tree = held["t"] + 1, jax.tree.map
    m = tree(lambda m, g: 0.9 * m + 0.1 * g, held["m"], grads)
    v = tree(lambda v, g: 0.999 * v + 0.001 * g * g, held["v"], grads)
    correct = lambda w, m, v: w - 1e-4 * (m / (1 - 0.9**t)) / ((v / (1 - 0.999**t)) ** 0.5 + 1e-8)  # noqa: E731
    return loss, {"train": tree(correct, held["train"], m, v), "rest": held["rest"], "m": m, "v": v, "t": t}


def stablehlo(work):
    """The program as MLIR text; also what Xla loads."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    from jax import export

    function, weights, arguments = program(work)
    exported = export.export(jax.jit(function))(weights, *arguments)
    (work.folder / "program").write_bytes(exported.serialize())
    (work.folder / "arguments").write_bytes(pickle.dumps((weights, arguments)))
    return exported.mlir_module()


class Xla(Peer):
    name = "xla"
    modes = ("infer", "grad", "step")

    def takes(self, row):
        return super().takes(row) and row.form != "archive"

    def prepare(self, work):
        work.timed("export", lambda: stablehlo(work))

    def load(self, work):
        import jax
        from jax import export

        exported = export.deserialize((work.folder / "program").read_bytes())
        weights, arguments = jax.device_put(pickle.loads((work.folder / "arguments").read_bytes()))
        mode = work.about()["mode"]
        donated = (0,) if mode == "step" else ()
        function = jax.jit(exported.call, donate_argnums=donated).lower(weights, *arguments).compile()
        if mode != "step":
            values = {"infer": lambda outs: {f"out{i}": np.asarray(a) for i, a in enumerate(outs)},
                      "grad": lambda both: {"loss": np.asarray(both[0]), **{n: np.asarray(a) for n, a in both[1].items()}}}
            return Run(lambda: jax.block_until_ready(function(weights, *arguments)), values[mode])
        held = [weights]

        def step():
            loss, held[0] = function(held[0], *arguments)
            jax.block_until_ready(held[0])
            return loss

        return Run(step, lambda loss: {"loss": np.asarray(loss)})


class Iree(Peer):
    name = "iree"
    modes = ("infer", "grad")
    flags = ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-opt-level=O3",
             "--iree-llvmcpu-target-cpu=host", "--iree-llvmcpu-stack-allocation-limit=262144")

    def takes(self, row):
        return super().takes(row) and row.form != "archive"

    def prepare(self, work):
        tools = pathlib.Path(sys.executable).parent
        source, compiled = work.folder / "model.mlir", work.folder / "model.vmfb"
        if work.row.mode == "infer":
            command = [tools / "iree-import-onnx", work.onnx(), "-o", source]
            work.timed("export", lambda: subprocess.run(command, check=True, capture_output=True))
        else:
            source.write_text(work.timed("export", lambda: stablehlo(work)))
        kind = "onnx" if work.row.mode == "infer" else "stablehlo"
        command = [tools / "iree-compile", source, "-o", compiled, f"--iree-input-type={kind}", *self.flags]
        done = work.timed("compile", lambda: subprocess.run(command, capture_output=True, text=True, timeout=300))
        if done.returncode:
            raise RuntimeError(next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[-300:])[:300])
        work.ships.append(str(compiled))

    def load(self, work):
        import iree.runtime as runtime

        if work.threads > 1:
            runtime.flags.parse_flags(f"--task_topology_group_count={work.threads}")
        config = runtime.Config("local-task" if work.threads > 1 else "local-sync")
        module = runtime.load_vm_module(runtime.VmModule.mmap(config.vm_instance, str(work.folder / "model.vmfb")), config)
        name = next(n for n in module.vm_module.function_names if not n.startswith("__") and not n.endswith("$async"))
        given, names = work.arguments(), None
        if work.about()["mode"] == "grad":  # flat as jax flattens it: the keys of a dict are sorted
            weights, arguments = pickle.loads((work.folder / "arguments").read_bytes())
            names = sorted(weights["train"])
            given = [weights["rest"][n] for n in sorted(weights["rest"])] + [weights["train"][n] for n in names] + arguments
        given = [runtime.asdevicearray(config.device, array) for array in given]
        function = module[name]

        def values(result):
            arrays = [a.to_host() for a in (result if isinstance(result, (tuple, list)) else [result])]
            return dict(zip(["loss", *names] if names else [f"out{i}" for i in range(len(arrays))], arrays))

        return Run(lambda: function(*given), values)
