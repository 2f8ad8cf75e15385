"""Zips and pickles byte by byte, so that any field may lie; and a program in them that adds a weight to its input."""

import struct
import zlib

WEIGHT = struct.pack("<2f", 1.5, 2.5)
CODE = """class M(Module):
  __parameters__ = ["w", ]
  w : Tensor
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
    return torch.add(x, self.w, alpha=1)
"""


class Zip:
    """A zip whose members and directory say what they are told; what is not told is true."""

    def __init__(self):
        self.body, self.directory, self.count = b"", b"", 0

    def add(self, name, data, method=0, flags=0, **lies):
        raw = data.encode() if isinstance(data, str) else data
        packed = raw
        if method == 8:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = packer.compress(raw) + packer.flush()
        packed = lies.get("packed", packed)
        crc, size = lies.get("crc", zlib.crc32(raw)), lies.get("size", len(raw))
        held, offset = lies.get("held", len(packed)), lies.get("offset", len(self.body))
        local, central, extra = lies.get("local", name).encode(), name.encode(), lies.get("extra", b"")
        self.body += struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, flags, method, 0, 0, crc, held, size, len(local), len(extra))
        self.body += local + extra + packed
        self.directory += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, flags, method, 0, 0, crc, held, size, len(central),
                                      len(extra), lies.get("comment", 0), 0, 0, 0, offset) + central + extra
        self.count += 1
        return self

    def bytes(self, comment=b"", tail=b"", **lies):
        count, size = lies.get("count", self.count), lies.get("size", len(self.directory))
        start = lies.get("start", len(self.body))
        end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, lies.get("comment_size", len(comment)))
        return self.body + self.directory + lies.get("locator", b"") + end + comment + tail


# Pickles: each function gives the opcodes that push one value.


def text(value):
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def integer(value):
    return b"\x8a\x08" + struct.pack("<q", value)


def real(value):
    return b"G" + struct.pack(">d", value)


def tuple_(*values):
    return b"(" + b"".join(values) + b"t"


def list_(*values):
    return b"](" + b"".join(values) + b"e"


def dict_(**values):
    return b"}(" + b"".join(text(key) + value for key, value in values.items()) + b"u"


def name(module, attribute):
    return f"c{module}\n{attribute}\n".encode()


def call(module, attribute, arguments):
    return name(module, attribute) + arguments + b"R"


def storage(kind="FloatStorage", key="0", count=2, device="cpu"):
    return tuple_(text("storage"), name("torch", kind), text(key), text(device), integer(count)) + b"Q"


def tensor(sizes=(2,), strides=(1,), offset=0, place=None, maker="_rebuild_tensor_v2"):
    return call("torch._utils", maker, tuple_(place or storage(), integer(offset), tuple_(*map(integer, sizes)),
                                              tuple_(*map(integer, strides)), b"\x89", call("collections", "OrderedDict", b")")))


def instance(cls, state, module="__torch__"):
    return name(module, cls) + b")\x81" + state + b"b"


def pickle(value, protocol=2):
    return b"\x80" + bytes([protocol]) + value + b"."


def module(**attributes):
    return pickle(instance("M", dict_(**attributes)))


def members(data=None, code=CODE, **more):
    """All members of an archive, by name without the root folder."""
    return {"data.pkl": module(w=tensor()) if data is None else data, "data/0": WEIGHT, "constants.pkl": pickle(b")"),
            "code/__torch__.py": code, "version": "10\n", "byteorder": "little"} | more


def archive(data=None, code=CODE, method=0, **more):
    out = Zip()
    for member, content in members(data, code, **more).items():
        out.add("m/" + member, content, method)
    return out.bytes()


def npy(descr="'<f4'", order="False", shape="(2,)", data=struct.pack("<2f", 1, 2), version=1, header=None, length=None):
    header = header if header is not None else f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"
    raw = header if isinstance(header, bytes) else header.encode()
    size = len(raw) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", size) + raw + data


INPUT = npy()
SUM = r"2\.5.*4\.5"
