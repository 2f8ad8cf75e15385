"""Places in an order and samples of images beside NaN, infinities and large numbers, compared with eager PyTorch."""

import itertools

import pytest
import torch
from torch import nn
from torch.nn import functional as F

NAN, INF = float("nan"), float("inf")
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
ROW = {"sorted": [-2.0, 0.0, 0.0, 1.5, 3.0, 7.0, INF], "NaN last": [0.0, 1.0, 2.0, NAN, NAN], "NaN first": [NAN, 0.0, 1.0, 2.0],
       "NaN among": [0.0, NAN, 1.0, 2.0, NAN, 4.0], "no order": [3.0, 1.0, 2.0, 0.0, 5.0], "one": [1.0], "none": []}
WANTED = [0.0, -0.0, 1.0, 1.5, 2.5, -9.0, 9.0, INF, -INF, NAN]


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *tensors):
        return self.function(*tensors)


def check(jit_mlir, function, *tensors, **tolerance):
    program = jit_mlir.compile(torch.jit.trace(Calls(function), tensors, check_trace=False))
    torch.testing.assert_close(program(*tensors), function(*tensors), equal_nan=True, **tolerance)


@pytest.mark.parametrize("kind", [*FLOATS, torch.int64, torch.uint8])
@pytest.mark.parametrize("row", ROW)
def test_places_in_a_row(row, kind, jit_mlir):
    if not kind.is_floating_point and ("NaN" in row or row == "sorted"):
        pytest.skip("integers are no NaN")
    wanted = torch.tensor(WANTED).to(kind) if kind.is_floating_point else torch.arange(8).to(kind)

    def places(row, wanted):
        return [torch.searchsorted(row, wanted), torch.searchsorted(row, wanted, right=True, out_int32=True), torch.searchsorted(row, wanted, side="right"),
                torch.bucketize(wanted.view(2, -1), row), torch.bucketize(wanted, row, right=True), torch.searchsorted(row, 1.25), torch.bucketize(1, row),
                torch.searchsorted(row, wanted, sorter=torch.arange(len(row)).flip(0))]

    check(jit_mlir, places, torch.tensor(ROW[row]).to(kind), wanted, rtol=0, atol=0)


@pytest.mark.parametrize("right", (False, True))
def test_places_in_rows(right, jit_mlir):
    rows = torch.tensor([[0.0, 1.0, NAN], [NAN, NAN, NAN], [3.0, NAN, 1.0], [-INF, 0.0, INF]])
    wanted = torch.tensor(WANTED).repeat(4, 1)
    check(jit_mlir, lambda rows, wanted: torch.searchsorted(rows, wanted, right=right), rows, wanted, rtol=0, atol=0)
    sorter = torch.tensor([[2, 1, 0], [0, 2, 1], [1, 0, 2], [0, 1, 2]])
    check(jit_mlir, lambda rows, wanted, sorter: torch.searchsorted(rows, wanted, right=right, sorter=sorter), rows, wanted, sorter, rtol=0, atol=0)


def test_rows_for_other_rows(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(places_in_rows))
    with pytest.raises(jit_mlir.Error, match="one sorted row, or one for each row of values"):
        program(torch.zeros(3, 4), torch.zeros(2, 4))


def places_in_rows(rows, wanted):
    return torch.searchsorted(rows, wanted)


PLACES = [0.0, 0.3, -0.9, 1.0, -1.0, 1.4, -2.7, 17.3, NAN, INF, -INF, 1000.25, -1e20, 3e38]


def grid(dims, kind):
    """Places of which each number stands beside ordinary ones, in each dimension."""
    some = [[place if at == dim else 0.25 * at for at in range(dims)] for place in PLACES for dim in range(dims)]
    return torch.tensor(some + [[NAN] * dims, [INF] * dims]).to(kind).view([1] * dims + [-1, dims])


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
@pytest.mark.parametrize("dims, mode, padding, corners", [(dims, *rest) for dims in (2, 3) for rest in itertools.product(
    ("bilinear", "nearest", "bicubic")[: 5 - dims], ("zeros", "border", "reflection"), (False, True))])
def test_grid_sample(dims, mode, padding, corners, kind, jit_mlir):
    image = torch.arange(1.0, 121.0).view([1, 2, 3, 4, 5] if dims == 3 else [1, 2, 10, 6]).to(kind)

    def sampled(image, grid):
        return F.grid_sample(image, grid, mode, padding, corners)

    check(jit_mlir, sampled, image, grid(dims, kind), rtol=1e-4, atol=1e-4)
    image.view(-1)[::7] = INF
    check(jit_mlir, sampled, image, grid(dims, kind), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("padding", ("zeros", "border", "reflection"))
@pytest.mark.parametrize("dims", (2, 3))
def test_gradients_of_grid_sample(dims, padding, jit_mlir):
    image = torch.arange(1.0, 121.0).view([1, 2, 3, 4, 5] if dims == 3 else [1, 2, 10, 6]).sin()
    finite = grid(dims, torch.float32)
    finite = finite[..., finite[0].isfinite().all(-1).view(-1), :][..., : 6 * dims, :]

    def sampled(image, grid):
        return F.grid_sample(image, grid, "bilinear", padding, True)

    program = jit_mlir.compile(torch.jit.trace(Calls(sampled), (image, finite), check_trace=False))
    gradients = []
    for call in (sampled, program):
        tensors = [t.clone().requires_grad_() for t in (image, finite)]
        result = call(*tensors)
        (result * torch.linspace(1, 2, result.numel()).view(result.shape)).sum().backward()
        gradients.append([t.grad for t in tensors])
    torch.testing.assert_close(gradients[1], gradients[0], rtol=1e-4, atol=1e-4)
