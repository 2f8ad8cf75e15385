"""Our forward and backward as one node of PyTorch's autograd graph."""

from typing import Any

import torch

from . import _compiler
from ._arrays import is_array, is_torch, leaves, marked, paths, plain, rebuild


def _has_gradient(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


class _Call(torch.autograd.Function):
    """Takes and gives tensors, flat; `run` holds the rest of the call."""

    @staticmethod
    def forward(ctx: Any, run: "_Run", *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.run = run
        results = run.forward()
        ctx.mark_non_differentiable(*[r for r in results if not _has_gradient(r)])
        return results

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        return (None, *ctx.run.backward(gradients))


class _Run:
    def __init__(self, session: _compiler.Session, method: str, arguments: tuple[Any, ...]) -> None:
        self.session, self.method, self.arguments = session, method, arguments
        self.tensors = [leaf for leaf in leaves(arguments) if is_torch(leaf)]
        self.structure: Any = None
        self.is_tensor: list[bool] = []

    def forward(self) -> tuple[torch.Tensor, ...]:
        self.made = self.session.forward(self.method, plain(self.arguments), marked(self.arguments))
        self.structure = self.made.value()
        flat = list(leaves(self.structure))
        self.is_tensor = [is_array(leaf) for leaf in flat]
        return tuple(torch.from_dlpack(leaf) for leaf in flat if is_array(leaf))

    def backward(self, gradients: tuple[Any, ...]) -> list[Any]:
        given = iter(gradients)
        seeds = [next(given) if is_tensor else None for is_tensor in self.is_tensor]
        seeds = [None if seed is None or not _has_gradient(seed) else seed.detach().resolve_conj() for seed in seeds]
        by_name = self.made.backward(seeds)
        found = [by_name.get(path) for path, leaf in paths(self.arguments) if is_torch(leaf)]
        return [None if gradient is None else torch.from_dlpack(gradient) for gradient in found]


def call(session: _compiler.Session, method: str, arguments: tuple[Any, ...]) -> Any:
    run = _Run(session, method, arguments)
    results = iter(_Call.apply(run, *run.tensors))
    return rebuild(run.structure, lambda leaf: next(results) if is_array(leaf) else leaf)
