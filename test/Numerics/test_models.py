"""Architectures that people use, traced, scripted and exported, against PyTorch. A few run always, all of them with --full.

What each case showed is left in out/architectures.json, beside what earlier runs left there: scripts/architecture-table."""

import copy
import functools
import gc
import json
import subprocess

import numpy as np
import pytest
import torch

import architectures
from conftest import ROOT, tool
from running import leaves

QUICK = {
    "traced": ["resnet18", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_0", "googlenet", "lraspp_mobilenet_v3_large",
               "bert", "gpt2", "llama", "t5", "vit", "whisper", "wav2vec2", "encoder_layer", "pnet", "minilm"],
    "scripted": ["resnet18", "shufflenet_v2_x0_5", "squeezenet1_0", "encoder_layer_by_parts", "pnet", "rnet", "onet"],
    "exported": ["mobilenet_v3_small", "bert", "gpt2", "llama", "t5", "vit", "whisper", "wav2vec2", "encoder_layer", "onet", "minilm"],
}


# What PyTorch itself makes no program of, with a text that its message has: transformers' modules are not for its compiler.
NOT_WRITTEN = {("scripted", name): "Failed to get source" for name in ("bert", "gpt2", "llama", "t5", "vit", "whisper", "wav2vec2", "minilm")}
RESULTS = ROOT / "out" / "architectures.json"


def cases():
    """Name by name, so that each module is made once."""
    return [(way, name) for name in architectures.names() for way in ("traced", "scripted", "exported")]


def pytest_generate_tests(metafunc):
    if not {"way", "name"} <= set(metafunc.fixturenames):
        return
    full = metafunc.config.getoption("--full")
    chosen = [(way, name) for way, name in cases() if full or name in QUICK[way]]
    metafunc.parametrize("way, name", chosen, ids=[f"{way}-{name}" for way, name in chosen])


def leave(name, way, outcome):
    """Puts down what a case showed: {"error": largest} or {"not written": why}."""
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    found.setdefault(name, {})[way] = outcome
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1, sort_keys=True))


@functools.lru_cache(maxsize=1)
def built(name):
    """The module, its arguments and what it gives."""
    gc.collect()
    module, arguments = architectures.build(name)
    with torch.no_grad():
        return module, arguments, module(*arguments)


def distance(outputs, expected):
    """Of all outputs. Errors of long chains are measured against the largest value of an output, which has to be one."""
    largest = [float(np.abs(want).max()) for want in expected]
    assert min(largest) > 1e-3, "outputs that are next to nothing show nothing"
    return float(np.max([np.abs(got - want).max() / size for got, want, size in zip(outputs, expected, largest)]))


def largest_error(outcome, expected):
    outcome.assert_ok()
    expected = list(leaves(expected))
    assert [o.shape for o in outcome.outputs] == [e.shape for e in expected]
    return distance(outcome.outputs, expected)


def error_of_eager(module, arguments):
    """How far PyTorch's own float32 is from its float64."""
    wide = [a.double() if a.is_floating_point() else a for a in arguments]
    with torch.no_grad():
        single, double = module(*arguments), copy.deepcopy(module).double()(*wide)
    return distance(list(leaves(single)), list(leaves(double)))


def agrees(outcome, expected):
    assert largest_error(outcome, expected) <= 1e-4


def export(module, arguments, folder, **options):
    path = folder / "program.pt2"
    torch.export.save(torch.export.export(module, arguments, **options), str(path))
    return path


def write(way, module, arguments, path):
    """Saves a program; gives it, or why PyTorch cannot make one."""
    try:
        if way == "exported":
            program = torch.export.export(module, arguments)
            torch.export.save(program, str(path))
        else:
            program = torch.jit.script(module) if way == "scripted" else torch.jit.trace(module, arguments, check_trace=False, strict=False)
            program.save(str(path))
    except Exception as error:  # of whatever kind PyTorch's three ways have
        return None, f"{type(error).__name__}: {' '.join(str(error).split())}"
    return program, None


def test_architecture(way, name, tmp_path, jit_run):
    module, arguments, expected = built(name)
    path = tmp_path / "program.pt2"
    with torch.no_grad():
        program, refusal = write(way, module, arguments, path)
    known = NOT_WRITTEN.get((way, name))
    if refusal or known is not None:
        assert refusal and known is not None and known in refusal, refusal or "PyTorch writes it now: take it off NOT_WRITTEN"
        leave(name, way, {"not written": refusal[:200]})
        return
    if way == "scripted":  # some give more results than the module does in Python
        with torch.no_grad():
            expected = program(*arguments)
    got = jit_run(path, *arguments)
    path.unlink()  # some have gigabytes
    error = largest_error(got, expected)
    # A network that enlarges the rounding of its first layers does so with everybody's.
    assert error <= 1e-4 or error <= 3 * error_of_eager(module, arguments)
    leave(name, way, {"error": error})


@pytest.mark.parametrize("way", ["scripted", "exported"])
def test_every_model_of_torchvision_is_read_or_reported(way, tmp_path, pytestconfig, report):
    """All that torchvision has, detectors and video among them: what is missing is a report, never a crash."""
    if not pytestconfig.getoption("full"):
        pytest.skip("with --full")
    counts = {"whole": 0, "reported": 0, "not written": 0}
    for name in architectures.other_names():
        module, arguments = architectures.other(name)
        path = tmp_path / "program.pt2"
        if not write(way, module, arguments, path)[0]:
            counts["not written"] += 1
            continue
        process = subprocess.run([tool("jit-translate"), "--report", path, "--json"], capture_output=True, text=True, timeout=300)
        assert process.returncode in (0, 1), f"{name}: exit code {process.returncode}: {process.stderr}"
        missing = json.loads(process.stdout)["missing"]
        assert bool(missing) == bool(process.returncode), name
        counts["reported" if missing else "whole"] += 1
        path.unlink()
    report(f"torchvision's other models, {way}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))


BATCH, LENGTH = torch.export.Dim("batch", max=64), torch.export.Dim("length", min=2, max=64)


@pytest.mark.parametrize("name", ["bert", "gpt2", "minilm"])
def test_open_batch_and_length(name, tmp_path, jit_run):
    module, arguments = architectures.build(name)
    sizes = tuple({0: BATCH, 1: LENGTH} for _ in arguments)
    path = export(module, arguments, tmp_path, dynamic_shapes=(sizes,) if name != "minilm" else sizes)
    for batch, length in ((3, 9), (1, 17)):
        given = architectures.tokens(length)[:1].repeat(batch, 1), torch.ones(batch, length, dtype=torch.long)
        with torch.no_grad():
            agrees(jit_run(path, *given[: len(arguments)]), module(*given[: len(arguments)]))


def test_open_images(tmp_path, saved, jit_run):
    """A traced network takes images of any size where its trace has none."""
    module, arguments = architectures.build("pnet")
    path, _ = saved(torch.jit.trace(module, arguments))
    for size in ((2, 3, 24, 31), (1, 3, 60, 45)):
        image = torch.rand(size)
        with torch.no_grad():
            agrees(jit_run(path, image), module(image))
