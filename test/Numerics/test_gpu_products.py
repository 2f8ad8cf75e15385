"""Products and convolutions on a GPU, by its units and by tensor cores, run as in test_gpu.py: against PyTorch."""

import numpy as np
import pytest
import torch
from torch import nn

from test_gpu import GPU, needs_sm_90, on_gpu  # noqa: F401


class Products(nn.Module):
    def forward(self, a, b, c, d):
        return a @ b, a.t() @ a, torch.bmm(c, c.transpose(1, 2)), torch.relu(a @ b + 1), b.t() @ d


@pytest.mark.parametrize("m,n,k", [(64, 64, 16), (100, 90, 70), (16, 130, 33), (65, 17, 1), (5, 3, 200)])
def test_products(on_gpu, m, n, k):
    kernels = ["product"] if min(m, n) >= 16 else ["rows"]
    on_gpu(Products(), torch.randn(m, k), torch.randn(k, n), torch.randn(3, m, k), torch.randn(k), kernels=kernels)


class Wide(nn.Module):
    def forward(self, a, b):
        return torch.relu(a @ b)


def test_large_tiles(on_gpu):
    """Tiles of 128 by 128 have work for each multiprocessor of the smallest GPU: edges of both sides, a rest of a slice."""
    on_gpu(Wide(), torch.randn(1400, 19), torch.randn(19, 1270), only=["product"])
    on_gpu(Wide(), torch.randn(1536, 24), torch.randn(24, 1408), only=["product"])


def test_large_tiles_of_images(on_gpu):
    """Rows are places of images here, neighbours in memory, and columns filters."""
    on_gpu(nn.Sequential(nn.Conv2d(5, 200, 3, padding=1), nn.ReLU()), torch.randn(9, 5, 40, 41), kernels=["product"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_long_sums_in_pieces(on_gpu, dtype):
    """One tile, and more summands than its block should go along alone."""
    a, b = ((torch.randn(sizes, dtype=torch.float64) * 4).to(dtype) for sizes in ((50, 1003), (1003, 40)))
    on_gpu(Wide(), a, b, kernels=["product", "joined"], rtol=1e-4 if dtype == torch.float32 else None,
           atol=1e-2 if dtype == torch.float32 else None)


class HalfFactors(nn.Module):
    def forward(self, a, b):
        return (a.half() @ b.half()).float()


@pytest.mark.parametrize("chip,kernel", [("sm_80", "mma"), pytest.param("sm_90a", "wgmma", marks=needs_sm_90)])
def test_long_sums_of_halves_in_pieces(on_gpu, chip, kernel):
    """Edges of tiles, pieces of unlike length, a rest of a slice."""
    a, b = torch.randn(104, 2104) / 8, torch.randn(2104, 72) / 8
    on_gpu(HalfFactors(), a, b, kernels=[kernel, "joined"], rtol=4e-3, atol=4e-3, chip=chip)


class HalfFilters(nn.Module):
    def forward(self, x, w):
        return (torch.conv2d(x.half(), w.half(), None, [1, 1], [1, 1]).float() ** 2).sum()


@pytest.mark.parametrize("chip", ["sm_80", pytest.param("sm_90a", marks=needs_sm_90)])
@pytest.mark.parametrize("batch,channels,filters", [(8, 16, 64), (5, 12, 24), (1, 6, 16)])
def test_gradients_of_filters_of_halves(saved, jit_run, chip, batch, channels, filters):
    """Sums along all places of all images, in pieces; of one image elements are gathered."""
    archive, reference = saved(HalfFilters())
    x, w = torch.randn(batch, channels, 20, 18) / 4, (torch.randn(filters, channels, 3, 3) / 8).requires_grad_()
    got = jit_run(archive, x, w, flags=["--grad", f"--chip={chip}"], target=GPU)
    got.assert_ok()
    reference(x, w).backward()
    np.testing.assert_allclose(got.gradient(1), w.grad, rtol=2e-2, atol=2e-2 * w.grad.abs().max().item())


class SumsOfProducts(nn.Module):
    """Both go on with the same sum: it is in the kernel of one."""

    def forward(self, a, b, c, d):
        return a @ b + c @ d, torch.relu((a @ b) * (c @ d) + (a @ b).t().t())


def test_sums_of_products(on_gpu):
    shapes = (32, 40), (40, 48), (32, 24), (24, 48)
    on_gpu(SumsOfProducts(), *map(torch.randn, shapes), kernels=["product"], only=["product"])


def rounded(x):
    """The nearest f32 with 10 bits behind the point."""
    bits = x.contiguous().view(torch.int32)
    return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)


# Whole tiles, edges, operands that are copied in pieces and ones that are gathered, either order.
@pytest.mark.parametrize("m,n,k", [(64, 64, 16), (72, 40, 68), (17, 130, 33)])
def test_products_in_tf32(saved, jit_run, m, n, k):
    class Product(nn.Module):
        def forward(self, a, b):
            return a @ b, a.t() @ a, b.t() @ a.t()

    archive, reference = saved(Product())
    a, b = torch.randn(m, k), torch.randn(k, n)
    got = jit_run(archive, a, b, flags=["--gpu-tf32"], target=GPU)
    got.assert_close(reference(rounded(a), rounded(b)), rtol=1e-4, atol=1e-4)
    exact = jit_run(archive, a, b, target=GPU)
    assert abs(exact.outputs[0] - got.outputs[0]).max() > 1e-5


class HalfProducts(nn.Module):
    def forward(self, a, b, bias):
        return torch.relu(a @ b + bias), a.t() @ a, torch.matmul(b.t(), b), torch.bmm(a[None], b[None])


# Whole tiles, edges, operands that are copied in pieces and ones that are gathered, fewer slices than stages and more.
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("m,n,k", [(64, 64, 32), (72, 40, 136), (17, 130, 33), (130, 70, 16)])
def test_products_of_halves(on_gpu, dtype, m, n, k):
    class Cast(nn.Module):
        def __init__(self):
            super().__init__()
            self.products = HalfProducts()
            self.dtype: torch.dtype = dtype

        def forward(self, a, b, bias):
            one, two, three, four = self.products(a.to(self.dtype), b.to(self.dtype), bias.to(self.dtype))
            return one.float(), two.float(), three.float(), four.float()

    module = torch.jit.trace(Cast(), (torch.randn(m, k), torch.randn(k, n), torch.randn(n)))
    rtol = 4e-3 if dtype == torch.float16 else 2e-2
    on_gpu(module, torch.randn(m, k), torch.randn(k, n), torch.randn(n), kernels=["mma"], rtol=rtol, atol=rtol)


class WideProducts(nn.Module):
    """Both orders of either operand, a batch and one that all of it shares, what follows on the sums."""

    def forward(self, a, b, bias, c):
        y = torch.nn.functional.gelu(a @ b + bias)
        return y, a.t() @ a, b.t() @ b, torch.matmul(c, b), torch.bmm(c, c.transpose(1, 2)), b.t() @ a.t()



# Whole tiles, edges; fewer slices than stages, and more of them than go around once.
@needs_sm_90
@pytest.mark.parametrize("dtype,m,n,k", [(torch.float16, 128, 64, 64), (torch.bfloat16, 136, 72, 200), (torch.float16, 72, 200, 648)])
def test_products_by_warpgroups(on_gpu, dtype, m, n, k):
    class Cast(nn.Module):
        def __init__(self):
            super().__init__()
            self.products = WideProducts()
            self.dtype: torch.dtype = dtype

        def forward(self, a, b, bias, c):
            results = self.products(a.to(self.dtype), b.to(self.dtype), bias.to(self.dtype), c.to(self.dtype))
            return [result.float() for result in results]

    arguments = torch.randn(m, k) / 4, torch.randn(k, n) / 4, torch.randn(n), torch.randn(2, 65, k) / 4
    rtol = 4e-3 if dtype == torch.float16 else 2e-2
    on_gpu(torch.jit.trace(Cast(), arguments), *arguments, kernels=["wgmma"], rtol=rtol, atol=4 * rtol, chip="sm_90a")


@needs_sm_90
def test_many_tiles_by_warpgroups(on_gpu):
    """Work for all of the device: 128 columns in a block, and squares of tiles side by side."""
    class Product(nn.Module):
        def forward(self, a, b):
            return (a.half() @ b.half()).float()

    on_gpu(Product(), torch.randn(1024, 64), torch.randn(64, 1152), only=["pointwise", "wgmma"], rtol=4e-3, atol=4e-3, chip="sm_90a")


def test_convolution_of_halves(on_gpu):
    module = nn.Sequential(nn.Conv2d(5, 24, 3, padding=1, stride=2), nn.ReLU()).half()
    traced = torch.jit.trace(module, torch.randn(2, 5, 12, 14).half())
    on_gpu(traced, torch.randn(2, 5, 12, 14).half(), kernels=["mma"], rtol=4e-3, atol=4e-3)


# Channels, filters, taps, stride, padding, dilation, groups, size; whether channels are stored side by side first: they are no less
# than a third of what their pieces of 16 bytes hold, and are read more than twice.
STAGED = [(16, 24, 3, 1, 1, 1, 1, (12, 14), True), (24, 40, 3, 2, 1, 1, 1, (17, 15), True), (16, 16, 3, 1, 2, 2, 1, (9, 11), True),
          (32, 48, (2, 3), 1, (0, 2), 1, 2, (8, 10), True), (8, 130, 5, 1, 0, (1, 2), 1, (9, 13), True),
          (12, 24, 3, 1, 1, 1, 1, (9, 10), True), (3, 24, 3, 1, 1, 1, 1, (9, 10), True), (2, 24, 3, 1, 1, 1, 1, (9, 10), False),
          (16, 24, 1, 2, 0, 1, 1, (9, 10), False)]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("channels,filters,taps,stride,padding,dilation,groups,size,is_staged", STAGED)
def test_staged_convolutions(on_gpu, dtype, channels, filters, taps, stride, padding, dilation, groups, size, is_staged):
    class Halves(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(channels, filters, taps, stride, padding, dilation, groups).to(dtype)

        def forward(self, x):
            return torch.relu(self.conv(x.to(dtype))).float()

    x = torch.randn(2, channels, *size)
    tolerance = 4e-3 if dtype == torch.float16 else 3e-2
    on_gpu(torch.jit.trace(Halves(), x), x, kernels=["mma"], rtol=tolerance, atol=tolerance)
    assert ("channels" in on_gpu.found) == is_staged


# Filters before and behind places; groups, edges of tiles, fewer slices than stages and more of them than go around once.
@needs_sm_90
@pytest.mark.parametrize("dtype,channels,filters,groups,size", [(torch.float16, 16, 64, 1, (12, 14)), (torch.bfloat16, 40, 250, 1, (9, 11)),
                                                                (torch.float16, 70, 128, 2, (8, 9)), (torch.bfloat16, 3, 130, 1, (9, 13))])
def test_convolutions_by_warpgroups(on_gpu, dtype, channels, filters, groups, size):
    class Halves(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(channels, filters, 3, padding=1, groups=groups).to(dtype)

        def forward(self, x):
            return torch.relu(self.conv(x.to(dtype))).float()

    x = torch.randn(2, channels, *size)
    tolerance = 4e-3 if dtype == torch.float16 else 3e-2
    on_gpu(torch.jit.trace(Halves(), x), x, kernels=["channels", "wgmma"], rtol=tolerance, atol=tolerance, chip="sm_90a")


class Filtered(nn.Module):
    def forward(self, x, filters):
        return torch.conv2d(x, filters, None, [1, 1], [1, 1])


# By single warps, and where there are filters enough by groups of four.
@pytest.mark.parametrize("channels,filters,chip", [(12, 20, "sm_80"), (6, 20, "sm_80"), pytest.param(12, 70, "sm_90a", marks=needs_sm_90),
                                                   pytest.param(6, 128, "sm_90a", marks=needs_sm_90)])
def test_staged_convolution_in_tf32(saved, jit_run, channels, filters, chip):
    archive, reference = saved(Filtered())
    x, filters = torch.randn(2, channels, 10, 11), torch.randn(filters, channels, 3, 3)
    got = jit_run(archive, x, filters, flags=["--gpu-tf32", f"--chip={chip}"], target=GPU)
    got.assert_close(reference(rounded(x), rounded(filters)), rtol=1e-4, atol=1e-4)
