"""Programs on a CUDA device by libjit's C interface, whatever Python this is: arguments and results stay on the device, and calls are
queued in PyTorch's stream, as a service's would be."""

import ctypes
import torch

DTYPES = {torch.uint8: 0, torch.int32: 3, torch.int64: 4, torch.float16: 5, torch.float32: 6, torch.float64: 7, torch.bool: 11,
          torch.bfloat16: 15}
TENSOR, INT, REQUIRES_GRAD, ON_DEVICE = 1, 2, 1, 4


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("python_class", ctypes.c_char * 60), ("where", ctypes.c_char * 192),
                ("message", ctypes.c_char * 1792)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("sizes", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32)]


class Value(ctypes.Structure):
    pass


class List(ctypes.Structure):
    _fields_ = [("items", ctypes.POINTER(Value)), ("count", ctypes.c_size_t)]


class Payload(ctypes.Union):
    _fields_ = [("tensor", Tensor), ("integer", ctypes.c_int64), ("real", ctypes.c_double), ("list", List)]


Value._fields_ = [("kind", ctypes.c_int32), ("flags", ctypes.c_int32), ("payload", Payload)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("target", ctypes.c_char_p), ("threads", ctypes.c_uint32), ("max_variants", ctypes.c_uint32),
                ("explain", ctypes.c_int32), ("any_sizes", ctypes.c_int32), ("progress", ctypes.c_void_p),
                ("progress_data", ctypes.c_void_p), ("numerics", ctypes.c_char_p), ("cache", ctypes.c_char_p), ("isolate", ctypes.c_int32),
                ("operators", ctypes.c_void_p), ("operator_count", ctypes.c_size_t), ("gpu_tf32", ctypes.c_int32),
                ("gpu_libraries", ctypes.c_char_p)]


class Program:
    """`options`: of jit_session_options, by name."""

    def __init__(self, library, path, **options):
        self.library = ctypes.CDLL(str(library))
        self.library.jit_result_value.restype = ctypes.POINTER(Value)
        self.session, self.error = ctypes.c_void_p(), Error()
        given = Options(size=ctypes.sizeof(Options), target=b"cuda", **options)
        self.check(self.library.jit_session_open(str(path).encode(), ctypes.byref(given), ctypes.byref(self.session),
                                                 ctypes.byref(self.error)))

    def close(self):
        self.library.jit_session_close(self.session)

    def check(self, status):
        if status:
            raise RuntimeError(self.error.message.decode(errors="replace"))

    def call(self, arguments, gradients=False):
        """The call is queued; gives its result, whose memory lives until release()."""
        values = (Value * len(arguments))()
        kept = []
        for value, given in zip(values, arguments):
            if isinstance(given, int):
                value.kind, value.payload.integer = INT, given
                continue
            assert given.is_contiguous()
            sizes = (ctypes.c_int64 * given.dim())(*given.shape)
            kept.append(sizes)
            value.kind, value.flags = TENSOR, REQUIRES_GRAD if gradients and given.is_floating_point() else 0
            value.payload.tensor = Tensor(given.data_ptr(), sizes, None, given.dim(), DTYPES[given.dtype])
        result = ctypes.c_void_p()
        run = self.library.jit_session_call_with_gradients if gradients else self.library.jit_session_call
        self.library.jit_enter_stream(ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
        try:
            self.check(run(self.session, b"forward", values, ctypes.c_size_t(len(arguments)), ctypes.byref(result),
                           ctypes.byref(self.error)))
        finally:
            self.library.jit_leave_stream()
        return result

    def release(self, result):
        self.library.jit_result_free(result)

    def first_tensor(self, result):
        """A copy of the first tensor of what was returned."""
        value = self.library.jit_result_value(result).contents
        while value.kind != TENSOR:
            value = value.payload.list.items[0]
        tensor = value.payload.tensor
        shape = [tensor.sizes[i] for i in range(tensor.rank)]
        dtype = next(dtype for dtype, number in DTYPES.items() if number == tensor.dtype)
        copy = torch.empty(shape, dtype=dtype, device="cuda" if value.flags & ON_DEVICE else "cpu")
        source = _Memory(tensor.data, copy.numel() * copy.element_size())
        if copy.is_cuda:
            copy.view(torch.uint8).reshape(-1).copy_(torch.as_tensor(source, device="cuda"))
        else:
            ctypes.memmove(copy.data_ptr(), tensor.data, source.bytes)
        return copy


class _Memory:
    """Bytes on the device, as CUDA's array interface says it."""

    def __init__(self, address, size):
        self.bytes = size
        self.__cuda_array_interface__ = {"data": (address, False), "shape": (size,), "typestr": "|u1", "version": 3}
