"""Programs: imported, compiled as they are called."""

import json
import os
from typing import TYPE_CHECKING, Any, Optional, Union

from ._arrays import cuda_stream, dense, has_tensors, is_array, marked, needs_gradients, plain, wrap
from ._errors import check_numerics, check_tier
from ._given import given
from ._methods import Methods
from ._objects import entering, leaving
from ._operators import registered
from ._threads import shared_by

if TYPE_CHECKING:
    from . import _compiler

DTYPES = {"uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float16": "f16", "float32": "f32",
          "float64": "f64", "complex32": "c32", "complex64": "c64", "complex128": "c128", "bool": "bool", "bfloat16": "bf16",
          "uint16": "u16", "uint32": "u32", "uint64": "u64", "float8_e5m2": "f8e5m2", "float8_e4m3fn": "f8e4m3fn",
          "float8_e5m2fnuz": "f8e5m2fnuz", "float8_e4m3fnuz": "f8e4m3fnuz"}


def _text(arguments: Any) -> str:
    """A call of `forward` in the words of docs/call-spec.md: "forward(f32[1,512], 16000)"."""
    from . import _compiler

    return _compiler.call_text("forward", plain(arguments) if cuda_stream(arguments) is None else dense(arguments))


class Program(Methods):
    """A program and the state of its modules. Threads may share it.

    A call of a kind that was not there before is compiled first. Where one of the arguments is a tensor that requires a
    gradient, the results do too, as in PyTorch. Where one is on a CUDA device and the program is compiled for "cuda", so are
    the results: the call neither waits nor copies them.
    """

    def __init__(self, session: "_compiler.Session", origin: str = "", target: str = "cpu") -> None:
        self._session = session
        self._is_for_cuda = target.partition(":")[0] == "cuda"
        self._origin = origin
        self._signatures = session.methods().splitlines()
        self._layouts: dict[str, Any] = json.loads(session.layouts())
        self._plain = session.call_plain if target == "cpu" and not self._layouts else None

    @classmethod
    def open(cls, path: str, threads: int, target: str, any_sizes: Optional[bool], numerics: str,
             isolate: bool = False, origin: str = "", tier: str = "both") -> "Program":
        """`origin`: how the program came to be, for report()."""
        threads = shared_by(threads)
        check_numerics(numerics)
        check_tier(tier)
        from . import _compiler  # it is large: not before there is something to compile

        return cls(_compiler.Session(path, threads, target, True, any_sizes, numerics, tier, isolate, registered()), origin, target)

    def _given(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        layout = self._layouts.get(name)
        if layout is not None:
            known = layout["arguments"]
            arguments = (*map(entering, known, arguments), *arguments[len(known):])
        return given(arguments)  # type: ignore[no-any-return]

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        arguments = self._given(name, arguments) if self._layouts else given(arguments)
        is_of_torch = has_tensors(arguments)
        if is_of_torch and needs_gradients(arguments):
            from ._autograd import call

            result = call(self._session, name, arguments, self._is_for_cuda)
        else:
            stream = cuda_stream(arguments) if self._is_for_cuda else None
            values = plain(arguments) if is_of_torch else arguments
            if stream is not None:
                values = dense(values)
            result = wrap(self._session.call(name, values, [], False, stream, arguments), arguments, stream is None, is_of_torch)
        layout = self._layouts.get(name) if self._layouts else None
        return result if layout is None else leaving(layout["result"], result)

    def _graph_for(self, name: str, arguments: tuple[Any, ...], gradients: bool, drawn: bool) -> str:
        arguments = self._given(name, arguments)
        return self._session.graph_for(name, plain(arguments), marked(arguments), gradients, drawn)

    def __repr__(self) -> str:
        return f"<jit_mlir.Program: {'; '.join(self._signatures)}>"

    def _repr_svg_(self) -> Optional[str]:
        """In a notebook: the graph that the last call ran, or nothing before the first."""
        return self._session.last_graph()

    def report(self) -> str:
        """How the program came to be; what compilations so far did and left undone, and why, with its lines of Python."""
        return self._origin + self._session.report()

    def state(self, path: str) -> Any:
        """The module's state at a path of its state_dict, a copy."""
        return wrap(self._session.state(path), ())

    def reset(self) -> None:
        """Back to the state that the program was saved with."""
        self._session.reset()

    def save(self, path: Union[str, os.PathLike[str]], *calls: Any, name: str = "", weights: str = "", cpu: str = "",
             target: str = "cpu", chip: str = "") -> None:
        """Compiles calls ahead of time: to a shared object (.so), an object (.o) or a static library (.a), with a C header.

        A call is a sequence of arguments for `forward` (of one argument, an array alone), or a text: "forward(f32[1,512], 16000)"; a name among sizes, as in
        "forward(f32[n,512], 16000)", stands for any from 2 on. Where the program writes in place or asks for strides, those of the arguments, and
        which of them share memory, are a part of the call. For `target` "cuda" it has kernels of an NVIDIA GPU.
        """
        texts = [call if isinstance(call, str) else _text(self._given("forward", (call,) if is_array(call) else tuple(call)))
                 for call in calls]
        self._session.save(os.fspath(path), texts, name, weights, cpu, target, chip)
