"""From modules and functions of PyTorch to programs."""

import inspect
import math
import pathlib
import tempfile
import warnings
from typing import Any, Callable, Optional, Sequence

from ._arrays import is_array, is_torch, leaves, rebuild
from ._errors import check_numerics, check_tier, Error, refusal
from ._program import Program
from ._threads import shared_by


def _script(function: Any, examples: Any, path: str) -> None:
    import torch

    is_scripted = isinstance(function, (torch.jit.ScriptModule, torch.jit.ScriptFunction))
    _with_defaults(function if is_scripted else torch.jit.script(function)).save(path)


def _has_literal(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value))


def _with_defaults(function: Any) -> Any:
    """What PyTorch saves of a function has no default arguments; of a method that calls it, it has."""
    import torch

    arguments = function.schema.arguments if isinstance(function, torch.jit.ScriptFunction) else []
    defaults = [argument.default_value for argument in arguments if argument.has_default_value()]
    if not defaults or not all(map(_has_literal, defaults)):
        return function

    def declared(argument: Any) -> str:
        default = f" = {argument.default_value!r}" if argument.has_default_value() else ""
        return f"{argument.name}: {argument.type.annotation_str}{default}"

    # A class of its own: TorchScript has one for each class, and its methods are defined once.
    module = torch.jit.script(type("Function", (torch.nn.Module,), {})())
    given = ", ".join(argument.name for argument in arguments)
    # It finds `function` here, in the frame of its caller.
    module.define(f"def forward(self, {', '.join(map(declared, arguments))}):\n    return function({given})\n")
    return module


def _export(function: Any, examples: Any, path: str) -> None:
    import torch

    program = function
    if not isinstance(function, torch.export.ExportedProgram):
        module = _as_module(function)
        any_size = torch.export.Dim.AUTO

        def sizes_of(leaf: Any) -> Any:
            return {dim: any_size for dim in range(leaf.ndim)} if is_torch(leaf) else None

        given = inspect.signature(module.forward).bind(*examples).arguments
        sizes = {name: rebuild(value, sizes_of) for name, value in given.items()}
        program = torch.export.export(module, tuple(examples), dynamic_shapes=sizes)
    torch.export.save(program, path)


def _trace(function: Any, examples: Any, path: str) -> None:
    import torch

    torch.jit.trace(_as_module(function), tuple(examples), check_trace=False).save(path)


_WAYS: dict[str, tuple[Callable[[Any, Any, str], None], str]] = {
    "script": (_script, "scripted: branches and loops are the program's"),
    "export": (_export, "exported: as torch.export sees it from the example inputs"),
    "trace": (_trace, "traced: branches and loops are those that the example inputs took"),
}


def _as_module(function: Any) -> Any:
    """A module whose forward is the function: only modules can be exported, and traced to be saved."""
    import torch

    if isinstance(function, torch.nn.Module):
        return function

    class Function(torch.nn.Module):
        def forward(self, *arguments: Any) -> Any:
            return function(*arguments)

    return Function()


def _torch_examples(example_inputs: Any) -> Sequence[Any]:
    """As arguments of torch: one array alone is one argument."""
    import torch

    if is_array(example_inputs):
        example_inputs = (example_inputs,)
    if not isinstance(example_inputs, (list, tuple)):
        raise TypeError(f"expected example_inputs that are a tuple of arguments, got {type(example_inputs).__name__}")
    for leaf in leaves(list(example_inputs)):
        if not (is_array(leaf) or leaf is None or isinstance(leaf, (bool, int, float, str))):
            raise TypeError(f"expected arrays, numbers, strings and None as example_inputs, got {type(leaf).__name__}")
    return rebuild(list(example_inputs), lambda leaf: torch.from_dlpack(leaf) if is_array(leaf) and not is_torch(leaf) else leaf)


def _kind(value: Any) -> str:
    """What was given for a module, and what to do instead where that is known."""
    if isinstance(value, type):
        return f"the class {value.__name__}: make an instance of it"
    if isinstance(value, (str, pathlib.Path)):
        return f"{value!r}: load() opens files"
    if isinstance(value, dict) and any(map(is_torch, value.values())):
        return "a dict of tensors: a state_dict has weights and no code, load it into its module"
    return type(value).__name__


def _ways(function: Any, example_inputs: Any, way: Optional[str]) -> list[str]:
    """The ways to try, the best first."""
    import torch

    if way is not None and way not in _WAYS:
        raise TypeError(f"expected one of the ways {', '.join(_WAYS)}, got '{way}'")
    if isinstance(function, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        possible, needed = ["script"], "a module or function that is not scripted"
    elif isinstance(function, torch.export.ExportedProgram):
        possible, needed = ["export"], "a module or function that is not exported"
    elif isinstance(function, type) or not callable(function):
        raise TypeError(f"expected a module or function of PyTorch, got {_kind(function)}")
    else:
        possible, needed = ["script"] if example_inputs is None else list(_WAYS), "example_inputs"
    if way is not None and way not in possible:
        raise TypeError(f"expected {needed} for way='{way}'")
    return possible if way is None else [way]


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def compile(module_or_function: Any, example_inputs: Optional[Sequence[Any]] = None, *, way: Optional[str] = None,
            threads: int = 0, target: str = "cpu", any_sizes: Optional[bool] = None, numerics: str = "fast",
            isolate: bool = False, tier: str = "both") -> Program:
    """Compiles a module or function of PyTorch, or what torch.jit or torch.export has made of one.

    It is scripted, which keeps its branches and loops; where that cannot be and there are example inputs, it is
    exported, and where that cannot be either, traced. report() says which and why; `way` asks for one of "script",
    "export" and "trace". The program has the module's weights as they are now: to train a module, see
    torch.compile(backend="jit_mlir"). `threads` share a call's work; 0: as many as PyTorch uses. `any_sizes`: as for
    load(). With `numerics` "strict", convolutions are summed as the program writes them, where "fast" lets them lose 1e-5 of the
    largest result; with `isolate`, child processes compile, so that a crash of the compiler is an Error and this process goes on.
    Calls run code that is there soon until a thread has optimised it; `tier` "baseline" keeps to it, of the same values, and
    "optimised" waits for the other. Raises Error with a line for each way that was tried.
    """
    ways = _ways(module_or_function, example_inputs, way)
    threads = shared_by(threads)
    check_numerics(numerics)
    check_tier(tier)
    examples = None if example_inputs is None else _torch_examples(example_inputs)
    tried: list[str] = []
    for name in ways:
        make, meaning = _WAYS[name]
        try:
            return _open(make, module_or_function, examples, threads, target, any_sizes, numerics, isolate, tier,
                         "".join(f"compile: {line}\n" for line in [*tried, meaning]))
        except Error as error:
            if len(ways) == 1:
                raise
            tried.append(f"{name}: {error}")
        except Exception as error:  # of whatever kind PyTorch's own are
            tried.append(f"{name}: {_first_line(error)}")
    advice = "" if example_inputs is not None or way is not None else "; with example_inputs it could be exported or traced"
    name = getattr(module_or_function, "__qualname__", type(module_or_function).__name__)
    refused = f"expected what can be made a program, got {name}{advice}"
    raise refusal("unsupported", "\n".join([refused, *tried]))


def _open(make: Callable[[Any, Any, str], None], function: Any, examples: Any, threads: int, target: str,
          any_sizes: Optional[bool], numerics: str, isolate: bool, tier: str, origin: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "program.pt2")
        with warnings.catch_warnings():
            # That TorchScript grows old, and what tracing bakes in: report() says the latter.
            warnings.simplefilter("ignore")
            make(function, examples, path)
        program = Program.open(path, threads, target, any_sizes, numerics, isolate, origin, tier)
    if examples is not None:
        from ._arrays import plain

        program._session.prepare("forward", plain(examples))
    return program
