"""Files that mean harm, from the generators in hostile/: each ends in a typed error or does what it says, soon and in little memory."""

import importlib
import json
import pathlib
import re
import subprocess
import sys

import pytest
from artifacts import ArtifactError
from conftest import tool
from hostile.archive import archive
from hostile.packages import DAMAGES

KINDS = ["zips", "pickles", "tensors", "sources", "exported", "graphs", "mlir_texts", "npys", "specs", "tables", "packages"]
CASES = [case for kind in KINDS for case in importlib.import_module(f"hostile.{kind}").cases()]
BOUNDED = pathlib.Path(__file__).parent / "hostile" / "bounded.py"
# Of the processor, since others may have the machine; what hangs is ended after so many more.
SECONDS, PATIENCE = 1.0, 20
MEMORY = 256 << 20
ERROR = re.compile(r"(^|\n|: )(error|jit-\w+): \S")


class Outcome:
    """What a case came to, and what it took."""

    def __init__(self, case, folder):
        for name, data in case.files.items():
            (folder / name).write_bytes(data)
        program, *flags = case.command
        process = subprocess.run([sys.executable, "-IS", BOUNDED, str(PATIENCE), tool(program), *flags], cwd=folder, capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
        vars(self).update(json.loads(process.stdout))
        self.stdout, self.stderr = ((folder / name).read_bytes()[: 1 << 20].decode(errors="replace") for name in ("stdout", "stderr"))

    def __str__(self):
        return f"exit code {self.code} after {self.seconds:.2f} s and {self.memory >> 20} MiB\n{self.stdout[-500:]}{self.stderr[-1000:]}"


def test_there_are_enough():
    assert len(CASES) >= 300
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case.name))
def test_hostile(case, tmp_path):
    done = Outcome(case, tmp_path)
    assert done.code in (0, 1), done
    if done.code == 1:
        assert ERROR.search(done.stderr), done
        assert not re.search("assert|stack dump|bug report", done.stderr, re.IGNORECASE), done
    if case.error is not None:
        assert done.code == 1 and re.search(case.error, done.stderr), f"expected {case.error}; {done}"
    if case.prints is not None:
        assert done.code == 0 and re.search(case.prints, done.stdout, re.DOTALL), f"expected {case.prints}; {done}"
    assert done.seconds <= SECONDS, done
    stated = case.stated + sum(map(len, case.files.values()))
    assert done.memory <= MEMORY + stated, done
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_weights_of_packages(damage, compiled, tmp_path):
    (tmp_path / "program.pt").write_bytes(archive())
    weights = tmp_path / "program.weights"
    library = compiled(tmp_path / "program.pt", ["forward(f32[2])"], f"--weights={weights}")
    library.open()
    weights.write_bytes(damage(weights.read_bytes()))
    with pytest.raises(ArtifactError, match="expected (weights of|a file of weights|the weights that)"):
        library.open()
