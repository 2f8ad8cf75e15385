"""Opens files."""

import os
import re
from typing import Optional, Union

from ._artifact import Artifact
from ._errors import refusal
from ._program import Program


def _is_shared_object(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False  # who opens it next says what is wrong


def load(path: Union[str, os.PathLike[str]], *, threads: int = 0, target: Optional[str] = None,
         any_sizes: Optional[bool] = None, numerics: Optional[str] = None, isolate: bool = False, weights: str = "",
         tier: Optional[str] = None) -> Union[Program, Artifact]:
    """Opens a TorchScript archive (.pt), an exported program (.pt2), MLIR, or what jit-compile made of such (.so).

    The file itself says what it is. PyTorch is not needed, and for a shared object neither is the compiler. A program is
    compiled for `target` ("cpu", "cuda", "cuda:1" for a device's number, "cuda-emulation"). Calls that differ in dimensions that have had several sizes
    share their code where that can be, and sizes that come often get their own, which a thread makes beside calls; with
    `any_sizes`, all calls that differ in sizes alone share it from the first on, and with False none do. With `numerics`
    "strict", convolutions are summed as the program writes them, where "fast" lets them lose 1e-5 of the largest result; with
    `isolate`, child processes compile, so that a crash of the compiler is an Error and this process goes on. Of a shared object, `weights` says where their file is, if it has one
    and it has moved. `threads` share a call's work; 0: as many as PyTorch uses where it is imported, else one for each
    CPU that the process may use. `tier` says how much is done for a CPU's code, of the same values: "optimised",
    "baseline": there sooner, perhaps slower, or "both" (the default): this one until a thread has made the other.
    """
    name = os.fspath(path)
    if _is_shared_object(name):
        number = re.fullmatch(r"cuda(?::(\d{1,9}))?", target or "cuda")
        if number is None or any_sizes is not None or numerics is not None or isolate or tier is not None:
            raise refusal("invalid argument",
                          "expected no target but the device of one for cuda, \"cuda:1\", and neither any_sizes nor numerics nor isolate nor tier for an artifact, which was compiled before")
        made = Artifact(name, threads, os.fspath(weights), int(number[1] or 0))
        if target is not None and not made.is_for_cuda:
            raise refusal("invalid argument", f"expected an artifact for CUDA devices, as the target is {target!r}, got one for a CPU")
        return made
    if weights:
        raise refusal("invalid argument", "expected weights= for an artifact alone; a program has its own")
    return Program.open(name, threads, target or "cpu", any_sizes, numerics or "fast", isolate, tier=tier or "both")
