"""Our forward and backward as one node of PyTorch's autograd graph."""

from typing import Any

import torch

from . import _compiler
from ._arrays import cuda_stream, dense, is_array, is_torch, leaves, marked, paths, plain, rebuild


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
    def __init__(self, session: _compiler.Session, method: str, arguments: tuple[Any, ...], is_for_cuda: bool) -> None:
        self.session, self.method, self.arguments = session, method, arguments
        # The stream that the arguments are ready in; autograd does the backward pass in the forward pass's.
        self.stream = cuda_stream(arguments) if is_for_cuda else None
        self.tensors = [leaf for leaf in leaves(arguments) if is_torch(leaf)]
        self.structure: Any = None
        self.is_tensor: list[bool] = []

    def forward(self) -> tuple[torch.Tensor, ...]:
        given = plain(self.arguments)
        if self.stream is not None:
            given = dense(given)
        self.made = self.session.forward(self.method, given, marked(self.arguments), self.stream)
        self.structure = self.made.value()
        flat = list(leaves(self.structure))
        self.is_tensor = [is_array(leaf) for leaf in flat]
        return tuple(torch.from_dlpack(leaf) for leaf in flat if is_array(leaf))

    def backward(self, gradients: tuple[Any, ...]) -> list[Any]:
        given = iter(gradients)
        seeds = [next(given) if is_tensor else None for is_tensor in self.is_tensor]
        seeds = [None if seed is None or not _has_gradient(seed) else seed.detach().resolve_conj() for seed in seeds]
        if self.stream is not None:
            seeds = dense(seeds)
        by_name = self.made.backward(seeds, self.stream)
        found = [by_name.get(path) for path, leaf in paths(self.arguments) if is_torch(leaf)]
        return [None if gradient is None else torch.from_dlpack(gradient) for gradient in found]


def call(session: _compiler.Session, method: str, arguments: tuple[Any, ...], is_for_cuda: bool) -> Any:
    run = _Run(session, method, arguments, is_for_cuda)
    results = iter(_Call.apply(run, *run.tensors))
    return rebuild(run.structure, lambda leaf: next(results) if is_array(leaf) else leaf)
