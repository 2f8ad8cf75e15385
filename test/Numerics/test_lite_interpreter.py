"""Files of the lite interpreter, zips and flatbuffers: the values of the module that was saved; what is damaged is refused, never a crash."""

import random
import struct
import subprocess
import zipfile
from enum import Enum
from typing import Dict, List, Optional, Tuple

import pytest
import torch
from conftest import tool
from torch import Tensor, nn
from torch.ao.quantization import quantize_dynamic

pytestmark = pytest.mark.filterwarnings("ignore")


class Mode(Enum):
    PLAIN = 1
    TWICE = 2


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("calls", torch.zeros(1, dtype=torch.int64))

    def forward(self, x: Tensor, steps: int) -> Tensor:
        self.calls += steps
        for i in range(steps):
            if i == 2:
                break
            x = self.linear(x) + i
        return x

    @torch.jit.export
    def twice(self, x: Tensor) -> Tensor:
        return self.forward(x, 1) * 2


class Program(nn.Module):
    """State, attributes of all kinds, branches, loops, lists, methods that call methods, memory that two names share."""

    def __init__(self):
        super().__init__()
        self.counter = Counter()
        self.shared = self.counter.linear
        self.names: List[str] = ["a", "b"]
        self.numbers: List[float] = [0.5, -1.0]
        self.flags: List[bool] = [True, False]
        self.sizes: List[int] = [2, 3]
        self.table: Dict[str, int] = {"a": 3, "b": 4}
        self.pair: Tuple[int, str] = (7, "seven")
        self.nothing: Optional[int] = None
        self.tensors: List[Tensor] = [torch.arange(4.0), torch.ones(2, 4).half().float()]
        self.z = 1.0 - 2.0j
        self.mode = Mode.TWICE
        self.turned = torch.arange(12.0, dtype=torch.float64).view(3, 4).t()[1:3]
        self.device = torch.device("cpu")

    def forward(self, x: Tensor, n: int) -> Tensor:
        ys: List[Tensor] = []
        while n > 0:
            ys.append(self.counter.twice(x))
            n -= 1
        if len(ys) == 0:
            return x * self.numbers[0] + self.pair[0] + len(self.pair[1])
        y = torch.stack(ys).sum(0) + self.counter(x, self.table["a"]) + self.shared(x) + self.turned.sum()
        for i, t in enumerate(self.tensors):
            y = y + t * self.sizes[i] if self.flags[i] else y - t.sum()
        if self.mode == Mode.TWICE:
            y = y * 2
        if self.nothing is None:
            y = y + abs(self.z)
        return y + torch.tensor([1.5, 2.5, 3.5, 4.5]).to(self.device)

    @torch.jit.export
    def count(self) -> Tensor:
        return self.counter.calls


def save(scripted, folder, flatbuffer):
    path = folder / f"program{'.flat' if flatbuffer else ''}.ptl"
    scripted._save_for_lite_interpreter(str(path), _use_flatbuffer=flatbuffer)
    assert zipfile.is_zipfile(path) != flatbuffer
    return path


FORMS = pytest.mark.parametrize("flatbuffer", [False, True], ids=["zip", "flatbuffer"])


@FORMS
@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_program(n, flatbuffer, tmp_path, jit_run):
    torch.manual_seed(0)
    scripted = torch.jit.script(Program())
    path, x = save(scripted, tmp_path, flatbuffer), torch.rand(2, 4)
    jit_run(path, x, n).assert_close(scripted(x, n))


@FORMS
def test_state_and_methods(flatbuffer, tmp_path, jit_run):
    scripted = torch.jit.script(Program())
    scripted(torch.rand(2, 4), 2)
    jit_run(save(scripted, tmp_path, flatbuffer), method="count").assert_close(scripted.count())


@FORMS
def test_a_quantized_model(flatbuffer, tmp_path, jit_run):
    torch.manual_seed(0)
    scripted = torch.jit.script(quantize_dynamic(nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 4)).eval()))
    x = torch.randn(3, 16)
    jit_run(save(scripted, tmp_path, flatbuffer), x).assert_close(scripted(x), rtol=2e-2, atol=2e-2)


@FORMS
def test_a_convolution_large_enough_to_be_weights(flatbuffer, tmp_path, jit_run):
    torch.manual_seed(0)
    scripted = torch.jit.script(nn.Sequential(nn.Conv2d(64, 512, 3), nn.BatchNorm2d(512), nn.ReLU()).eval())
    x = torch.randn(1, 64, 6, 6)
    jit_run(save(scripted, tmp_path, flatbuffer), x).assert_close(scripted(x), rtol=1e-4, atol=1e-4)


def test_one_program_in_all_forms(tmp_path):
    scripted = torch.jit.script(Program())
    scripted.save(str(tmp_path / "program.pt"))
    texts = [
        subprocess.run([tool("jit-translate"), path], capture_output=True, text=True, check=True).stdout.split("\n", 1)[1]
        for path in (tmp_path / "program.pt", save(scripted, tmp_path, False), save(scripted, tmp_path, True))
    ]
    assert texts[0] == texts[1] == texts[2]


# ---- What is refused ----


def refused(path):
    done = subprocess.run([tool("jit-translate"), path], capture_output=True, text=True, errors="replace", timeout=60)
    assert done.returncode in (0, 1), (path, done.stderr)
    assert done.returncode == 0 or "error: " in done.stderr
    return done.stderr if done.returncode else None


def test_bytecode_alone(tmp_path):
    path = save(torch.jit.script(Counter()), tmp_path, False)
    bare = tmp_path / "bare.ptl"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(bare, "w") as new:
        for info in old.infolist():
            if "/code/" not in info.filename:
                new.writestr(info.filename, old.read(info))
    assert "expected the program's source beside its bytecode" in refused(bare)


def test_damaged_flatbuffers(tmp_path):
    """Bytes that are changed, cut off or taken twice: another value of the file, or an error of its own."""
    whole = bytearray(save(torch.jit.script(Counter()), tmp_path, True).read_bytes())
    rng, damaged = random.Random(0), tmp_path / "damaged.ptl"
    seen = 0
    for round_ in range(150):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(8, len(content) - 4)
            if rng.random() < 0.5:
                content[at] = rng.randrange(256)
            else:
                content[at : at + 4] = struct.pack("<I", rng.choice([0, 1, 4, 0x7FFFFFFF, 0xFFFFFFFF, len(whole), rng.randrange(len(whole))]))
        if round_ % 5 == 0:
            del content[rng.randrange(8, len(content)) :]
        damaged.write_bytes(content)
        seen += refused(damaged) is not None
    assert seen >= 50


def test_cut_off(tmp_path):
    path = save(torch.jit.script(Counter()), tmp_path, True)
    path.write_bytes(path.read_bytes()[:200])
    assert "reaches beyond its end" in refused(path)
