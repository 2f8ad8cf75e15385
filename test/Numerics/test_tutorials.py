"""The pages of docs/ as a reader follows them: their blocks in order, in an empty folder."""

import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest
from conftest import ROOT, tool

PAGE = (ROOT / "docs/tutorials.md").read_text()
SECTIONS = {section.split("\n", 1)[0]: section for section in re.split(r"^## ", PAGE, flags=re.M)[1:]}
LANGUAGES = {"python": [sys.executable, "-W", "ignore"], "sh": ["bash", "-eu"]}


def blocks(*pages):
    """(language, text) in order; Python goes on from block to block, so that each has those before it."""
    before = ""
    for page in pages:
        for language, text in re.findall(rf"^ *```({'|'.join(LANGUAGES)})\n(.*?)^ *```", page, flags=re.M | re.S):
            text = textwrap.dedent(text)
            if language == "python":
                text = before = before + text
            yield language, text


@pytest.fixture
def follow(tmp_path):
    """Runs the blocks of sections of the tutorials, or of a page; gives what the commands printed."""
    path = f"{tool('jit-run').parent}:{os.environ['PATH']}"
    if not shutil.which("cc"):
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "cc").symlink_to(shutil.which("clang-22"))
        path += f":{tmp_path / 'bin'}"

    def run(*sections, page=None):
        shown = ""
        for language, text in blocks(page) if page else blocks(*(SECTIONS[section] for section in sections)):
            source = tmp_path / f"block.{language}"
            source.write_text(text)
            done = subprocess.run([*LANGUAGES[language], source], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "PATH": path})
            assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
            shown += done.stdout + done.stderr
        return shown

    return run


def test_script_trace_export(follow, tmp_path):
    shown = follow("Scripted", "Traced", "Exported", "Out of TorchScript")
    assert {"blend.pt", "traced.pt", "exported.pt2", "rescued.pt2", "result.0.npy", "blend.svg"} <= {file.name for file in tmp_path.iterdir()}
    assert re.search(r"^forward\(x: .*, steps: .*\)$", shown, re.M)
    for text in ("f32[3,4] = ", "jit.group", "operators share one pass", "Execution time report", "f32[5,4] = "):
        assert text in shown
    assert shown.count("error:") == 1  # the call that the page says is refused


def test_one_file_for_c(follow, tmp_path, silero_archive):
    shutil.copy(silero_archive, tmp_path / "silero_vad.jit")
    shutil.copy(ROOT / "examples/c/detect.c", tmp_path)
    follow("One file for C")
    silence = bytes(4 * 512)
    found = subprocess.run([tmp_path / "detect"], input=silence, capture_output=True, timeout=60,
                           env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
    assert found.returncode == 0 and 0 <= float(found.stdout) < 0.5


def test_from_a_symptom_to_the_pass(follow, tmp_path):
    shown = follow(page=(ROOT / "docs/debugging.md").read_text())
    assert shown.count("error:") == 1 and "index 3 is out of range for a dimension of size 3" in shown  # the call that the page says is refused
    assert {"simplified.mlir", "after-each-pass.mlir"} <= {file.name for file in tmp_path.iterdir()}
    assert "jit.overwrite" not in (tmp_path / "simplified.mlir").read_text()
    assert "Execution time report" in shown and "jit.group" in shown


def test_the_spec_of_a_call(follow, tmp_path):
    shown = follow(page=(ROOT / "docs/call-spec.md").read_text())
    assert shown.count("error:") == 1 and "got 'f32[n,8]'" in shown  # the input that the page says is refused
    assert "tensor<?x8xf32>" in (tmp_path / "linalg.mlir").read_text()
    assert "%arg2: i64" in (tmp_path / "open-steps.mlir").read_text()
    assert (tmp_path / "y.grad0.npy").exists()


def test_operators_of_your_own(follow, tmp_path, monkeypatch):
    page = (ROOT / "docs/custom-operators.md").read_text()
    for name, text in re.findall(r"^```c (\S+)\n(.*?)^```", page, flags=re.M | re.S):
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("CPATH", str(ROOT / "include"))
    shown = follow(page=page)
    assert shown.count("error:") == 1 and "operator my::scale is not supported" in shown  # the call that the page says is refused
    assert "my::scale_backward(Tensor grad, float by) -> Tensor grad_x" in shown and "grad" in shown
    needed = subprocess.run(["readelf", "-d", tmp_path / "libmodel.so"], capture_output=True, text=True, check=True).stdout
    assert "[operators.so]" in needed


def test_each_door_has_a_section():
    assert {"Scripted", "Traced", "Exported", "One file for C", "C++", "Python", "torch.compile", "Embedding the compiler"} <= set(SECTIONS)
