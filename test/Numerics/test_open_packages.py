"""jit-compile with sizes left open, f32[n,8]: one code for all of them, compared with eager PyTorch; what is refused and why."""

import ctypes
import re
import subprocess

import numpy as np
import pytest
import torch
from artifacts import build_c, refusal
from conftest import ROOT
from torch import nn


def mlp():
    return nn.Sequential(nn.Linear(8, 33), nn.GELU(), nn.LayerNorm(33), nn.Linear(33, 5))


def check(module, reference, *arguments, method="forward", **tolerance):
    with torch.no_grad():
        expected = reference(*arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    got = module.call(method, *arguments)
    for one, other in zip(got, expected, strict=True):
        assert one.shape == tuple(other.shape)
        np.testing.assert_allclose(one, other, **{"rtol": 1e-4, "atol": 1e-5, **tolerance})


def test_any_batch(saved, compiled):
    archive, reference = saved(mlp())
    for threads in (1, 2):
        module = compiled(archive, ["forward(f32[n,8])"], name=f"any{threads}").open(threads=threads)
        for rows in (2, 3, 129, 64, 1000, 2):
            check(module, reference, torch.randn(rows, 8))


class Pair(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, gain: float = 1.0):
        return torch.softmax(x * y * gain, -1), (x @ y.T).sum(0), x.size(0)


def test_sizes_of_one_name_are_equal(saved, compiled):
    library = compiled(saved(Pair())[0], ["forward(f32[n,m], f32[n,m], ?float)"])
    module = library.open()
    x, y = torch.randn(4, 7), torch.randn(4, 7)
    soft, sums, rows = module.call("forward", x, y, 0.5)
    expected = Pair()(x, y, 0.5)
    np.testing.assert_allclose(soft, expected[0], rtol=1e-5)
    np.testing.assert_allclose(sums, expected[1], rtol=1e-4, atol=1e-5)
    assert rows == 4
    for wrong in (torch.randn(5, 7), torch.randn(4, 6), torch.randn(1, 7), torch.randn(7)):
        with pytest.raises(library.Error, match="argument 'y' of forward: expected f32.n,m., got f32") as caught:
            module.call("forward", x, wrong, 0.5)
        assert caught.value.status == 6 and "any size of at least 2, the same wherever it stands" in str(caught.value)


def test_code_for_known_sizes_comes_first(saved, compiled):
    archive, reference = saved(mlp())
    calls = ["forward(f32[n,8])", "forward(f32[1,8])", "forward(f32[4,8])"]
    library = compiled(archive, calls)
    module = library.open()

    def number(rows):
        variant = ctypes.c_size_t()
        from artifacts import to_value

        module._do("find", module.handle, b"forward", ctypes.byref(to_value(torch.randn(rows, 8))), ctypes.c_size_t(1),
                   ctypes.byref(variant))
        return variant.value

    assert number(2) == number(3) == number(50) == 2 and {number(1), number(4)} == {0, 1}
    for rows in (1, 2, 4, 5):
        check(module, reference, torch.randn(rows, 8))
    with pytest.raises(library.Error, match=r"(?s)there are:.*forward\(f32\[1,8\]\).*forward\(f32\[n,8\]\)"):
        module.call("forward", torch.randn(0, 8))


def test_results_of_open_size_in_the_callers_memory(saved, compiled):
    archive, reference = saved(mlp())
    library = compiled(archive, ["forward(f32[n,8])"])
    x = torch.randn(3, 8)
    right, wrong = np.full((3, 5), 7, np.float32), np.full((2, 5), 7, np.float32)
    module = library.open()
    module.call("forward", x, results=[right])
    np.testing.assert_allclose(right, reference(x).detach(), rtol=1e-4, atol=1e-5)
    with pytest.raises(library.Error, match=re.escape("result 0: expected f32[3,5], got f32[2,5]")):
        module.call("forward", x, results=[wrong])
    assert (wrong == 7).all()
    with pytest.raises(library.Error, match="result 0: expected memory of its own"):
        module.call("forward", x, results=[library.tensor(x.data_ptr(), (3, 5), torch.float32)])


def test_gradients(saved, compiled):
    archive, reference = saved(mlp())
    library = compiled(archive, ["forward.grad(f32[n,8]:grad)"])
    for rows in (2, 6):
        x = torch.randn(rows, 8, requires_grad=True)
        reference.zero_grad()
        reference(x).sum().backward()
        by_name = {"0": x.grad, **{name: p.grad for name, p in reference.named_parameters()}}
        module = library.open()
        got = module.call("forward.grad", x.detach())
        names = re.findall(r'"([^"]+)": %(\d+)', module.structure("forward.grad", x.detach()))
        assert len(names) == len(by_name)
        for name, index in names:
            np.testing.assert_allclose(got[int(index)], by_name[name], rtol=1e-3, atol=1e-4)


def test_sizes_that_only_meet_in_the_program(saved, compiled):
    """Two names that have to be equal: the code compares them."""
    class Sum(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor):
            return x + y

    library = compiled(saved(Sum())[0], ["forward(f32[n], f32[m])"])
    module = library.open()
    check(module, Sum(), torch.randn(4), torch.randn(4))
    with pytest.raises(library.Error, match="expected equal sizes, got 4 and 3") as caught:
        module.call("forward", torch.randn(4), torch.randn(3))
    assert caught.value.status == 6 and caught.value.python_class == ""


class Fourier(nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.fft.rfft(x).abs()


class Grows(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.zeros(2)

    def forward(self, x: torch.Tensor):
        self.seen = x * 2
        return self.seen


def test_what_open_sizes_are_refused_for(saved, tmp_path):
    output = tmp_path / "libbad.so"
    said = refusal(saved(Grows())[0], output, "--call=forward(f32[n])")
    assert "expected module state of known sizes, got 'seen' as f32[?]" in said and "name no open sizes" in said
    said = refusal(saved(Fourier(), "fourier")[0], output, "--call=forward(f32[3,n])")
    assert re.search(r"test_open_packages\.py:\d+: expected a static size in aten\.fft_rfft", said), said
    assert "in forward(f32[3,n]), whose sizes are open: not every operator is compiled for those" in said


class Parts(nn.Module):
    """Lists of as many parts as the call tells, which are unpacked, counted, gone through and written."""

    def forward(self, x: torch.Tensor):
        a, b = x.chunk(2, 1)
        y = x.clone()
        first, last = y.split(2)[0], y.unbind(1)[-1]
        first.add_(5.0)
        last.mul_(2.0)
        total = torch.zeros_like(x[0])
        for row in x.unbind(0):
            total = total * 0.5 + row
        return a, b, y, total, torch.tensor([len(x.chunk(4)), len(x.split(3, 1))])


def test_parts(saved, compiled):
    module = compiled(saved(Parts())[0], ["forward(f32[n,m])"]).open()
    for sizes in ((2, 2), (3, 4), (9, 5), (8, 3)):
        check(module, Parts(), torch.randn(sizes))


class UnpackedRows(nn.Module):
    def forward(self, x: torch.Tensor):
        a, b = x.unbind(0)
        return a - b, x.chunk(2, 1)[1], x.split(2, 1)[1]


def test_parts_that_are_not_there(saved, compiled):
    library = compiled(saved(UnpackedRows())[0], ["forward(f32[n,m])"])
    module = library.open()
    check(module, UnpackedRows(), torch.randn(2, 4))
    with pytest.raises(library.Error, match="expected 2 values to unpack, got 3"):
        module.call("forward", torch.randn(3, 4))
    with pytest.raises(library.Error, match="expected an index of a list of 1, got 1"):
        module.call("forward", torch.randn(2, 2))


class Filled(nn.Module):
    def forward(self, x: torch.Tensor, i: torch.Tensor):
        y = x + 1
        y.t().index_fill_(0, i, 7.0)
        return x.index_fill(0, torch.tensor([0, -1, 0]), 2.0), y, x.index_fill(-1, torch.tensor(1), 3.0)


def test_filled_along_a_dimension(saved, compiled):
    module = compiled(saved(Filled())[0], ["forward(f32[n,m], i64[k])"]).open()
    for sizes in ((2, 2), (3, 4), (9, 5)):
        check(module, Filled(), torch.randn(sizes), torch.tensor([1, -2]))


class Strided(nn.Module):
    def forward(self, x: torch.Tensor):
        y = x.clone()
        y.as_strided([2], [3]).add_(10.0)
        return y, x.as_strided([2, 2], [1, 2], 1)


def test_strides_of_open_sizes(saved, compiled):
    library = compiled(saved(Strided())[0], ["forward(f32[n,m])"])
    module = library.open()
    for sizes in ((2, 3), (3, 4), (9, 5)):
        check(module, Strided(), torch.randn(sizes))
    with pytest.raises(library.Error, match="expected as_strided of at most 4 elements, got the element 4"):
        module.call("forward", torch.randn(2, 2))


USER = """
#include "libmlp.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  jit_module *module;
  jit_error error;
  static float x[6 * 8];
  if (mlp_open(NULL, &module, &error) != JIT_OK)
    return puts(error.message), 1;
  for (int64_t rows = 2; rows <= 6; rows += 2) {
    jit_tensor y = {0};
    if (mlp_forward(module, JIT_ARRAY(x, JIT_F32, rows, 8), &y, &error) != JIT_OK)
      return puts(error.message), 1;
    printf("%lld %lld\\n", (long long)y.sizes[0], (long long)y.sizes[1]);
    free(y.data);
  }
  mlp_close(module);
  return 0;
}
"""

USER_CPP = """
#include "libmlp.h"
#include "jit-c/Artifact.hpp"
#include <cstdio>
int main() {
  jit_c::Module module(jit_artifact());
  std::array<float, 24> x = {};
  jit_c::Result<float> y;
  for (int64_t rows = 2; rows <= 3; ++rows) {
    module.call("forward", {jit_c::Array<float>(std::span(x).first(rows * 8), {rows, 8})}, y);
    std::printf("%zu %lld\\n", y.data().size(), static_cast<long long>(y.sizes()[0]));
  }
  jit_c::Result<int64_t> wrong;
  try {
    module.call("forward", {jit_c::Array<float>(x, {3, 8})}, wrong);
  } catch (const std::invalid_argument &) {
    std::puts("refused");
  }
}
"""


def test_from_c_and_cpp(saved, compiled, tmp_path):
    made = compiled(saved(mlp())[0], ["forward(f32[n,8])"], name="mlp").path
    header = made.with_suffix(".h").read_text()
    assert "forward(input: f32[n,8]) -> %0 where %0: f32[?,5]" in header and "leave `data` NULL" in header
    run = subprocess.run([build_c(tmp_path, USER, made)], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (0, "2 5\n4 5\n6 5\n"), run
    (tmp_path / "user.cpp").write_text(USER_CPP)
    command = ["clang++-22", "-std=c++20", "-Wall", "-Wextra", "-Werror", tmp_path / "user.cpp", made, "-o", tmp_path / "cpp",
               f"-I{tmp_path}", f"-I{ROOT / 'include'}", f"-Wl,-rpath,{tmp_path}"]
    subprocess.run(list(map(str, command)), check=True, timeout=60)
    run = subprocess.run([tmp_path / "cpp"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (0, "10 2\n15 3\nrefused\n"), run


def test_from_python(jit_mlir, tmp_path):
    model = mlp().eval()
    jit_mlir.compile(model).save(tmp_path / "libmlp.so", "forward(f32[n,8])", (torch.zeros(1, 8),))
    artifact = jit_mlir.load(tmp_path / "libmlp.so")
    for rows in (1, 2, 30):
        x = torch.randn(rows, 8)
        torch.testing.assert_close(artifact(x), model(x).detach(), rtol=1e-4, atol=1e-5)
    assert artifact(np.zeros((3, 8), np.float32)).shape == (3, 5)


def test_parts_without_elements(saved, compiled):
    """A write of no elements to a tensor of open sizes and a size of 0, and what is taken of it."""
    class Program(nn.Module):
        def forward(self, x, y):
            z = x * 2.0
            z[-1, :1, :] = y
            return z, z[0], z[:, 1:]

    archive, reference = saved(Program())
    module = compiled(archive, ["forward(f32[a,b,0], f32[0])"]).open()
    for sizes in ((2, 4, 0), (3, 2, 0)):
        x, y = torch.zeros(sizes), torch.zeros(0)
        for got, want in zip(module.call("forward", x, y), reference(x, y), strict=True):
            assert got.shape == want.shape
