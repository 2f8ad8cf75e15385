"""Small TorchScript programs for each operator that the compiler lists.

Two sources: PyTorch's own samples (OpInfo), traced, so that each arrives with the arguments that its tests use; and for what has no
sample (numbers, strings, lists, and operators that only programs call) a one-line graph over plain values.
"""

import itertools
import random
import re
import warnings
from dataclasses import dataclass, field

import numpy as np
import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

import backward_cases

# Nodes that carry values around; everything else in a traced graph must be a listed operator.
PLUMBING = {"prim::Constant", "prim::ListConstruct", "prim::TupleConstruct", "prim::ListUnpack", "prim::TupleUnpack",
            "prim::NumToTensor"}
DTYPES = (torch.float32, torch.int64, torch.bool, torch.float64, torch.int32, torch.uint8)
CASES_FOR_EACH = 6
LARGEST = 200_000  # elements; bigger samples say nothing new
# What their results hold is not defined.
UNINITIALIZED = {"empty", "empty_like", "empty_permuted", "new_empty", "empty_strided", "new_empty_strided"}


@dataclass
class Case:
    """One program with its arguments and what PyTorch makes of them."""

    text: str
    program: object  # has save(path)
    arguments: list
    expected: object
    operators: set = field(default_factory=set)
    undefined: bool = False  # random or uninitialized: only type and sizes say anything


def key_of(schema):
    """("aten::add", "Tensor"), from the text of a schema."""
    name, _, overload = schema.split("(", 1)[0].partition(".")
    return name, overload


def registry():
    """Every schema that this PyTorch knows, by name and overload."""
    return {(s.name, s.overload_name): s for s in torch._C._jit_get_all_schemas()}


def is_random(key):
    name, overload = key
    packet = getattr(torch.ops.aten, name.split("::")[1], None)
    return torch.Tag.nondeterministic_seeded in getattr(getattr(packet, overload or "default", None), "tags", ())


def is_undefined(key):
    return key[0].split("::")[1] in UNINITIALIZED or is_random(key)


# ---------------------------------------------------------------- from OpInfo


def relevant(info, names):
    spellings = {info.name, info.name.replace(".", "_"), info.name.split(".")[-1], info.aten_name}
    return any(s in names for s in spellings | {a.name for a in info.aliases})


def as_function(info, sample):
    """(the sample as a function of its tensors, those tensors), or None where there are none that we have a kind for."""
    flat, tree = tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [i for i, value in enumerate(flat) if isinstance(value, torch.Tensor)]
    if not places or any(flat[i].layout != torch.strided or flat[i].is_quantized for i in places):
        return None
    tensors = [flat[i].detach().contiguous().requires_grad_(flat[i].requires_grad) for i in places]
    if sum(t.numel() for t in tensors) > LARGEST:
        return None

    def function(*given):
        values = list(flat)
        for place, tensor in zip(places, given):
            values[place] = tensor
        first, args, kwargs = tree_unflatten(values, tree)
        return info.op(first, *args, **kwargs)

    return function, tensors


def trace(function, tensors):
    """The traced function, or None where tracing refuses."""
    try:
        return torch.jit.trace(function, tuple(t.detach().clone() for t in tensors), check_trace=False)
    except Exception:  # whatever a sample does that tracing has no word for
        return None


def operators_in(graph):
    """The overloads that a graph calls, or None if it does anything else."""
    found = set()
    for node in graph.nodes():
        if node.kind() in PLUMBING:
            continue
        if node.schema() == "(no schema)" or list(node.blocks()):
            return None
        found.add(key_of(node.schema()))
    return found


def cases_from_samples(wanted, every=1, asked=None):
    """Cases for the operators in `wanted` (a set of keys) out of PyTorch's samples, at most CASES_FOR_EACH for one.

    With every=n of each n-th operator that has samples; with asked (a set of keys) of the samples that are named like those.
    """
    from operator_samples import op_db

    names = {name.split("::")[1] for name, _ in asked or wanted}
    counts = dict.fromkeys(wanted, 0)
    for info in op_db[::every]:
        if not relevant(info, names):
            continue
        for dtype in DTYPES:
            if dtype not in info.supported_dtypes("cpu"):
                continue
            for number, sample in enumerate(itertools.islice(samples(info, dtype), 8)):
                case = case_from_sample(info, sample, wanted)
                if case is None or all(counts[key] >= CASES_FOR_EACH for key in case.operators):
                    continue
                # Two of a kind is enough while other element types wait.
                if number >= 4 and all(counts[key] >= CASES_FOR_EACH // 2 for key in case.operators):
                    break
                for key in case.operators:
                    counts[key] += 1
                case.text = f"{info.name} {info.variant_test_name} {dtype} sample {number}"
                yield case


def samples(info, dtype, requires_grad=False):
    try:
        yield from info.sample_inputs("cpu", dtype, requires_grad=requires_grad)
    except Exception:  # a sample function may need a library that is not here
        return


def case_from_sample(info, sample, wanted):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = as_function(info, sample)
        program = found and trace(*found)
        if program is None:
            return None
        tensors = found[1]
        operators = operators_in(program.inlined_graph)
        if not operators or not operators <= wanted:
            return None
        try:
            expected = program(*[t.clone() for t in tensors])
        except Exception:
            return None
    return Case("", program, tensors, expected, operators, any(map(is_undefined, operators)))


# ---------------------------------------------------------------- from the schema

CANDIDATES = {
    "Tensor": [torch.tensor([[0.5, -1.5, 2.0], [1.0, 3.0, -0.25]]), torch.tensor(3), torch.tensor([[1, 0, 2]])],
    "int": [2, -7, 1, 3],  # no 0: PyTorch itself divides by it and dies
    "float": [1.5, -0.5, 7.0],
    "bool": [True, False],
    "complex": [2j, 0.5j],
    "Scalar": [3, 2.5],
    "str": ["ab", "b"],
    "Device": [torch.device("cpu")],
    "int[]": [[1, 2], [3, 2], [2]],
    "float[]": [[1.5, -2.0], [0.5]],
    "bool[]": [[True, False], [True]],
    "complex[]": [[2j, 0.5j]],
    "str[]": [["ab", "c"]],
    "t[]": [[3, 1, 2]],
    "Scalar[]": [[1, 2]],
    "Tensor[]": [[torch.ones(2, 3), torch.zeros(2, 3)]],
}
# What the types alone do not say.
IMAGE, KERNELS = torch.linspace(-1, 1, 96).view(1, 2, 6, 8), torch.linspace(-1, 1, 54).view(3, 2, 3, 3)
SERIES, BANK = torch.linspace(-1, 1, 40).view(2, 2, 10), torch.linspace(-1, 1, 18).view(3, 2, 3)
VOLUME = torch.linspace(-1, 1, 120).view(1, 1, 4, 5, 6)
BIAS = torch.tensor([0.5, -0.5, 0.25])
BOXES, SCORES = torch.tensor([[0.0, 0, 4, 4], [1, 1, 5, 5], [4, 0, 9, 3]]), torch.tensor([0.5, 0.75, 0.5])
PLANES, BINS = torch.linspace(-3, 3, 192).sin().view(1, 4, 6, 8), torch.linspace(-1, 1, 48).view(3, 4, 2, 2)
ROIS = torch.tensor([[0.0, 0, 0, 9, 9], [0, 2, 3, 11, 7], [0, -5, 1, 20, 4]])
MAXIMA = (torch.arange(48, dtype=torch.int32) - 4).clamp(min=-1).view(3, 4, 2, 2)
OWN_CHANNELS = torch.arange(4, dtype=torch.int32).view(1, 1, 2, 2).expand(3, 1, 2, 2).contiguous()
MATRICES = [torch.linspace(-1, 1, 12).view(3, 4), torch.linspace(-1, 1, 20).view(4, 5), torch.linspace(-1, 1, 10).view(5, 2)]
SQUARE, EDGES = torch.tensor([[2.0, 1, 0.5], [0, 3, -1], [1, 0, 4]]), torch.tensor([-1.0, 0, 0.5, 2])
CLASSES = torch.linspace(-3, 0, 15).view(3, 5)


def resizings(image, sizes, scales, *corners):
    """Calls of an upsample operator: by sizes, by sizes with the scales they come from, and both ways of its .vec overload."""
    return [(image, sizes, *corner, *by) for corner in ([(c,) for c in corners] or [()]) for by in ([None] * len(sizes), scales)] + [
        (image, *lists[:1], *corner, *lists[1:]) for corner in ([(c,) for c in corners] or [()]) for lists in ((sizes, None), (None, scales))]




def encoder_layer(is_gelu, norm_first):
    """The arguments of a layer of width 4 with 2 heads."""
    part = lambda *sizes: torch.linspace(-1, 1, int(np.prod(sizes))).view(sizes)
    norms = [part(4) + 1, part(4), part(4) - 2, part(4)]
    return (part(2, 3, 4) ** 2, 4, 2, part(12, 4), part(12), part(4, 4), part(4), is_gelu, norm_first, 1e-5, *norms,
            part(6, 4), part(6), part(4, 6), part(4), None, None)


BYTES = torch.arange(-128, 127, 17, dtype=torch.int8).view(3, 5)
COMPLEX = torch.complex(torch.linspace(-1, 2, 24).view(4, 6), torch.linspace(3, -1, 24).view(4, 6))
VOLUME_ROWS = torch.linspace(-1, 1, 24).view(2, 3, 4)

SPECIAL = {
    "torchvision::nms": [(BOXES, SCORES, threshold) for threshold in (0.1, 0.5)],
    "torchvision::roi_align": [(PLANES, ROIS, 0.5, 2, 2, ratio, aligned) for ratio, aligned in ((2, False), (-1, True))],
    "torchvision::_roi_align_backward": [(BINS, ROIS, 0.5, 2, 2, 1, 4, 6, 8, 2, True)],
    "torchvision::roi_pool": [(PLANES, ROIS, 0.5, 2, 2)],
    "torchvision::_roi_pool_backward": [(BINS, ROIS, MAXIMA, 0.5, 2, 2, 1, 4, 6, 8)],
    "torchvision::ps_roi_align": [(PLANES, ROIS, 0.5, 2, 2, 2)],
    "torchvision::_ps_roi_align_backward": [(BINS[:, :1], ROIS, OWN_CHANNELS, 0.5, 2, 2, 2, 1, 4, 6, 8)],
    "torchvision::ps_roi_pool": [(PLANES, ROIS, 0.5, 2, 2)],
    "torchvision::_ps_roi_pool_backward": [(BINS[:, :1], ROIS, OWN_CHANNELS, 0.5, 2, 2, 1, 4, 6, 8)],
    "torchvision::deform_conv2d": [(IMAGE, KERNELS, torch.linspace(-1, 1, 2 * 9 * 24).view(1, 18, 4, 6), torch.ones(1, 9, 4, 6), BIAS,
                                    1, 1, 0, 0, 1, 1, 1, 1, True)],
    "aten::_trilinear": [(torch.linspace(-1, 1, 6).view(2, 3), torch.linspace(0, 2, 12).view(3, 4), torch.linspace(1, 2, 8).view(2, 4), [2], [0], [1], dims, unrolled)
                         for dims, unrolled in (([1, 2], 1), ([0], 1), ([], 0))],
    # Three cases each, so that no plain values are tried: PyTorch reads behind the memory for strides that reach out of it.
    "aten::_reshape_alias": [(torch.linspace(-1, 1, 12).view(3, 4), *shape) for shape in (([2, 6], [6, 1]), ([12], [1]), ([3, 2, 2], [4, 2, 1]))],
    **backward_cases.CASES,
    **{f"aten::{name}": [(COMPLEX,)] for name in ("imag", "view_as_real", "_conj", "_conj_physical")},
    "aten::_fft_c2c": [(COMPLEX, [1], 0, True), (COMPLEX, [0, 1], 2, False)],
    "aten::_fft_r2c": [(COMPLEX.abs(), [1], 1, True), (COMPLEX.abs(), [1, 0], 0, False)],
    "aten::_fft_c2r": [(COMPLEX, [1], 2, 10), (COMPLEX, [0, 1], 0, 11)],
    "aten::istft": [(COMPLEX, 6, 2, 6, torch.ones(6), True, False, True, None, False)],
    "aten::_pack_padded_sequence": [(VOLUME_ROWS, torch.tensor([3, 1]), True), (VOLUME_ROWS, torch.tensor([2, 2, 1]), False)],
    "aten::pad_sequence": [([VOLUME_ROWS[0], VOLUME_ROWS[1][:2]], True, 0.5, "left"), ([SERIES[0], SERIES[0][:3]], False, 0.0, "right")],
    "aten::promote_types": [(5, 15), (3, 6), (0, 1), (11, 9)],
    "aten::can_cast": [(5, 15), (6, 3), (4, 11), (9, 6)],
    "aten::result_type.Tensor": [(SERIES, SERIES.double()), (SERIES.half(), torch.tensor(2.0))],
    "aten::result_type.Scalar": [(SERIES.half(), 2.5), (torch.tensor([1, 2]), 2.5)],
    "aten::result_type.Scalar_Tensor": [(2, SERIES.half())],
    "aten::result_type.Scalar_Scalar": [(2, 2.5), (True, 1)],
    "aten::conv1d": [(SERIES, BANK, BIAS, [1], [0], [1], 1), (SERIES, BANK, None, [2], [1], [2], 1)],
    "aten::conv2d": [(IMAGE, KERNELS, BIAS, [1, 1], [0, 0], [1, 1], 1), (IMAGE, KERNELS, None, [2, 1], [1, 2], [1, 2], 1),
                     (IMAGE, KERNELS[:2, :1], None, [1, 1], [1, 1], [1, 1], 2)],
    "aten::_convolution": [(IMAGE, KERNELS, BIAS, [2, 1], [1, 2], [1, 1], False, [0, 0], 1, False, False, True, True)],
    "aten::_adaptive_avg_pool2d": [(IMAGE, sizes) for sizes in ([3, 4], [1, 1], [4, 5])],
    "aten::_adaptive_avg_pool3d": [(VOLUME, sizes) for sizes in ([2, 2, 3], [1, 1, 1], [3, 5, 4])],
    "aten::convolution_backward": [
        (torch.ones(1, 3, 4, 6), IMAGE, KERNELS, [3], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True]),
        (torch.linspace(-1, 1, 90).view(1, 3, 3, 10), IMAGE, KERNELS, [3], [2, 1], [1, 2], [1, 1], False, [0, 0], 1, [True, True, True]),
        (torch.ones(1, 2, 6, 8), IMAGE, KERNELS[:2, :1], [2], [1, 1], [1, 1], [1, 1], False, [0, 0], 2, [True, True, True])],
    "aten::embedding_dense_backward": [(MATRICES[0], torch.tensor([4, 0, 4]), 5, padding, scale)
                                       for padding, scale in ((-1, False), (0, False), (-1, True))],
    "aten::_native_batch_norm_legit": [(IMAGE, weight, weight, True, 0.1, 1e-5) for weight in (None, torch.tensor([0.5, 2.0]))]
    + [(IMAGE.repeat(2, 1, 1, 1), None, torch.tensor([0.5, 2.0]), True, 0.1, 1e-3)]
    + [(IMAGE, None, None, torch.tensor([0.5, -1.0]), torch.tensor([0.25, 3.0]), training, 0.1, 1e-5) for training in (True, False)],
    "aten::_native_batch_norm_legit_no_training": [
        (IMAGE, weight, weight, torch.tensor([0.5, -1.0]), torch.tensor([0.25, 3.0]), 0.1, eps)
        for weight, eps in ((None, 1e-5), (torch.tensor([0.5, 2.0]), 1e-5), (None, 1e-2))],
    **{f"aten::{name}": [(IMAGE, weight, None, torch.tensor([0.5, -1.0]), torch.tensor([0.25, 3.0]), *training, 0.1, 1e-5)
                         for training in trainings for weight in (torch.tensor([0.5, 2.0]), None, torch.tensor([1.0, -1.0]))]
       for name, trainings in (("native_batch_norm", [(True,), (False,)]), ("_batch_norm_with_update", [()]), ("_batch_norm_no_update", [()]))},
    "aten::bincount": [(torch.tensor([3, 0, 3]), None, 0), (torch.tensor([3, 0, 3]), BIAS, 6)],
    "aten::embedding_bag": [
        (torch.arange(15.0, dtype=dtype).view(5, 3), torch.tensor([0, 3, 2, 4, 1], dtype=index), torch.tensor([0, 2, 2], dtype=index),
         False, mode, False, None, False, *padding)
        for padding in ((), (3,)) for mode, dtype, index in
        ((0, torch.float32, torch.int64), (1, torch.float64, torch.int32), (2, torch.float32, torch.int32))],
    "aten::repeat_interleave": [(torch.tensor([2, 0, 3]), None), (torch.tensor([2, 0, 3], dtype=torch.int32), None), (MATRICES[0], torch.tensor([2, 0, 3]), 0, None)],
    "aten::ctc_loss": [(torch.linspace(-3, 0, 24).view(4, 2, 3), torch.tensor([[1, 2], [2, 0]]), steps, labels, 0, how, False)
                       for how in (0, 1, 2) for steps, labels in (([4, 3], [2, 1]), (torch.tensor([4, 3]), torch.tensor([2, 1])))],
    **{f"aten::fake_quantize_per_tensor_affine{name}": [(MATRICES[1] * 3, 0.1, 2, -10, 15), (MATRICES[1], 0.3, 0, 0, 255)]
       for name in ("", "_cachemask")},
    "aten::fake_quantize_per_channel_affine": [
        (IMAGE, torch.tensor([0.1, 0.02]), torch.tensor([0, 3], dtype=torch.int32), 1, -4, 7)],
    "aten::linalg_lstsq": [(MATRICES[1] + torch.eye(4, 5) * 2, MATRICES[1][:, :2], None, how) for how in ("gels", "gelsy", "gelsd")],
    "aten::unique_dim": [(torch.tensor([[1, 2], [0, 3], [1, 2]]), 0, True, True, True)],
    "aten::chain_matmul": [(MATRICES,)],
    "aten::vander": [(BIAS, count, rises) for count in (None, 4) for rises in (False, True)] + [(torch.tensor([2, -3]), 3, False)],
    "aten::to_dense": [(SQUARE, None, None), (SQUARE, torch.float64, None)],
    "aten::_int_mm": [(BYTES, BYTES.T.contiguous()), (BYTES[:, :1].contiguous(), BYTES[:1])],
    "aten::linalg_matmul": [(MATRICES[0], MATRICES[1]), (MATRICES[0], MATRICES[1][:, 0])],
    "aten::linalg_matrix_norm": [(MATRICES[0], order, [-2, -1], keep, None) for order in (1, -1, float("inf")) for keep in (True, False)]
    + [(MATRICES[0], "fro", [-2, -1], False, None)],
    "aten::linalg_norm": [(MATRICES[0], "fro", None, False, None)],
    "aten::native_channel_shuffle": [(IMAGE, 2)],
    "aten::nll_loss": [(CLASSES, torch.tensor([4, 0, 2]), None, reduction, 0) for reduction in (0, 1, 2)],
    "aten::nll_loss2d": [(IMAGE, torch.arange(48).view(1, 6, 8) % 2, torch.tensor([0.5, 2.0]), reduction, -100) for reduction in (0, 1, 2)],
    "aten::squeeze_copy": [(IMAGE[:, :1], [0, 1])],
    **{f"aten::{name}1d": resizings(SERIES, [7], [1.5]) for name in ("upsample_nearest", "_upsample_nearest_exact")},
    **{f"aten::{name}2d": resizings(IMAGE, [7, 5], [1.7, 0.6]) for name in ("upsample_nearest", "_upsample_nearest_exact")},
    **{f"aten::{name}3d": resizings(VOLUME, [7, 5, 3], [1.7, 1.5, 0.6]) for name in ("upsample_nearest", "_upsample_nearest_exact")},
    "aten::upsample_linear1d": resizings(SERIES, [7], [1.5], True, False),
    "aten::upsample_bilinear2d": resizings(IMAGE, [7, 5], [1.7, 0.6], True, False),
    "aten::upsample_bicubic2d": resizings(IMAGE, [7, 5], [1.7, 0.6], True, False),
    "aten::_upsample_bicubic2d_aa": resizings(IMAGE, [7, 5], [1.7, 0.6], True, False),
    "aten::upsample_trilinear3d": resizings(VOLUME, [7, 5, 3], [1.7, 1.5, 0.6], True, False),
    "aten::avg_pool2d_backward": [(IMAGE[..., :3, :4], IMAGE, [2, 2], [], [0, 0], False, True, None),
                                  (IMAGE[..., :4, :5], IMAGE, [3, 3], [2, 2], [1, 1], True, False, None),
                                  (IMAGE[..., :2, :3], IMAGE, [3, 2], [4, 3], [1, 0], False, True, 5)],
    "aten::avg_pool3d_backward": [(IMAGE[..., :2, :3, :4], IMAGE, [1, 2, 2], [], [0, 0, 0], False, True, None)],
    "aten::max_pool3d_with_indices_backward": [(IMAGE[..., :2, 1:2, 1:3], IMAGE, [1, 4, 4], [], [0, 0, 0], [1, 1, 1], False,
                                                torch.tensor([[10, 15], [58, 63]]).view(1, 2, 1, 2))],
    "aten::_adaptive_avg_pool2d_backward": [(IMAGE[..., :3, :4], IMAGE), (IMAGE[..., :1, :1], IMAGE), (IMAGE[..., :4, :3], IMAGE)],
    "aten::_adaptive_avg_pool3d_backward": [(IMAGE[..., :2, :3, :3], IMAGE)],
    "aten::unfold_backward": [(torch.ones(3, 4), [8], 0, 4, 2), (torch.ones(2, 3, 2), [2, 6], 1, 2, 2), (torch.ones(2, 2, 2), [5, 2], 0, 2, 3)],
    "aten::col2im": [(IMAGE.view(8, 12), [4, 5], [2, 2], [1, 1], [0, 0], [1, 1]), (IMAGE.view(2, 12, 4), [5, 6], [2, 3], [2, 1], [1, 0], [3, 3])],
    "aten::lstm_cell": [(torch.ones(2, 3), [torch.ones(2, 4), torch.ones(2, 4) / 2], torch.ones(16, 3) / 9,
                         torch.ones(16, 4) / 8, torch.ones(16) / 7, torch.ones(16) / 6)],
    "aten::_weight_norm": [(VOLUME[0, 0], torch.linspace(1, 2, 4).view(4, 1, 1), 0), (VOLUME[0, 0], torch.linspace(1, 2, 6).view(1, 1, 6), 2),
                           (-VOLUME[0, 0], torch.ones(4, 1, 1), 0)],  # PyTorch reads no other sizes right
    "aten::_scaled_dot_product_attention_math": [
        (IMAGE, IMAGE, IMAGE, None, 0.0, True, None, None, False), (IMAGE[:, :1], SERIES[:, :1, :8], SERIES[:, :1, :8], None, 0.0, False, None, 0.5, False),
        (IMAGE, IMAGE, IMAGE, None, 0.25, False, torch.ones(1, 2, 6, 6).tril() > 0, None, False)],
    "aten::_transformer_encoder_layer_fwd": [encoder_layer(gelu, first) for gelu in (True, False) for first in (True, False)],
    "aten::_nested_tensor_from_mask_left_aligned": [
        (torch.ones(2, 3, 4), torch.tensor(rows)) for rows in ([[True, True, False], [True] * 3], [[True, False, True], [True] * 3], [[False] * 3, [True, False, False]],
                                                               [[False, True, True], [True] * 3])],
    "aten::index": [([3, 1, 2], 1), ([1.5, 2.5], 2.5), (["ab", "c"], "c")],
    "aten::count": [([3, 1, 3], 3), ([1.5, 2.5], 2.0), (["ab", "ab"], "ab")],
    "aten::__getitem__": [([3, 1, 2], 1), ([3, 1, 2], -1), ([1.5, 2.5], 0), ("ab", 1)],
    **{f"aten::{name}": [(SQUARE,), (SQUARE.T.contiguous(),)] for name in ("det", "inverse", "slogdet", "matrix_exp")},
    "aten::_linalg_solve_ex": [(SQUARE, MATRICES[0], True, False)],
    "aten::linalg_cond": [(SQUARE, order) for order in ("fro", "nuc")],
    "aten::nuclear_norm": [(SQUARE, [0, 1], False), (MATRICES[0], [1, 0], True)],
    "aten::orgqr": [(SQUARE, torch.tensor([0.5, 1.0, 0.25]))],
    "aten::bucketize": [(0.25, EDGES, False, right) for right in (False, True)],
    "aten::searchsorted": [(EDGES, 0.5, False, right, None, None) for right in (False, True)],
    "aten::histogram": [(MATRICES[1], EDGES, None, density) for density in (False, True)],
    "aten::scatter": [(MATRICES[0], 0, torch.tensor([[0, 2, 0, 1]]), 2.0, how) for how in ("add", "multiply")],
    "aten::bernoulli": [(SQUARE, 0.5, None), (SQUARE, torch.full((3, 3), 0.5), None)],
    "aten::geometric": [(SQUARE, 0.5, None)],
    "aten::normal": [(0.5, torch.ones(3), None)],
    # By less than none or more than all bits C++ does not say.
    **{f"aten::__{side}shift__": [(5, 3), (-5, 2), (7, 0)] for side in "lr"},
    "aten::fractional_max_pool2d": [(IMAGE, [2, 3], [3, 4], torch.tensor([[[0.1, 0.7], [0.6, 0.3]]])), (IMAGE, [3, 2], [1, 1], torch.full((1, 2, 2), 0.5))],
    "aten::fractional_max_pool3d": [(VOLUME, [2, 2, 3], [2, 3, 2], torch.tensor([[[0.1, 0.7, 0.4]]]))],
    "aten::embedding_renorm": [(MATRICES[0], torch.tensor([0, 2, 0]), length, order) for length, order in ((0.5, 2.0), (0.5, 1.0), (9.0, 2.0))],
    "aten::segment_reduce": [(CLASSES, how, torch.tensor([1, 2]), None, None, 0, False, first)
                             for how, first in (("sum", None), ("mean", None), ("max", 1.0), ("prod", 2.0))],
    "aten::gradient": [(SQUARE, [1, 0], 2), (SQUARE, 0.5, [1], 1), (SQUARE, [0.5, 2.0], [0, 1], 1), (SQUARE, [0.5, 2.0], None, 1),
                       (SQUARE, [torch.tensor([0.0, 1.0, 3.0]), torch.tensor([0.0, 2.0, 2.5])], None, 1)],
    **{f"aten::{name}": [(SQUARE, torch.tensor([0.2, 0.9]), 1, False, "linear"), (SQUARE, torch.tensor(0.5), None, True, "nearest")]
       for name in ("quantile", "nanquantile")},
    "aten::__is__": [(5, None), (None, None)],
    "aten::__isnot__": [(5, None), (None, None)],
    "aten::format": [("{} of {}", 3, 2.5), ("{} and {}", [1, 2], "ab"), ("{}{}", True, None)],
}
BY_NAME = {"dtype": [6, 4], "layout": [0], "memory_format": [0], "device": [torch.device("cpu")]}


def spelled(schema_type):
    """A schema's type as graphs write it: int[] for List[int]."""
    text = str(schema_type)
    for python, graph in (("List[", "[]"), ("Optional[", "?")):
        if text.startswith(python):
            return spelled(text[len(python) : -1]) + graph
    return "Scalar" if text == "number" else text


def resulting(schema_type):
    """The same of a result, with int for what the schema leaves open."""
    return re.sub(r"^(t|t1|Any)\b", "int", spelled(schema_type))


def candidates(argument):
    """Values to try for one argument of a schema, the likely ones first."""
    text = spelled(argument.type)
    if argument.has_default_value():
        first, last = [argument.default_value], []
    else:
        first, last = [], [None] * text.endswith("?")
    if argument.N and not argument.has_default_value():
        return [[2] * argument.N, [1] * argument.N]
    return first + (BY_NAME.get(argument.name) or CANDIDATES.get(text.rstrip("?"), [5])) + last


def type_text(value):
    """The type of a value in the graph's text."""
    if isinstance(value, (list, tuple)):
        return (type_text(value[0]) if value else "int") + "[]"
    names = {torch.Tensor: "Tensor", torch.device: "Device", type(None): "NoneType"}
    return names.get(type(value)) or type(value).__name__


# PyTorch ends the process for operands that these operators are not for.
FATAL = {"aten::_scaled_mm"}


class GraphText:
    """Writes a graph that calls one operator: tensors come in, the rest are constants, or inputs where `open_numbers`."""

    def __init__(self, open_numbers):
        self.open_numbers = open_numbers
        self.inputs, self.arguments, self.lines = [], [], []
        self.names = (f"%v{n}" for n in itertools.count())

    def value(self, value):
        name = next(self.names)
        if isinstance(value, (list, tuple)):
            parts = ", ".join([self.value(v) for v in value])
            self.lines.append(f"{name} : {type_text(value)} = prim::ListConstruct({parts})")
        elif isinstance(value, torch.Tensor) or (self.open_numbers and type(value) in (int, float, bool)):
            self.inputs.append(f"{name} : {type_text(value)}")
            self.arguments.append(value)
        elif value is None:
            self.lines.append(f"{name} : NoneType = prim::Constant()")
        else:
            literal = f'"{value}"' if isinstance(value, (str, torch.device)) else repr(value + 0)
            self.lines.append(f"{name} : {type_text(value)} = prim::Constant[value={literal}]()")
        return name

    def graph(self, schema, values):
        operands = ", ".join([self.value(v) for v in values])
        results = [f"%r{n}" for n in range(len(schema.returns))]
        typed = [f"{name} : {resulting(result.type)}" for name, result in zip(results, schema.returns)]
        self.lines.append(f"{', '.join(typed)} = {schema.name}({operands})")
        if len(results) > 1:
            types = ", ".join(resulting(result.type) for result in schema.returns)
            self.lines.append(f"%out : ({types}) = prim::TupleConstruct({', '.join(results)})")
            results = ["%out"]
        body = "".join(f"  {line}\n" for line in self.lines)
        return f"graph({', '.join(self.inputs)}):\n{body}  return ({results[0]})\n"


def case_from_values(key, schema, values, open_numbers):
    """A program that calls exactly this overload with these values, or None where PyTorch refuses."""
    text = GraphText(open_numbers)
    try:
        graph = torch._C.parse_ir(text.graph(schema, values))
        if key not in (operators_in(graph) or ()):
            return None
        program = torch._C._create_function_from_graph("forward", graph)
        expected = program(*[a.clone() if isinstance(a, torch.Tensor) else a for a in text.arguments])
    except Exception:
        return None
    return Case(f"{schema.name}.{schema.overload_name}{tuple(values)}", program, text.arguments, expected, {key}, is_undefined(key))


def cases_from_schema(key, schema):
    """Up to three programs with constants and, for operators on numbers alone, three with inputs."""
    tries = list(itertools.islice(itertools.product(*map(candidates, schema.arguments)), 500))
    # The first is the likeliest; the others in an order that does not hold the first arguments still.
    tries[1:] = random.Random(0).sample(tries[1:], max(0, min(40, len(tries) - 1)))
    tries = SPECIAL.get(schema.name, []) + ([] if schema.name in FATAL else tries)
    makes_tensors = any("Tensor" in str(result.type) for result in schema.returns)
    for open_numbers in (False, True):
        # Around tensors numbers are constants: they may be sizes or dimensions.
        usable = [values for values in tries if not open_numbers or not makes_tensors
                  and any(type(v) in (int, float, bool) for v in values)
                  and not any(isinstance(v, torch.Tensor) for v in values)]
        cases = (case_from_values(key, schema, values, open_numbers) for values in usable)
        yield from itertools.islice(filter(None, cases), 3)
