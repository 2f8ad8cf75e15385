"""torchvision's operators: boxes that are kept, what boxes show, convolutions whose taps are moved; and what flows back.

What is expected is computed in plain PyTorch (vision_operators.py), as torchvision's own operators need a build of their own.
"""

import architectures
import pytest
import torch
from torch import Tensor, nn

architectures.torchvision()


def boxes(count, dtype, size=10.0):
    low = torch.rand(count, 2, dtype=dtype) * size - 2
    return torch.cat([low, low + torch.rand(count, 2, dtype=dtype) * size], 1)


def rois(dtype=torch.float32):
    """Of two images of 9 by 11: inside, across the border, outside, empty, turned over, and of the middle of pixels."""
    all_boxes = boxes(4, dtype).tolist() + [[-30, -40, -20, -30], [2, 2, 2, 2], [6, 7, 3, 2], [1.5, 2.5, 6.5, 7.5]]
    return torch.tensor([[i % 2, *box] for i, box in enumerate(all_boxes)], dtype=dtype)


IMAGES = 2, 12, 9, 11


# ---- Boxes that are kept ----


class Kept(nn.Module):
    def forward(self, dets: Tensor, scores: Tensor, threshold: float):
        kept = torch.ops.torchvision.nms(dets, scores, threshold)
        return kept, dets[kept]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.3, 1.0])
def test_boxes_are_kept(agrees, dtype, threshold):
    agrees(Kept(), boxes(40, dtype), torch.rand(40, dtype=dtype), threshold)


@pytest.mark.parametrize("name", ["equal scores", "equal boxes", "empty boxes", "turned over", "nan", "one", "none"])
def test_boxes_of_every_kind(agrees, name):
    dets, scores = boxes(12, torch.float32), torch.rand(12)
    if name == "equal scores":
        scores = (scores * 3).round()
    elif name == "equal boxes":
        dets, scores = dets[[0, 1, 0, 1, 0, 2]], torch.tensor([0.5, 0.5, 0.5, 0.7, 0.9, 0.1])
    elif name == "empty boxes":  # nothing of nothing is no overlap
        dets[3:8, 2:] = dets[3:8, :2]
        dets[5] = dets[4]
    elif name == "turned over":
        dets = dets[:, [2, 3, 0, 1]]
    elif name == "nan":
        scores[3], dets[5, 1] = torch.nan, torch.nan
    else:
        count = int(name == "one")
        dets, scores = dets[:count], scores[:count]
    agrees(Kept(), dets, scores, 0.4)


class KeptOfMany(nn.Module):
    def forward(self, dets: Tensor, scores: Tensor):
        likely = scores > 0.5
        dets, scores = dets[likely], scores[likely]
        return dets[torch.ops.torchvision.nms(dets, scores, 0.5)[:5]]


@pytest.mark.parametrize("shift", [0.0, 0.45, -1.0])
def test_boxes_whose_number_data_tell(agrees, shift):
    agrees(KeptOfMany(), boxes(30, torch.float32), torch.rand(30) + shift)


def test_bad_boxes(saved, jit_run):
    archive, _ = saved(Kept())
    for dets, scores in ((torch.rand(3, 5), torch.rand(3)), (torch.rand(3, 4), torch.rand(4)), (torch.rand(3, 4), torch.rand(3, 1)),
                         (torch.rand(3, 4), torch.rand(3).double()), (torch.ones(3, 4, dtype=torch.long), torch.ones(3, dtype=torch.long)),
                         (torch.rand(3, 4).half(), torch.rand(3).half())):
        jit_run(archive, dets, scores, 0.5).assert_fails_with("boxes of sizes [boxes, 4] and scores of sizes [boxes]")


# ---- What boxes show ----


class Align(nn.Module):
    def __init__(self, scale: float, bins: tuple[int, int], ratio: int, aligned: bool):
        super().__init__()
        self.scale, self.bins, self.ratio, self.aligned = scale, bins, ratio, aligned

    def forward(self, input: Tensor, rois: Tensor):
        return torch.ops.torchvision.roi_align(input, rois, self.scale, self.bins[0], self.bins[1], self.ratio, self.aligned)


class AlignOwn(Align):
    def forward(self, input: Tensor, rois: Tensor):
        return torch.ops.torchvision.ps_roi_align(input, rois, self.scale, self.bins[0], self.bins[1], self.ratio)


class Pool(Align):
    def forward(self, input: Tensor, rois: Tensor):
        return torch.ops.torchvision.roi_pool(input, rois, self.scale, self.bins[0], self.bins[1])


class PoolOwn(Align):
    def forward(self, input: Tensor, rois: Tensor):
        return torch.ops.torchvision.ps_roi_pool(input, rois, self.scale, self.bins[0], self.bins[1])


ALL = [Align, AlignOwn, Pool, PoolOwn]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("ratio", [-1, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 0.5])
@pytest.mark.parametrize("kind", ALL)
def test_bins(agrees, kind, scale, ratio, dtype):
    if kind in (Pool, PoolOwn) and ratio > 0:
        pytest.skip("they have no samples")
    for aligned in (False, True) if kind is Align else (True,):
        agrees(kind(scale, (2, 3), ratio, aligned), torch.randn(IMAGES, dtype=dtype), rois(dtype))


@pytest.mark.parametrize("kind", ALL)
def test_no_boxes(agrees, kind):
    agrees(kind(1.0, (2, 3), 2, True), torch.randn(IMAGES), rois()[:0])


@pytest.mark.parametrize("kind", ALL)
def test_one_bin_of_one_pixel(agrees, kind):
    agrees(kind(1.0, (1, 1), -1, True), torch.randn(1, 1, 1, 1), torch.tensor([[0, 0.0, 0, 1, 1], [0, -3, -3, 5, 5]]))


def test_the_largest_of_no_numbers(agrees):
    pixels = torch.tensor([torch.nan, -torch.inf, 1.0, torch.nan]).view(1, 1, 2, 2)
    agrees(Pool(1.0, (2, 2), 0, True), pixels, torch.tensor([[0, 0.0, 0, 1, 1]]))
    agrees(Pool(1.0, (1, 1), 0, True), pixels, torch.tensor([[0, 0.0, 0, 1, 1]]))


class OfMany(nn.Module):
    """The number of boxes is told by data, as it is behind nms."""

    def __init__(self, kind):
        super().__init__()
        self.pool = kind(0.5, (2, 2), 2, False)

    def forward(self, input: Tensor, rois: Tensor, least: float):
        return self.pool(input, rois[rois[:, 1] > least])


@pytest.mark.parametrize("least", [-100.0, 0.0, 100.0])
@pytest.mark.parametrize("kind", ALL)
def test_boxes_in_images_whose_number_data_tell(agrees, kind, least):
    agrees(OfMany(kind), torch.randn(IMAGES), rois(), least)


@pytest.mark.parametrize("kind", ALL)
def test_any_sizes(agrees, kind):
    for batch, height in ((2, 9), (3, 5)):
        agrees(kind(1.0, (2, 2), 2, True), torch.randn(batch, 8, height, 7), rois(), flags=("--any-sizes",))


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("image", [2.0, -1.0, 1e30, torch.nan])
def test_a_box_of_no_image(saved, jit_run, kind, image):
    archive, _ = saved(kind(1.0, (2, 2), 2, True))
    of = rois()
    of[3, 0] = image
    jit_run(archive, torch.randn(IMAGES), of).assert_fails_with("expected boxes of 2 images, got one of another")


def test_a_fraction_of_an_image_is_dropped(agrees):
    of = rois()
    of[:, 0] += torch.tensor([0.9, 0, -0.5, 0, 0.1, 0, 0, 0])
    agrees(Align(1.0, (2, 2), 2, True), torch.randn(IMAGES), of)


@pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf, 3e38])
def test_boxes_that_are_nowhere_read_nothing(saved, jit_run, number):
    """Whatever PyTorch makes of them, memory is not read outside of an image."""
    for kind in ALL:
        archive, _ = saved(kind(1.0, (2, 2), 2, True))
        for column in range(1, 5):
            of = rois()
            of[2, column] = number
            jit_run(archive, torch.randn(IMAGES), of).assert_ok()


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name, input, of", [
    ("rank 4", torch.rand(8, 9, 11), torch.rand(3, 5)),
    ("[boxes, 5]", torch.rand(1, 8, 9, 11), torch.rand(3, 4)),
    ("[boxes, 5]", torch.rand(1, 8, 9, 11), torch.rand(5)),
    ("one element type", torch.rand(1, 8, 9, 11), torch.rand(3, 5).double()),
    ("f32 or f64", torch.ones(1, 8, 9, 11, dtype=torch.long), torch.ones(3, 5, dtype=torch.long)),
    ("f32 or f64", torch.rand(1, 8, 9, 11).half(), torch.rand(3, 5).half())])
def test_bad_images_and_boxes(saved, jit_run, kind, name, input, of):
    archive, _ = saved(kind(1.0, (2, 2), 2, True))
    jit_run(archive, input, of).assert_fails_with(name)


def test_bad_bins(saved, jit_run):
    for kind, bins, text in ((Align, (0, 2), "1 or more"), (Pool, (2, -1), "1 or more"), (PoolOwn, (5, 2), "5 by 2 bins, got 12"),
                             (AlignOwn, (2**40, 2**40), "bins, got 12")):
        archive, _ = saved(kind(1.0, bins, 2, True))
        jit_run(archive, torch.rand(IMAGES), rois()).assert_fails_with(text)


# ---- What flows back ----


def check_gradients(saved, jit_run, module, *arguments, wanted):
    """Those of the sum of the first result, each element with a weight of its own."""
    archive, reference = saved(module)
    arguments = [a.clone().requires_grad_() if i in wanted else a for i, a in enumerate(arguments)]
    result = reference(*arguments)
    result.backward(torch.ones_like(result))
    got = jit_run(archive, *arguments, flags=("--grad",))
    got.assert_ok()
    for i in wanted:
        torch.testing.assert_close(torch.from_numpy(got.gradient(i)), arguments[i].grad, rtol=1e-4, atol=1e-5)


class Weighted(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, input: Tensor, rois: Tensor):
        values = self.module(input, rois)
        return values * torch.cos(torch.arange(values.numel(), dtype=values.dtype)).view_as(values)


class WeightedFirst(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, input: Tensor, rois: Tensor):
        values = self.module(input, rois)[0]
        return values * torch.cos(torch.arange(values.numel(), dtype=values.dtype)).view_as(values)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("ratio", [-1, 2])
@pytest.mark.parametrize("kind", ALL)
def test_gradients_of_images(saved, jit_run, kind, ratio, dtype):
    module = (Weighted if kind is Align else WeightedFirst)(kind(0.5, (2, 3), ratio, True))
    of = rois(dtype)[[0, 1, 2, 3, 4, 7]]  # an empty box has no mean
    check_gradients(saved, jit_run, module, torch.randn(IMAGES, dtype=dtype), of, wanted=[0])


# ---- A convolution whose taps are moved ----


class Deformed(nn.Module):
    def __init__(self, groups: int, offset_groups: int, use_mask: bool):
        super().__init__()
        self.groups, self.offset_groups, self.use_mask = groups, offset_groups, use_mask

    def forward(self, input: Tensor, weight: Tensor, offset: Tensor, mask: Tensor, bias: Tensor):
        return torch.ops.torchvision.deform_conv2d(input, weight, offset, mask, bias, 2, 1, 1, 0, 2, 1, self.groups,
                                                   self.offset_groups, self.use_mask)


def deformed(groups, offset_groups, dtype=torch.float32, batch=2):
    high, wide = (6 + 2 - 5) // 2 + 1, 7 - 2 + 1
    return (torch.randn(batch, 6, 6, 7, dtype=dtype), torch.randn(6, 6 // groups, 3, 2, dtype=dtype),
            torch.randn(batch, 2 * offset_groups * 6, high, wide, dtype=dtype) * 3,
            torch.rand(batch, offset_groups * 6, high, wide, dtype=dtype), torch.randn(6, dtype=dtype))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("groups, offset_groups, use_mask", [(1, 1, True), (2, 1, False), (1, 3, True), (3, 2, False)])
def test_moved_taps(agrees, groups, offset_groups, use_mask, dtype):
    agrees(Deformed(groups, offset_groups, use_mask), *deformed(groups, offset_groups, dtype), rtol=1e-4, atol=1e-4)


def test_no_images_are_convolved(agrees):
    agrees(Deformed(1, 1, True), *deformed(1, 1, batch=0))


@pytest.mark.parametrize("groups, offset_groups, use_mask", [(1, 1, True), (2, 3, True), (3, 2, False)])
def test_gradients_of_moved_taps(saved, jit_run, groups, offset_groups, use_mask):
    wanted = [0, 1, 2, 3, 4] if use_mask else [0, 1, 2, 4]
    check_gradients(saved, jit_run, Deformed(groups, offset_groups, use_mask), *deformed(groups, offset_groups, torch.float64),
                    wanted=wanted)


def test_taps_that_are_nowhere(saved, jit_run):
    archive, _ = saved(Deformed(1, 1, True))
    arguments = deformed(1, 1)
    for number in (torch.nan, torch.inf, -3e38):
        arguments[2][0, :3] = number
        jit_run(archive, *arguments).assert_ok()


def test_bad_convolutions(saved, jit_run):
    archive, _ = saved(Deformed(2, 3, True))
    for i in range(5):
        arguments = list(deformed(2, 3))
        arguments[i] = arguments[i][..., :-1]
        jit_run(archive, *arguments).assert_fails_with("sizes, steps and groups of a convolution")
    jit_run(archive, *(a.half() for a in deformed(2, 3))).assert_fails_with("elements of f32 or f64")
    archive, _ = saved(Deformed(4, 1, True))
    jit_run(archive, *deformed(1, 1)).assert_fails_with("sizes, steps and groups of a convolution")
