"""jit-compile: one file that a C program runs, compared with eager PyTorch; what it needs, exports and refuses."""

import os
import pathlib
import re
import shutil
import subprocess
import time
from typing import List, Optional, Tuple

import numpy as np
import pytest
import torch
from artifacts import build_c, Library, refusal
from conftest import ROOT, tool
from make_speech import into_chunks, make_speech
from models import traced_alexnet
from running import leaves
from torch import nn


class Gate(nn.Module):
    """An Optional, a check, two dtypes of argument and a nested result."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(1, 2, 8))

    def forward(self, x: torch.Tensor, bias: Optional[torch.Tensor] = None, times: float = 2.0):
        if x.size(-1) != 8:
            raise ValueError(f"expected {{8}} channels, got {x.size(-1)}")
        y = x * self.scale
        if bias is not None:
            y = y + bias
        return torch.relu(y), (y.sum(), [y * times])


GATE_CALLS = ["forward(f32[2,8])", "forward(f32[2,8], none, ?float)", "forward(f32[2,8], f32[8], ?float)",
              "forward(f32[3,7])"]


@pytest.fixture
def gate(saved, compiled):
    archive, reference = saved(Gate())
    return compiled(archive, GATE_CALLS, name="gate"), reference


@pytest.mark.parametrize("arguments", [(torch.randn(2, 8),), (torch.randn(2, 8), None, 0.5),
                                       (torch.randn(2, 8), torch.randn(8), 3.0), (torch.randn(2, 8), None, 3)])
def test_guards_find_the_code_for_a_call(gate, arguments):
    library, reference = gate
    got = library.open().call("forward", *arguments)
    for one, other in zip(got, leaves(reference(*arguments)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)  # a sum may be next to nothing


def test_a_call_that_was_not_compiled_lists_what_was(gate):
    library, _ = gate
    with pytest.raises(library.Error) as caught:
        library.open().call("forward", torch.randn(5, 8))
    message = str(caught.value)
    assert caught.value.status == 6
    assert "got forward(f32[5,8])" in message
    for call in ("forward(f32[2,8])", "forward(f32[2,8], none, ?float)", "forward(f32[2,8], f32[8], ?float)"):
        assert call in message


def test_the_programs_own_exception(gate):
    library, _ = gate
    with pytest.raises(library.Error) as caught:
        library.open().call("forward", torch.randn(3, 7))
    assert caught.value.status == 7 and caught.value.python_class == "builtins.ValueError"
    assert str(caught.value) == "expected {8} channels, got 7" and caught.value.where == ""


def test_places_are_kept_on_request(saved, compiled):
    library = compiled(saved(Gate())[0], GATE_CALLS[-1:], "--keep-places", name="placed")
    with pytest.raises(library.Error) as caught:
        library.open().call("forward", torch.randn(3, 7))
    assert re.search(r"test_packages\.py:\d+$", caught.value.where)


@pytest.mark.parametrize("argument, expected", [
    (torch.randn(2, 9), "argument 'x' of forward: expected f32[2,8], got f32[2,9]"),
    (torch.randn(2, 8).double(), "expected f32[2,8], got f64[2,8]"),
    (torch.randn(16), "expected f32[2,8], got f32[16]"),
    (torch.randn(8, 2).T, "expected f32[2,8] as row-major memory without gaps, got other strides"),
    (5, "expected f32[2,8], got 5"),
])
def test_one_kind_of_call_names_the_argument(saved, compiled, argument, expected):
    library = compiled(saved(Gate())[0], GATE_CALLS[:1], name="one")
    with pytest.raises(library.Error, match=re.escape(expected)):
        library.open().call("forward", argument)


def test_null_odd_and_shared_memory_is_refused(saved, compiled):
    library = compiled(saved(Gate())[0], GATE_CALLS[:1], name="memory")
    module = library.open()
    x = np.zeros((2, 8), np.float32)
    with pytest.raises(library.Error, match="got a null pointer"):
        module.call("forward", library.tensor(None, (2, 8), torch.float32))
    with pytest.raises(library.Error, match="got a misaligned address"):
        module.call("forward", library.tensor(x.ctypes.data + 1, (2, 8), torch.float32))
    with pytest.raises(library.Error, match="result 0: expected memory of its own, got that of argument 0"):
        module.call("forward", x, results=[library.tensor(x.ctypes.data, (2, 8), torch.float32), None, None])
    with pytest.raises(library.Error, match=re.escape("result 0: expected f32[2,8], got f32[2,7]")):
        module.call("forward", x, results=[library.tensor(x.ctypes.data, (2, 7), torch.float32), None, None])
    with pytest.raises(library.Error, match="expected room for 3 results, got 2"):
        module.call("forward", x, results=[None, None])
    with pytest.raises(library.Error, match="expected one of the methods forward, got 'backward'"):
        module.call("backward", x)


def test_results_go_to_the_callers_memory(gate):
    library, reference = gate
    x = torch.randn(2, 8)
    out = np.full((2, 8), np.nan, np.float32)
    library.open().call("forward", x, results=[library.tensor(out.ctypes.data, (2, 8), torch.float32), None, None])
    np.testing.assert_allclose(out, reference(x)[0].detach(), rtol=1e-6)


def test_in_place_arguments_are_written(saved, compiled):
    class Scale(nn.Module):
        def forward(self, x: torch.Tensor):
            x.mul_(2)
            return x.sum()

    library = compiled(saved(Scale())[0], ["forward(f32[4])"], name="inplace")
    x = np.arange(4, dtype=np.float32)
    assert library.open().call("forward", x) == [12.0]
    np.testing.assert_array_equal(x, [0, 2, 4, 6])


class Counter(nn.Module):
    """State of every kind: a tensor, an Optional, an int that goes on, a float."""

    total: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.register_buffer("sum", torch.zeros(3))
        self.total: Optional[torch.Tensor] = None
        self.calls = 0
        self.decay = 1.0

    def forward(self, x: torch.Tensor):
        self.calls += 1
        self.decay = self.decay * 0.5
        total = self.total
        self.total = x if total is None else total + x
        self.sum += x * self.decay
        return self.sum, self.calls

    @torch.jit.export
    def scaled(self, x: torch.Tensor):
        total = self.total
        return x if total is None else x * total


def test_state_goes_on_from_call_to_call(saved, compiled):
    archive, reference = saved(Counter())
    library = compiled(archive, ["forward(f32[3])", "scaled(f32[3])"], name="counter")
    one, other = library.open(), library.open()
    x = torch.randn(3)
    for round_ in range(2):
        for _ in range(4):
            for method in ("scaled", "forward", "scaled"):
                expected = list(leaves(getattr(reference, method)(x)))
                for got, want in zip(one.call(method, x), expected, strict=True):
                    np.testing.assert_allclose(got, want, rtol=1e-6)
        np.testing.assert_allclose(one.state("sum"), reference.sum, rtol=1e-6)
        assert one.state("calls") == 4
        assert other.state("calls") == 0, "instances share no state"
        one.reset()
        reference = torch.jit.load(str(archive))


@pytest.mark.parametrize("flags, text", [
    (["--call=forward"], "expected a call as 'method(arguments)'"),
    (["--call=nothing(f32[1])"], "expected one of the methods forward, got 'nothing'"),
    (["--input=f32[1", "--input=3"], "call's spec"),
    (["--input=f32[2,8]", "--cpu=pentagon"], "jit-compile: error: expected the name of a CPU, such as native or x86-64-v3, "
                                             "got 'pentagon'"),
    (["--input=f32[2,8]", "--cpu=native,pentium"], "got 'pentium'"),
    (["--input=f32[?,8]"], "expected a name for each size that stays open, as in f32[n,8], got 'f32[?,8]'"),
    (["--input=f32[" + ",".join(f"n{i}" for i in range(33)) + "]"], "expected at most 32 open sizes"),
])
def test_bad_requests(saved, tmp_path, flags, text):
    assert text in refusal(saved(Gate())[0], tmp_path / "libbad.so", *flags)


@pytest.mark.parametrize("arguments", ["(undef, f32[2])", "(f32[2], default)", "undef"])
def test_arguments_that_no_caller_can_give(saved, tmp_path, arguments):
    class Pair(nn.Module):
        def forward(self, pair: Tuple[torch.Tensor, torch.Tensor]):
            return pair[0] + pair[1]

    message = refusal(saved(Pair())[0], tmp_path / "libpair.so", f"--call=forward({arguments})")
    assert f"expected arguments that a call gives, got '{arguments}'" in message


def cpu_flags():
    return set(re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)[1].split())


LEVELS = {"x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}, "x86-64-v3": {"avx2", "bmi2", "fma"},
          "x86-64-v2": {"sse4_2", "popcnt"}, "x86-64": set()}


@pytest.mark.parametrize("cpus", ["x86-64,native", "native,x86-64", "x86-64,x86-64-v3,x86-64-v4", "x86-64-v3,x86-64",
                                  "sapphirerapids,x86-64-v2"])
def test_code_for_several_cpus(saved, compiled, cpus):
    """Opening takes the code that asks most of the CPU that this is, in whatever order they were asked for."""
    archive, reference = saved(nn.Sequential(nn.Linear(8, 33), nn.GELU(), nn.Linear(33, 5)))
    x = torch.randn(3, 8)
    module = compiled(archive, ["forward(f32[3,8])"], f"--cpu={cpus}", name="several").open()
    np.testing.assert_allclose(module.call("forward", x)[0], reference(x).detach(), rtol=1e-4, atol=1e-6)
    if "native" in cpus:
        assert module.cpu() not in LEVELS
    elif "sapphirerapids" not in cpus or "avx512_fp16" not in cpu_flags():
        assert module.cpu() == next(name for name, needed in LEVELS.items() if name in cpus.split(",") and needed <= cpu_flags())


@pytest.mark.skipif("avx512_fp16" in cpu_flags(), reason="this CPU runs code for the newest")
def test_a_cpu_that_none_fits(saved, compiled):
    archive, reference = saved(Gate())
    x = torch.randn(2, 8)
    library = compiled(archive, GATE_CALLS[:1], "--cpu=x86-64,sapphirerapids", name="either")
    np.testing.assert_allclose(library.open().call("forward", x)[0], reference(x)[0].detach(), rtol=1e-5)
    library = compiled(archive, GATE_CALLS[:1], "--cpu=sapphirerapids,graniterapids", name="neither")
    with pytest.raises(library.Error, match="expected a CPU with avx512.*, which 'neither' was compiled for") as caught:
        library.open()
    assert caught.value.status == 3


def test_gradients(saved, compiled):
    archive, reference = saved(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)))
    library = compiled(archive, ["forward.grad(f32[5,3]:grad)"], name="grads")
    x = torch.randn(5, 3, requires_grad=True)
    value = reference(x)
    value.sum().backward()
    module = library.open()
    got = module.call("forward.grad", x.detach())
    expected = [value.detach(), x.grad] + [p.grad for p in reference.parameters()]
    names = re.findall(r'"([^"]+)": %(\d+)', module.structure("forward.grad", x.detach()))
    by_name = {"0": x.grad, **{name: p.grad for name, p in reference.named_parameters()}}
    assert len(names) == len(by_name) and len(got) == len(expected)
    for name, index in names:
        np.testing.assert_allclose(got[int(index)], by_name[name], rtol=1e-5, atol=1e-6)


def test_a_training_step(saved, compiled):
    class Fit(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(4, 1)

        def forward(self, x: torch.Tensor, y: torch.Tensor):
            return (self.linear(x) - y).square().mean()

    archive, reference = saved(Fit())
    library = compiled(archive, ["forward(f32[16,4], f32[16,1])"], "--train", "--optimizer=adam", "--lr=0.05",
                       name="fit")
    x, y = torch.randn(16, 4), torch.randn(16, 1)
    optimizer = torch.optim.Adam(reference.parameters(), lr=0.05)
    module = library.open()
    for _ in range(20):
        optimizer.zero_grad()
        loss = reference(x, y)
        loss.backward()
        optimizer.step()
        np.testing.assert_allclose(module.call("forward", x, y)[0], loss.detach(), rtol=1e-4)
    np.testing.assert_allclose(module.state("linear.weight"), reference.linear.weight.detach(), rtol=1e-4)


SILERO_CALLS = ["forward(f32[1,512], 16000)", "forward(f32[1,256], 8000)"]


@pytest.fixture(scope="module")
def silero(silero_archive, tmp_path_factory):
    output = tmp_path_factory.mktemp("silero") / "libsilero.so"
    subprocess.run([tool("jit-compile"), silero_archive, "-o", output, *[f"--call={c}" for c in SILERO_CALLS]],
                   check=True, timeout=600)
    return Library(output)


@pytest.mark.parametrize("rate", [16000, 8000])
def test_silero_from_one_file(silero, silero_archive, rate, report):
    audio = make_speech(rate)[: 10 * rate]
    reference = torch.jit.load(str(silero_archive))
    module = silero.open()
    for chunk in into_chunks(audio, rate):
        with torch.no_grad():
            want = reference(torch.from_numpy(chunk)[None], rate)
        np.testing.assert_allclose(module.call("forward", chunk[None], rate)[0], want, rtol=0, atol=1e-4)
    report(f"libsilero.so: {silero.path.stat().st_size / 1024:.0f} KiB")


def test_an_artifact_needs_libc_and_libm_alone(silero):
    shown = subprocess.run(["readelf", "-d", silero.path], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", shown))
    assert needed <= {"libc.so.6", "libm.so.6"}, needed


def test_only_documented_symbols_are_exported(silero):
    shown = subprocess.run(["nm", "-D", "--defined-only", silero.path], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in shown.splitlines()}
    functions = ("open", "close", "find", "structure", "call", "state", "reset", "cpu", "depends_on_strides", "call_in",
                 "result", "target")
    assert names == {"jit_artifact", *(f"silero_{name}" for name in functions)}


def test_no_source_and_no_path_inside(silero):
    texts = re.findall(rb"[ -~]{6,}", silero.path.read_bytes())
    for text in (b".py", b"def ", b"__torch__", b"/tmp/", b"/root/", str(ROOT).encode()):
        assert not [found for found in texts if text in found], text


def test_weights_beside(saved, compiled, tmp_path):
    archive, reference = saved(nn.Linear(64, 64))
    weights = tmp_path / "linear.weights"
    library = compiled(archive, ["forward(f32[1,64])"], f"--weights={weights}", name="linear")
    inside = compiled(archive, ["forward(f32[1,64])"], name="inside")
    assert library.path.stat().st_size + 4096 * 3 < inside.path.stat().st_size
    x = torch.randn(1, 64)
    np.testing.assert_allclose(library.open().call("forward", x)[0], reference(x).detach(), rtol=1e-4, atol=1e-5)
    moved = tmp_path / "moved.weights"
    weights.rename(moved)
    with pytest.raises(library.Error, match="cannot open the weights"):
        library.open()
    x = torch.randn(1, 64)
    np.testing.assert_allclose(library.open(weights=moved).call("forward", x)[0], reference(x).detach(), rtol=1e-4,
                               atol=1e-5)
    content = bytearray(moved.read_bytes())
    moved.write_bytes(content[:-64])
    with pytest.raises(library.Error, match="expected weights of"):
        library.open(weights=moved)
    content[8] ^= 1
    moved.write_bytes(content)
    with pytest.raises(library.Error, match="got those of another"):
        library.open(weights=moved)


def test_threads_share_a_call(saved, compiled):
    archive, reference = saved(traced_alexnet())
    library = compiled(archive, ["forward(f32[1,3,224,224])"], name="alexnet")
    image = torch.randn(1, 3, 224, 224)
    with torch.no_grad():
        want = reference(image)
    for threads in (1, 4):
        np.testing.assert_allclose(library.open(threads=threads).call("forward", image)[0], want, rtol=1e-3, atol=1e-4)


USER_PROGRAM = """
#include "librelu.h"
#include <stdio.h>
int main(void) {
  jit_module *module;
  jit_error error;
  float x[4] = {-1, 2, -3, 4}, y[4];
  if (relu_open(NULL, &module, &error) != JIT_OK ||
      relu_forward(module, JIT_ARRAY(x, JIT_F32, 4), JIT_ARRAY(y, JIT_F32, 4), &error) != JIT_OK)
    return puts(error.message), 1;
  printf("%g %g %g %g\\n", y[0], y[1], y[2], y[3]);
  relu_close(module);
  return 0;
}
"""


@pytest.mark.parametrize("suffix", [".so", ".o", ".a"])
def test_a_c_program(saved, compiled, tmp_path, suffix):
    made = compiled(saved(nn.ReLU())[0], ["forward(f32[4])"], name="relu", suffix=suffix)
    program = build_c(tmp_path, USER_PROGRAM, tmp_path / f"librelu{suffix}")
    run = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (0, "0 2 0 4\n"), run
    assert made


def test_the_header_serves_cpp_and_strict_c(saved, compiled, tmp_path):
    compiled(saved(Gate())[0], GATE_CALLS, name="gate")
    source = tmp_path / "include_only.c"
    source.write_text('#include "libgate.h"\n')
    for command in (["clang-22", "-std=c99", "-pedantic"], ["clang++-22", "-std=c++20", "-x", "c++"]):
        subprocess.run([*command, "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-fsyntax-only", source], check=True,
                       timeout=60)


def test_strings_of_a_call_do_not_end_comments_of_the_header(saved, compiled, tmp_path):
    class Named(nn.Module):
        def forward(self, x: torch.Tensor, name: str):
            return x + len(name), name

    name = '/* "quoted" */ \\ /'
    call = 'forward(f32[2], "/* \\"quoted\\" */ \\\\ /")'
    module = compiled(saved(Named())[0], [call], name="named").open()
    assert module.call("forward", torch.zeros(2), name)[0].tolist() == [len(name)] * 2
    source = tmp_path / "include_only.c"
    source.write_text('#include "libnamed.h"\n')
    subprocess.run(["clang-22", "-std=c99", "-Wall", "-Wno-unused-function", "-Werror", "-fsyntax-only", source], check=True, timeout=60)


def test_it_runs_where_there_is_nothing_else(saved, compiled, tmp_path):
    """In a root folder with the program, the artifact and the C library."""
    compiled(saved(nn.ReLU())[0], ["forward(f32[4])"], name="relu")
    program = build_c(tmp_path, USER_PROGRAM, tmp_path / "librelu.so", runpath="/lib")
    root = tmp_path / "root"
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True,
                            env={"LD_LIBRARY_PATH": str(tmp_path)}).stdout
    files = re.findall(r"(/\S+) \(0x", listed)
    for file in {*files, str(tmp_path / "librelu.so")}:
        to = root / file.lstrip("/") if "ld-linux" in file else root / "lib" / file.split("/")[-1]
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, to)
    shutil.copy(program, root / "program")
    run = subprocess.run(["unshare", "-r", "chroot", root, "/program"], capture_output=True, text=True, timeout=60,
                         env={**os.environ, "LD_LIBRARY_PATH": "/lib"})
    if "unshare failed" in run.stderr:
        pytest.skip("this system lets nobody make a namespace")
    assert (run.returncode, run.stdout) == (0, "0 2 0 4\n"), run


@pytest.mark.parametrize("example", ["c/detect.c", "cpp/detect.cpp"])
def test_the_examples_find_speech(silero, silero_archive, tmp_path, example):
    source = ROOT / "examples" / example
    program = tmp_path / "detect"
    compiler = ["clang-22", "-std=c11"] if source.suffix == ".c" else ["clang++-22", "-std=c++20"]
    folder = silero.path.parent
    command = [*compiler, "-Wall", "-Wextra", "-Werror", source, silero.path, "-o", program, f"-I{folder}",
               f"-I{ROOT / 'include'}", f"-Wl,-rpath,{folder}"]
    subprocess.run(list(map(str, command)), check=True, timeout=60)
    chunks = into_chunks(make_speech(16000)[:80000], 16000)
    run = subprocess.run([program], input=chunks.astype(np.float32).tobytes(), capture_output=True, timeout=60)
    assert run.returncode == 0, run.stderr
    reference = torch.jit.load(str(silero_archive))
    with torch.no_grad():
        expected = [reference(torch.from_numpy(chunk)[None], 16000).item() for chunk in chunks]
    np.testing.assert_allclose([float(line) for line in run.stdout.split()], expected, rtol=0, atol=1e-4)


def test_opening_and_first_call_are_quick(silero, report, tmp_path):
    """The best of five files that nobody has opened before: load within 10 ms, the first call within 10 ms of the tenth."""
    chunk = np.zeros((1, 512), np.float32)
    loads, firsts, tenths = [], [], []
    for copy in range(5):
        path = tmp_path / str(copy) / silero.path.name
        path.parent.mkdir()
        shutil.copy(silero.path, path)
        begin = time.perf_counter()
        module = Library(path).open()
        loads.append(time.perf_counter() - begin)
        times = []
        for _ in range(10):
            begin = time.perf_counter()
            module.call("forward", chunk, 16000)
            times.append(time.perf_counter() - begin)
        firsts.append(times[0])
        tenths.append(times[9])
    best = min(range(5), key=lambda copy: firsts[copy] - tenths[copy])
    report(f"libsilero.so: opened in {min(loads) * 1e3:.2f} ms, first call {firsts[best] * 1e3:.2f} ms, tenth {tenths[best] * 1e3:.2f} ms")
    assert min(loads) < 0.01 and firsts[best] - tenths[best] < 0.01
