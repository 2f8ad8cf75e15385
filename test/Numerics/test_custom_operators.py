"""Operators of a user's own: C functions of a file of operators against the same in eager PyTorch."""

import pathlib
import shutil
import subprocess
from typing import List

import numpy as np
import pytest
import torch
from artifacts import build_c
from conftest import ROOT, tool
from running import JitRun

SOURCE = ROOT / "test/Operators/Inputs/operators.c"

LIBRARY = torch.library.Library("test", "FRAGMENT")
LIBRARY.define("scale(Tensor x, float by=2.0) -> Tensor")
LIBRARY.define("scale_backward(Tensor grad, float by) -> Tensor")
LIBRARY.define("scale_backward_backward(Tensor grad_grad_x, float by) -> Tensor")
LIBRARY.define("split(Tensor x, int first) -> (Tensor, Tensor)")
LIBRARY.define("blend(Tensor[] xs, float? by, str mode, int[] more, bool all) -> Tensor")
LIBRARY.define("mask(Tensor x) -> Tensor")
LIBRARY.define("product(Tensor x, Tensor y) -> Tensor z")
LIBRARY.define("product_backward(Tensor grad_z, Tensor x, Tensor y) -> (Tensor, Tensor)")
LIBRARY.define("ramp(int count, ScalarType dtype) -> Tensor")
LIBRARY.define("count(Tensor x) -> Tensor")
LIBRARY.define("absent(Tensor x) -> Tensor")


def eager(name, function):
    LIBRARY.impl(name, function, "CPU")
    LIBRARY.impl(name, function, "Meta")


def blend(xs, by, mode, more, all):
    factor = (1 if by is None else by) * (2 if mode == "double" else 1) * float(np.prod(more))
    return sum(xs) * (factor if all else 1)


eager("scale", lambda x, by=2.0: x * by)
eager("scale_backward", lambda grad, by: grad * by)
eager("scale_backward_backward", lambda grad, by: grad * by)
eager("split", lambda x, first: (x[first:].clone(), -x[first:]))
eager("blend", blend)
eager("mask", lambda x: x > 0)
eager("product", lambda x, y: x * y)
eager("product_backward", lambda grad, x, y: (grad * y, grad * x))
LIBRARY.impl("ramp", lambda count, dtype: torch.arange(count).to(dtype), "CompositeExplicitAutograd")
eager("count", lambda x: (x != 0).sum())
eager("absent", lambda x: x.clone())


def keep(ctx, inputs, output):
    tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
    ctx.save_for_backward(*tensors)
    ctx.by = inputs[-1]


torch.library.register_autograd("test::scale", lambda ctx, grad: (torch.ops.test.scale_backward(grad, ctx.by), None),
                                setup_context=keep, lib=LIBRARY)
torch.library.register_autograd("test::scale_backward", lambda ctx, grad: (torch.ops.test.scale_backward_backward(grad, ctx.by), None),
                                setup_context=keep, lib=LIBRARY)
torch.library.register_autograd("test::product", lambda ctx, grad: torch.ops.test.product_backward(grad, *ctx.saved_tensors),
                                setup_context=keep, lib=LIBRARY)


def build(source, output):
    """A file of operators."""
    compiler = ["clang-22", "-std=c11"] if source.suffix == ".c" else ["clang++-22", "-std=c++20"]
    command = [*compiler, "-shared", "-fPIC", "-Wall", "-Werror", f"-I{ROOT / 'include'}", source, "-o", output]
    subprocess.run(list(map(str, command)), check=True, timeout=60)
    return output


@pytest.fixture(scope="session")
def operators(tmp_path_factory):
    return build(SOURCE, tmp_path_factory.mktemp("operators") / "operators.so")


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, by: float = 1.5):
        return torch.ops.test.scale(torch.tanh(self.mix(x)), by) + torch.ops.test.scale(x)


class All(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        rows, negated = torch.ops.test.split(x.t(), 1)
        both = torch.ops.test.blend([rows, negated * 3], None, "single", [2, 5], True)
        return both, torch.ops.test.mask(x), torch.ops.test.blend([x], 0.5, "double", [], False), torch.ops.test.product(x, y)


def saved_as(way, module, examples, folder):
    path = folder / f"program.{'pt2' if way == 'exported' else 'pt'}"
    if way == "exported":
        torch.export.save(torch.export.export(module, examples), path)
    else:
        (torch.jit.script(module) if way == "scripted" else torch.jit.trace(module, examples)).save(str(path))
    return path


WAYS = ["scripted", "traced", "exported"]


@pytest.mark.parametrize("way", WAYS)
def test_values(way, operators, jit_run, tmp_path):
    for module, arguments in ((Scaled().eval(), (torch.randn(4, 3),)), (All(), (torch.randn(4, 3), torch.randn(4, 3)))):
        path = saved_as(way, module, arguments, tmp_path)
        with torch.no_grad():
            expected = module(*arguments)
        jit_run(path, *arguments, flags=[f"--operators={operators}"]).assert_close(expected)


@pytest.mark.parametrize("way", WAYS)
def test_gradients(way, operators, jit_run, tmp_path):
    class Trained(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor):
            return torch.ops.test.product(torch.ops.test.scale(torch.sin(x), 3.0), y)

    x, y = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)
    module = Trained()
    path = saved_as(way, module, (x.detach(), y.detach()), tmp_path)
    module(x, y).sum().backward()
    got = jit_run(path, x, y, flags=[f"--operators={operators}", "--grad"])
    got.assert_ok()
    np.testing.assert_allclose(got.gradient(0), x.grad.numpy(), rtol=1e-5)
    np.testing.assert_allclose(got.gradient(1), y.grad.numpy(), rtol=1e-5)


def test_element_types_and_no_tensor_among_arguments(operators, jit_run, tmp_path):
    class Ramps(torch.nn.Module):
        def forward(self, count: int):
            byte = torch.ops.test.ramp(count, torch.uint8)
            flag = torch.ops.test.ramp(count, torch.bool)
            return byte, flag, torch.ops.test.ramp(count + 1, torch.int64), torch.ops.test.ramp(2, torch.float64) * 0.5, \
                torch.ops.test.count(byte > 1), torch.ops.test.count(torch.logical_not(flag)), torch.ops.test.count(byte)

    path = saved_as("scripted", Ramps(), None, tmp_path)
    for count in (5, 1, 0):
        jit_run(path, count, flags=[f"--operators={operators}"]).assert_close(Ramps()(count))


def test_lists(operators, jit_run, tmp_path):
    """One that the program makes in a loop, and one that it is given."""
    class Lists(torch.nn.Module):
        def forward(self, xs: List[torch.Tensor], n: int):
            made = [xs[0]]
            for i in range(n):
                made.append(made[i] + xs[1])
            return torch.ops.test.blend(made, 2.0, "single", [n, len(made)], True), torch.ops.test.blend(xs, None, "double", [1], True)

    path = saved_as("scripted", Lists(), None, tmp_path)
    xs = [torch.randn(3), torch.randn(3)]
    jit_run(path, xs, 3, flags=[f"--operators={operators}"]).assert_close(Lists()(xs, 3))


def test_gradients_of_gradients(operators, jit_run, tmp_path):
    class Force(torch.nn.Module):
        def forward(self, x: torch.Tensor):
            energy = torch.ops.test.scale(torch.sin(torch.ops.test.scale(x, 3.0)), 0.5).sum()
            force = torch.autograd.grad([energy], [x], create_graph=True)[0]
            assert force is not None
            return (force * force).sum()

    x = torch.randn(4, requires_grad=True)
    Force()(x).backward()
    path = saved_as("scripted", Force(), None, tmp_path)
    got = jit_run(path, x, flags=[f"--operators={operators}", "--grad"])
    got.assert_ok()
    np.testing.assert_allclose(got.gradient(0), x.grad.numpy(), rtol=1e-4)


def test_any_sizes_falls_back_to_the_calls_own(operators, jit_run, tmp_path):
    module = Scaled().eval()
    path = saved_as("scripted", module, None, tmp_path)
    for rows in (2, 5):
        x = torch.randn(rows, 3)
        jit_run(path, x, 1.5, flags=[f"--operators={operators}", "--any-sizes"]).assert_close(module(x, 1.5))


def test_in_loops_and_branches(operators, jit_run, tmp_path):
    class Loop(torch.nn.Module):
        def forward(self, x: torch.Tensor, steps: int):
            for _ in range(steps):
                if bool(x.sum() > 0):
                    x = torch.ops.test.scale(x, 0.5) - 1
                else:
                    x = torch.ops.test.scale(x, 1.5) + 3
            while bool(x.max() < 20):
                x = torch.ops.test.scale(x * x + 1)
            return x

    module = Loop()
    path = saved_as("scripted", module, None, tmp_path)
    for x in (torch.randn(4, 3), torch.randn(7)):
        jit_run(path, x, 4, flags=[f"--operators={operators}"]).assert_close(module(x, 4))


def test_writes_and_views_around_it(operators, jit_run, tmp_path):
    class Written(torch.nn.Module):
        def forward(self, x: torch.Tensor):
            y = torch.ops.test.scale(x[:, 1:], 3.0)
            y.add_(1)
            x[:, 1:] = torch.ops.test.scale(y)
            return torch.cat([y, torch.ops.test.scale(x.t().contiguous().t())], 1), x.sum()

    x = torch.randn(4, 3)
    path = saved_as("scripted", Written(), None, tmp_path)
    jit_run(path, x.clone(), flags=[f"--operators={operators}"]).assert_close(Written()(x.clone()))


# ---- what is refused ----


def refused(saved, jit_run, module, arguments, flags, *texts):
    path, _ = saved(module)
    jit_run(path, *arguments, flags=flags).assert_fails_with(*texts)


class One(torch.nn.Module):
    def forward(self, x: torch.Tensor, by: float):
        return torch.ops.test.scale(x, by)


def test_without_its_file(saved, jit_run):
    refused(saved, jit_run, One(), (torch.ones(3), 2.0), [],
            "operator test::scale is not supported for arguments (Tensor, float)", "--operators=FILE", "jit_mlir.register")


def test_an_operator_that_the_file_lacks(saved, jit_run, operators):
    class Absent(torch.nn.Module):
        def forward(self, x: torch.Tensor):
            return torch.ops.test.absent(x)

    refused(saved, jit_run, Absent(), (torch.ones(3),), [f"--operators={operators}"], "operator test::absent is not supported")


def test_a_size_that_data_tell(saved, jit_run, operators):
    class Chosen(torch.nn.Module):
        def forward(self, x: torch.Tensor):
            return torch.ops.test.scale(x[x > 0], 2.0)

    refused(saved, jit_run, Chosen(), (torch.ones(3),), [f"--operators={operators}"],
            "expected more to be known of the arguments of test::scale; it needs the sizes of its tensors")


def test_open_sizes_of_a_package(saved, operators, tmp_path):
    path, _ = saved(One())
    done = run("jit-compile", path, f"--operators={operators}", "--call=forward(f32[n,3], ?float)", "-o", tmp_path / "libown.so")
    assert done.returncode == 1 and "arguments of test::scale" in done.stderr and "whose sizes are open" in done.stderr, done.stderr


def test_a_package_for_a_gpu(saved, operators, tmp_path):
    path, _ = saved(One())
    done = run("jit-compile", path, f"--operators={operators}", "--call=forward(f32[3], ?float)", "--target=cuda", "-o", tmp_path / "libown.so")
    assert done.returncode == 1 and "test::scale(Tensor x, float by=2.0) -> Tensor: expected the target cpu, got 'cuda'" in done.stderr, done.stderr


def test_what_the_sizes_function_refuses(saved, jit_run, operators):
    refused(saved, jit_run, One(), (torch.ones(3, dtype=torch.float64), 2.0), [f"--operators={operators}"],
            "test::scale(Tensor x, float by=2.0) -> Tensor: expected elements of f32, got element type 7", "test_custom_operators.py:")


def test_what_the_function_raises(saved, jit_run, operators):
    refused(saved, jit_run, One(), (torch.ones(3), -1.0), [f"--operators={operators}"],
            "test::scale(Tensor x, float by=2.0) -> Tensor: expected {a factor} of at least 0, got -1")


def test_complex_elements(saved, jit_run, operators):
    refused(saved, jit_run, One(), (torch.ones(3, dtype=torch.complex64), 2.0), [f"--operators={operators}"],
            "test::scale(Tensor x, float by=2.0) -> Tensor", "expected a real Tensor as 'x'")


def test_no_gradient(saved, jit_run, operators):
    class Split(torch.nn.Module):
        def forward(self, x: torch.Tensor):
            return torch.ops.test.split(x, 1)[0]

    refused(saved, jit_run, Split(), (torch.ones(3, requires_grad=True),), [f"--operators={operators}", "--grad"],
            "expected an operator with a gradient, got test::split(Tensor x, int first) -> (Tensor, Tensor)")


@pytest.mark.parametrize("target", ["cuda-emulation"])
def test_other_targets(saved, jit_run, operators, target):
    refused(saved, jit_run, One(), (torch.ones(3), 2.0), [f"--operators={operators}", f"--target={target}"],
            "test::scale(Tensor x, float by=2.0) -> Tensor: expected the target cpu, got 'cuda-emulation'")


# ---- packages ----


def test_a_package_beside_its_operators(saved, compiled, operators, tmp_path):
    path, reference = saved(Scaled())
    shutil.copy(operators, tmp_path)
    library = compiled(path, ["forward(f32[4,3], ?float)"], f"--operators={operators}")
    needed = subprocess.run(["readelf", "-d", tmp_path / "libprogram.so"], capture_output=True, text=True, check=True).stdout
    assert "[operators.so]" in needed and "[$ORIGIN]" in needed
    module = library.open()
    x = torch.randn(4, 3)
    (got,) = module.call("forward", x, 1.5)
    np.testing.assert_allclose(got, reference(x, 1.5).detach().numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(Exception, match="expected {a factor} of at least 0, got -1"):
        module.call("forward", x, -1.0)


@pytest.mark.parametrize("suffix", [".a", ".o"])
def test_a_static_package_in_c(saved, compiled, operators, tmp_path, suffix):
    path, _ = saved(One())
    library = compiled(path, ["forward(f32[3], ?float)"], f"--operators={operators}", suffix=suffix)
    shutil.copy(operators, tmp_path / "liboperators.so")
    source = """
#include "libprogram.h"
#include <stdio.h>
int main(void) {
  jit_module *module;
  jit_error error;
  float x[3] = {1, 2, 3}, y[3];
  if (program_open(NULL, &module, &error) != JIT_OK ||
      program_forward(module, JIT_ARRAY(x, JIT_F32, 3), 2.5, JIT_ARRAY(y, JIT_F32, 3), &error) != JIT_OK)
    return fprintf(stderr, "%s\\n", error.message), 1;
  printf("%g %g %g\\n", y[0], y[1], y[2]);
  program_close(module);
  return 0;
}
"""
    program = build_c(tmp_path, source, library, extra=[tmp_path / "liboperators.so", f"-Wl,-rpath,{tmp_path}"])
    assert subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout == "2.5 5 7.5\n"


# ---- files ----

HEAD = '#include "jit-c/Operators.h"\n'
FUNCTIONS = """
static jit_status sizes(const jit_value *arguments, jit_result_type *results, jit_error *error) { return JIT_OK; }
JIT_OPERATORS_EXPORT jit_status own_compute(const jit_value *arguments, const jit_tensor *results, jit_error *error);
jit_status own_compute(const jit_value *arguments, const jit_tensor *results, jit_error *error) { return JIT_OK; }
"""


def declared(*schemas, gradient="NULL"):
    operators = [f'JIT_OPERATOR("{schema}", sizes, own_compute, {gradient if i == 0 else "NULL"})' for i, schema in enumerate(schemas)]
    return FUNCTIONS + f"JIT_OPERATORS({', '.join(operators)})"


GRADIENT = 'my::f(Tensor x, int n) -> Tensor'
BAD_FILES = {
    "no table": ("int x;", "expected a file of operators, which exports jit_operators_table"),
    "null table": ("const jit_operator_list *jit_operators_table(void) { return NULL; }", "expected a file of operators"),
    "version": ("const jit_operator_list *jit_operators_table(void) { static const jit_operator_list t = {7, 1, NULL}; return &t; }",
                "expected version 1 of jit-c/Operators.h, got 7"),
    "null operators": ("const jit_operator_list *jit_operators_table(void) { static const jit_operator_list t = {1, 1, NULL}; return &t; }",
                       "expected at most 65536 operators, got 1"),
    "null function": (FUNCTIONS + 'JIT_OPERATORS({"my::f(Tensor x) -> Tensor", NULL, own_compute, "own_compute", NULL})',
                      "expected a schema and two functions of each operator, got a null pointer"),
    "no schema": (declared("my::f"), "expected a schema in PyTorch's words, got 'my::f'"),
    "no result": (declared("my::f(Tensor x) -> ()"), "expected a tensor as result, got none"),
    "no namespace": (declared("f(Tensor x) -> Tensor"), "expected a name with a namespace before it"),
    "namespace": (declared("aten::f(Tensor x) -> Tensor"), "expected a namespace of your own, got aten"),
    "writes": (declared("my::f(Tensor(a!) x) -> Tensor"), "expected arguments that are neither written nor shared"),
    "alias": (declared("my::f(Tensor x) -> Tensor(a)"), "expected results of memory of their own"),
    "number": (declared("my::f(Tensor x) -> int"), "expected tensors as results, got another"),
    "device": (declared("my::f(Tensor x, Device d) -> Tensor"), "got another as 'd'"),
    "complex": (declared("my::f(Tensor x, complex c) -> Tensor"), "got another as 'c'"),
    "twice": (declared("my::f(Tensor x) -> Tensor", "my::f(Tensor y) -> Tensor"), "expected an operator of another name"),
    "not exported": (FUNCTIONS.replace("JIT_OPERATORS_EXPORT", "static").replace("\njit_status own", "\nstatic jit_status own")
                     + 'JIT_OPERATORS(JIT_OPERATOR("my::f(Tensor x) -> Tensor", sizes, own_compute, NULL))',
                     "expected the file to export the function 'own_compute'"),
    "taken": (declared("my::f(Tensor x) -> Tensor").replace("own_compute", "hypotf"), "expected a function whose name nothing else has, got 'hypotf'"),
    "ours": (declared("my::f(Tensor x) -> Tensor").replace("own_compute", "jit_rt_fail"), "got 'jit_rt_fail'"),
    "no gradient": (declared(GRADIENT, gradient='"my::g"'), "expected an operator of the file as gradient of " + GRADIENT + ", got 'my::g'"),
    "gradient's argument": (declared(GRADIENT, "my::g(Tensor other) -> Tensor grad_x", gradient='"my::g"'), "as arguments, got 'other'"),
    "gradient's type": (declared(GRADIENT, "my::g(Tensor grad, Tensor n) -> Tensor grad_x", gradient='"my::g"'), "expected 'n' to be of the operator's type"),
    "gradient's result": (declared(GRADIENT, "my::g(Tensor grad) -> Tensor grad_n", gradient='"my::g"'), "expected results called grad_NAME"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_files_that_are_none_of_operators(name, saved, jit_run, tmp_path):
    text, message = BAD_FILES[name]
    (tmp_path / "bad.c").write_text(HEAD + text)
    command = ["clang-22", "-std=c11", "-w", "-shared", "-fPIC", f"-I{ROOT / 'include'}", tmp_path / "bad.c", "-o", tmp_path / "bad.so"]
    subprocess.run(list(map(str, command)), check=True, timeout=60)
    refused(saved, jit_run, One(), (torch.ones(3), 2.0), [f"--operators={tmp_path / 'bad.so'}"], "bad.so: ", message)


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"plain text", bytes(range(256)) * 64])
def test_files_that_are_no_shared_object(content, saved, jit_run, tmp_path):
    (tmp_path / "bad.so").write_bytes(content)
    refused(saved, jit_run, One(), (torch.ones(3), 2.0), [f"--operators={tmp_path / 'bad.so'}"], "bad.so: ")


def test_a_file_that_is_not_there(saved, jit_run, tmp_path):
    refused(saved, jit_run, One(), (torch.ones(3), 2.0), [f"--operators={tmp_path / 'none.so'}"], "none.so: No such file or directory")


RESULTS = {
    "nothing": ("return JIT_OK;", "element type -1 and -1 sizes"),
    "no such type": ("jit_result_like(&results[0], &arguments[0].as.tensor); results[0].dtype = 99; return JIT_OK;", "element type 99"),
    "complex": ("jit_result_like(&results[0], &arguments[0].as.tensor); results[0].dtype = JIT_C64; return JIT_OK;", "element type 9"),
    "negative": ("jit_result_like(&results[0], &arguments[0].as.tensor); results[0].sizes[0] = -1; return JIT_OK;", "sizes [-1]"),
    "rank": ("results[0].dtype = JIT_F32; results[0].rank = 65; return JIT_OK;", "65 sizes"),
    "too many": ("results[0].dtype = JIT_F32; results[0].rank = 2; results[0].sizes[0] = results[0].sizes[1] = 1ll << 62; return JIT_OK;",
                 "expected at most"),
    "without a message": ("return JIT_UNSUPPORTED;", "expected other arguments"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_sizes_that_no_tensor_has(name, saved, jit_run, tmp_path):
    body, message = RESULTS[name]
    (tmp_path / "bad.c").write_text(HEAD + declared("test::scale(Tensor x, float by=2.0) -> Tensor").replace("{ return JIT_OK; }", f"{{ {body} }}", 1))
    file = build(tmp_path / "bad.c", tmp_path / "bad.so")
    refused(saved, jit_run, One(), (torch.ones(3), 2.0), [f"--operators={file}"], message, "test_custom_operators.py:")


def test_in_cpp(saved, jit_run, tmp_path):
    """One header serves C++ too."""
    (tmp_path / "own.cpp").write_text(HEAD + """
static jit_status sizes(const jit_value *arguments, jit_result_type *results, jit_error *) {
  jit_result_like(&results[0], &arguments[0].as.tensor);
  return JIT_OK;
}
extern "C" jit_status own_scale(const jit_value *arguments, const jit_tensor *results, jit_error *) {
  auto *x = static_cast<const float *>(arguments[0].as.tensor.data);
  for (int64_t i = 0; i < jit_element_count(&results[0]); ++i)
    static_cast<float *>(results[0].data)[i] = x[i] * float(arguments[1].as.real);
  return JIT_OK;
}
JIT_OPERATORS(JIT_OPERATOR("test::scale(Tensor x, float by=2.0) -> Tensor", sizes, own_scale, nullptr))
""")
    file = build(tmp_path / "own.cpp", tmp_path / "own.so")
    path, reference = saved(One())
    jit_run(path, torch.ones(3), 2.5, flags=[f"--operators={file}"]).assert_close(reference(torch.ones(3), 2.5))


# ---- the cache ----


def test_another_file_is_another_program(saved, tmp_path):
    """What was compiled with a file of operators is not found by who has changed it."""
    path, _ = saved(One())
    source = (HEAD + FUNCTIONS + 'JIT_OPERATORS(JIT_OPERATOR("test::scale(Tensor x, float by=2.0) -> Tensor", sizes, own_compute, NULL))').replace(
        "{ return JIT_OK; }", "{ jit_result_like(&results[0], &arguments[0].as.tensor); return JIT_OK; }", 1)
    run = JitRun(tool("jit-run"), tmp_path)
    run.is_found = True
    for number in (3.0, 7.0):
        (tmp_path / "own.c").write_text(source.replace(
            "{ return JIT_OK; }", f"{{ for (int i = 0; i < 3; ++i) ((float *)results[0].data)[i] = {number}f; return JIT_OK; }}"))
        built = build(tmp_path / "own.c", tmp_path / "own.new")
        pathlib.Path(built).rename(tmp_path / "own.so")
        run(path, torch.ones(3), 2.0, flags=[f"--operators={tmp_path / 'own.so'}"]).assert_close(torch.full((3,), number))


def test_what_was_compiled_is_found(saved, operators, tmp_path):
    path, _ = saved(One())
    arguments = [path, f"--operators={operators}", "--input=f32[3]", "--input=2.0", f"--cache={tmp_path / 'cache'}", "--time-report"]
    first, second = run("jit-run", *arguments), run("jit-run", *arguments)
    assert "codegen" in first.stderr and "codegen" not in second.stderr, second.stderr
    assert first.stdout == second.stdout != ""


# ---- child processes ----


def test_isolated(saved, operators, tmp_path):
    path, reference = saved(Scaled())
    x = torch.randn(4, 3, requires_grad=True)
    isolated = JitRun(tool("jit-run"), tmp_path)
    isolated.is_found = True  # without --verify-stages
    got = isolated(path, x, 1.5, flags=[f"--operators={operators}", "--isolate", "--grad"])
    got.assert_close(reference(x, 1.5))


def test_a_sizes_function_that_crashes(saved, tmp_path):
    (tmp_path / "bad.c").write_text(HEAD + declared("test::scale(Tensor x, float by=2.0) -> Tensor").replace(
        "{ return JIT_OK; }", "{ *(volatile int *)0 = 1; return JIT_OK; }", 1))
    file = build(tmp_path / "bad.c", tmp_path / "bad.so")
    path, _ = saved(One())
    done = run("jit-run", path, f"--operators={file}", "--isolate", "--input=f32[3]", "--input=2.0", cwd=tmp_path)
    assert done.returncode in (1, 2) and "error: " in done.stderr, done.stderr


# ---- Python ----


@pytest.fixture
def registered(jit_mlir, operators):
    return jit_mlir, jit_mlir.register(operators)


def test_register(registered):
    jit_mlir, schemas = registered
    assert "test::scale(Tensor x, float by=2.0) -> Tensor" in schemas
    with pytest.raises(jit_mlir.Error, match="No such file"):
        jit_mlir.register("nowhere.so")


def test_compiled_in_python(registered):
    jit_mlir, _ = registered
    module = Scaled()
    x = torch.randn(4, 3, requires_grad=True)
    got = jit_mlir.compile(module)(x, 1.5)
    expected = module(x, 1.5)
    torch.testing.assert_close(got, expected)
    (ours,), (theirs,) = torch.autograd.grad(got.sum(), x), torch.autograd.grad(expected.sum(), x)
    torch.testing.assert_close(ours, theirs)
    with pytest.raises(jit_mlir.Error, match="expected {a factor} of at least 0") as raised:
        jit_mlir.compile(module)(x.detach(), -1.0)
    assert raised.value.python_class == "builtins.RuntimeError"


def test_torch_compile(registered):
    import jit_mlir.dynamo

    jit_mlir.dynamo.reset()
    module = Scaled()
    fast = torch.compile(module, backend="jit_mlir")
    x = torch.randn(4, 3)
    got, expected = fast(x, 1.5), module(x, 1.5)
    torch.testing.assert_close(got, expected)
    got.sum().backward()
    ours = module.mix.weight.grad.clone()
    module.mix.weight.grad = None
    expected.sum().backward()
    torch.testing.assert_close(ours, module.mix.weight.grad)
    assert all(graph.reason == "" for graph in jit_mlir.dynamo.graphs()), jit_mlir.dynamo.report()


# ---- the tools ----


def run(name, *arguments, cwd=None):
    return subprocess.run([tool(name), *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=cwd)


def test_the_list_says_whose_gradient(operators):
    import json

    listed = json.loads(run("jit-translate", "--list-operators", "--json", f"--operators={operators}").stdout)
    by_schema = {row["schema"]: row for row in listed}
    scale = by_schema["test::scale(Tensor x, float by=2.0) -> Tensor"]
    assert (scale["computed"], scale["gradient"]) == ("function", "test::scale_backward")
    assert by_schema["test::mask(Tensor x) -> Tensor"]["gradient"] == "none"


def test_diff_and_reduce_know_it_by_its_name(saved, operators, tmp_path):
    path, _ = saved(Scaled())
    inputs = [f"--operators={operators}", "--input=f32[4,3]", "--input=1.5"]
    done = run("jit-diff", path, *inputs, "--verbose")
    assert done.returncode == 0 and "equal: " in done.stdout, done.stdout + done.stderr
    assert "aten.custom" not in done.stdout
    small = tmp_path / "small.mlir"
    done = run("jit-reduce", path, f"--operators={operators}", "--input=f32[4,3]", "--input=-1.5", "--refusal=a factor", f"--output={small}")
    assert done.returncode == 0 and "test::scale(" in small.read_text(), done.stdout + done.stderr


def test_as_a_graph_and_back(saved, operators, jit_run, tmp_path):
    class Both(torch.nn.Module):
        def forward(self, x: torch.Tensor):
            y = torch.ops.test.scale(x, 3.0)
            x.copy_(y)
            return x + y

    path, reference = saved(Both())
    done = run("jit-translate", f"--export-graph={path}", f"--operators={operators}", "-o", tmp_path / "graph.txt")
    assert done.returncode == 0 and "test::scale(" in (tmp_path / "graph.txt").read_text(), done.stderr
    jit_run(tmp_path / "graph.txt", torch.ones(3), flags=[f"--operators={operators}"]).assert_close(reference(torch.ones(3)))
