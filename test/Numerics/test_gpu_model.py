"""The model of time for GPUs: NVIDIA's rules of occupancy, what opcodes are, and what it says of programs whose figures are plain."""

import subprocess
import sys

import pytest
import torch
from conftest import ROOT, tool
from torch import nn

sys.path.append(str(ROOT / "benchmarks"))

from gpu_devices import DEVICES, occupancy  # noqa: E402
from gpu_launches import launches_of  # noqa: E402
from gpu_model import Estimate, Kernel, advice, work_of  # noqa: E402

DRIVER = tool("jit-run").parents[1] / "unittests" / "Cuda" / "driver"
needs_driver = pytest.mark.skipif(not (DRIVER / "libcuda.so.1").exists(), reason="the driver of the unit tests is not built")
H100, A100 = DEVICES["h100"], DEVICES["a100"]


@pytest.mark.parametrize("device,threads,registers,shared,blocks,limits", [
    (H100, 256, 32, 0, 8, {"threads", "registers"}),
    (H100, 32, 32, 0, 32, {"blocks"}),
    (H100, 256, 33, 0, 6, {"registers"}),  # 1280 registers a warp, 51 warps, of which 48 in fours
    (H100, 128, 168, 0, 3, {"registers"}),
    (H100, 1024, 65, 0, 0, {"registers"}),
    (H100, 128, 32, 100 << 10, 2, {"shared memory"}),  # each block has 1 KB more
    (H100, 128, 32, 113 << 10, 2, {"shared memory"}),
    (H100, 128, 32, (113 << 10) + 1, 1, {"shared memory"}),
    (A100, 128, 32, 100 << 10, 1, {"shared memory"}),
    (A100, 100, None, 0, 16, {"threads"}),
])
def test_occupancy(device, threads, registers, shared, blocks, limits):
    found = occupancy(device, threads, registers, shared)
    assert (found.blocks, set(found.limits)) == (blocks, limits)
    assert found.warps == blocks * -(-threads // 32)


@pytest.mark.parametrize("opcode,unit,flops,type", [
    ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "matrix", 2 * 16 * 8 * 16, "bf16 matrix"),
    ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "matrix", 2 * 16 * 8 * 8, "tf32 matrix"),
    ("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", "matrix", 2 * 64 * 128 * 16 // 4, "f16 matrix"),
    ("wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32", "matrix", 2 * 64 * 128 * 8 // 4, "tf32 matrix"),
    ("fma.rn.f32", "f32", 64, "f32"),
    ("add.f64", "f64", 32, "f64"),
    ("ex2.approx.ftz.f32", "special", 0, None),
    ("add.s64", "integer", 0, None),
    ("shfl.sync.bfly.b32", "shuffle", 0, None),
    ("ld.global.v4.b32", None, 0, None),
])
def test_work_of_opcodes(opcode, unit, flops, type):
    work = work_of(opcode)
    assert (work.unit, work.flops, work.type) == (unit, flops, type)


def test_peaks_of_data_sheets():
    """Clocks come from the peaks of FP32; those of FP64 have to follow."""
    for device in DEVICES.values():
        assert device.clock == pytest.approx(1.41e9 if device.chip == "sm_80" else 1.98e9, rel=0.01)
        assert 2 * device.rates["f64"] * device.sms * device.clock == pytest.approx(device.flops["f64"], rel=0.03)


def kernel_of(*instructions, blocks=132, ran=1, footprints=(), target="sm_90a", **log):
    return Kernel({"kernel": "k", "image": 0, "target": target, "grid": [blocks, 1, 1], "block": [256, 1, 1], "static_shared": 0,
                   "dynamic_shared": 0, "blocks": ran, "longest_warps": 1, "instructions": list(instructions),
                   "footprints": list(footprints)} | log, registers=32)


def traffic(requests, transactions, least):
    return {"requests": requests, "transactions": transactions, "least": least, "bytes": 128 * requests}


def test_advice_names_the_access():
    strided = {"line": 7, "opcode": "ld.global.b32", "issues": 1000, "lanes": 32000, "loads": traffic(1000, 32000, 4000)}
    assert any("uncoalesced `ld.global.b32` in line 7: 32 sectors a warp where its bytes fill 4" in one
               for one in advice(Estimate(kernel_of(strided), H100)))
    plain = strided | {"loads": traffic(1000, 4000, 4000)}
    assert not any("uncoalesced" in one for one in advice(Estimate(kernel_of(plain), H100)))
    crowded = {"line": 9, "opcode": "ld.shared.b32", "issues": 1000, "lanes": 32000, "shared": traffic(1000, 32000, 1000)}
    found = Estimate(kernel_of(crowded), H100)
    assert found.bound == "shared memory"
    assert any("bank conflicts of `ld.shared.b32` in line 9: 32 wavefronts where 1 would do" in one for one in advice(found))


def test_advice_on_narrow_reads():
    gather = {"line": 5, "opcode": "cp.async.ca.shared.global", "issues": 1000, "lanes": 32000, "loads": traffic(1000, 4000, 4000)}
    product = {"line": 6, "opcode": "fma.rn.f32", "issues": 20000, "lanes": 640000}
    words = advice(Estimate(kernel_of(gather, product | {"lanes": 320000}), H100))
    assert any("100% bring less than 16 bytes a lane, `cp.async.ca.shared.global` in line 5 4" in one for one in words)
    vectors = gather | {"loads": gather["loads"] | {"bytes": 512000}}
    assert not any("wider reads" in one for one in advice(Estimate(kernel_of(vectors, product | {"lanes": 320000}), H100)))


def test_the_last_round_counts():
    product = {"line": 1, "opcode": "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "issues": 1000, "lanes": 32000}
    full, more = Estimate(kernel_of(product, blocks=132), H100), Estimate(kernel_of(product, blocks=133), H100)
    assert full.bound == more.bound == "tensor cores"
    assert full.time == pytest.approx(132 * 1000 * 4096 / 989.5e12)
    assert full.share == pytest.approx(1)
    assert more.time == pytest.approx(2 * full.time)
    assert any("the last round" in one for one in advice(more))
    assert any("wgmma in place of mma.sync" in one for one in advice(more))


def test_a_phase_waits_for_its_busiest_multiprocessor():
    """Of 264 blocks 66 have work: as many multiprocessors do it as if each had but one of these."""
    product = {"line": 1, "opcode": "fma.rn.f32", "issues": 66 * 4000, "lanes": 66 * 128000}
    issues = [4000] * 66 + [0] * 198
    phase = kernel_of(product, blocks=264, ran=264, phase=2, times=100, longest_warp=500, issues_of_blocks=issues)
    found = Estimate(phase, H100)
    assert (phase.name, phase.launches) == ("k, phase 2", 100)
    assert found.bound == "issue slots"
    assert found.time == pytest.approx(4000 / 4 / H100.clock)
    assert any("uneven work: the SM that has the most has 2 times the mean" in one for one in advice(found))
    even = kernel_of(product, blocks=264, ran=264, phase=2, times=100, longest_warp=500, issues_of_blocks=[1000] * 264)
    assert Estimate(even, H100).time == pytest.approx(2 * 1000 / 4 / H100.clock)


def test_what_a_sample_touches():
    """Each block reads 64 bytes of its own, and 32 that all read; of 100 blocks 5 ran."""
    own = {"extent": 6400, "written": False, "bytes": 320, "sectors": 10, "bytes_of_blocks": 320, "sectors_of_blocks": 10}
    common = {"extent": 32, "written": False, "bytes": 32, "sectors": 1, "bytes_of_blocks": 160, "sectors_of_blocks": 5}
    kernel = kernel_of(blocks=100, ran=5, footprints=[own, common])
    assert kernel.footprint("bytes") == 6400 + 32
    assert kernel.footprint("sectors") == 6400 + 32 + 32  # a range may begin within a sector
    assert kernel.l2_bytes == 100 * 96


class Add(nn.Module):
    def forward(self, x, y):
        return x + y


@needs_driver
@pytest.mark.parametrize("device", [H100, A100], ids=lambda device: device.chip)
def test_a_pointwise_kernel_is_what_its_bytes_say(saved, tmp_path, device):
    archive, _ = saved(Add())
    (kernel,) = launches_of(archive, ["f32[2048,1024]"] * 2, device.chip, tmp_path)
    found, moved = Estimate(kernel, device), 3 * 4 * 2048 * 1024
    assert kernel.footprint("bytes") == moved
    assert kernel.flops["f32"] * kernel.scale == pytest.approx(2048 * 1024, rel=0.02)
    assert kernel.traffic("loads", "transactions") == kernel.traffic("loads", "least") == kernel.traffic("loads", "bytes") / 32
    assert found.bound == "device memory"
    assert found.time == pytest.approx(moved / device.bandwidth, rel=1e-4)
    assert found.share == pytest.approx(1, abs=1e-3)
    assert advice(found) == []


@needs_driver
def test_a_product_of_halves_is_its_flops(saved, tmp_path):
    class Product(nn.Module):
        def forward(self, x, y):
            return (x.half() @ y.half()).float()

    archive, _ = saved(Product())
    found = launches_of(archive, ["f32[512,256]", "f32[256,512]"], "sm_90a", tmp_path)
    (product,) = [kernel for kernel in found if kernel.flops["f16 matrix"]]
    assert product.flops["f16 matrix"] * product.scale == 2 * 512 * 512 * 256


@needs_driver
def test_launches_are_counted_once_each(saved, tmp_path):
    class Twice(nn.Module):
        def forward(self, x, y):
            return x @ y @ y

    archive, _ = saved(Twice())
    (kernel,) = (one for one in launches_of(archive, ["f32[64,64]", "f32[64,64]"], "sm_90a", tmp_path) if "product" in one.name)
    assert kernel.launches == 2


@needs_driver
def test_phases_of_a_loop_are_counted_once(saved, tmp_path):
    class Loop(nn.Module):
        def forward(self, x, n: int):
            for _ in range(n):
                x = torch.softmax(x, -1)
            return x

    archive, _ = saved(Loop())
    short, long = ([kernel for kernel in launches_of(archive, ["f32[64,512]", trips], "sm_90a", tmp_path) if "phase" in kernel.log]
                   for trips in (7, 40))
    # What is in front of the first meeting, and what is behind each.
    assert [kernel.launches for kernel in short] == [1] + [7] * (len(short) - 1)
    assert [kernel.launches for kernel in long] == [1] + [40] * (len(long) - 1)
    assert [kernel.issues for kernel in short] == [kernel.issues for kernel in long]
    assert all(kernel.ran == kernel.blocks for kernel in long)


@needs_driver
def test_the_script(saved, tmp_path):
    archive, _ = saved(Add())
    command = [sys.executable, ROOT / "scripts" / "gpu-model", archive, "--input=f32[2048,1024]", "--input=f32[2048,1024]"]
    said = subprocess.run([*map(str, command), "--device=h200", f"--keep={tmp_path / 'ptx'}"], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert "H200 SXM: 5.243 us in kernels" in said.stdout
    assert "bound by device memory" in said.stdout and "of its roofline 100%" in said.stdout
    assert ".visible .entry" in (tmp_path / "ptx" / "0.ptx").read_text()
    said = subprocess.run([*map(str, command[:3]), "--input=f32[oops"], capture_output=True, text=True)
    assert said.returncode == 1 and said.stderr.startswith("gpu-model: ")
