"""One peer on one workload in its own process: a line of JSON in asks for a round, a line of JSON out gives its times.

    worker.py PEER WORKLOAD FOLDER THREADS [--grad]        with {"seconds": 0.5} lines on stdin
"""

import json
import os
import sys
import time

import workloads

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what a peer prints must not mix with the answers


def calling(module, files, threads, differentiate):
    """Calls of a module; with `differentiate` and the gradients of all parameters, of the sum of its outputs."""
    import torch
    from torch.utils._pytree import tree_leaves

    torch.set_num_threads(threads)
    arguments = [torch.from_numpy(a) if hasattr(a, "dtype") else a for a in files.arguments]

    def call():
        if not differentiate:
            with torch.no_grad():
                return module(*arguments)
        module.zero_grad(set_to_none=True)
        sum(leaf.sum() for leaf in tree_leaves(module(*arguments))).backward()

    return call


def torchscript(files, *how):
    import torch

    return calling(torch.jit.load(str(files.archive)), files, *how)


def eager(files, *how):
    import torch

    module = workloads.module(files.name)
    module.load_state_dict(torch.jit.load(str(files.archive)).state_dict())
    return calling(module, files, *how)


def inductor(files, *how):
    import torch

    module = workloads.module(files.name)
    module.load_state_dict(torch.jit.load(str(files.archive)).state_dict())
    return calling(torch.compile(module), files, *how)


def onnxruntime(files, threads, differentiate):
    import numpy as np
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = ort.InferenceSession(str(files.onnx), options, providers=["CPUExecutionProvider"])
    chunk, rate = files.arguments
    # This file leaves to its caller what the archive does itself: the last 64 samples go before the chunk.
    feed = {"input": np.concatenate([np.zeros((1, 64), np.float32), chunk], 1),
            "state": np.zeros((2, 1, 128), np.float32), "sr": np.array(rate, np.int64)}

    def call():
        probability, feed["state"] = session.run(None, feed)
        feed["input"] = np.concatenate([feed["input"][:, -64:], chunk], 1)
        return probability

    return call


def one_round(call, seconds):
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - start)
    return times


def main():
    peer, workload, folder, threads, *flags = sys.argv[1:]
    peers = {"torchscript": torchscript, "onnxruntime": onnxruntime, "eager": eager, "inductor": inductor}
    call = peers[peer](workloads.files(workload, folder), int(threads), "--grad" in flags)
    for _ in range(3 if flags else 10):
        call()  # TorchScript and Inductor compile while their first calls run
    for line in sys.stdin:
        times = sorted(one_round(call, json.loads(line)["seconds"]))
        print(json.dumps({"min": times[0] / 1e6, "median": times[len(times) // 2] / 1e6}), file=answers, flush=True)


if __name__ == "__main__":
    main()
