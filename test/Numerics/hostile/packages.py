"""A package is code, which nothing but its user opens; what jit-run is given for an archive is none. Its file of weights is data."""

from . import Case, run
from .archive import INPUT

# What is done to a file of weights: none of these is the one that the package was compiled with.
DAMAGES = {
    "empty": lambda data: b"", "one-byte": lambda data: data[:1], "cut": lambda data: data[:-1], "half": lambda data: data[: len(data) // 2],
    "tail": lambda data: data + b"x", "zeros": lambda data: bytes(len(data)), "magic": lambda data: b"X" + data[1:],
    "number": lambda data: data[:8] + bytes(8) + data[16:], "text": lambda data: b"weights\n" * (len(data) // 8), "twice": lambda data: data + data,
}


def cases():
    for label, data in {"empty": b"", "text": b"no library", "elf-magic": b"\x7fELF", "elf-header": b"\x7fELF\x02\x01\x01" + bytes(57)}.items():
        yield Case("package-" + label, run("program.so", "--input=@x.npy"), {"program.so": data, "x.npy": INPUT}, "error")
