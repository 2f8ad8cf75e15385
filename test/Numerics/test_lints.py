"""What the lints of scripts/ are there to find, they find: each in sources that have the fault."""

import re
import subprocess

import pytest
from conftest import ROOT


def lint(name, folder, files):
    """What the lint says of a checkout with these files."""
    subprocess.run(["git", "init", "-q", folder], check=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    done = subprocess.run([ROOT / "scripts" / name, folder], capture_output=True, text=True)
    assert done.returncode == bool(done.stderr)
    return done.stderr


TYPE = "namespace jit {{\n{}\n}} // namespace jit\n"


@pytest.mark.parametrize("first, second, name", [
    ("struct Tensor { int size; };", "class Tensor : public Base {\n};", "jit::Tensor"),
    ("enum class Kind { A };", "template <typename T> struct [[nodiscard]] Kind {};", "jit::Kind"),
    ("namespace gpu { union U { int a; }; }", "} namespace jit::gpu {\nstruct U final {};", "jit::gpu::U"),
    ("// it's\nstruct Session::Impl { char c = '{'; };", "extern \"C\" {\n}\nstruct Session::Impl {};", "jit::Session::Impl"),
])
def test_a_type_that_two_files_define(tmp_path, first, second, name):
    said = lint("lint-types", tmp_path, {"lib/A/First.h": TYPE.format(first), "include/jit/B/Second.h": TYPE.format(second)})
    assert f"{name} is also defined in" in said and "lib/A/First.h:" in said and "include/jit/B/Second.h:" in said


@pytest.mark.parametrize("first, second", [
    ("struct Tensor { int size; };", "namespace runtime {\nstruct Tensor {};\n}"),
    ("struct Tensor { int size; };", "struct Tensor; class Other { struct Tensor {}; };"),
    ("struct Tensor { int size; };", "namespace {\nstruct Tensor {};\n}"),
    ("struct Tensor { int size; };", "void f() {\n  struct Tensor {};\n}\nstruct Tensor make() {\n}"),
    ("struct Tensor { int size; };", "// struct Tensor {\nconst char *t = \"struct Tensor {\"; /* struct Tensor { */"),
    ("template <> struct Of<int> {};", "template <> struct Of<float> {};"),
])
def test_what_is_no_second_definition(tmp_path, first, second):
    assert not lint("lint-types", tmp_path, {"lib/A/First.h": TYPE.format(first), "lib/B/Second.cpp": TYPE.format(second)})


def test_programs_that_are_linked_apart_may_share_a_name(tmp_path):
    files = {f"tools/{tool}/{tool}.cpp": TYPE.format("struct Options {};") for tool in ("one", "two")}
    assert not lint("lint-types", tmp_path, files)
    assert "jit::Options" in lint("lint-types", tmp_path, files | {"lib/A/Options.h": TYPE.format("struct Options {};")})


OPERATORS = "| `aten::mul.Tensor` | pointwise |\n| `aten::mm` | pattern |\n| `aten::squeeze` | composition |\n| `aten::t` | composition |\n"


@pytest.mark.parametrize("path, source, found", [
    ("lib/Fuse/A.cpp", "bool f(Operation *op) { return isa<aten::MmOp,\n   aten::TOp>(op); }", ":1: .*: MmOp, TOp"),
    ("lib/Fuse/A.cpp", "x();\nif (isa_and_present<Other, aten::MmOp, aten::TOp>(op)) {}", ":2: "),
    ("lib/Import/A.cpp", 'y();\nreturn Switch(name).Cases({"aten::squeeze_", "aten::t_", "aten::mm"}, true);', ":2: .*squeeze_, t_, mm"),
    ("lib/Infer/A.cpp", 'static const llvm::StringSet<> names = {\n  "mul.Tensor", "mm", "t"};', ":2: .*mul.Tensor"),
    ("lib/Fuse/A.cpp", "isa<aten::MmOp>(op) || isa<aten::TOp>(op);", None),
    ("lib/Fuse/A.cpp", 'f("aten::mm"); g("aten::t"); h("mul.Tensor"); // "mm", "t", "squeeze"', None),
    ("lib/Lower/A.cpp", "isa<aten::MmOp, aten::TOp>(op);", None),
    ("lib/Dialect/Aten/A.cpp", "isa<aten::MmOp, aten::TOp>(op);", None),
])
def test_lists_of_operators(tmp_path, path, source, found):
    said = lint("lint-operators", tmp_path, {path: source, "docs/operators.md": OPERATORS})
    assert re.search(re.escape(path) + found, said) if found else not said


@pytest.mark.parametrize("path, source, asks", [
    ("lib/Codegen/Loops/A.cpp", "auto name = llvm::sys::getHostCPUName();", True),
    ("lib/Codegen/Products/A.cpp", "long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);", True),
    ("lib/Session/A.cpp", '#include "llvm/TargetParser/Host.h"', True),
    ("tools/jit-run/A.cpp", "if (__builtin_cpu_supports(\"avx2\")) run();", True),
    ("include/jit/Codegen/A.h", '#include "jit/Runtime/CudaChip.h"', True),
    ("lib/Codegen/Machine/Host.cpp", "auto name = llvm::sys::getHostCPUName();", False),
    ("lib/Runtime/A.c", "long online = sysconf(_SC_LEVEL2_CACHE_SIZE);", False),
    ("lib/Codegen/Loops/A.cpp", "return hostMachine().cpu;", False),
])
def test_who_asks_the_host(tmp_path, path, source, asks):
    said = lint("lint-includes", tmp_path, {path: source})
    assert (f"{path}:1: only lib/Codegen/Machine/Host.cpp asks the host" in said) == asks and bool(said) == asks


@pytest.mark.parametrize("path, included, fault", [
    ("lib/Codegen/Analysis/A.cpp", "Kernels/Launch.h", "Codegen/Analysis may include Buffers, not Kernels"),
    ("lib/Codegen/Products/A.cpp", "jit/Codegen/Kernels/Passes.h", "Codegen/Products may include Analysis, not Kernels"),
    ("include/jit/Codegen/Products/A.h", "jit/Codegen/Target.h", "Codegen/Products may include Analysis, not Target.h"),
    ("lib/Codegen/Cellar/A.cpp", "Math/VectorMath.h", "room Cellar has no rule"),
    ("lib/Codegen/Kernels/A.cpp", "Loops/FlatAccess.h", "Codegen/Kernels may include .*, not Loops"),
    ("lib/Codegen/Kernels/A.cpp", "Loops/ElementEmitter.h", None),
    ("lib/Codegen/Products/A.cpp", "jit/Codegen/Machine.h", None),
    ("lib/Codegen/Targets/A.cpp", "LLVM/MachineCode.h", None),
])
def test_rooms_of_codegen(tmp_path, path, included, fault):
    said = lint("lint-includes", tmp_path, {path: f'#include "{included}"'})
    assert re.search(f"{path}:1: {fault}", said) if fault else not said
