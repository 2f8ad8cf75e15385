"""Packs a test file into a TorchScript archive, as torch.jit.save lays it out.

The test file is the code: lines of `#` are blanked, so that line numbers stay. Four of them speak to this script:
  # STATE: {...}    the attributes of the root, an object of class M; see the functions below for what they may hold
  # CONSTANTS: [..] the tensors CONSTANTS.c0, c1, ...
  # VERSION: 10     the archive's version
  # PYTHON: file    each line of code came from the same line of that file of the user's (else the archive does not say)
"""

import pickle
import re
import struct
import sys
import zipfile

STORAGES = {"f32": ("FloatStorage", 4), "f64": ("DoubleStorage", 8), "i64": ("LongStorage", 8), "bool": ("BoolStorage", 1),
            "qint8": ("QInt8Storage", 1)}


class Tensor:
    """A contiguous tensor of zeros; `share` makes it a view of another's storage."""

    def __init__(self, sizes, dtype="f32", share=None):
        self.sizes, self.dtype, self.share = sizes, dtype, share


class Quantized(Tensor):
    """Signed bytes with one scale and zero point, or with a tensor of each, for the indices of `axis`."""

    def __init__(self, sizes, scale, zero, axis=None):
        super().__init__(sizes, "qint8")
        self.quantizer = (scale, zero) if axis is None else (scale, zero, axis)


class Object:
    """With attributes, or with the state that its class saves."""

    def __init__(self, name, state=None, **attributes):
        self.name, self.state = name, dict(attributes) if state is None else state


class Writer:
    """A pickle in the few opcodes that archives use."""

    def __init__(self, folder):
        self.folder, self.out, self.memo, self.storages = folder, [b"\x80\x02"], {}, []

    def emit(self, *parts):
        self.out += [p.encode() if isinstance(p, str) else p for p in parts]

    def text(self, text):
        data = text.encode()
        self.emit(b"X", struct.pack("<I", len(data)), data)

    def sequence(self, values, end):
        self.emit(b"(")
        for value in values:
            self.value(value)
        self.emit(end)

    def value(self, value):
        if id(value) in self.memo:
            return self.emit(b"j", struct.pack("<I", self.memo[id(value)]))
        if value is None:
            self.emit(b"N")
        elif value is True or value is False:
            self.emit(b"\x88" if value else b"\x89")
        elif isinstance(value, int):
            self.emit(b"\x8a\x08", struct.pack("<q", value))
        elif isinstance(value, float):
            self.emit(b"G", struct.pack(">d", value))
        elif isinstance(value, str):
            self.text(value)
        elif isinstance(value, tuple):
            self.sequence(value, b"t")
        elif isinstance(value, list):
            self.emit(b"]")
            self.sequence(value, b"e")
        elif isinstance(value, dict):
            self.emit(b"}")
            self.sequence([part for item in value.items() for part in item], b"u")
        elif isinstance(value, Tensor):
            self.tensor(value)
        else:
            self.object(value)
        if isinstance(value, Object):
            self.memo[id(value)] = len(self.memo)
            self.emit(b"r", struct.pack("<I", self.memo[id(value)]))

    def object(self, value):
        module, _, name = value.name.rpartition(".")
        self.emit("c", module, "\n", name, "\n", b")\x81")
        self.value(value.state)
        self.emit(b"b")

    def tensor(self, value):
        kind, size = STORAGES[value.dtype]
        count = 1
        for extent in value.sizes:
            count *= extent
        if value.share is not None:
            value.key, value.count = value.share.key, value.share.count
        elif not hasattr(value, "key"):
            value.key, value.count = str(len(self.storages)), count
            self.storages.append(bytes(count * size))
        strides = [1] * len(value.sizes)
        for i in reversed(range(len(value.sizes) - 1)):
            strides[i] = strides[i + 1] * value.sizes[i + 1]
        quantizer = getattr(value, "quantizer", None)
        self.emit("ctorch._utils\n_rebuild_", "qtensor" if quantizer else "tensor_v2", "\n", b"((")
        self.text("storage")
        self.emit("ctorch\n", kind, "\n")
        self.text(value.key)
        self.text("cpu")
        self.value(value.count)
        self.emit(b"tQ")
        self.value(0)
        self.value(tuple(value.sizes))
        self.value(tuple(strides))
        if quantizer:
            self.emit(b"(", "ctorch\nper_", "tensor" if len(quantizer) == 2 else "channel", "_affine\n")
            for part in quantizer:
                self.value(part)
            self.emit(b"t")
        self.emit(b"\x89", "ccollections\nOrderedDict\n", b")R", b"tR")

    def save(self, archive, value):
        self.value(value)
        self.emit(b".")
        archive.writestr(f"m/{self.folder}.pkl", b"".join(self.out))
        for key, storage in enumerate(self.storages):
            archive.writestr(f"m/{self.folder}/{key}", storage)


def debug_ranges(code, file):
    """Every line of the code came from the same line of the file."""
    entries, offset = [], 0
    for line in code.splitlines(keepends=True):
        entries.append((offset, (([0], 1, 1), offset, offset + len(line)), 0))
        offset += len(line)
    return pickle.dumps(("FORMAT_WITH_STRING_TABLE", (code, file), tuple(entries)), protocol=2)


def setting(text, name, default):
    found = re.search(rf"^# {name}: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else default


def main(source, target):
    text = open(source).read()
    code = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    names = {"Tensor": Tensor, "Quantized": Quantized, "Object": Object}
    state = eval(setting(text, "STATE", "{}"), names)
    with zipfile.ZipFile(target, "w") as archive:
        Writer("data").save(archive, Object("__torch__.M", **state))
        Writer("constants").save(archive, tuple(eval(setting(text, "CONSTANTS", "[]"), names)))
        archive.writestr("m/code/__torch__.py", code)
        if file := setting(text, "PYTHON", ""):
            archive.writestr("m/code/__torch__.py.debug_pkl", debug_ranges(code, file))
        archive.writestr("m/version", setting(text, "VERSION", "10") + "\n")
        archive.writestr("m/byteorder", "little")


main(*sys.argv[1:])
