"""A model of the time that a kernel takes on a GPU, from what its instructions do (unittests/Ptx counts) and what NVIDIA says of
the device (gpu_devices.py): the largest of what each resource needs by itself, as if nothing had to wait.

What it takes for granted: a byte of device memory comes once and lies in L2 from then on; what a block reads again is in its L1;
an instruction of PTX is one of the machine, but for those that move registers. So it says what is impossible, and what stands in
the way; not how long a program will take."""

import collections
import math
import re
from dataclasses import dataclass
from functools import cached_property

from gpu_devices import MOST_WARPS, SCHEDULERS, WARPS_FOR_ARITHMETIC, occupancy

SECTOR = 32
SPECIAL = ("ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh", "div")
ARITHMETIC = {"add": 1, "sub": 1, "mul": 1, "fma": 2, "mad": 2}
INTEGERS = ("add", "sub", "mul", "mad", "shl", "shr", "shf", "and", "or", "xor", "not", "min", "max", "setp", "set", "selp", "abs", "neg",
            "bfe", "bfi", "prmt")


@dataclass(frozen=True)
class Work:
    """Of an opcode: the unit that it needs beside an issue slot, and what it computes, in one issue by a whole warp."""

    unit: str | None = None
    flops: int = 0
    type: str | None = None


def work_of(opcode):
    words = opcode.split(".")
    matrix = re.search(r"m(\d+)n(\d+)k(\d+)", opcode)
    if matrix and words[0] in ("mma", "wgmma"):
        rows, columns, depth = map(int, matrix.groups())
        # The 64 rows of a group are those of four warps, each of which issues it.
        flops = 2 * rows * columns * depth // (4 if words[0] == "wgmma" else 1)
        return Work("matrix", flops, f"{words[-2] if words[0] == 'mma' else words[-1]} matrix")
    type = words[-1]
    if words[0] in SPECIAL and type == "f32":
        return Work("special")
    if words[0] in ARITHMETIC and type in ("f32", "f64"):
        return Work(type, 32 * ARITHMETIC[words[0]], type)
    if words[0] in ("shfl", "redux"):
        return Work("shuffle")
    return Work("integer") if words[0] in INTEGERS else Work()


class Kernel:
    """What the stand-in driver has logged of a launch, for all of its blocks; of a cooperative one, from one meeting of its blocks to
    the next."""

    def __init__(self, log, registers=None, static_shared=None, spills=0):
        self.name, self.image = log["kernel"] + (f", phase {log['phase']}" if "phase" in log else ""), log["image"]
        self.target, self.log, self.launches = log["target"], log, log.get("times", 1)
        self.blocks, self.ran = math.prod(log["grid"]), log["blocks"]
        self.threads = math.prod(log["block"])
        self.registers, self.spills = registers, spills
        self.shared = log["dynamic_shared"] + (log["static_shared"] if static_shared is None else static_shared)
        self.instructions = log["instructions"]

    @property
    def scale(self):
        return self.blocks / self.ran

    def per_block(self, total):
        return total / self.ran

    def rounds(self, sms):
        """Blocks that the SM has that has the most. Of a phase blocks have unlike parts, and some none: as many as would have its work,
        if all were alike."""
        issues = self.log.get("issues_of_blocks")
        if not issues:
            return math.ceil(self.blocks / sms)
        return max(sum(issues[sm::sms]) for sm in range(sms)) / max(self.per_block(sum(issues)), 1)

    @property
    def longest_warp(self):
        """Issues of the warp that has the most."""
        return self.log.get("longest_warp") or self.per_block(self.log["longest_warps"])

    def traffic(self, kind, field):
        """Of loads, stores or shared memory, of the blocks that ran."""
        return sum(one[kind][field] for one in self.instructions if kind in one)

    @cached_property
    def units(self):
        """Issues by unit."""
        result = collections.Counter()
        for one in self.instructions:
            result[work_of(one["opcode"]).unit] += one["issues"]
        return result

    @cached_property
    def flops(self):
        """By type. Lanes that take no part compute nothing."""
        result = collections.Counter()
        for one in self.instructions:
            work = work_of(one["opcode"])
            if work.flops:
                result[work.type] += work.flops * one["lanes"] / 32
        return result

    @property
    def issues(self):
        return sum(one["issues"] for one in self.instructions)

    def footprint(self, field, of=(False, True)):
        """Bytes, or bytes of whole sectors, that all blocks touch together. From a sample: as many for each block as of those that
        ran, but no more than lie between the first and the last one."""
        total = 0
        for buffer in self.log["footprints"]:
            if buffer["written"] in of:
                unit = SECTOR if field == "sectors" else 1
                estimate = buffer[f"{field}_of_blocks"] * unit * self.scale
                most = buffer["extent"] if field == "bytes" else (buffer["extent"] // SECTOR + 1) * SECTOR
                total += buffer[field] * unit if self.ran == self.blocks else max(min(estimate, most), buffer[field] * unit)
        return total

    @property
    def l2_bytes(self):
        """What comes to SMs, once for each block, and all that is written."""
        reads = sum(b["sectors_of_blocks"] for b in self.log["footprints"] if not b["written"])
        return (reads + self.traffic("stores", "transactions")) * SECTOR * self.scale


class Estimate:
    """Of a kernel on a device, for one launch: `seconds` by resource, the one that bounds it, and what the least would be."""

    def __init__(self, kernel, device):
        self.kernel, self.device = kernel, device
        self.occupancy = occupancy(device, kernel.threads, kernel.registers, kernel.shared)
        # The SM that has the most blocks is the last one.
        self.rounds = kernel.rounds(device.sms)
        self.seconds = {**self.of_device(), **self.of_sm()}
        self.bound = max(self.seconds, key=self.seconds.get)
        self.time = self.seconds[self.bound]

    def of_device(self):
        kernel, device = self.kernel, self.device
        seconds = {"device memory": kernel.footprint("sectors") / device.bandwidth}
        if device.l2_bytes_per_clock:
            seconds["L2"] = kernel.l2_bytes / (device.l2_bytes_per_clock * device.clock)
        return seconds

    def of_sm(self):
        kernel, device = self.kernel, self.device
        clocks = {"issue slots": kernel.issues / SCHEDULERS, "shared memory": kernel.traffic("shared", "transactions")}
        for unit, rate in device.rates.items():
            clocks[f"{unit} units"] = kernel.units[unit] * 32 / rate
        seconds = {name: self.rounds * kernel.per_block(count) / device.clock for name, count in clocks.items()}
        for type, flops in kernel.flops.items():
            if type.endswith("matrix"):
                seconds["tensor cores"] = (seconds.get("tensor cores", 0)
                                           + self.rounds * kernel.per_block(flops) / (device.flops[type] / device.sms))
        # A warp starts no more than one instruction a clock, and the blocks behind those that fit wait for them.
        waves = math.ceil(kernel.blocks / (device.sms * max(self.occupancy.blocks, 1)))
        seconds["the longest warp"] = waves * kernel.longest_warp / device.clock
        return seconds

    @property
    def ideal(self):
        """Each byte once at the full bandwidth, or all operations at the peak of their type."""
        kernel, device = self.kernel, self.device
        return max(kernel.footprint("bytes") / device.bandwidth,
                   *(flops * kernel.scale / device.flops[type] for type, flops in kernel.flops.items()), 0)

    @property
    def share(self):
        return self.ideal / self.time if self.time else 1.0

    @property
    def warps(self):
        """At a time on an SM, of those that the grid has."""
        per_block = math.ceil(self.kernel.threads / 32)
        return min(self.occupancy.warps, math.ceil(self.kernel.blocks / self.device.sms) * per_block)


def plural(count, noun):
    return f"{count:.0f} {noun}" + ("" if round(count) == 1 else "s")


def uncoalesced(estimate):
    """Accesses that take more sectors than their bytes need, if it is much of the kernel's traffic."""
    kernel = estimate.kernel
    for kind in ("loads", "stores"):
        total = kernel.traffic(kind, "transactions")
        if total * SECTOR * kernel.scale / estimate.device.bandwidth < estimate.time / 5:
            continue
        for one in kernel.instructions:
            traffic = one.get(kind)
            if traffic and traffic["transactions"] > 1.5 * traffic["least"] and traffic["transactions"] > total / 20:
                each = traffic["transactions"] / traffic["requests"]
                yield (traffic["transactions"], f"uncoalesced `{one['opcode']}` in line {one['line']}: {each:.3g} sectors a warp "
                       f"where its bytes fill {traffic['least'] / traffic['requests']:.3g}")


def conflicts(estimate):
    kernel = estimate.kernel
    if estimate.seconds["shared memory"] < estimate.time / 5:
        return
    total = kernel.traffic("shared", "transactions")
    for one in kernel.instructions:
        traffic = one.get("shared")
        if traffic and traffic["transactions"] > 1.5 * traffic["least"] and traffic["transactions"] > total / 20:
            each = traffic["transactions"] / traffic["requests"]
            yield (traffic["transactions"], f"bank conflicts of `{one['opcode']}` in line {one['line']}: {each:.3g} wavefronts "
                   f"where {traffic['least'] / traffic['requests']:.3g} would do")


def largest(found, most=2):
    """The worst ones, in words; how many others there are."""
    found = sorted(found, reverse=True)
    words = [text for _, text in found[:most]]
    return words + [f"{len(found) - most} more like these"] * (len(found) > most)


def narrow(estimate):
    """Reads of device memory that bring less than the 16 bytes a lane that one instruction can."""
    kernel = estimate.kernel
    reads = [(one, one["loads"]["bytes"] / one["lanes"]) for one in kernel.instructions if "loads" in one and "bulk" not in one["opcode"]]
    few = [(one, each) for one, each in reads if each < 16]
    requests = sum(one["loads"]["requests"] for one, _ in few)
    if estimate.share >= 0.9 or requests < kernel.issues / 50 or requests < kernel.traffic("loads", "requests") / 2:
        return
    most, each = max(few, key=lambda pair: pair[0]["loads"]["requests"])
    share = requests / kernel.traffic("loads", "requests")
    yield f"wider reads: {share:.0%} bring less than 16 bytes a lane, `{most['opcode']}` in line {most['line']} {each:.3g}"


def occupancy_advice(estimate):
    kernel, device = estimate.kernel, estimate.device
    if kernel.blocks < device.sms:
        yield f"more blocks: {plural(kernel.blocks, 'block')} on {device.sms} SMs"
    elif "phase" in kernel.log and estimate.rounds * device.sms > 1.2 * kernel.blocks:
        yield f"uneven work: the SM that has the most has {estimate.rounds * device.sms / kernel.blocks:.3g} times the mean"
    elif estimate.rounds * device.sms > 1.2 * kernel.blocks:
        yield f"the last round: {kernel.blocks / device.sms:.2f} blocks an SM take the time of {estimate.rounds}"
    has_asynchronous_products = any(one["opcode"].startswith("wgmma") for one in kernel.instructions)
    if kernel.blocks >= device.sms and estimate.warps < WARPS_FOR_ARITHMETIC and not has_asynchronous_products:
        limits = " and ".join(estimate.occupancy.limits)
        of = f", limited by {limits}" if estimate.occupancy.warps == estimate.warps else ""
        yield f"few warps: {estimate.warps} of {MOST_WARPS} an SM{of}; {WARPS_FOR_ARITHMETIC} hide the latency of arithmetic"


def traffic_advice(estimate):
    kernel = estimate.kernel
    read = kernel.footprint("sectors", of=(False,))
    from_l2 = sum(b["sectors_of_blocks"] for b in kernel.log["footprints"] if not b["written"]) * SECTOR * kernel.scale
    # Of L2's bandwidth it is known only that it is more than device memory's.
    is_far = estimate.share < 0.9 or estimate.bound == "L2"
    if is_far and read and from_l2 > 2 * read and from_l2 / estimate.device.bandwidth > estimate.time:
        yield f"redundant traffic: blocks read each byte {from_l2 / read:.3g} times, from L2"
    if kernel.spills:
        yield f"{plural(kernel.spills, 'byte')} of registers spilled"
    if any(one["opcode"].startswith("mma.sync") for one in kernel.instructions) and estimate.device.chip == "sm_90a":
        yield "wgmma in place of mma.sync, with operands from shared memory"


def issue_advice(estimate):
    """What fills the issue slots, or the unit of few results a clock."""
    kernel = estimate.kernel
    if estimate.bound not in ("issue slots", "integer units", "special units", "the longest warp", "shuffle units"):
        return
    counts = collections.Counter()
    for one in kernel.instructions:
        counts[re.sub(r"\.(rn|approx|ftz|lo|wide|sync|aligned)\b", "", one["opcode"])] += one["issues"]
    most = ", ".join(f"{count / kernel.issues:.0%} `{opcode}`" for opcode, count in counts.most_common(4))
    yield f"fewer instructions: {most}"


def advice(estimate):
    """What to change, in words; nothing where the kernel is near its roofline and nothing else stands out."""
    words = [*occupancy_advice(estimate), *largest(conflicts(estimate)), *largest(uncoalesced(estimate)), *narrow(estimate),
             *traffic_advice(estimate)]
    return words + (list(issue_advice(estimate)) if estimate.share < 0.9 else [])
