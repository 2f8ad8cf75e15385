"""PyTorch's own list of core operators: each is supported, or stands here with the reason why it is not. So do its prims."""

import pathlib
import subprocess
import sys

import torch
from conftest import tool

# What an importer knows without a record.
BY_IMPORT = {
    "atan2.out": "out= of any operator is a write",
    "sym_numel": "sizes are ints",
    "sym_size.int": "sizes are ints",
}
CORE_GAPS = {
    "resize_": "a tensor's memory has the size that it has",
    "sym_is_contiguous": "no exported program with decompositions asks for it; TorchScript's is_contiguous() is there",
    "sym_storage_offset": "no exported program with decompositions asks for it; TorchScript's storage_offset() is there",
    "sym_stride.int": "no exported program with decompositions asks for it; TorchScript's stride() is there",
}
PRIMS_GAPS = {
    "_make_token": "order of effects of torch.compile's own, never exported",
    "_sink_tokens": "order of effects of torch.compile's own, never exported",
    "as_strided": "a write to what may overlap: aten.as_strided is there",
    "as_strided_scatter": "aten.as_strided_scatter is there",
    "cbrt": "no operator of ATen gives it",
    "conj": "views of complex tensors are aten's",
    "conj_physical": "aten.conj_physical is there",
    "copy_strided": "new memory with strides of a program's own",
    "copy_to": "a write in place: aten.copy_ is there",
    "device_put": "a program runs on one device",
    "empty": "what memory holds is not defined: aten.empty is there",
    "empty_permuted": "what memory holds is not defined: aten.empty_permuted is there",
    "empty_strided": "what memory holds is not defined: aten.empty_strided is there",
    "fft_c2c": "aten._fft_c2c is there",
    "fft_c2r": "aten._fft_c2r is there",
    "fft_r2c": "aten._fft_r2c is there",
    "frexp": "aten.frexp is there",
    "imag": "views of complex tensors are aten's",
    "item": "a number that data tell: aten.item is there",
    "maximum_value": "a number of an element type: torch.finfo says it",
    "minimum_value": "a number of an element type: torch.finfo says it",
    "normal": "random numbers are drawn by aten's",
    "prod": "aten.prod is there",
    "real": "views of complex tensors are aten's",
    "resize": "a tensor's memory has the size that it has",
    "spherical_bessel_j0": "aten.special_spherical_bessel_j0 is there",
    "svd": "aten._linalg_svd is there",
    "uniform": "random numbers are drawn by aten's",
    "var": "aten.var is there",
    "view_of": "a view of all of a tensor: aten.alias is there",
    "view_of_dtype": "aten.view.dtype is there",
    "xor_sum": "no operator of ATen gives it",
}


def listed():
    listing = subprocess.run([tool("jit-translate"), "--list-operators"], check=True, capture_output=True, text=True)
    return {line.split("(", 1)[0] for line in listing.stdout.splitlines()}


def overloads(space, wanted=lambda overload: True):
    """Their names as schemas write them, without the namespace."""
    for name in sorted(dir(space)):
        packet = getattr(space, name)
        for overload in packet.overloads() if hasattr(packet, "overloads") else ():
            if wanted(getattr(packet, overload)):
                yield name if overload == "default" else f"{name}.{overload}"


def core_operators():
    """By the dispatcher's list: torch.ops has those alone that somebody has asked it for."""
    for name in torch._C._dispatch_get_all_op_names():
        space, _, written = name.partition("::")
        packet, _, overload = written.partition(".")
        operator = getattr(getattr(torch.ops.aten, packet), overload or "default", None) if space == "aten" else None
        if operator is not None and torch.Tag.core in operator.tags:
            yield written


def test_core_operators_are_supported():
    core, have = set(core_operators()), listed()
    assert len(core) > 190
    missing = {name for name in core if f"aten::{name}" not in have}
    assert missing == CORE_GAPS.keys() | BY_IMPORT.keys()


def prims():
    """Those of PyTorch alone: Inductor has some in the same namespace, once anything in the process imports it."""
    code = "import torch, test_core_operators as tests; print(*tests.overloads(torch.ops.prims))"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=pathlib.Path(__file__).parent).stdout.split()


def test_prims_are_supported():
    have = listed()
    missing = {name for name in prims() if f"prims::{name}" not in have}
    assert missing == PRIMS_GAPS.keys()


class Decomposed(torch.nn.Module):
    """What other tables of decompositions leave: no TorchScript has these with lists of tensors."""

    def forward(self, x, i, v):
        aten, prims = torch.ops.aten, torch.ops.prims
        wide = prims.broadcast_in_dim.default(i, [2, 3], [1])
        return (aten._unsafe_index.Tensor(x, [None, i]), aten._unsafe_index_put.default(x, [None, i], v, True),
                aten._index_put_impl_.default(x.clone(), [None, i], v, False, False),
                prims.convert_element_type.default(wide, torch.float32))


def test_unsafe_indices_and_prims_of_an_exported_program(jit_mlir, tmp_path):
    arguments = torch.arange(12.0).view(2, 6), torch.tensor([5, 0, 2]), torch.ones(2, 3)
    torch.export.save(torch.export.export(Decomposed(), arguments), tmp_path / "decomposed.pt2")
    for got, want in zip(jit_mlir.load(str(tmp_path / "decomposed.pt2"))(*arguments), Decomposed()(*arguments), strict=True):
        assert torch.equal(torch.as_tensor(got), want)
