"""The backend of torch.compile: each graph becomes one program, forward and backward."""

import warnings
from typing import Any, Callable, Sequence

import torch
from torch.overrides import TorchFunctionMode

from ._errors import Error
from ._program import Program
from ._program import compile as compile_program


def _attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
               scale: Any = None, enable_gqa: bool = False) -> Any:
    """Scaled dot product attention, written out."""
    if dropout_p:
        raise TypeError("expected attention without dropout")
    if enable_gqa:
        key, value = (x.repeat_interleave(query.size(-3) // x.size(-3), -3) for x in (key, value))
    scores = (query @ key.transpose(-2, -1)) * (query.size(-1) ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril()
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
    return scores.softmax(-1) @ value


class _WrittenOut(TorchFunctionMode):
    """Traces operators that the compiler does not take whole as the simpler ones that they are made of."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if function is torch.nn.functional.scaled_dot_product_attention:
            function = _attention
        return function(*args, **(kwargs or {}))


def _traceable(graph: torch.fx.GraphModule) -> Callable[..., Any]:
    """The graph as a function whose results are tensors alone; None and numbers come back in `place`."""

    class Flat(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.graph = graph

        def forward(self, *arguments: torch.Tensor) -> tuple[torch.Tensor, ...]:
            results = self.graph(*arguments)
            return tuple(result for result in results if isinstance(result, torch.Tensor))

    return Flat()


def backend(graph: torch.fx.GraphModule, example_inputs: Sequence[Any], **options: Any) -> Callable[..., Any]:
    """Compiles a graph that Dynamo has captured. Where we cannot, the graph runs as PyTorch runs it, and a warning says why."""
    try:
        return _compile(graph, example_inputs)
    except (Error, TypeError, RuntimeError) as error:
        warnings.warn(f"jit_mlir: a graph of {len(graph.graph.nodes)} nodes is left to PyTorch: {error}", stacklevel=2)
        return graph.forward


def _compile(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    for value in example_inputs:
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"expected inputs that are tensors, got {type(value).__name__}")
        if value.device.type != "cpu":
            raise TypeError(f"expected tensors in the memory of the CPU, got one of {value.device}")
    concrete = [_like(value) for value in example_inputs]
    with torch.no_grad():
        results = graph(*[value.clone() for value in concrete])
    kept = [isinstance(result, torch.Tensor) for result in results]
    constants = [None if is_tensor else result for is_tensor, result in zip(kept, results)]
    with _WrittenOut():
        program = compile_program(_traceable(graph), [value.detach().clone() for value in concrete])
    # The first call compiles, while there is still a way back.
    _warm(program, concrete)

    def run(*arguments: torch.Tensor) -> tuple[Any, ...]:
        given = iter(program(*arguments))
        return tuple(next(given) if is_tensor else constant for is_tensor, constant in zip(kept, constants))

    return run


def _like(value: torch.Tensor) -> torch.Tensor:
    """Real memory of an example's kind: examples may have none."""
    if value.is_floating_point():
        made = torch.rand(tuple(value.shape), dtype=value.dtype)
    else:
        made = torch.zeros(tuple(value.shape), dtype=value.dtype)
    return made.requires_grad_(value.requires_grad and torch.is_grad_enabled())


def _warm(program: Program, concrete: Sequence[torch.Tensor]) -> None:
    copies = [value.detach().clone().requires_grad_(value.requires_grad) for value in concrete]
    results = program(*copies)
    total = [result.sum() for result in results if result.requires_grad]
    if total:
        torch.stack(total).sum().backward()
