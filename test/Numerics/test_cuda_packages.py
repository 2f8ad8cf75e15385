"""jit-compile --target=cuda: files with kernels of a GPU. They run where there is one; else as far as the driver is asked for."""

import ctypes
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import torch
from artifacts import refusal
from conftest import tool
from torch import nn


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def network():
    return nn.Sequential(nn.Linear(16, 33), nn.GELU(), nn.LayerNorm(33), nn.Linear(33, 5), nn.Softmax(-1))


class Copy(nn.Module):
    """No kernel is needed: what arrives is handed on."""

    def forward(self, x: torch.Tensor):
        return x.clone()


def test_on_the_gpu_or_refused_without(saved, compiled):
    archive, reference = saved(network())
    library = compiled(archive, ["forward(f32[3,16])", "forward(f32[1,16])"], "--target=cuda", "--chip=sm_80")
    needed = subprocess.run(["readelf", "-d", library.path], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"NEEDED.*\[(.*)\]", needed)) <= {"libc.so.6", "libm.so.6"}
    module = library.open()
    x = torch.randn(3, 16)
    with pytest.raises(library.Error, match=re.escape("there are:\n  forward(f32[3,16])\n  forward(f32[1,16])")):
        module.call("forward", torch.randn(2, 16))
    if not has_driver():
        for _ in range(2):
            with pytest.raises(library.Error, match="expected a CUDA driver .libcuda.so.1., got none on this machine") as caught:
                module.call("forward", x)
            assert caught.value.status == 3
        return
    for _ in range(3):
        np.testing.assert_allclose(module.call("forward", x)[0], reference(x).detach(), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(module.call("forward", x[:1])[0], reference(x[:1]).detach(), rtol=1e-3, atol=1e-4)


class Product(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x @ y


def test_kernels_that_need_maps_of_tensors(saved, compiled):
    spec = "forward(f16[128,128], f16[128,128])"
    code = compiled(saved(Product())[0], [spec], "--target=cuda", "--chip=sm_90a").path.read_bytes()
    assert b"wgmma" in code and b"cp.async.bulk.tensor" in code


def test_code_for_a_cpu_asks_for_no_driver(saved, compiled):
    library = compiled(saved(network())[0], ["forward(f32[3,16])"])
    shown = subprocess.run(["nm", "-D", library.path], capture_output=True, text=True, check=True).stdout
    assert "dlopen" not in shown and b"libcuda" not in library.path.read_bytes()


RUN_COPY = """
import sys, numpy as np
sys.path.insert(0, sys.argv[2])
from artifacts import Library
import pathlib
module = Library(pathlib.Path(sys.argv[1])).open()
for _ in range(3):
    x = np.random.rand(2, 3).astype(np.float32)
    assert (module.call("forward", x)[0] == x).all()
print("copied")
"""


def test_with_a_driver_that_only_copies(saved, compiled):
    driver = tool("jit-run").parents[1] / "unittests" / "Cuda" / "driver"
    if not (driver / "libcuda.so.1").exists():
        pytest.skip("the driver of the unit tests is not built")
    path = compiled(saved(Copy())[0], ["forward(f32[2,3])"], "--target=cuda").path
    run = subprocess.run([sys.executable, "-c", RUN_COPY, path, os.path.dirname(__file__)], capture_output=True, text=True,
                         timeout=120, env={**os.environ, "LD_LIBRARY_PATH": str(driver)})
    assert run.stdout == "copied\n", run.stderr


@pytest.mark.parametrize("flags, text", [
    (["--target=tpu"], "expected the target cpu or cuda, got 'tpu'"),
    (["--target=cuda-emulation"], "expected the target cpu or cuda, got 'cuda-emulation'"),
    (["--target=cuda", "--cpu=x86-64-v3"], "expected no cpu for the target cuda, got 'x86-64-v3'"),
    (["--chip=sm_90"], "expected no chip for the target cpu, got 'sm_90'"),
])
def test_refusals(saved, tmp_path, flags, text):
    assert text in refusal(saved(network())[0], tmp_path / "libbad.so", "--input=f32[3,16]", *flags)


def test_open_sizes_are_refused(saved, tmp_path):
    said = refusal(saved(network())[0], tmp_path / "libopen.so", "--input=f32[n,16]", "--target=cuda")
    assert "expected known sizes for the target cuda, got 'f32[n,16]'" in said
