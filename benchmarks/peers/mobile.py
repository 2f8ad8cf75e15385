"""Engines made for phones that run on x86-64 too: ExecuTorch by XNNPACK, and ncnn. Both take what PyTorch exports or traces."""

import json
import pathlib
import subprocess
import sys

from . import Peer, Run

NETWORKS = ("alexnet", "vgg11", "resnet*", "mobilenet_v2", "vit_b_16")


class ExecuTorch(Peer):
    """XNNPACK takes what it can, ExecuTorch's portable kernels the rest. It has as many threads as the process has CPUs."""

    name = "executorch"
    only = (*NETWORKS, "bert*", "whisper*", "unet*", "demucs*", "nn_conv2d", "softmax", "ten_pointwise", "matmul*")

    def prepare(self, work):
        import torch
        from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
        from executorch.exir import to_edge_transform_and_lower

        module, arguments = work.row.build()
        with torch.no_grad():
            program = work.timed("export", lambda: torch.export.export(module, arguments))
            made = work.timed("compile", lambda: to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch())
        path = work.folder / "model.pte"
        path.write_bytes(made.buffer)
        work.ships.append(str(path))

    def load(self, work):
        import torch
        from executorch.runtime import Runtime

        program = Runtime.get().load_program(work.folder / "model.pte")
        method = program.load_method("forward")
        arguments = [torch.from_numpy(array) for array in work.arguments()]
        return Run(lambda held=program: method.execute(arguments), lambda given: {f"out{i}": t.numpy().copy() for i, t in enumerate(given)})


class Ncnn(Peer):
    """Its own optimiser's file (pnnx), f32 throughout; it has no batches."""

    name = "ncnn"
    only = ("alexnet", "vgg11", "resnet18", "resnet50", "mobilenet_v2", "vit_b_16")

    def prepare(self, work):
        archive = work.folder / "model.pt"
        work.timed("export", lambda: work.row.scripted().save(str(archive)))
        shapes = ",".join(f"[{','.join(map(str, array.shape))}]" for array in work.arguments())
        command = [pathlib.Path(sys.executable).parent / "pnnx", archive, f"inputshape={shapes}", "fp16=0"]
        work.timed("compile", lambda: subprocess.run(list(map(str, command)), check=True, cwd=work.folder))
        work.ships += [str(work.folder / f"model.ncnn.{kind}") for kind in ("param", "bin")]
        (work.folder / "about.json").write_text(json.dumps({"inputs": len(work.arguments())}))

    def load(self, work):
        import ncnn
        import numpy as np

        net = ncnn.Net()
        net.opt.num_threads = work.threads
        for narrow in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_storage"):
            setattr(net.opt, f"use_{narrow}", False)
        net.load_param(str(work.folder / "model.ncnn.param"))
        net.load_model(str(work.folder / "model.ncnn.bin"))
        inputs = [ncnn.Mat(array[0]).clone() for array in work.arguments()]  # its own memory

        def call():
            extractor = net.create_extractor()
            for number, value in enumerate(inputs):
                extractor.input(f"in{number}", value)
            return extractor.extract("out0")[1]

        return Run(call, lambda given: {"out0": np.array(given)})
