"""torchvision's detectors with random weights, scripted and traced: what they find is what eager PyTorch finds, or they are refused.

The operators that eager PyTorch calls are those of vision_operators.py. `torch.export` does not write these models: how many boxes
there are is asked of while it traces.
"""

import architectures
import pytest
import torch
from running import leaves
from tolerance import assert_near
from torch import nn

architectures.torchvision()

# Those that are compiled: what refuses the others is a reason, never a crash.
COMPILED = {("traced", "fcos_resnet50_fpn"), ("traced", "ssd300_vgg16"), ("traced", "ssdlite320_mobilenet_v3_large"),
            ("scripted", "fasterrcnn_mobilenet_v3_large_320_fpn"), ("scripted", "fcos_resnet50_fpn")}
# So are these, which take longer.
LONG = {("scripted", name) for name in ("fasterrcnn_mobilenet_v3_large_fpn", "fasterrcnn_resnet50_fpn", "fasterrcnn_resnet50_fpn_v2",
                                        "retinanet_resnet50_fpn", "retinanet_resnet50_fpn_v2", "ssd300_vgg16",
                                        "ssdlite320_mobilenet_v3_large", "maskrcnn_resnet50_fpn", "maskrcnn_resnet50_fpn_v2",
                                        "keypointrcnn_resnet50_fpn")}


class Found(nn.Module):
    """What was found in one image, by name."""

    def __init__(self, detector):
        super().__init__()
        self.detector = detector

    def forward(self, image):
        found = self.detector([image])[0]
        return tuple(found[name] for name in sorted(found))


def by_place(found):
    """Boxes of nearly one score come in the order that the machine's rounding gives them: here in that of where they are."""
    boxes = next(torch.as_tensor(value) for value in found if value.ndim == 2 and value.shape[1] == 4)
    order = boxes.double().sum(1).argsort()
    return [value[order] if value.shape[:1] == boxes.shape[:1] else value for value in found]


@pytest.mark.parametrize("name", architectures.detector_names())
@pytest.mark.parametrize("way", ["scripted", "traced"])
def test_detectors(way, name, saved, jit_run, pytestconfig):
    if (way, name) not in COMPILED and not pytestconfig.getoption("full"):
        pytest.skip("with --full")
    detector, image = architectures.detector(name), torch.rand(3, 64, 80)
    with torch.no_grad():
        if way == "scripted":
            archive, reference = saved(torch.jit.script(detector))
            arguments = [[image]]
        else:
            archive, reference = saved(torch.jit.trace(Found(detector).eval(), image, check_trace=False))
            arguments = [image]
        got = jit_run(archive, *arguments)
        if (way, name) in COMPILED | LONG:
            got.assert_ok()
            found, expected = list(got.outputs), list(leaves(reference(*arguments)))
            assert len(found) == len(expected)
            for number, (mine, theirs) in enumerate(zip(by_place(found), by_place(expected))):
                assert_near(mine, theirs, 1e-3, 1e-3, f"output {number}")
        else:
            got.assert_fails_with("error: ")


class Pooled(nn.Module):
    """Parts of feature maps of two sizes; the first call makes an object of what it finds the maps to be."""

    def __init__(self):
        super().__init__()
        self.pool = architectures.torchvision().ops.MultiScaleRoIAlign(["a", "b"], 3, 2)

    def forward(self, a: torch.Tensor, b: torch.Tensor, boxes: torch.Tensor):
        return self.pool({"a": a, "b": b}, [boxes], [(64, 64)])


def test_an_object_that_module_state_comes_to_hold(jit_mlir):
    scripted = torch.jit.script(Pooled())
    program = jit_mlir.compile(scripted)
    boxes = torch.rand(6, 4) * 32
    boxes[:, 2:] += boxes[:, :2]
    with torch.no_grad():
        for scale in (1.0, 0.2):
            arguments = torch.rand(1, 4, 16, 16), torch.rand(1, 4, 8, 8), boxes * scale
            torch.testing.assert_close(program(*arguments), scripted(*arguments))
