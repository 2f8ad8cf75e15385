"""docs/add-an-op.md to the letter: its example in a copy of the sources, built (a minute with a warm ccache, so with --full), run and
compared with PyTorch."""

import pathlib
import re
import shutil
import subprocess

import pytest
import torch
from conftest import ROOT
from running import JitRun

PAGE = (ROOT / "docs/add-an-op.md").read_text()
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```", PAGE, flags=re.M | re.S)


def copy_sources(folder):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def follow(folder):
    """Each block that names a file goes to its end, the commands run."""
    shown = ""
    for language, name, text in BLOCKS:
        if name:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((path.read_text() if path.exists() else "") + text)
        elif language == "sh":
            done = subprocess.run(["bash", "-eu", "-c", text], cwd=folder, capture_output=True, text=True, timeout=3000)
            assert done.returncode == 0, done.stdout + done.stderr
            shown += done.stdout
    return shown


def test_the_page_has_an_example():
    assert {"tablegen", "mlir", "sh"} <= {language for language, _, _ in BLOCKS}
    for _, name, _ in BLOCKS:
        assert not name or (ROOT / pathlib.Path(name).parent).is_dir(), name


def test_the_example(tmp_path, request):
    if not request.config.getoption("--full"):
        pytest.skip("builds everything: with --full")
    scratch = tmp_path / "scratch"
    copy_sources(scratch)
    shown = follow(scratch)
    assert "aten::_test_serialization_subcmul(Tensor self, Tensor other, Scalar alpha=1) -> Tensor" in shown

    class Uses(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return torch.ops.aten._test_serialization_subcmul(x, y, 3) * 2

    scripted = torch.jit.script(Uses())
    scripted.save(str(tmp_path / "uses.pt"))
    x, y = torch.randn(4, 5, requires_grad=True), torch.randn(5, requires_grad=True)
    jit_run = JitRun(scratch / "build/dev/bin/jit-run", tmp_path)
    jit_run(tmp_path / "uses.pt", x, y).assert_close(scripted(x, y))
    scripted(x, y).sum().backward()
    got = jit_run(tmp_path / "uses.pt", x, y, flags=["--grad"])
    got.assert_ok()
    for position, argument in enumerate((x, y)):
        torch.testing.assert_close(torch.from_numpy(got.gradient(position)), argument.grad)
