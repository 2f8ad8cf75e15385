"""A program's launches on the GPU that is none: jit-run with the stand-in driver of unittests/Cuda, which counts what a sample of
each launch's blocks does."""

import json
import os
import pathlib
import re
import shutil
import subprocess

from gpu_devices import DEVICES
from gpu_model import Kernel

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("JIT_BUILD", ROOT / "build" / "dev"))
SECONDS = 60


def assembled(text, target):
    """What ptxas says of each kernel: registers, bytes of shared memory, bytes of registers that it spills. Nothing where there is no
    ptxas."""
    if not shutil.which("ptxas"):
        return {}
    said = subprocess.run(["ptxas", "-v", "--gpu-name", target, text, "-o", os.devnull], capture_output=True, text=True)
    result = {}
    for name, about in re.findall(r"Compiling entry function '(\w+)'(.*?Used \d+ registers[^\n]*)", said.stderr, re.DOTALL):
        number = lambda pattern: int((re.search(pattern, about) or [0, 0])[1])  # noqa: E731
        result[name] = {"registers": number(r"Used (\d+) registers"), "static_shared": number(r"(\d+) bytes smem"),
                        "spills": number(r"(\d+) bytes spill stores")}
    return result


def launches_of(archive, inputs, chip, folder, flags=()):
    """Each kernel and grid once, with how often it was launched; of a cooperative one each phase, with how often blocks came to it."""
    driver = BUILD / "unittests" / "Cuda" / "driver"
    if not (driver / "libcuda.so.1").exists():
        raise RuntimeError(f"expected the driver of the unit tests in {driver}, got none: scripts/build dev")
    log, texts = folder / "launches.json", folder / "ptx"
    texts.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    sms = min(device.sms for device in DEVICES.values() if device.chip == chip)
    environment = os.environ | {"LD_LIBRARY_PATH": str(driver), "JIT_FAKE_CUDA_COUNT": str(log), "JIT_FAKE_CUDA_KEEP": str(texts),
                                "JIT_FAKE_CUDA_MULTIPROCESSORS": str(sms)}
    command = [BUILD / "bin" / "jit-run", archive, "--target=cuda", f"--chip={chip}", *flags, *(f"--input={one}" for one in inputs)]
    try:
        said = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"expected a run of at most {SECONDS} seconds, got a longer one") from None
    if said.returncode:
        raise RuntimeError(said.stderr.strip()[-400:] or f"expected jit-run to end well, got {said.returncode}")
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    kernels, facts = [], {}
    for line in lines:
        if "again" in line:
            for kernel in kernels:
                if kernel.log["number"] == line["again"]:
                    kernel.launches += kernel.log.get("times", 1)
            continue
        image = line["image"]
        if image not in facts:
            facts[image] = assembled(texts / f"{image}.ptx", line["target"])
        kernels.append(Kernel(line, **facts[image].get(line["kernel"], {})))
    return kernels
