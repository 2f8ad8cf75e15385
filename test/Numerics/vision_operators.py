"""torchvision's operators in plain PyTorch, for what is compared with them.

torchvision's own are compiled for one build of PyTorch and do not load beside another. These are written after its documentation, and were
compared once with torchvision 0.29.1's, beside torch 2.14.1: forwards and backwards, f32 and f64, boxes outside of images, empty and turned
over, equal scores.
"""

import concurrent.futures
import math

import torch

SCALE = "float spatial_scale, SymInt pooled_height, SymInt pooled_width"
IMAGES = "SymInt batch_size, SymInt channels, SymInt height, SymInt width"
CONV = ("SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, "
        "SymInt offset_groups, bool use_mask")
MOVED = "Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias"
SCHEMAS = {
    "_cuda_version": "() -> int",
    "nms": "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms": "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align": f"(Tensor input, Tensor rois, {SCALE}, int sampling_ratio, bool aligned) -> Tensor",
    "_roi_align_backward": f"(Tensor grad, Tensor rois, {SCALE}, {IMAGES}, int sampling_ratio, bool aligned) -> Tensor",
    "qroi_align": f"(Tensor input, Tensor rois, {SCALE}, int sampling_ratio, bool aligned) -> Tensor",
    "roi_pool": f"(Tensor input, Tensor rois, {SCALE}) -> (Tensor, Tensor)",
    "_roi_pool_backward": f"(Tensor grad, Tensor rois, Tensor argmax, {SCALE}, {IMAGES}) -> Tensor",
    "ps_roi_align": f"(Tensor input, Tensor rois, {SCALE}, int sampling_ratio) -> (Tensor, Tensor)",
    "_ps_roi_align_backward": f"(Tensor grad, Tensor rois, Tensor channel_mapping, {SCALE}, int sampling_ratio, {IMAGES}) -> Tensor",
    "ps_roi_pool": f"(Tensor input, Tensor rois, {SCALE}) -> (Tensor, Tensor)",
    "_ps_roi_pool_backward": f"(Tensor grad, Tensor rois, Tensor channel_mapping, {SCALE}, {IMAGES}) -> Tensor",
    "deform_conv2d": f"({MOVED}, {CONV}) -> Tensor",
    "_deform_conv2d_backward": f"(Tensor grad, {MOVED}, {CONV}) -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
    "box_iou_rotated": "(Tensor boxes1, Tensor boxes2) -> Tensor",
}

# ---- Which boxes are kept ----


def nms(dets, scores, iou_threshold):
    order = scores.sort(stable=True, descending=True).indices
    left, top, right, bottom = dets.unbind(1)
    area = (right - left) * (bottom - top)
    kept = []
    dropped = torch.zeros(len(dets), dtype=torch.bool)
    for i in order.tolist():
        if dropped[i]:
            continue
        kept.append(i)
        width = (torch.minimum(right, right[i]) - torch.maximum(left, left[i])).clamp(min=0)
        height = (torch.minimum(bottom, bottom[i]) - torch.maximum(top, top[i])).clamp(min=0)
        both = width * height
        dropped |= (both / (area[i] + area - both)).double() > iou_threshold
    return torch.tensor(kept, dtype=torch.long)


# ---- Bins: a matrix for each direction says how much a bin takes of each pixel ----


def sampled(low, high, size, bins, ratio):
    """[bins, size], and how many samples there are in a bin: below 0 of a box that is turned over."""
    step = (high - low) / bins
    count = ratio if ratio > 0 else math.ceil(step)
    matrix = torch.zeros(bins, size, dtype=low.dtype)
    for n in range(bins):
        for i in range(count):
            at = low + n * step + (i + 0.5) * step / count
            if not (-1 <= at <= size):
                continue
            at = at.clamp(min=0)
            first = min(int(at), size - 1)
            share = at - first if first < size - 1 else torch.zeros((), dtype=low.dtype)
            matrix[n, first] += 1 - share
            matrix[n, min(first + 1, size - 1)] += share
    return matrix, count


def whole(low, high, size, bins, includes_end, stops_before_last=False):
    """The pixels from which to which each bin goes."""
    def nearest(x):
        return math.copysign(math.floor(abs(x) + 0.5), x)

    start = nearest(float(low))
    step = torch.tensor(max(nearest(float(high)) - start + includes_end, 1), dtype=low.dtype) / bins
    most = size - stops_before_last
    return [(int(min(max(math.floor(n * step) + start, 0), most)), int(min(max(math.ceil((n + 1) * step) + start, 0), most)))
            for n in range(bins)]


def sides(roi, scale, shift):
    _, left, top, right, bottom = (roi * torch.tensor(scale, dtype=roi.dtype) - shift)
    return (top, bottom), (left, right)


def align_matrices(roi, scale, size, bins, ratio, aligned, counts_none):
    pairs = []
    for (low, high), pixels, parts in zip(sides(roi, scale, 0.5 if aligned else 0.0), size, bins):
        high = high if aligned else torch.maximum(high, low + 1)
        pairs.append(sampled(low, high, pixels, parts, ratio))
    (rows, many), (columns, much) = pairs
    count = many * much if counts_none else max(many * much, 1)
    return rows / count if count else rows * math.nan, columns


def pool_matrices(roi, scale, size, bins, stops_before_last):
    matrices = []
    for (low, high), pixels, parts in zip(sides(roi, scale, 0.0), size, bins):
        matrix = torch.zeros(parts, pixels, dtype=roi.dtype)
        for n, (first, last) in enumerate(whole(low, high, pixels, parts, False, stops_before_last)):
            matrix[n, first:last] = 1 / max(last - first, 1)
        matrices.append(matrix)
    return matrices


def mixed(input, rois, bins, matrices):
    results = [torch.einsum("ph,chw,qw->cpq", *between(matrices(roi), input[int(roi[0])])) for roi in rois]
    return torch.stack(results) if results else input.new_zeros(0, input.shape[1], *bins)


def between(matrices, middle):
    return matrices[0], middle, matrices[1]


def spread(grad, rois, size, matrices):
    result = grad.new_zeros(size)
    for part, roi in zip(grad, rois):
        rows, columns = matrices(roi)
        result[int(roi[0])] += torch.einsum("ph,cpq,qw->chw", rows, part, columns)
    return result


def own_channels(pooled):
    """Of [boxes, channels, rows, columns], each bin's channel."""
    _, channels, rows, columns = pooled.shape
    numbers = torch.arange(channels).view(-1, rows, columns)
    return numbers.to(torch.int32).expand(len(pooled), -1, -1, -1).contiguous()


def from_own_channels(pooled):
    """Of [boxes, channels, rows, columns] each bin from channels of its own."""
    count, channels, rows, columns = pooled.shape
    every = pooled.reshape(count, channels // (rows * columns), rows, columns, rows, columns)
    return torch.diagonal(torch.diagonal(every, dim1=2, dim2=4), dim1=2, dim2=3).contiguous()


def to_own_channels(grad, channels):
    count, own, rows, columns = grad.shape
    wide = grad.new_zeros(count, own, rows, columns, rows, columns)
    for p in range(rows):
        for q in range(columns):
            wide[:, :, p, q, p, q] = grad[:, :, p, q]
    return wide.reshape(count, channels, rows, columns)


def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    bins = pooled_height, pooled_width
    return mixed(input, rois, bins, lambda roi: align_matrices(
        roi, spatial_scale, input.shape[2:], bins, sampling_ratio, aligned, False))


def _roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width, batch_size, channels, height, width,
                        sampling_ratio, aligned):
    return spread(grad, rois, (batch_size, channels, height, width), lambda roi: align_matrices(
        roi, spatial_scale, (height, width), (pooled_height, pooled_width), sampling_ratio, aligned, False))


def ps_roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio):
    bins = pooled_height, pooled_width
    pooled = mixed(input, rois, bins, lambda roi: align_matrices(
        roi, spatial_scale, input.shape[2:], bins, sampling_ratio, True, True))
    return from_own_channels(pooled), own_channels(pooled)


def _ps_roi_align_backward(grad, rois, channel_mapping, spatial_scale, pooled_height, pooled_width, sampling_ratio, batch_size,
                           channels, height, width):
    return spread(to_own_channels(grad, channels), rois, (batch_size, channels, height, width), lambda roi: align_matrices(
        roi, spatial_scale, (height, width), (pooled_height, pooled_width), sampling_ratio, True, True))


def ps_roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    bins = pooled_height, pooled_width
    pooled = mixed(input, rois, bins, lambda roi: pool_matrices(roi, spatial_scale, input.shape[2:], bins, True))
    return from_own_channels(pooled), own_channels(pooled)


def _ps_roi_pool_backward(grad, rois, channel_mapping, spatial_scale, pooled_height, pooled_width, batch_size, channels, height,
                          width):
    """The last row and column of the image have a share, though forwards they have none: so it is in torchvision."""
    return spread(to_own_channels(grad, channels), rois, (batch_size, channels, height, width), lambda roi: pool_matrices(
        roi, spatial_scale, (height, width), (pooled_height, pooled_width), False))


def roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    bins = pooled_height, pooled_width
    values = input.new_zeros(len(rois), input.shape[1], *bins)
    places = torch.full(values.shape, -1, dtype=torch.int32)
    lowest, width = torch.finfo(torch.float32).min, input.shape[3]
    for k, roi in enumerate(rois):
        rows, columns = (whole(low, high, size, parts, includes_end=True)
                         for (low, high), size, parts in zip(sides(roi, spatial_scale, 0.0), input.shape[2:], bins))
        for p, (top, bottom) in enumerate(rows):
            for q, (left, right) in enumerate(columns):
                for c in range(input.shape[1]):
                    best, at = lowest if bottom > top and right > left else 0.0, -1
                    for y in range(top, bottom):
                        for x in range(left, right):
                            pixel = float(input[int(roi[0]), c, y, x])
                            if pixel > best:
                                best, at = pixel, y * width + x
                    values[k, c, p, q], places[k, c, p, q] = best, at
    return values, places


def _roi_pool_backward(grad, rois, argmax, spatial_scale, pooled_height, pooled_width, batch_size, channels, height, width):
    result = grad.new_zeros(batch_size, channels, height * width)
    for part, at, roi in zip(grad, argmax, rois):
        kept = part * (at >= 0)
        result[int(roi[0])].scatter_add_(1, at.clamp(min=0).flatten(1).long(), kept.flatten(1))
    return result.view(batch_size, channels, height, width)


# ---- A convolution whose taps are moved ----


def deform_conv2d(input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups,
                  offset_groups, use_mask):
    batch, channels, height, width = input.shape
    results, _, rows, columns = weight.shape
    high, wide = offset.shape[2:]
    moves = offset.view(batch, offset_groups, rows, columns, 2, high, wide)
    like = dict(dtype=input.dtype)
    y = (torch.arange(high, **like) * stride_h - pad_h).view(high, 1) + (torch.arange(rows, **like) * dilation_h).view(rows, 1, 1, 1)
    x = torch.arange(wide, **like) * stride_w - pad_w + (torch.arange(columns, **like) * dilation_w).view(columns, 1, 1)
    y, x = y + moves[:, :, :, :, 0], x + moves[:, :, :, :, 1]

    def shares(at, size):
        """How much each pixel along one dimension has of what is read there."""
        return (1 - (at.unsqueeze(-1) - torch.arange(size, **like)).abs()).clamp(min=0)

    images = input.view(batch, offset_groups, channels // offset_groups, height, width)
    taps = torch.einsum("bgyxoph,bgyxopw,bgchw->bgcyxop", shares(y, height), shares(x, width), images)
    if use_mask:
        taps = taps * mask.view(batch, offset_groups, 1, rows, columns, high, wide)
    taps = taps.reshape(batch, groups, channels // groups * rows * columns, high * wide)
    product = torch.einsum("gok,bgkp->bgop", weight.view(groups, results // groups, -1), taps)
    return product.reshape(batch, results, high, wide) + bias.view(-1, 1, 1)


def _deform_conv2d_backward(grad, *arguments):
    tensors = [tensor.detach().clone().requires_grad_() for tensor in arguments[:5]]

    def differentiate():
        result = deform_conv2d(*tensors, *arguments[5:])
        found = torch.autograd.grad(result, tensors, grad, allow_unused=True)
        return tuple(torch.zeros_like(t) if g is None else g for t, g in zip(tensors, found))

    # In a thread of its own, where autograd is not switched off.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(differentiate).result()


# ---- For PyTorch ----

FUNCTIONS = {f.__name__: f for f in (
    nms, roi_align, _roi_align_backward, roi_pool, _roi_pool_backward, ps_roi_align, _ps_roi_align_backward, ps_roi_pool,
    _ps_roi_pool_backward, deform_conv2d, _deform_conv2d_backward)}


libraries = []


def define():
    """Unless there are such operators already."""
    if hasattr(torch.ops.torchvision, "nms"):
        return
    library = torch.library.Library("torchvision", "DEF")
    for name, schema in SCHEMAS.items():
        library.define(name + schema)
    library.impl("_cuda_version", lambda: -1, "CompositeExplicitAutograd")
    for name, function in FUNCTIONS.items():
        library.impl(name, function, "CPU")
    libraries.append(library)  # what it defines lives as long as it does
