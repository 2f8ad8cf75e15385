"""The installed package: another project finds each component alone, builds and runs; what the libraries export and need."""

import re
import subprocess

import pytest
from conftest import ROOT, tool
from torch import nn

BUILD = tool("jit-run").parents[1]


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def embedded(tmp_path):
    """Installs one component, builds a project that finds it, and gives the program."""

    def build(component):
        prefix = tmp_path / component
        run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)
        folder = tmp_path / f"build-{component}"
        run("cmake", "-S", ROOT / "test/Numerics/embedding", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DWANTED={component}",
            "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22", "-G", "Ninja")
        run("cmake", "--build", folder)
        return prefix, folder / f"use_{component.lower()}"

    return build


@pytest.fixture
def artifact(saved, tmp_path):
    archive = saved(nn.ReLU())[0]
    run(tool("jit-compile"), archive, "-o", tmp_path / "librelu.so", "--input=f32[4]")
    return archive, tmp_path / "librelu.so"


def test_runtime(embedded, artifact):
    prefix, program = embedded("Runtime")
    assert run(program, artifact[1]) == "0 2 0 4\n"
    installed = sum(file.stat().st_size for file in prefix.rglob("*") if file.is_file() and not file.is_symlink())
    assert installed < 2 << 20
    needed = run("readelf", "-d", next(prefix.rglob("libjit_runtime.so")))
    assert set(re.findall(r"NEEDED.*\[(.*)\]", needed)) <= {"libc.so.6"}


def test_runtime_refuses_what_is_no_artifact(embedded, artifact, tmp_path):
    program = embedded("Runtime")[1]
    for path, text in [(tmp_path / "nothing.so", "nothing.so"), (artifact[0], "invalid ELF"),
                       (next(BUILD.glob("lib/libjit_runtime.so")), "expected an artifact of jit-compile")]:
        done = subprocess.run([program, path], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and text in done.stdout, done


def test_import(embedded, artifact):
    program = embedded("Import")[1]
    assert run(program, artifact[0]) == "an archive\n"
    needed = run("readelf", "-d", program)
    assert "LLVM" not in needed and "MLIR" not in needed


def test_compiler(embedded, artifact, tmp_path):
    prefix, program = embedded("Compiler")
    assert run(program, artifact[0], tmp_path / "libagain.so") == "0 2 0 4\n"
    assert (tmp_path / "libagain.so").exists() and (tmp_path / "libagain.h").exists()
    names = run("nm", "-D", "--defined-only", next(prefix.rglob("libjit.so")))
    assert names and all(line.split()[-1].startswith("jit_") for line in names.splitlines())


def test_c_headers_are_strict_c_and_cpp(tmp_path):
    source = tmp_path / "all.c"
    source.write_text("".join(f'#include "jit-c/{name}.h"\n' for name in ("Values", "Artifact", "Operators", "Runtime", "Jit")))
    for command in (["clang-22", "-std=c99", "-pedantic"], ["clang++-22", "-std=c++20", "-x", "c++"]):
        run(*command, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT / 'include'}", source)
