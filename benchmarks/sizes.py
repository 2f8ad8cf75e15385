#!/usr/bin/env python3
"""What has to be shipped beside a model's weights to run it on a CPU: our artifact, and the peers' libraries as they are installed.

    scripts/setup bench && scripts/build dev
    .venv/bin/python benchmarks/sizes.py [--site FOLDER] [-o benchmarks/results/sizes.md]

A peer is what its own C or C++ interface needs: the files that its packages install, with all that they load but the C and C++ libraries
of the system. Packages are looked for in this Python's site-packages and in the folder of --site, which `pip install --target=FOLDER
onnxruntime openvino iree-base-runtime` fills. A peer that is not there has no row. Sizes are of files as installed, symbols stripped.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "test/Numerics"))
COMPILE = ROOT / "build/dev/bin/jit-compile"
SILERO = ROOT / "out/models/silero_vad.jit"
SYSTEM = re.compile(r"(linux-vdso|ld-linux|libc\.so|libm\.so|libdl\.|libpthread\.|librt\.|libstdc\+\+|libgcc_s|libutil\.)")
# What each runtime is made of: name, the libraries that a program links or that those open, and what of them it is.
PEERS = [
    ("libtorch (TorchScript)", ["torch/lib/libtorch_cpu.so", "torch/lib/libtorch.so"], "loads .pt"),
    ("AOTInductor", ["torch/lib/libtorch_cpu.so", "torch/lib/libtorch.so"], "the same libraries under a compiled .pt2"),
    ("onnxruntime", ["onnxruntime/capi/libonnxruntime.so*"], "C interface"),
    ("OpenVINO", ["openvino/libs/libopenvino.so*", "openvino/libs/libopenvino_intel_cpu_plugin.so",
                  "openvino/libs/libopenvino_ir_frontend.so*"], "CPU plugin, reads its own format"),
    ("IREE runtime", ["iree/_runtime_libs/_runtime*.so"], "as Python's module; runs .vmfb"),
]


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def closure(roots):
    """The files that are loaded with these, the system's libraries left out."""
    found = {root.resolve() for root in roots}
    for root in list(found):
        for path in re.findall(r"=> (/\S+) \(", run("ldd", root)):
            if not SYSTEM.search(path):
                found.add(pathlib.Path(path).resolve())
    return found


def stripped_size(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        shutil.copy(path, copy)
        run("strip", copy)
        return copy.stat().st_size


def size_of(sites, patterns):
    roots = []
    for pattern in patterns:
        files = next((files for site in sites if (files := sorted(site.glob(pattern)))), None)
        if not files:
            return None
        roots += files[:1]
    return sum(map(stripped_size, closure(roots)))


def artifact_size(archive, calls, folder, cpu="native"):
    """Our file for a program, its weights in another."""
    output = pathlib.Path(folder) / "libprogram.so"
    run(COMPILE, archive, "-o", output, f"--weights={folder}/weights", f"--cpu={cpu}", *(f"--call={call}" for call in calls))
    return stripped_size(output)


def ours(folder):
    from models import traced_alexnet

    alexnet = pathlib.Path(folder) / "alexnet.pt"
    traced_alexnet().save(str(alexnet))
    rows = []
    for cpu, name in [("native", "this project"), ("x86-64-v3,x86-64-v4", "this project, code for two CPUs")]:
        silero = artifact_size(SILERO, ["forward(f32[1,512], 16000)", "forward(f32[1,256], 8000)"], folder, cpu)
        rows.append((name, silero, artifact_size(alexnet, ["forward(f32[1,3,224,224])"], folder, cpu),
                     "one file each; needs libc and libm"))
    return rows


def text(size):
    return f"{size / 1024:,.0f} KiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=pathlib.Path, action="append", default=[])
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "benchmarks/results/sizes.md")
    args = parser.parse_args()
    sites = [pathlib.Path(sysconfig.get_paths()["purelib"]), *args.site]
    with tempfile.TemporaryDirectory() as folder:
        rows = ours(folder)
    for name, patterns, note in PEERS:
        size = size_of(sites, patterns)
        if size is None:
            print(f"sizes: {name} is not installed", file=sys.stderr)
        else:
            rows.append((name, size, size, note))
    lines = ["# What is shipped beside the weights", "",
             f"Written by `benchmarks/sizes.py` (PyTorch {torch.__version__}). A speech detector at both of its rates, and AlexNet.", "",
             "| | silero | AlexNet | |", "|---|---:|---:|---|"]
    lines += [f"| {name} | {text(silero)} | {text(alexnet)} | {note} |" for name, silero, alexnet, note in rows]
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text("\n".join(lines) + "\n")
    print("\n".join(lines[4:]))


if __name__ == "__main__":
    main()
