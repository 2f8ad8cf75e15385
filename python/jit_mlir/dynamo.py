"""The backend of torch.compile: AOTAutograd's graphs, forward and backward, each become one program."""

import dataclasses
import functools
import warnings
from typing import Any, Callable, Optional, Sequence

import torch
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.exc import TorchDynamoException
from torch._functorch.aot_autograd import make_boxed_func
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch.nn.attention import SDPBackend, sdpa_kernel

from . import _compiler, _foreach
from ._errors import check_tier, Error
from ._fx import AtenGraph, operators, save_old_values
from ._operators import registered
from ._threads import shared_by

aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class Graph:
    """What became of one graph: `reason` says why it is left to PyTorch, and is empty where it is compiled."""

    kind: str
    nodes: int
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.kind} graph of {self.nodes} nodes: {f'left to PyTorch: {self.reason}' if self.reason else 'compiled'}"


_graphs: list[Graph] = []


def graphs() -> list[Graph]:
    """All graphs so far."""
    return list(_graphs)


def report() -> str:
    """A line for each graph so far."""
    return "".join(f"{graph}\n" for graph in _graphs)


def reset() -> None:
    """Forgets the graphs so far."""
    _graphs.clear()


# ---- what AOTAutograd writes operators out as ----


def _names(schemas: str) -> frozenset[str]:
    return frozenset(line.split("(", 1)[0] for line in schemas.splitlines())


@functools.cache
def _supported() -> frozenset[str]:
    return _names(_compiler.operators())


def _dropout(x: torch.Tensor, p: float, train: Optional[bool]) -> tuple[torch.Tensor, torch.Tensor]:
    """With the random numbers that eager PyTorch would draw."""
    if train is not None and not train:
        return x.clone(), torch.ones_like(x, dtype=torch.bool)
    mask = aten.bernoulli.p(aten.empty_like(x), 1 - p)
    return x * mask * (0.0 if p == 1 else 1 / (1 - p)), mask.to(torch.bool)


@functools.cache
def decompositions() -> dict[Any, Callable[..., Any]]:
    """PyTorch's own ways to write operators out as simpler ones, for those that the compiler does not take whole."""

    def is_supported(operator: Any) -> bool:
        schema = operator._schema
        return schema.name + (f".{schema.overload_name}" if schema.overload_name else "") in _supported()

    table = {operator: rule for operator, rule in core_aten_decompositions().items() if not is_supported(operator)}
    return table | _foreach.rules() | {aten.native_dropout.default: _dropout}


def _fused() -> dict[Any, Callable[..., Any]]:
    """Dynamo's own operator for a product with a sum, which is there once it has used it. PyTorch, too, computes it as this."""
    fma = getattr(torch.ops.prims, "fma", None)
    return {} if fma is None else {fma.default: lambda a, b, c: a * b + c}


# ---- the backend ----


def _reason(error: Exception, graph: torch.fx.GraphModule) -> str:
    text = str(error)
    missing = sorted(set(operators(graph)) - _supported() - _names(_compiler.operators_in(registered())))
    named = [name for name in missing if name not in text]
    return text + (f" (operators that the compiler does not have: {', '.join(named)})" if named else "")


def _left(kind: str, graph: torch.fx.GraphModule, error: Exception) -> None:
    _graphs.append(Graph(kind, len(graph.graph.nodes), _reason(error, graph)))
    warnings.warn(f"jit_mlir: a {_graphs[-1]}", stacklevel=2)


def _laid_out(kind: str) -> int:
    """How many results, from the first on, the caller sees; he expects the strides that eager PyTorch gives them."""
    context = torch._guards.TracingContext.try_get()
    if kind == "backward" or context is None or context.fw_metadata is None:
        return 0
    return context.fw_metadata.num_forward_returns


def _compile_as(kind: str, threads: int, tier: str) -> Callable[..., Any]:
    def compile(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
        if kind == "forward":
            save_old_values(graph, _laid_out(kind))
        try:
            made = AtenGraph(graph, _laid_out(kind), threads, tier)
        except (Error, TypeError, RuntimeError) as error:
            _left(kind, graph, error)
            return make_boxed_func(graph.forward)
        _graphs.append(Graph(kind, len(graph.graph.nodes)))
        return made

    return compile


def backend(graph: torch.fx.GraphModule, example_inputs: Sequence[Any], *, options: Optional[dict[str, Any]] = None,
            mode: Optional[str] = None) -> Callable[..., Any]:
    """Compiles a graph that Dynamo has captured: torch.compile(model, backend="jit_mlir").

    Where we cannot, a graph runs as PyTorch runs it, and a warning and report() say why. Options: "threads", that share
    a call's work; as many as PyTorch uses if there is none; "tier", as for compile().
    """
    given = dict(options or {})
    threads = shared_by(given.pop("threads", 0))
    tier = given.pop("tier", "both")
    check_tier(tier)
    if given or mode:
        raise ValueError(f"expected the options 'threads' and 'tier' and no mode, got {', '.join(given) or mode}")
    compile = aot_autograd(fw_compiler=_compile_as("forward", threads, tier), bw_compiler=_compile_as("backward", threads, tier),
                           inference_compiler=_compile_as("inference", threads, tier), decompositions=decompositions() | _fused(),
                           partition_fn=min_cut_rematerialization_partition, keep_inference_input_mutations=True)
    try:
        # Attention by operators that have gradients of simple operators.
        with sdpa_kernel(SDPBackend.MATH):
            return compile(graph, example_inputs)
    except TorchDynamoException:
        raise
    except (TypeError, RuntimeError) as error:
        _left("captured", graph, error)
        return graph.forward
