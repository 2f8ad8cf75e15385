"""What is measured: archives and arguments, made once into a folder and shared by all peers."""

import json
import pathlib
import sys
from types import SimpleNamespace

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
NAMES = ("silero", "alexnet", "conv_by_hand", "lstm_loop", "three_blocks")


def make(name, folder):
    """Writes FOLDER/NAME.pt, its arguments, and what they are."""
    import torch

    sys.path.append(str(ROOT / "test" / "Numerics"))
    import models

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    normal = lambda *sizes: rng.standard_normal(sizes, np.float32)
    archive, onnx = folder / f"{name}.pt", None
    if name == "silero":
        archive, onnx = ROOT / "out/models/silero_vad.jit", str(ROOT / "out/models/silero_vad.onnx")
        arguments = [normal(1, 512) * np.float32(0.1), 16000]
    elif name == "alexnet":
        models.traced_alexnet().save(str(archive))
        arguments = [normal(1, 3, 224, 224)]
    elif name == "conv_by_hand":
        torch.jit.script(models.HandwrittenConv2d(3, 16, 3)).save(str(archive))
        arguments = [normal(1, 3, 512, 512)]
    elif name == "lstm_loop":
        torch.jit.script(models.LoopedLstm(256, 512)).save(str(archive))
        arguments = [normal(100, 64, 256)]
    else:
        models.ThreeBlocks().save(str(archive))
        arguments = [normal(2, 3, 28, 28)]
    for number, value in enumerate(arguments):
        if isinstance(value, np.ndarray):
            np.save(folder / f"{name}.{number}.npy", value)
            arguments[number] = f"@{folder / f'{name}.{number}.npy'}"
    about = {"archive": str(archive), "onnx": onnx, "arguments": arguments}
    (folder / f"{name}.json").write_text(json.dumps(about))


def module(name):
    """The workload as a Python module, for peers that take no archive; None where there is none."""
    sys.path.append(str(ROOT / "test" / "Numerics"))
    import models

    return models.LoopedLstm(256, 512) if name == "lstm_loop" else None


def files(name, folder):
    """What make() wrote: archive, onnx (or None), specs as jit-run takes them, and the arguments themselves."""
    about = json.loads((pathlib.Path(folder) / f"{name}.json").read_text())
    load = lambda spec: np.load(spec[1:]) if isinstance(spec, str) else spec
    return SimpleNamespace(name=name, archive=about["archive"], onnx=about["onnx"], specs=about["arguments"],
                           arguments=[load(spec) for spec in about["arguments"]])
