"""Architectures that people use, traced, scripted and exported, against PyTorch. A few run always, all of them with --full."""

import numpy as np
import pytest
import torch

import architectures
from running import leaves

QUICK = {
    "traced": ["resnet18", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_0", "googlenet", "lraspp_mobilenet_v3_large",
               "bert", "gpt2", "llama", "t5", "vit", "whisper", "wav2vec2", "encoder_layer", "pnet", "minilm"],
    "scripted": ["resnet18", "shufflenet_v2_x0_5", "squeezenet1_0", "pnet", "rnet", "onet"],
    "exported": ["mobilenet_v3_small", "bert", "gpt2", "llama", "t5", "vit", "whisper", "wav2vec2", "encoder_layer", "onet", "minilm"],
}


def cases():
    for name in architectures.names():
        yield "traced", name
        # What transformers has is not written for TorchScript's compiler.
        if name not in architectures.SMALL_MODELS and name != "minilm":
            yield "scripted", name
        yield "exported", name


def pytest_generate_tests(metafunc):
    if "way" not in metafunc.fixturenames:
        return
    full = metafunc.config.getoption("--full")
    chosen = [(way, name) for way, name in cases() if full or name in QUICK[way]]
    metafunc.parametrize("way, name", chosen, ids=[f"{way}-{name}" for way, name in chosen])


def agrees(outcome, expected):
    outcome.assert_ok()
    expected = list(leaves(expected))
    assert [o.shape for o in outcome.outputs] == [e.shape for e in expected]
    # Errors of long chains are measured against the largest value of an output.
    for got, want in zip(outcome.outputs, expected):
        assert np.abs(got - want).max() <= 1e-4 * max(np.abs(want).max(), 1e-6)


def export(module, arguments, folder, **options):
    path = folder / "program.pt2"
    torch.export.save(torch.export.export(module, arguments, **options), str(path))
    return path


def test_architecture(way, name, saved, jit_run, tmp_path):
    module, arguments = architectures.build(name)
    with torch.no_grad():
        expected = module(*arguments)
        if way == "exported":
            path = export(module, arguments, tmp_path)
        elif way == "traced":
            path, _ = saved(torch.jit.trace(module, arguments, check_trace=False, strict=False))
        else:
            path, _ = saved(module)
    agrees(jit_run(path, *arguments), expected)


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
