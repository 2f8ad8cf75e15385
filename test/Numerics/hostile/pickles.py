"""Pickles that nest, share, contain themselves, claim sizes, or would run code in Python."""

import random
import struct

from . import Case, run
from .archive import (INPUT, SUM, archive, call, dict_, instance, integer, list_, module, name, pickle, real, storage, tensor, text,
                      tuple_)

COMMAND = run("program.pt", "--input=@x.npy")


def doubling(levels):
    """A list of the one before, twice, and so on."""
    body = b"]q\x00"
    for level in range(levels):
        body += b"0](" + b"h" + bytes([level]) + b"h" + bytes([level]) + b"eq" + bytes([level + 1])
    return body


def with_attribute(value):
    return module(w=tensor(), extra=value)


def cases():
    def case(label, data, error=None, **more):
        return Case("pickle-" + label, COMMAND, {"program.pt": archive(data), "x.npy": INPUT}, error, **more)

    good = module(w=tensor())
    yield case("good", good, prints=SUM)
    yield case("beside", with_attribute(list_(integer(1), real(2.5), text("x"))), prints=SUM)
    yield case("empty", b"", "data.pkl: offset 0: pickle is cut short")
    yield case("stop-alone", b".", "expected a value on the stack")
    for kept in range(5, len(good) - 1, max(1, len(good) // 14)):
        yield case(f"cut-{kept}", good[:kept], "cut short|error")
    for protocol in (6, 17, 255):
        yield case(f"protocol-{protocol}", pickle(b"N", protocol), "expected pickle protocol 2 to 5")
    for opcode in (b"\xff", b"\x00", b"P0\n", b"i__torch__\nM\n", b"I1\n", b"V1\n", b"\x82\x01", b"\x97", b"\x98"):
        yield case(f"opcode-{opcode[0]:02x}", pickle(opcode), "error")
    yield case("marks", pickle(b"(" * 200000), "error")
    yield case("pops", pickle(b"0" * 1000), "expected a value on the stack")
    yield case("no-mark", pickle(b"t"), "expected a mark")
    yield case("memo-of-nothing", pickle(b"h\x07"), "error")
    yield case("memo-far", pickle(b"Nr\xff\xff\xff\xff0j\xff\xff\xff\xff"), "error")
    yield case("contains-itself", pickle(b"]q\x00h\x00a"), "contains itself")
    yield case("object-contains-itself", pickle(name("__torch__", "M") + b")\x81q\x00}X\x01\0\0\0wh\x00sb"), "contains itself")
    for depth in (255, 300, 10000, 300000):
        yield case(f"tuples-{depth}", pickle(b")" + b"\x85" * depth), "error")
        yield case(f"lists-{depth}", with_attribute(b"](" * depth + b"e" * depth), "nested deeper than 256" if depth > 256 else "error")
    yield case("doubling-20", with_attribute(doubling(20)))
    yield case("doubling-120", with_attribute(doubling(120)), "stand for more than")
    yield case("many-values", with_attribute(list_(*[b"N"] * (9 << 20))), "more than .* values")
    yield case("values-allowed", with_attribute(list_(*[b"N"] * ((1 << 20) - 100))))
    for size in (2**31, 2**32 - 1):
        yield case(f"text-of-{size}", pickle(b"X" + struct.pack("<I", size) + b"x"), "cut short")
    for size in (2**32, 2**63, 2**64 - 1):
        yield case(f"bytes-of-{size}", pickle(b"\x8e" + struct.pack("<Q", size) + b"x"), "cut short")
    yield case("frame-beyond", pickle(b"\x95" + b"\xff" * 8 + b"N"), "error")
    yield case("long-integer", with_attribute(b"\x8a\xff" + b"\x01" * 255), "at most 8 bytes")
    yield case("runs-code", pickle(call("os", "system", tuple_(text("touch ran")))), "error")
    yield case("runs-code-as-state", with_attribute(call("builtins", "exec", tuple_(text("open('ran', 'w')")))), "error")
    yield case("global-of-lines", pickle(b"c" + b"a" * 100000 + b"\nb\n"), "error")
    yield case("no-module", pickle(integer(3)), "error")
    yield case("unknown-class", pickle(instance("Absent", dict_())), "Absent")
    yield case("class-elsewhere", pickle(instance("M", dict_(), "os.path")), "error")
    yield case("attribute-missing", module(), "expected a value of 'w'")
    for label, value in {"int": integer(1), "text": text("x"), "none": b"N", "list": list_(), "dict": dict_(a=integer(1)),
                         "object": instance("M", dict_())}.items():
        yield case(f"weight-is-{label}", module(w=value), "error")
    yield case("state-no-dict", pickle(instance("M", tuple_(integer(1)))), "error")
    yield case("keys-no-text", pickle(name("__torch__", "M") + b")\x81}(" + integer(1) + integer(2) + b"ub"), "error")
    yield case("storage-of-three", module(w=tensor(place=tuple_(text("storage")) + b"Q")), "expected a storage")
    yield case("storage-unknown", module(w=tensor(place=storage(kind="QuadStorage"))), "not handled")
    yield case("storage-absent", module(w=tensor(place=storage(key="77"))), "no storage 'data/77'")
    yield case("storage-climbs", module(w=tensor(place=storage(key="../version"))), "no storage")
    for count in (-1, 3, 2**62, -(2**63)):
        yield case(f"storage-of-{count}", module(w=tensor(place=storage(count=count))), "storage claims")
    noise = random.Random(1)
    for number in range(24):
        broken = bytearray(good)
        broken[noise.randrange(len(broken))] = noise.randrange(256)
        yield case(f"changed-{number}", bytes(broken))
