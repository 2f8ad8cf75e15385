"""What NVIDIA says of its GPUs, for the model of time in gpu_model.py. Each number has its source:

  [A100]  data sheet "NVIDIA A100 Tensor Core GPU", SXM with 80 GB
  [H100]  data sheet "NVIDIA H100 Tensor Core GPU", SXM
  [H200]  data sheet "NVIDIA H200 Tensor Core GPU", SXM
  [GA100] white paper "NVIDIA A100 Tensor Core GPU Architecture"
  [GH100] white paper "NVIDIA H100 Tensor Core GPU Architecture"
  [tune]  "NVIDIA Ampere GPU Architecture Tuning Guide" and "NVIDIA Hopper Tuning Guide", on occupancy and shared memory
  [guide] "CUDA C++ Programming Guide": the table of arithmetic throughput, compute capability 8.0 and 9.0, and the sections
          on shared memory and on the utilization of multiprocessors
  [calc]  the CUDA Occupancy Calculator's table of allocation sizes

What is not published is not here: the bandwidth of L2 of the H100, latencies of memory, what mma.sync reaches on the H100."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    name: str
    chip: str  # what to compile for
    sms: int
    bandwidth: float  # of device memory, bytes a second
    flops: dict  # by type, a second; of matrices on tensor cores without sparsity
    rates: dict  # results a clock and SM, by unit
    shared: int  # bytes an SM
    shared_of_block: int  # the most that a block may have
    l2_bytes_per_clock: int | None = None

    @property
    def clock(self):
        """From the peak of FP32, which counts two operations a lane and clock at the boost clock."""
        return self.flops["f32"] / (2 * self.rates["f32"] * self.sms)


# [guide]: 16 special functions, 64 integers and comparisons, 32 shuffles on both.
RATES = {"special": 16, "integer": 64, "shuffle": 32}
# With sparsity the data sheet of the H100 says 1979 and 989; dense is half.
HOPPER = {"f32": 67e12, "f64": 34e12, "f16 matrix": 989.5e12, "bf16 matrix": 989.5e12, "tf32 matrix": 494.5e12}  # [H100] [H200]
HOPPER_RATES = {**RATES, "f32": 128, "f64": 64}  # [guide]

DEVICES = {
    "a100": Device("A100 80GB SXM", "sm_80", sms=108, bandwidth=2.039e12,  # [GA100] [A100]
                   flops={"f32": 19.5e12, "f64": 9.7e12, "f16 matrix": 312e12, "bf16 matrix": 312e12, "tf32 matrix": 156e12},  # [A100]
                   rates={**RATES, "f32": 64, "f64": 32},  # [guide]
                   shared=164 << 10, shared_of_block=163 << 10,  # [tune]
                   l2_bytes_per_clock=5120),  # [GA100]
    "h100": Device("H100 SXM", "sm_90a", sms=132, bandwidth=3.35e12,  # [GH100] [H100]
                   flops=HOPPER, rates=HOPPER_RATES, shared=228 << 10, shared_of_block=227 << 10),  # [tune]
    "h200": Device("H200 SXM", "sm_90a", sms=132, bandwidth=4.8e12,  # [H200]; the same chip as the H100
                   flops=HOPPER, rates=HOPPER_RATES, shared=228 << 10, shared_of_block=227 << 10),  # [tune]
}

# The same on both. [tune]
MOST_WARPS, MOST_BLOCKS, REGISTERS, SHARED_OF_SYSTEM = 64, 32, 65536, 1024
# [calc]
REGISTERS_AT_ONCE, WARPS_AT_ONCE, SHARED_AT_ONCE = 256, 4, 128
# [guide]: four schedulers start an instruction of a warp each; 32 banks of 4 bytes answer once; a result is there after 4
# clocks, so that 16 warps hide that.
SCHEDULERS, WARPS_FOR_ARITHMETIC = 4, 16


def round_up(value, by):
    return -(-value // by) * by


@dataclass(frozen=True)
class Occupancy:
    blocks: int  # at a time on an SM
    warps: int
    limits: tuple  # what forbids one block more

    @property
    def share(self):
        return self.warps / MOST_WARPS


def occupancy(device, threads, registers, shared):
    """Of blocks of so many threads, with registers for each thread (None where nobody knows) and bytes of shared memory."""
    warps = math.ceil(threads / 32)
    fits = {"threads": MOST_WARPS // warps, "blocks": MOST_BLOCKS,
            "shared memory": device.shared // round_up(shared + SHARED_OF_SYSTEM, SHARED_AT_ONCE)}
    if registers:
        # Each of the four parts of an SM has its registers for itself.
        of_warp = round_up(registers * 32, REGISTERS_AT_ONCE)
        fits["registers"] = REGISTERS // of_warp // WARPS_AT_ONCE * WARPS_AT_ONCE // warps
    blocks = min(fits.values())
    return Occupancy(blocks, blocks * warps, tuple(name for name, most in fits.items() if most == blocks))
