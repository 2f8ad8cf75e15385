"""Arguments lie where callers have them: at any multiple of their elements' size. Results are those of aligned arguments, bit by bit."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

LINE = 64


def placed(tensor, offset):
    """The same elements, so many bytes behind a whole line of memory."""
    # Byte by byte: PyTorch's own copy of complex numbers ends the process where they are aligned to half of their size.
    content = tensor.detach().contiguous().view(-1).view(torch.uint8).numpy()
    memory = np.empty(content.size + 2 * LINE, np.uint8)
    start = -memory.ctypes.data % LINE + offset
    memory[start : start + content.size] = content
    there = torch.from_numpy(memory[start : start + content.size]).view(tensor.dtype).view(tensor.shape)
    assert there.data_ptr() % LINE == offset % LINE
    return there.requires_grad_() if tensor.requires_grad else there


def step_of(tensor):
    """What the element type itself is aligned to: half of a complex number is a real one."""
    return tensor.element_size() // 2 if tensor.is_complex() else tensor.element_size()


class Pointwise(nn.Module):
    def forward(self, x, y):
        return torch.where(x > y, x * y, x + y)


class Logical(nn.Module):
    def forward(self, x, y):
        return (x & y) ^ x


class Products(nn.Module):
    def forward(self, x, y):
        return x * y + x


class Sums(nn.Module):
    def forward(self, x, y):
        return x.sum(), y.amax(-1), (x * y).mean(0), torch.cumsum(y, 1)


class Softmax(nn.Module):
    def forward(self, x, y):
        return torch.softmax(x, -1), F.layer_norm(y, [y.size(-1)])


class Matmul(nn.Module):
    def forward(self, x, y):
        return x @ y.t(), x.t() @ y, torch.bmm(x.unsqueeze(0), y.t().unsqueeze(0))


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(67, 129)

    def forward(self, x, y):
        return F.gelu(self.linear(x)) + self.linear(y)


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.wise = nn.Conv2d(8, 16, 3, padding=1), nn.Conv2d(8, 8, 3, groups=8)

    def forward(self, x, y):
        return torch.relu(self.first(x)), F.max_pool2d(self.wise(y), 2), F.conv2d(x, y[:, :, :3, :3])


class Attention(nn.Module):
    def forward(self, x, y):
        return F.scaled_dot_product_attention(x, y, y)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTM(19, 23)

    def forward(self, x, y):
        return self.cell(x)[0], self.cell(y)[0]


REAL = [Pointwise(), (37, 67)]
CASES = {
    **{f"pointwise-{str(dtype)[6:]}": (*REAL, dtype) for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8,
                                                                  torch.uint8, torch.int16, torch.int32, torch.int64)},
    "logical": (Logical(), (37, 67), torch.bool),
    "complex64": (Products(), (37, 67), torch.complex64),
    "complex128": (Products(), (37, 67), torch.complex128),
    "sums": (Sums(), (37, 67), torch.float32),
    "sums-f64": (Sums(), (37, 67), torch.float64),
    "softmax": (Softmax(), (37, 67), torch.float32),
    "matmul": (Matmul(), (37, 67), torch.float32),
    "matmul-wide": (Matmul(), (64, 128), torch.float32),
    "matmul-f64": (Matmul(), (37, 67), torch.float64),
    "matmul-bf16": (Matmul(), (64, 128), torch.bfloat16),
    "linear": (Linear(), (37, 67), torch.float32),
    "convolution": (Convolution(), (2, 8, 14, 18), torch.float32),
    "attention": (Attention(), (2, 4, 33, 32), torch.float32),
    "recurrent": (Recurrent(), (5, 3, 19), torch.float32),
}
DIFFERENTIABLE = ["pointwise-float32", "pointwise-float64", "softmax", "matmul", "linear", "convolution", "attention", "recurrent"]


def arguments(sizes, dtype):
    if dtype == torch.bool:
        return [torch.randint(2, sizes).bool() for _ in range(2)]
    if not dtype.is_floating_point and not dtype.is_complex:
        return [torch.randint(-100 if dtype.is_signed else 0, 100, sizes).to(dtype) for _ in range(2)]
    return [torch.randn(sizes).to(dtype) for _ in range(2)]


def same(got, want):
    torch.testing.assert_close(got, want, rtol=0, atol=0, equal_nan=True)


def check(call, module, sizes, dtype):
    """One argument at each of its places, and both at odd ones."""
    given = arguments(sizes, dtype)
    at = [placed(x, 0) for x in given]
    want = call(*at)
    with torch.no_grad():
        tolerance = 2e-2 if dtype in (torch.float16, torch.bfloat16) else 1e-4
        torch.testing.assert_close(want, module(*given), rtol=tolerance, atol=tolerance)
    step = step_of(given[0])
    for offset in range(step, LINE, step):
        same(call(placed(given[0], offset), placed(given[1], LINE - offset)), want)
    same(call(at[0], placed(given[1], step)), want)


@pytest.mark.parametrize("name", CASES)
def test_of_a_program(jit_mlir, name):
    module, sizes, dtype = CASES[name]
    program = jit_mlir.compile(module.eval())
    with torch.no_grad():
        check(program, module, sizes, dtype)


@pytest.mark.parametrize("name", ["pointwise-float32", "pointwise-int8", "complex64", "softmax", "matmul", "linear", "attention"])
def test_of_any_sizes(jit_mlir, name, tmp_path):
    module, sizes, dtype = CASES[name]
    torch.jit.script(module.eval()).save(str(tmp_path / "m.pt"))
    program = jit_mlir.load(str(tmp_path / "m.pt"), any_sizes=True)
    with torch.no_grad():
        check(program, module, sizes, dtype)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_of_gradients(jit_mlir, name):
    module, sizes, dtype = CASES[name]
    module = module.eval()
    program = jit_mlir.compile(module)

    def gradients(*given):
        given = [x.detach().requires_grad_() for x in given]
        result = program(*given)
        results = result if isinstance(result, tuple) else (result,)
        # Seeds are arguments too.
        seeds = [placed(torch.linspace(-1, 1, r.numel(), dtype=r.dtype).view(r.shape), step_of(r)) for r in results]
        return (*results, *torch.autograd.grad(results, given, seeds))

    given = arguments(sizes, dtype)
    want = gradients(*(placed(x, 0) for x in given))
    step = step_of(given[0])
    for offset in (step, 3 * step, LINE - step):
        same(gradients(placed(given[0], offset), placed(given[1], LINE - offset)), want)


@pytest.mark.parametrize("name", ["pointwise-float32", "pointwise-int8", "logical", "complex64", "softmax", "matmul", "convolution"])
def test_of_the_emulated_device(jit_mlir, name, tmp_path):
    module, sizes, dtype = CASES[name]
    torch.jit.script(module.eval()).save(str(tmp_path / "m.pt"))
    program = jit_mlir.load(str(tmp_path / "m.pt"), target="cuda-emulation")
    given = arguments(sizes, dtype)
    with torch.no_grad():
        want = program(*(placed(x, 0) for x in given))
        for offset in (step_of(given[0]), 3 * step_of(given[0])):
            same(program(*(placed(x, offset) for x in given)), want)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.complex64])
def test_at_addresses_that_no_element_may_have(jit_mlir, dtype, tmp_path):
    torch.jit.script(Products()).save(str(tmp_path / "m.pt"))
    program = jit_mlir.load(str(tmp_path / "m.pt"))
    memory = np.empty(37 * np.dtype(dtype).itemsize + 1, np.uint8)
    odd = memory[1:].view(dtype)
    odd[...] = np.arange(37)
    np.testing.assert_array_equal(program(odd, odd), program(odd.copy(), odd.copy()))
