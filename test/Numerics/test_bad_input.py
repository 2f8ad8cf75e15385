"""Input that jit-run must refuse: exit code 1 and a message that says what is wrong, never a crash."""

import pickle
import zipfile

import pytest
import torch
from torch import nn


class Double(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class TwoInputs(nn.Module):
    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return x * n


@pytest.fixture
def archive(saved):
    return saved(nn.Sequential(nn.Linear(4, 4)))[0]


def rewritten(archive, change):
    """The archive with every member passed through change(name, bytes); None drops the member."""
    result = archive.with_name("changed.pt")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(result, "w") as new:
        for info in old.infolist():
            content = change(info.filename, old.read(info))
            if content is not None:
                new.writestr(info.filename, content)
    return result


def test_no_such_file(tmp_path, jit_run):
    jit_run(tmp_path / "absent.pt", torch.rand(1, 4)).assert_fails_with("absent.pt")


def test_not_an_archive(tmp_path, jit_run):
    path = tmp_path / "text.pt"
    path.write_text("this is no archive\n" * 100)
    jit_run(path, torch.rand(1, 4)).assert_fails_with("text.pt")


def test_an_empty_file(tmp_path, jit_run):
    path = tmp_path / "empty.pt"
    path.write_bytes(b"")
    jit_run(path, torch.rand(1, 4)).assert_fails_with("empty.pt")


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_archive(kept, archive, jit_run):
    data = archive.read_bytes()
    archive.write_bytes(data[: int(len(data) * kept)])
    jit_run(archive, torch.rand(1, 4)).assert_fails_with("error")


@pytest.mark.parametrize("member", ["data.pkl", "constants.pkl", "version"])
def test_a_missing_member(member, archive, jit_run):
    broken = rewritten(archive, lambda name, data: None if name.endswith("/" + member) else data)
    jit_run(broken, torch.rand(1, 4)).assert_fails_with(member)


def test_a_missing_weight(archive, jit_run):
    broken = rewritten(archive, lambda name, data: None if name.endswith("/data/0") else data)
    jit_run(broken, torch.rand(1, 4)).assert_fails_with("data/0")


def test_a_short_weight(archive, jit_run):
    broken = rewritten(archive, lambda name, data: data[:8] if name.endswith("/data/0") else data)
    jit_run(broken, torch.rand(1, 4)).assert_fails_with("data/0")


def test_a_pickle_that_would_run_a_command(archive, jit_run, tmp_path):
    witness = tmp_path / "witness"

    class Evil:
        def __reduce__(self):
            return exec, (f"open({str(witness)!r}, 'w')",)

    evil = pickle.dumps(Evil(), protocol=2)
    broken = rewritten(archive, lambda name, data: evil if name.endswith("/data.pkl") else data)
    jit_run(broken, torch.rand(1, 4)).assert_fails_with("data.pkl")
    assert not witness.exists()


def test_source_that_does_not_parse(archive, jit_run):
    broken = rewritten(archive, lambda name, data: b"def (:\n" if name.endswith(".py") else data)
    jit_run(broken, torch.rand(1, 4)).assert_fails_with(".py")


def test_an_unknown_method(archive, jit_run):
    jit_run(archive, torch.rand(1, 4), method="backward").assert_fails_with("backward")


def test_too_few_inputs(saved, jit_run):
    jit_run(saved(TwoInputs())[0], torch.rand(4)).assert_fails_with("n")


def test_too_many_inputs(saved, jit_run):
    jit_run(saved(Double())[0], torch.rand(4), 3).assert_fails_with("expected at most 1 arguments")


def test_an_input_of_the_wrong_kind(saved, jit_run):
    jit_run(saved(TwoInputs())[0], 3, torch.rand(4)).assert_fails_with("expected")


def test_sizes_that_do_not_fit(archive, jit_run):
    jit_run(archive, torch.rand(1, 5)).assert_fails_with("5")


@pytest.mark.parametrize("spec", ["@absent.npy", "f33[1,2]", "(1,", "[1,", "f32[1,,2]", "f32[-1,2]", "f32[1", "f32", "f32[99999999999,9999999999]", ""])
def test_a_bad_input_spec(spec, saved, jit_run):
    archive, _ = saved(Double())
    jit_run(archive, flags=[f"--input={spec}"]).assert_fails_with("input")


def test_a_broken_npy_file(saved, jit_run, tmp_path):
    path = tmp_path / "broken.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00\xff\xff{'descr'")
    jit_run(saved(Double())[0], flags=[f"--input=@{path}"]).assert_fails_with("broken.npy")


class Unsupported(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.hash_tensor(x)
        return torch.special.airy_ai(y)


def test_operators_that_are_not_there_are_named_with_their_line(saved, jit_run):
    line = Unsupported.forward.__code__.co_firstlineno + 1
    jit_run(saved(Unsupported())[0], torch.rand(3, 3)).assert_fails_with("aten::hash_tensor", f"test_bad_input.py:{line}")
