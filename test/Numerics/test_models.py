"""Architectures that people use, traced and scripted, against PyTorch. A few run always, all of them with --full."""

import numpy as np
import torch

import architectures
from running import leaves

QUICK = {
    "traced": ["resnet18", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_0", "googlenet", "lraspp_mobilenet_v3_large",
               "bert", "gpt2", "llama", "t5", "vit", "whisper", "wav2vec2", "encoder_layer"],
    "scripted": ["resnet18", "shufflenet_v2_x0_5", "squeezenet1_0"],
}


def cases():
    for name in architectures.names():
        yield "traced", name
        # What transformers has is not written for TorchScript's compiler.
        if name not in architectures.SMALL_MODELS:
            yield "scripted", name


def pytest_generate_tests(metafunc):
    full = metafunc.config.getoption("--full")
    chosen = [(way, name) for way, name in cases() if full or name in QUICK[way]]
    metafunc.parametrize("way, name", chosen, ids=[f"{way}-{name}" for way, name in chosen])


def test_architecture(way, name, saved, jit_run):
    module, arguments = architectures.build(name)
    with torch.no_grad():
        if way == "traced":
            module = torch.jit.trace(module, arguments, check_trace=False, strict=False)
        archive, reference = saved(module)
        expected = list(leaves(reference(*arguments)))
    outcome = jit_run(archive, *arguments)
    outcome.assert_ok()
    assert [o.shape for o in outcome.outputs] == [e.shape for e in expected]
    # Errors of long chains are measured against the largest value of an output.
    for got, want in zip(outcome.outputs, expected):
        assert np.abs(got - want).max() <= 1e-4 * max(np.abs(want).max(), 1e-6)
