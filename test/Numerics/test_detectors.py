"""torchvision's detectors with random weights, scripted and traced: what they find is what eager PyTorch finds, or they are refused.

The operators that eager PyTorch calls are those of vision_operators.py. `torch.export` does not write these models: how many boxes
there are is asked of while it traces.
"""

import architectures
import pytest
import torch
from torch import nn

architectures.torchvision()

# Those that are compiled: what refuses the others is a reason, never a crash.
COMPILED = {("traced", "fcos_resnet50_fpn"), ("traced", "ssd300_vgg16"), ("traced", "ssdlite320_mobilenet_v3_large")}


class Found(nn.Module):
    """What was found in one image, by name."""

    def __init__(self, detector):
        super().__init__()
        self.detector = detector

    def forward(self, image):
        found = self.detector([image])[0]
        return tuple(found[name] for name in sorted(found))


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
        if (way, name) in COMPILED:
            got.assert_close(reference(*arguments), rtol=1e-3, atol=1e-3)
        else:
            got.assert_fails_with("error: ")
