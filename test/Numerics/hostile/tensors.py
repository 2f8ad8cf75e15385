"""Tensors of an archive whose sizes, strides and storages do not fit each other."""

from . import Case, run
from .archive import (INPUT, SUM, archive, call, integer, list_, module, name, real, storage, tensor, text, tuple_)

COMMAND = run("program.pt", "--input=@x.npy")


def quantized(sizes, *quantizer):
    return call("torch._utils", "_rebuild_qtensor",
                tuple_(storage("QInt8Storage", count=2), integer(0), tuple_(*map(integer, sizes)), tuple_(integer(1)),
                       tuple_(*quantizer), b"\x89", call("collections", "OrderedDict", b")")))


def cases():
    def case(label, weight, error=None, data=None, **more):
        files = {"program.pt": archive(module(w=weight), **({"data/0": data} if data is not None else {})), "x.npy": INPUT}
        return Case("tensor-" + label, COMMAND, files, error, **more)

    yield case("good", tensor(), prints=SUM)
    yield case("expanded", tensor((2,), (0,)), prints=r"2\.5.*3\.5")
    for offset in (1, 2, 3, 2**40, 2**63 - 1):
        yield case(f"offset-{offset}", tensor(offset=offset), "tensor (reaches|begins)")
    for offset in (-1, -(2**63)):
        yield case(f"offset-{offset}", tensor(offset=offset), "expected a non-negative offset")
    for size in (3, 2**31, 2**62, 2**63 - 1):
        yield case(f"size-{size}", tensor((size,)), "reaches beyond storage")
    for size in (-1, -(2**63)):
        yield case(f"size-{size}", tensor((size,)), "non-negative integers")
    for stride in (2, 2**31, 2**63 - 1):
        yield case(f"stride-{stride}", tensor((2,), (stride,)), "reaches beyond storage")
    yield case("stride--1", tensor((2,), (-1,)), "non-negative integers")
    yield case("repeated", tensor((2**40,), (0,)), "repeats those of storage")
    yield case("repeated-twice", tensor((2**32, 2**32), (0, 0)), "reaches beyond storage|repeats")
    yield case("overflow-to-two", tensor((2**62, 2**62, 2), (0, 0, 1)), "reaches beyond storage|repeats")
    yield case("empty-and-huge", tensor((0, 2**62, 2**62), (1, 1, 1)), "error")
    yield case("rank-64", tensor((1,) * 63 + (2,), (1,) * 64))
    for rank in (65, 1000, 100000):
        yield case(f"rank-{rank}", tensor((1,) * rank, (1,) * rank), "expected a rank of at most 64")
    yield case("fewer-strides", tensor((1, 2), (1,)), "expected 2 strides, got 1")
    yield case("no-storage", tensor(place=b"N"), "expected a storage")
    yield case("other-maker", tensor(maker="_rebuild_sparse_tensor"), "not handled|error")
    yield case("record-of-7-bytes", tensor(), "storage claims 2 elements", data=bytes(7))
    yield case("record-of-nothing", tensor(), "storage claims 2 elements", data=b"")
    for kind in ("LongStorage", "ComplexDoubleStorage"):
        yield case(f"narrower-than-{kind}", tensor(place=storage(kind)), "storage claims 2 elements")
    for kind in ("HalfStorage", "BFloat16Storage", "IntStorage", "BoolStorage", "CharStorage", "ComplexFloatStorage"):
        yield case(f"read-as-{kind}", tensor((1,), place=storage(kind, count=1)))
    for device in ("", "cuda:99999999999999999999", "nowhere", "\x00", "cpu\n" * 1000):
        yield case(f"device-{device[:8]!r}", tensor(place=storage(device=device)))
    scheme = name("torch", "per_tensor_affine")
    yield case("quantized", quantized((2,), scheme, real(0.5), integer(0)), "error")
    yield case("quantized-without-scale", quantized((2,), scheme), "expected a scale and a zero point")
    channels = name("torch", "per_channel_affine")
    yield case("channels-of-nothing", quantized((2,), channels, b"N", b"N", integer(0)), "expected scales")
    yield case("channels-beyond", quantized((2,), channels, tensor(), tensor(), integer(7)), "expected an axis below 1")
    yield case("channels-of-floats", quantized((2,), channels, tensor(), tensor(), integer(0)), "one for each channel")
    yield case("list-of-views", list_(*[tensor()] * 2000), "error")
    yield case("text-as-tensor", text("w"), "error")
