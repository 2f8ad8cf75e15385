"""The tools as a user meets them: help, exit codes, what is printed, what is written."""

import json
import os
import pty
import re
import subprocess
from typing import Optional

import numpy as np
import pytest
import torch
from conftest import ROOT, tool
from torch import nn


def run(name, *arguments, stdin=None):
    return subprocess.run([tool(name), *map(str, arguments)], capture_output=True, text=True, input=stdin, timeout=300)


@pytest.fixture
def scale(saved):
    class Scale(nn.Module):
        def forward(self, x: torch.Tensor, by: float = 2.0) -> torch.Tensor:
            return x * by

    return saved(nn.Sequential(nn.Linear(3, 2), nn.ReLU()))[0], saved(Scale(), "scale")[0]


@pytest.mark.parametrize("pipeline", ["jit-to-linalg", "jit-to-cpu", "jit-to-nvptx"])
def test_jit_opt_knows_each_pass_of_its_pipelines(pipeline, tmp_path):
    """What a failure leaves behind names them: --run-reproducer runs it."""
    (tmp_path / "empty.mlir").write_text("module {}")
    shown = run("jit-opt", tmp_path / "empty.mlir", f"--{pipeline}", "--dump-pass-pipeline", "-o", os.devnull)
    text = "".join(shown.stderr.split("passes:\n", 1)[1].split("\n)\n", 1)[0].split("\n")) + ")"
    again = run("jit-opt", tmp_path / "empty.mlir", f"--pass-pipeline={text}")
    assert "PassPipeline Parser" not in again.stderr


@pytest.mark.parametrize("name, options", [
    ("jit-run", ["--method", "--input", "--output", "--target", "--threads", "--time", "--dump-ir", "--repeat-over"]),
    ("jit-translate", ["--import", "-o"]),
    ("jit-opt", ["--jit-to-linalg", "--jit-to-cpu"]),
])
def test_help_shows_our_options(name, options):
    shown = run(name, "--help")
    assert shown.returncode == 0
    assert all(option in shown.stdout for option in options)


@pytest.mark.parametrize("name", ["jit-run", "jit-translate", "jit-cache"])
def test_help_hides_llvms_options(name):
    shown = run(name, "--help").stdout
    assert sum(line.startswith("  --") for line in shown.splitlines()) < 50
    assert "--aarch64" not in shown and "--x86-" not in shown and "--enable-" not in shown


@pytest.mark.parametrize("name", ["jit-run", "jit-compile", "jit-translate", "jit-opt", "jit-cache"])
def test_version_says_ours_and_llvms(name):
    shown = run(name, "--version")
    version = re.search(r"project\(Jit VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert shown.returncode == 0
    assert re.fullmatch(rf"JIT {re.escape(version)}, LLVM 22\.\d+\.\d+\n", shown.stdout), shown.stdout


def test_an_unknown_option_is_bad_input(scale):
    outcome = run("jit-run", scale[0], "--no-such-option")
    assert outcome.returncode == 1 and "no-such-option" in outcome.stderr


def test_outputs_are_printed_short_without_a_file(scale):
    outcome = run("jit-run", scale[1], "--input=f32[200,300]")
    assert outcome.returncode == 0
    assert "f32[200,300]" in outcome.stdout and len(outcome.stdout) < 2000


def test_tiles_are_measured_and_used(saved, agrees, tmp_path):
    module = nn.Sequential(nn.Conv2d(3, 24, 3), nn.ReLU(), nn.Flatten(), nn.Linear(24 * 8 * 8, 40)).eval()
    path, x = saved(module)[0], torch.randn(2, 3, 10, 10)
    table = tmp_path / "tiles.json"
    measured = run("jit-run", path, "--input=f32[2,3,10,10]", f"--tune={table}")
    assert measured.returncode == 0, measured.stderr
    assert re.search(r"ms  all 2 kinds of products", measured.stdout)
    found = json.loads(table.read_text())
    assert found["cpu"] and all(cut["vectors"] >= 1 for cut in found["products"].values())
    # Every product cut in another way than the model's gives the same values.
    texts = re.findall(r"1 x (f32 .*?)  ", measured.stdout)
    assert len(texts) == 2
    cut = {"packed": -1, "loop": 0, "vectors": 1, "points": [2, 1]}
    table.write_text(json.dumps({"version": 1, "cpu": found["cpu"], "products": {text: cut for text in texts}}))
    agrees(module, x, flags=[f"--tiles={table}"])


def test_tiles_for_another_machine_are_refused(scale, tmp_path):
    table, out = tmp_path / "tiles.json", tmp_path / "scale.o"
    table.write_text(json.dumps({"version": 1, "cpu": "x86-64-v3", "products": {}}))
    refused = run("jit-run", scale[1], "--input=f32[3]", f"--tiles={table}")
    assert refused.returncode == 1 and re.search(r"tiles.json: expected tiles for the CPU .*, got those for 'x86-64-v3'", refused.stderr)
    refused = run("jit-compile", scale[1], "--input=f32[3]", f"--tiles={table}", "-o", out)
    assert refused.returncode == 1 and "got those for 'x86-64-v3'" in refused.stderr and not out.exists()
    assert run("jit-compile", scale[1], "--input=f32[3]", f"--tiles={table}", "--cpu=x86-64-v2,x86-64-v3", "-o", out).returncode == 0
    for flag in (f"--tiles={table}", f"--tune={table}"):
        refused = run("jit-run", scale[1], "--input=f32[3]", "--target=cuda-emulation", flag)
        assert refused.returncode == 1 and "expected the target cpu for tiles, got 'cuda-emulation'" in refused.stderr
    refused = run("jit-run", scale[1], "--input=f32[3]", f"--tune={tmp_path}/none/tiles.json")
    assert refused.returncode == 1 and "none/tiles.json: No such file or directory" in refused.stderr


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_halves_are_printed_and_written(jit_run, tmp_path, dtype):
    path, x = tmp_path / "halves.pt", torch.tensor([1.5, -0.1, 65000.0])
    torch.jit.trace(lambda x: x.to(dtype), torch.zeros(3)).save(str(path))
    np.save(tmp_path / "x.npy", x.numpy())
    expected = x.to(dtype).float()
    shown = run("jit-run", path, f"--input=@{tmp_path / 'x.npy'}").stdout
    assert [float(text) for text in re.search(r"\[([-.\d]+, .*)\]", shown)[1].split(", ")] == pytest.approx(expected.tolist(), rel=1e-5)
    outcome = jit_run(path, x)
    outcome.assert_ok()
    written = outcome.outputs[0]
    assert written.dtype == (np.float16 if dtype == torch.float16 else np.float32)  # NumPy has no bf16
    np.testing.assert_array_equal(written.astype(np.float32), expected.numpy())


def test_a_time_report_names_stages_and_passes(scale):
    outcome = run("jit-run", scale[0], "--input=f32[5,3]", "--time-report")
    assert outcome.returncode == 0
    times = {name: float(time) for time, name in re.findall(r"^ +([\d.]+) \( *[\d.]+%\) +(.+)$", outcome.stderr, re.M)}
    stages = ["import", "normalize", "functionalize", "specialize", "infer", "simplify", "autodiff", "simplify-joint", "fuse",
              "lower", "codegen"]
    assert set(stages) <= set(times) and {"JitSpecialize", "JitFusePointwise", "EmitProducts", "machine code"} <= set(times)
    assert times["machine code"] > 0 and sum(times[stage] for stage in stages) <= times["Total"] * 1.01
    assert "Execution time" not in run("jit-run", scale[0], "--input=f32[5,3]").stderr


def test_passes_one_by_one_are_timed_too(tmp_path):
    (tmp_path / "empty.mlir").write_text("module {}")
    outcome = run("jit-opt", tmp_path / "empty.mlir", "--jit-decompose", "--mlir-timing")
    assert outcome.returncode == 0 and "JitDecompose" in outcome.stderr


def on_terminal(*command):
    """What a command writes to stderr where that is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # what a terminal says when nobody writes any more
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait() == 0, shown
    return shown.decode()


def test_a_long_compilation_shows_its_progress(saved, tmp_path):
    archive = saved(nn.Sequential(*[layer for i in range(30) for layer in (nn.Linear(40 + i, 41 + i), nn.GELU())]))[0]
    # Many CPUs, so that it takes seconds wherever this runs.
    flags = ["--input=f32[3,40]", "--cpu=" + ",".join(["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"] * 3),
             "-o", tmp_path / "libdeep.so"]
    shown = on_terminal(tool("jit-compile"), archive, *flags)
    assert re.search(r"compiling forward\.\d+: codegen", shown)
    assert shown.endswith("\r\033[K")  # erased
    assert run("jit-compile", archive, *flags).stderr == ""


def test_a_short_compilation_shows_nothing(scale):
    shown = on_terminal(tool("jit-run"), scale[1], "--input=f32[2,3]")
    assert shown == ""


def test_random_inputs_are_seeded(scale, tmp_path):
    for name in ("a", "b"):
        assert run("jit-run", scale[0], "--input=f32[5,3]", f"--output={tmp_path / name}").returncode == 0
    one, two = np.load(tmp_path / "a.0.npy"), np.load(tmp_path / "b.0.npy")
    assert one.shape == (5, 2) and one.std() > 0
    np.testing.assert_array_equal(one, two)


def test_the_time_is_the_last_line(scale):
    outcome = run("jit-run", scale[0], "--input=f32[5,3]", "--time=7")
    assert outcome.returncode == 0
    assert re.fullmatch(r"time: min [\d.]+ ms, median [\d.]+ ms, runs 7", outcome.stdout.splitlines()[-1])


def test_the_ir_after_each_stage_is_dumped(scale, tmp_path):
    outcome = run("jit-run", scale[0], "--input=f32[5,3]", f"--dump-ir={tmp_path / 'ir'}")
    assert outcome.returncode == 0
    dumped = sorted(p for p in (tmp_path / "ir").rglob("*") if p.is_file())
    assert len(dumped) >= 5
    assert any("aten.linear" in p.read_text() for p in dumped) and any("linalg." in p.read_text() for p in dumped)


def test_translate_prints_what_opt_reads(scale):
    imported = run("jit-translate", "--import", scale[0])
    assert imported.returncode == 0 and "aten.linear" in imported.stdout
    again = run("jit-opt", "-", stdin=imported.stdout)
    assert again.returncode == 0 and "aten.linear" in again.stdout


def test_translate_keeps_the_users_lines(saved):
    class Doubled(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + x

    line = Doubled.forward.__code__.co_firstlineno + 1
    imported = run("jit-translate", "--import", saved(Doubled())[0], "--mlir-print-debuginfo")
    assert re.search(rf'test_command_line.py":{line}:', imported.stdout), imported.stderr


@pytest.fixture
def optional(saved):
    class Optionally(nn.Module):
        def forward(self, x: torch.Tensor, bias: Optional[torch.Tensor] = None) -> torch.Tensor:
            y = torch.exp(x)
            if bias is not None:
                y = y + bias
            return y

    return saved(Optionally(), "optional")[0]


def test_the_graph_of_a_call_holds_no_other_branch(optional):
    shown = run("jit-run", optional, "--input=f32[2,3]", "--input=none", "--graph-for")
    assert shown.returncode == 0 and "aten.exp" in shown.stdout and "aten.add" not in shown.stdout and "scf.if" not in shown.stdout


def test_with_gradients_both_graphs_are_shown(optional):
    shown = run("jit-run", optional, "--input=f32[2,3]:grad", "--input=f32[3]:grad", "--graph-for", "--grad").stdout
    plain, both = shown.split("// With gradients:")
    assert "jit.group" in plain and "grad =" not in plain
    assert "grad = array<i64: 0>" in both and "grad = array<i64: 1>" in both


def test_what_was_done_is_explained_with_the_users_lines(optional):
    said = run("jit-run", optional, "--input=f32[2,3]:grad", "--input=f32[3]:grad", "--grad", "--explain").stderr
    file = re.escape(__file__)
    for text in (r"specialize: argument 'bias' is !jit.tensor<\[3\],f32>", file + r":\d+: specialize: the condition is true",
                 file + r":\d+: autodiff: a sum of a gradient stays", file + r":\d+: fuse: \d+ operators share one pass"):
        assert re.search(text, said), f"expected {text!r} in: {said}"
