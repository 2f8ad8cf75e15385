"""Arrays of .npy whose header lies about what follows."""

import random
import struct

from . import Case, run
from .archive import INPUT, SUM, archive, npy

COMMAND = run("program.pt", "--input=@x.npy")
NUMPY = b"\x93NUMPY"


def cases():
    program = archive()

    def case(label, data, error=None, **more):
        return Case("npy-" + label, COMMAND, {"program.pt": program, "x.npy": data}, error, **more)

    yield case("good", INPUT, prints=SUM)
    yield case("version-2", npy(version=2), prints=SUM)
    yield case("empty", b"", "expected a .npy file")
    for kept in (1, 6, 7, 8, 9, 10, 11, 30, len(INPUT) - 9, len(INPUT) - 8, len(INPUT) - 1):
        yield case(f"cut-{kept}", INPUT[:kept], "npy: ")
    yield case("tail", INPUT + b"x", "expected 8 bytes of elements")
    for version in (0, 4, 9, 255):
        yield case(f"version-{version}", npy(version=version), "unsupported version")
    for length in (0, 1, 5, 60, 65535):
        yield case(f"header-of-{length}", npy(length=length), "npy: ")
    for length in (2**20 + 1, 2**31, 2**32 - 1):
        yield case(f"long-header-of-{length}", npy(version=2, length=length), "header of at most 1048576 bytes")
    for descr in ("''", "'<f9'", "'>f4'", "'|O'", "'<U7'", "[('a', '<f4')]", "'<f4", "f4", "'" + "x" * 60000 + "'"):
        yield case(f"descr-{descr[:12]}", npy(descr), "npy: ")
    for shape in ("()", "(3,)", "(-2,)", "(2", "2", "(2 2)", "(,)", "(2,,)", "((2,),)", "(2.0,)", "(1e1,)", "None", "(9999999999999999999999,)",
                  "(2, 2)", "(4611686018427387904, 4)", "(4294967296, 4294967296, 2)", "(2, 4611686018427387904, 2)"):
        yield case(f"shape-{shape}", npy(shape=shape), "error")
    yield case("nothing-times-huge", npy(shape="(0, 9223372036854775807, 9223372036854775807)", data=b""), "error")
    yield case("rank-65", npy(shape="(" + "1, " * 65 + ")", data=bytes(4)), "expected at most 64 sizes")
    yield case("rank-300000", npy(version=2, shape="(" + "1," * 300000 + ")", data=bytes(4)), "expected at most 64 sizes")
    for label, header in {"empty": "{}", "no-dict": "[]", "open": "{'descr'", "no-value": "{'descr': }", "other-key": "{'a': 1}",
                          "key-twice": "{'descr': '<f4', 'shape': (1,), 'shape': (2,)}", "two-descr": "{'descr': '<f8', 'descr': '<f4', 'shape': (2,)}",
                          "no-shape": "{'descr': '<f4', 'fortran_order': False}", "code": "__import__('os').system('touch ran')",
                          "four-keys": "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", "zeros": "\0" * 100, "quotes": "'" * 50000,
                          "braces": "{" * 50000, "no-commas": "{'descr': '<f4' 'fortran_order': False 'shape': (2,)}",
                          "behind": "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } {}"}.items():
        yield case("header-" + label, npy(header=header), "npy: ")
    yield case("column-major", npy(order="True"), "Fortran order")
    yield case("large", npy(shape=f"({1 << 24},)", data=bytes(4 << 24)), "error", stated=2 * (4 << 24))
    noise = random.Random(3)
    for number in range(20):
        broken = bytearray(INPUT)
        broken[noise.randrange(len(INPUT) - 8)] = noise.randrange(256)
        yield case(f"changed-{number}", bytes(broken))
    yield case("claims-a-terabyte", NUMPY + b"\x01\x00" + struct.pack("<H", 76) + b"{'descr': '<f4', 'fortran_order': False, 'shape': (274877906944,), }".ljust(75) + b"\n",
               "expected 1099511627776 bytes of elements")
