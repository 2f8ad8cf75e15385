"""PyTorch's own: eager, TorchScript, Inductor as it is called and ahead of time. Also what every other peer is compared with."""

import json

import numpy as np

from . import Peer, Run


def flat(result):
    from torch.utils._pytree import tree_leaves

    return {f"out{i}": t.detach().numpy() for i, t in enumerate(tree_leaves(result))}


def run_of(row, module, arguments, call=None, wrap_step=lambda step: step):
    """A Run of `call` (the module itself by default) in the row's mode."""
    import torch

    call = module if call is None else call
    if row.mode == "infer":

        def infer():
            with torch.no_grad():
                return call(*arguments)

        return Run(infer, flat)
    named = dict(module.named_parameters())
    if row.mode == "grad":

        def grad():
            for parameter in named.values():
                parameter.grad = None
            loss = call(*arguments)
            loss.backward()
            return loss

        return Run(grad, lambda loss: {"loss": loss.detach().numpy(),
                                       **{name: p.grad.numpy().copy() for name, p in named.items()}})
    optimizer = torch.optim.Adam(named.values(), lr=1e-4)
    update = wrap_step(optimizer.step)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = call(*arguments)
        loss.backward()
        update()
        return loss

    return Run(step, lambda loss: {"loss": loss.detach().numpy().copy()})


def first_stage(work):
    """Arguments, eager's values, the least work and the ONNX file: what the peers of a workload share."""
    import torch
    import workloads

    torch.set_num_threads(work.threads)
    row = work.row
    module, arguments = row.build()
    arrays = {f"{i}": a.numpy() if isinstance(a, torch.Tensor) else np.array(a) for i, a in enumerate(arguments)}
    np.savez(work.shared / "arguments.npz", **arrays)
    run = run_of(row, module, arguments)
    np.savez(work.shared / "expected.npz", **run.values(run.call()))
    about = {"numbers": [f"{i}" for i, a in enumerate(arguments) if not isinstance(a, torch.Tensor)], "mode": row.mode,
             "work": workloads.work(row)}
    if row.form == "archive":
        about["onnx"] = str(workloads.SPEECH.with_suffix(".onnx"))
    elif row.mode == "infer":
        about["onnx seconds"] = work.timed("onnx", lambda: export_onnx(work))
    (work.shared / "about.json").write_text(json.dumps(about))


def export_onnx(work):
    import torch

    module, arguments = work.row.build()
    try:
        with torch.no_grad():
            torch.onnx.export(module, arguments, str(work.shared / "model.onnx"), dynamo=True, external_data=False, verbose=False)
    except Exception as error:  # noqa: BLE001 - whatever it is, the peers that want the file say it
        (work.shared / "onnx.error").write_text(repr(error))
    return work.times.get("onnx", 0)


class PyTorch(Peer):
    modes = ("infer", "grad", "step")

    def built(self, work):
        import torch

        torch.set_num_threads(work.threads)
        return work.row.build()


class Eager(PyTorch):
    name = "eager"

    def takes(self, row):
        return super().takes(row) and row.form != "archive"

    def load(self, work):
        return run_of(work.row, *self.built(work))


class TorchScript(PyTorch):
    name = "torchscript"

    def load(self, work):
        import torch

        module, arguments = self.built(work)
        row = work.row
        scripted = row.scripted()
        if row.mode == "infer" and row.form != "archive":
            scripted = torch.jit.optimize_for_inference(torch.jit.freeze(scripted.eval()))
        elif row.mode != "infer":
            scripted.load_state_dict(module.state_dict())
            module = scripted
        run = run_of(row, module, arguments, call=scripted)
        for _ in range(0 if row.mode == "step" else 3):  # it looks at its first calls before it compiles
            run.call()
        if row.form == "archive":
            scripted.reset_states()  # which these calls moved
        return run


class Inductor(PyTorch):
    name = "inductor"
    settings = {}
    tuning = None

    def takes(self, row):
        return super().takes(row) and row.form != "archive"

    def load(self, work):
        import torch

        module, arguments = self.built(work)
        for name, value in self.settings.items():
            setattr(torch._inductor.config, name, value)
        compiled = torch.compile(module, dynamic=False, mode=self.tuning)
        return run_of(work.row, module, arguments, compiled, lambda step: torch.compile(step, dynamic=False))


class InductorMax(Inductor):
    """Tuned products, weights packed."""

    name = "inductor-max"
    modes = ("infer",)
    settings = {"freezing": True}
    tuning = "max-autotune"


class AotInductor(PyTorch):
    name = "aotinductor"
    modes = ("infer",)
    only = ("alexnet", "resnet18", "bert*", "gpt2*", "ten_pointwise")

    def prepare(self, work):
        import torch

        module, arguments = self.built(work)
        path = str(work.folder / "model.pt2")
        with torch.no_grad():
            program = work.timed("export", lambda: torch.export.export(module, arguments))
            work.timed("compile", lambda: torch._inductor.aoti_compile_and_package(
                program, package_path=path, inductor_configs={"freezing": True}))
        work.ships.append(path)

    def load(self, work):
        import torch

        torch.set_num_threads(work.threads)
        function = torch._inductor.aoti_load_package(str(work.folder / "model.pt2"))
        arguments = [torch.from_numpy(a) for a in work.arguments()]

        def call():
            with torch.no_grad():
                return function(*arguments)

        return Run(call, flat)
