"""The Python package, installed from a build as `pip install` does it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


LIBRARIES = ("jit", "jit_runtime")


def install(build, folder, objects):
    """Installs what `build` has into a folder, unless the same is there; gives the folder. `objects` keeps what is compiled for it.
    JIT_SITE names a folder that has it already, on a machine that cannot build it (scripts/gpu-check)."""
    if "JIT_SITE" in os.environ:
        return Path(os.environ["JIT_SITE"])
    package = folder / "jit_mlir"
    if is_newer(package / "py.typed", [ROOT / "python" / "CMakeLists.txt", *(ROOT / "python" / "src").iterdir()]):
        shutil.copytree(ROOT / "python" / "jit_mlir", package, dirs_exist_ok=True, copy_function=shutil.copyfile)
        for name in LIBRARIES:
            library, installed = build / "lib" / f"lib{name}.so", package / "lib" / f"lib{name}.so.0"
            if not is_newer(installed, [library]):
                # Never into the file: a process may have it mapped.
                replacement = installed.with_suffix(".new")
                shutil.copy(library, replacement)
                os.replace(replacement, installed)
        return folder
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--upgrade",
               "--target", folder, f"--config-settings=build-dir={objects}", f"--config-settings=cmake.define.JIT_BUILD={build}", ROOT]
    process = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
    assert process.returncode == 0, process.stdout + process.stderr
    return folder


def is_newer(made, sources):
    return made.exists() and all(made.stat().st_mtime >= source.stat().st_mtime for source in sources)
