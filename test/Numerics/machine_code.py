"""What NVIDIA's assembler makes of a program's kernels."""

import os
import pathlib
import re
import subprocess

from conftest import ROOT, tool

CUDA_HOME = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))


def find_ptxas():
    """As test/lit.cfg.py: in CUDA_HOME, the usual place, or a package in .venv."""
    folders = [CUDA_HOME, *ROOT.glob(".venv/lib/python3*/site-packages/nvidia/*")]
    found = next((f / "bin/ptxas" for f in folders if (f / "bin/ptxas").exists()), None)
    assert found, "ptxas is missing: scripts/setup test installs it"
    return found


def compile_to_ptx(lowered, chip, folder):
    """The path of the PTX of a program on tensors, the dump after the stage `lower`."""
    ptx = folder / f"{chip}.ptx"
    environment = os.environ | {"CUDA_HOME": str(find_ptxas().parents[1])}
    subprocess.run([tool("jit-translate"), f"--mlir-to-ptx={lowered}", f"--chip={chip}", "-o", ptx], check=True, env=environment)
    return ptx


def spilled_bytes(ptx, chip):
    """{function: bytes that it stores and loads again for want of registers}; fails where ptxas refuses the file."""
    if not ptx.read_text():
        return {}
    said = subprocess.run([find_ptxas(), f"-arch={chip}", "-v", ptx, "-o", os.devnull], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    found = re.findall(r"Function properties for (\w+)\n.*?(\d+) bytes spill stores, (\d+) bytes spill loads", said.stderr)
    functions = {name: int(stored) + int(loaded) for name, stored, loaded in found}
    assert set(re.findall(r"\.entry (\w+)", ptx.read_text())) <= set(functions)
    return functions
