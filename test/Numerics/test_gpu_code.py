"""Whole programs compiled to machine code for NVIDIA's GPUs, which needs none: ptxas takes every kernel, and what pointwise
groups and row groups compute stays in registers. Their results are test_gpu.py's."""

import re

import architectures
import models
import numpy as np
import torch
from machine_code import compile_to_ptx, spilled_bytes
from test_training import Classifier
from torch import nn

CHIPS = ("sm_80", "sm_90")


def looped_lstm():
    return models.LoopedLstm(256, 512), (torch.randn(100, 64, 256), None), ["--grad"]


class OwnLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(256, 512)

    def forward(self, x):
        return self.lstm(x)[0]


def own_lstm():
    return OwnLstm(), (torch.randn(100, 64, 256),), ["--grad"]


def training_step():
    batch = torch.randn(32, 3, 28, 28), torch.randint(0, 10, (32,))
    return Classifier().train(), batch, ["--train=1", "--optimizer=adam"]


def alexnet():
    return models.traced_alexnet(), (torch.randn(1, 3, 224, 224),), []


def bert():
    architectures.torchvision()  # transformers looks for it
    module, arguments = architectures.bert()
    return traced(module.eval(), arguments), arguments, []


def bert_of_usual_width():
    architectures.torchvision()
    from transformers import BertConfig, BertModel

    model = BertModel(BertConfig(num_hidden_layers=4), add_pooling_layer=False)
    module, arguments = architectures.Positional(model.eval(), "input_ids"), (torch.randint(0, 30000, (1, 128)),)
    return traced(module, arguments), arguments, []


def traced(module, arguments):
    return torch.jit.trace(module, arguments, check_trace=False, strict=False)


PROGRAMS = [alexnet, looped_lstm, own_lstm, training_step, bert]
FULL_PROGRAMS = [*PROGRAMS, bert_of_usual_width]


def pytest_generate_tests(metafunc):
    if "program" in metafunc.fixturenames:
        programs = FULL_PROGRAMS if metafunc.config.getoption("--full") else PROGRAMS
        metafunc.parametrize("program", programs, ids=lambda f: f.__name__)


def lower(jit_run, folder, archive, arguments, flags):
    """The program as Codegen gets it. Where there is no GPU the run ends after it was compiled."""
    dump = folder / "ir"
    outcome = jit_run(archive, *arguments, flags=[f"--dump-ir={dump}", *flags], target="cuda")
    assert outcome.code == 0 or "expected a CUDA driver" in outcome.stderr, outcome.stderr
    lowered = sorted(dump.glob("*/*lower.mlir"))
    assert lowered, outcome.stderr
    return lowered[0]


def check_machine_code(lowered, folder):
    for chip in CHIPS:
        kernels = spilled_bytes(compile_to_ptx(lowered, chip, folder), chip)
        assert any("_pointwise_" in name for name in kernels)
        in_registers = {name: count for name, count in kernels.items() if re.search("_(pointwise|rows)_", name)}
        assert not any(in_registers.values()), in_registers


def test_program(program, tmp_path, jit_run):
    module, arguments, flags = program()
    if not isinstance(module, torch.jit.ScriptModule):
        module = torch.jit.script(module)
    archive = tmp_path / "program.pt"
    module.save(str(archive))
    check_machine_code(lower(jit_run, tmp_path, archive, arguments, flags), tmp_path)


def test_speech_detector(silero_archive, tmp_path, jit_run):
    chunk = np.zeros((1, 512), np.float32)
    check_machine_code(lower(jit_run, tmp_path, silero_archive, (chunk, 16000), []), tmp_path)
