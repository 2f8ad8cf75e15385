"""torchvision's detectors with random weights, scripted and traced: boxes, labels, scores, masks and keypoints are eager PyTorch's.

The operators that eager PyTorch calls are those of vision_operators.py. `torch.export` refuses these models: how many boxes there
are is asked of while it traces.
"""

import architectures
import pytest
import torch
from torch import nn

architectures.torchvision()


class Found(nn.Module):
    """What was found in one image, by name."""

    def __init__(self, detector):
        super().__init__()
        self.detector = detector

    def forward(self, image):
        found = self.detector([image])[0]
        return tuple(found[name] for name in sorted(found))


def built(name):
    return architectures.detector(name), torch.rand(3, 64, 80)


@pytest.mark.parametrize("name", architectures.detector_names())
def test_traced(name, agrees):
    detector, image = built(name)
    with torch.no_grad():
        agrees(torch.jit.trace(Found(detector).eval(), image, check_trace=False), image, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", architectures.detector_names())
def test_scripted(name, agrees):
    detector, image = built(name)
    agrees(torch.jit.script(detector), [image], rtol=1e-3, atol=1e-3)
