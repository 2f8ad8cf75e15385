"""What jit-compile wrote, called as a program in C would: by the functions of its header."""

import ctypes
import os
import subprocess

import numpy as np
import torch

DTYPES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
          torch.float32: 6, torch.float64: 7, torch.bool: 11, torch.bfloat16: 15}
NUMPY = {0: np.uint8, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.int64, 5: np.float16, 6: np.float32, 7: np.float64,
         11: np.bool_}
NONE, TENSOR, INT, FLOAT, BOOL, STRING, LIST, TUPLE = range(8)


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("sizes", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32)]


class Value(ctypes.Structure):
    pass


class Items(ctypes.Structure):
    _fields_ = [("items", ctypes.POINTER(Value)), ("count", ctypes.c_size_t)]


class As(ctypes.Union):
    _fields_ = [("tensor", Tensor), ("integer", ctypes.c_int64), ("real", ctypes.c_double),
                ("string", ctypes.c_char_p), ("list", Items)]


Value._fields_ = [("kind", ctypes.c_int32), ("flags", ctypes.c_int32), ("as_", As)]


class ErrorStruct(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("python_class", ctypes.c_char * 60), ("where", ctypes.c_char * 192),
                ("message", ctypes.c_char * 1792)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("weights", ctypes.c_char_p), ("threads", ctypes.c_uint32), ("device", ctypes.c_size_t)]


class CallOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("stream", ctypes.c_void_p)]


class ArtifactError(Exception):
    def __init__(self, error):
        super().__init__(error.message.decode())
        self.status, self.where = error.status, error.where.decode()
        self.python_class = error.python_class.decode()


def tensor(data, sizes, dtype, strides=None):
    """A jit_value of memory at an address."""
    made = Value(kind=TENSOR)
    as_array = lambda values: (ctypes.c_int64 * max(len(values), 1))(*values)  # noqa: E731
    made.as_.tensor = Tensor(data, as_array(sizes), as_array(strides) if strides else None, len(sizes), DTYPES[dtype])
    return made


def to_value(value):
    if isinstance(value, Value):
        return value
    if value is None:
        return Value(kind=NONE)
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value)
    if isinstance(value, torch.Tensor):
        return tensor(value.data_ptr(), value.shape, value.dtype, value.stride())
    if isinstance(value, (list, tuple)):
        items = (Value * max(len(value), 1))(*map(to_value, value))
        made = Value(kind=LIST if isinstance(value, list) else TUPLE)
        made.as_.list = Items(items, len(value))
        return made
    made = Value(kind=BOOL if isinstance(value, bool) else INT if isinstance(value, int) else
                 FLOAT if isinstance(value, float) else STRING)
    if isinstance(value, float):
        made.as_.real = value
    elif isinstance(value, str):
        made.as_.string = value.encode()
    else:
        made.as_.integer = value
    return made


def from_value(value, copy=True):
    if value.kind == TENSOR:
        given = value.as_.tensor
        sizes = tuple(given.sizes[i] for i in range(given.rank))
        dtype = np.dtype(NUMPY[given.dtype])
        raw = ctypes.string_at(given.data, int(np.prod(sizes, dtype=np.int64)) * dtype.itemsize)
        return np.frombuffer(raw, dtype).reshape(sizes)
    if value.kind == FLOAT:
        return value.as_.real
    if value.kind in (INT, BOOL):
        return value.as_.integer if value.kind == INT else bool(value.as_.integer)
    return None


class Library:
    """A shared object of jit-compile."""

    Error = ArtifactError
    tensor = staticmethod(tensor)

    def __init__(self, path):
        self.path = path
        self.name = path.stem.removeprefix("lib")
        self.code = ctypes.CDLL(str(path))
        self.function("structure").restype = ctypes.c_char_p

    def function(self, name):
        return getattr(self.code, f"{self.name}_{name}")

    def open(self, weights=None, threads=1):
        return Module(self, Options(ctypes.sizeof(Options), str(weights).encode() if weights else None, threads))


class Module:
    def __init__(self, library, options):
        self.library = library
        self.handle = ctypes.c_void_p()
        self._do("open", ctypes.byref(options), ctypes.byref(self.handle))

    def __del__(self):
        if self.handle:
            self.library.function("close")(self.handle)

    def _do(self, name, *arguments):
        error = ErrorStruct()
        if self.library.function(name)(*arguments, ctypes.byref(error)) != 0:
            raise ArtifactError(error)

    def _find(self, method, arguments):
        variant, count = ctypes.c_size_t(), ctypes.c_size_t()
        self._do("find", self.handle, method.encode(), arguments, ctypes.c_size_t(len(arguments)), ctypes.byref(variant))
        return self.library.function("structure")(variant, ctypes.byref(count)).decode(), count.value

    def structure(self, method, *arguments):
        return self._find(method, (Value * len(arguments))(*map(to_value, arguments)))[0]

    def call(self, method, *arguments, results=None):
        """The flat results, as arrays and numbers; `results` are memory for them."""
        kept = [to_value(argument) for argument in arguments]
        given = (Value * len(kept))(*kept)
        if results is None and method:
            try:
                results = [None] * self._find(method, given)[1]
            except ArtifactError:
                results = []  # the call itself has to refuse it
        made = (Value * max(len(results), 1))(*map(to_value, results))
        owned = [value.as_.tensor.data is None for value in made]
        self._do("call", self.handle, method.encode(), given, ctypes.c_size_t(len(kept)), made,
                 ctypes.c_size_t(len(results)))
        values = [from_value(value) for value in made[: len(results)]]
        for value, ours in zip(made, owned):
            if ours and value.kind == TENSOR:
                ctypes.CDLL(None).free(ctypes.c_void_p(value.as_.tensor.data))
        return values

    def call_in(self, method, *arguments, results, stream=None):
        """In a stream of the caller's; results go to the memory that is given for them."""
        kept = [to_value(argument) for argument in arguments]
        options = CallOptions(ctypes.sizeof(CallOptions), stream)
        made = (Value * max(len(results), 1))(*map(to_value, results))
        self._do("call_in", self.handle, method.encode(), (Value * len(kept))(*kept), ctypes.c_size_t(len(kept)), made,
                 ctypes.c_size_t(len(results)), ctypes.byref(options))

    def state(self, path):
        value = Value()
        self._do("state", self.handle, path.encode(), ctypes.byref(value))
        return from_value(value)

    def cpu(self):
        function = self.library.function("cpu")
        function.restype = ctypes.c_char_p
        return function(self.handle).decode()

    def reset(self):
        self.library.function("reset")(self.handle)


def refusal(archive, output, *flags):
    """What jit-compile says where it refuses."""
    from conftest import tool

    process = subprocess.run([tool("jit-compile"), str(archive), "-o", str(output), *flags],
                             capture_output=True, text=True, timeout=300)
    assert process.returncode == 1, process.stdout + process.stderr
    assert not output.exists()
    return process.stderr


def build_c(folder, source, artifact, runpath=None, extra=()):
    """A program in C with an artifact of any of the three forms."""
    (folder / "user.c").write_text(source)
    program = folder / "user"
    command = ["clang-22", "-std=c11", "-Wall", "-Wextra", "-Werror", folder / "user.c", artifact, "-o", program, f"-I{folder}"]
    command += [f"-Wl,-rpath,{runpath or folder}"] if artifact.suffix == ".so" else [*extra, "-lm", "-lpthread"]
    subprocess.run(list(map(str, command)), check=True, timeout=60, env={**os.environ})
    return program
