"""One peer on one workload in its own process; a line of JSON out for each stage.

    worker.py first   PEER WORKLOAD THREADS FOLDER      arguments, eager's values
    worker.py prepare PEER WORKLOAD THREADS FOLDER      what the peer does ahead of time
    worker.py run     PEER WORKLOAD THREADS FOLDER      then {"do": "load"} and {"do": "round", "seconds": 0.3, "most": 100} on stdin
"""

import json
import os
import pathlib
import resource
import sys
import time
import traceback

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what a peer prints must not mix with the answers


def answer(**fields):
    print(json.dumps(fields), file=answers, flush=True)


def peak_memory():
    """MB. VmHWM is this process's own; a child's maximum starts at its parent's size."""
    line = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return max(int(line.split()[1]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def others():
    """Seconds that the machine's processors have spent on all but this process, a hypervisor's other guests among them."""
    user, nice, system, _, _, irq, softirq, steal = map(int, open("/proc/stat").readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK") - time.process_time()


def difference(got, expected):
    """The largest, relative to each result's largest; a gradient that is nothing but rounding is held against the largest of all."""
    top = max(float(np.abs(v).max()) for v in expected.values())
    worst = 0.0
    for name, want in expected.items():
        given = np.asarray(got[name], np.float64).reshape(want.shape)
        worst = float(np.maximum(worst, np.abs(given - want).max() / max(np.abs(want).max(), 1e-2 * top, 1e-12)))  # NaN stays
    return worst


def load(peer, work):
    start = time.perf_counter()
    run = peer.load(work)
    result = run.call()
    seconds = time.perf_counter() - start
    return run, {"seconds": seconds, "error": difference(run.values(result), work.expected()), "memory": peak_memory()}


def one_round(run, threads, seconds, most):
    times, before, faults = [], others(), resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    run.call()  # wakes threads and caches
    began, end = time.perf_counter(), time.perf_counter() + seconds
    while len(times) < most and (len(times) < 2 or time.perf_counter() < end):
        start = time.perf_counter_ns()
        run.call()
        times.append(time.perf_counter_ns() - start)
    wall = time.perf_counter() - began
    faults = (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults) / len(times)
    taken = max(0, others() - before - 1 / os.sysconf("SC_CLK_TCK"))  # of a clock that ticks so often
    return {"ns": times, "stolen": taken / wall / threads, "faults": faults, "memory": peak_memory()}


def serve(peer, work):
    if peer.name in ("eager", "torchscript", "inductor", "inductor-max", "aotinductor", "executorch", "jit") or work.about()["mode"] != "infer":
        import torch  # noqa: F401 - importing is not loading

        import workloads  # noqa: F401
    answer(ok=True)
    run = None
    for line in sys.stdin:
        request = json.loads(line)
        if request.pop("do") == "load":
            run, fields = load(peer, work)
            answer(ok=True, **fields)
        else:
            answer(ok=True, **one_round(run, work.threads, **request))


def main():
    stage, name, workload, threads, folder = sys.argv[1:]
    import peers

    work = peers.Work(workload, int(threads), folder, name)
    try:
        if stage == "first":
            from peers import pytorch

            pytorch.first_stage(work)
            answer(ok=True)
        elif stage == "prepare":
            peers.registry()[name].prepare(work)
            answer(ok=True, times=work.times, ships=sum(os.path.getsize(f) for f in work.ships), memory=peak_memory())
        else:
            serve(peers.registry()[name], work)
    except Exception as error:  # noqa: BLE001 - a peer that fails is a cell of the table
        traceback.print_exc()
        text = " ".join(str(error).replace(f"{ROOT}/", "").split())
        answer(ok=False, error=f"{type(error).__name__}: {text}"[:300])


main()
