"""Our forward and backward as one node of PyTorch's autograd graph."""

import numbers
from typing import Any, Optional

import torch

from . import _compiler
from ._arrays import cuda_stream, dense, is_array, is_torch, leaves, marked, paths, plain, rebuild
from ._objects import Object


def _has_gradient(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


class _Call(torch.autograd.Function):
    """Takes and gives tensors, flat; `run` holds the rest of the call."""

    @staticmethod
    def forward(ctx: Any, run: "_Run", *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.run = run
        ctx.set_materialize_grads(False)  # of a result that nothing is computed of there is none
        results = run.forward()
        ctx.mark_non_differentiable(*[r for r in results if not _has_gradient(r)])
        return results

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
        return (None, *ctx.run.backward(gradients))


def _seed_count(leaf: Any) -> int:
    """How many gradients the backward pass takes for a leaf of a result: one for a tensor or a number, none for what is neither."""
    if isinstance(leaf, Object):
        return sum(map(_seed_count, leaves(list(vars(leaf).values()))))
    return int(is_array(leaf) or isinstance(leaf, numbers.Number))


class _Run:
    def __init__(self, session: _compiler.Session, method: str, arguments: tuple[Any, ...], is_for_cuda: bool) -> None:
        self.session, self.method, self.arguments = session, method, arguments
        # The stream that the arguments are ready in; autograd does the backward pass in the forward pass's.
        self.stream = cuda_stream(arguments) if is_for_cuda else None
        self.tensors = [leaf for leaf in leaves(arguments) if is_torch(leaf)]
        self.structure: Any = None
        self.seed_counts: list[Optional[int]] = []  # of each leaf; None: a tensor

    def forward(self) -> tuple[torch.Tensor, ...]:
        given = plain(self.arguments)
        if self.stream is not None:
            given = dense(given)
        self.made = self.session.forward(self.method, given, marked(self.arguments), self.stream)
        self.structure = self.made.value()
        flat = list(leaves(self.structure))
        self.seed_counts = [None if is_array(leaf) else _seed_count(leaf) for leaf in flat]
        return tuple(torch.from_dlpack(leaf) for leaf in flat if is_array(leaf))

    def backward(self, gradients: tuple[Any, ...]) -> list[Any]:
        given = iter(gradients)
        seeds: list[Any] = []
        for count in self.seed_counts:
            seeds += [next(given)] if count is None else [None] * count
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
