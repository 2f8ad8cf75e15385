"""Pictures of graphs: well-formed, nothing on top of anything else, every operator there."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
import torch
from conftest import tool
from models import AlexNet
from torch import nn

SVG = "{http://www.w3.org/2000/svg}"


class Steps(nn.Module):
    """A loop of a cell and a branch, as people write it."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h, c = torch.zeros(x.size(1), 16), torch.zeros(x.size(1), 16)
        for t in range(x.size(0)):
            h, c = self.cell(x[t], (h, c))
            if bool(h.sum() > 0):
                h = h * 2
            else:
                h = h - c
        return h


def draw(archive, folder, *arguments):
    path = folder / "graph.svg"
    done = subprocess.run([tool("jit-run"), archive, f"--draw={path}", *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return ElementTree.parse(path).getroot()


def boxes(group):
    """The boxes that stand directly in a group: corner, size and element."""
    for element in group.findall(f"{SVG}g"):
        if element.get("class") in ("box", "result"):
            x, y = map(float, re.findall(r"-?[\d.]+", element.get("transform")))
            rect = element.find(f"{SVG}rect")
            yield x, y, float(rect.get("width")), float(rect.get("height")), element


def assert_apart(group):
    """No two boxes overlap that stand beside each other, and each holds what is in it."""
    here = list(boxes(group))
    for i, (x, y, width, height, element) in enumerate(here):
        for x2, y2, width2, height2, _ in here[:i]:
            assert x >= x2 + width2 or x2 >= x + width or y >= y2 + height2 or y2 >= y + height
        for panel in element.findall(f"{SVG}g[@transform]"):
            left, top = map(float, re.findall(r"-?[\d.]+", panel.get("transform")))
            for x2, y2, width2, height2, _ in boxes(panel):
                assert x2 + left >= 0 and x2 + left + width2 <= width + 0.2
                assert y2 + top >= 0 and y2 + top + height2 <= height + 0.2
            assert_apart(panel)


def names(root):
    return [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "name"]


def pictures(root):
    return [group for page in root.findall(f"{SVG}g") for group in page.findall(f"{SVG}g")]


@pytest.mark.parametrize("gradients", [False, True])
def test_a_loop_with_a_branch(saved, tmp_path, gradients):
    archive, _ = saved(Steps())
    root = draw(archive, tmp_path, "--input=f32[5,2,8]" + ":grad" * gradients, *["--grad"] * gradients)
    for picture in pictures(root):
        assert_apart(picture)
    assert {"for, 5 trips", "if", "group 1", "sigmoid", "tanh"} <= set(names(root))
    assert any("test_drawing.py:" in title.text for title in root.iter(f"{SVG}title"))


def test_alexnet(saved, tmp_path):
    archive, _ = saved(torch.jit.trace(AlexNet().eval(), torch.zeros(1, 3, 224, 224)))
    root = draw(archive, tmp_path, "--input=f32[1,3,224,224]")
    for picture in pictures(root):
        assert_apart(picture)
    assert names(root).count("convolution") == 5 and names(root).count("linear") == 3
    details = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "detail"]
    assert "weight features.0.weight f32[64,3,11,11]" in details


def test_a_file_that_cannot_be_written(saved, tmp_path):
    archive, _ = saved(nn.Sequential(nn.ReLU()))
    done = subprocess.run([tool("jit-run"), archive, "--input=f32[4]", f"--draw={tmp_path / 'none' / 'graph.svg'}"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and "graph.svg" in done.stderr
