"""Archives written as .pt2: torch.export.load opens the file, its module gives what the archive gives, and it is read here too."""

import copy
import logging
import subprocess

import pt2_cases
import pytest
import torch
from conftest import tool
from torch import Tensor, nn

logging.getLogger("torch.export").setLevel(logging.CRITICAL)


def translate(*arguments):
    return subprocess.run([tool("jit-translate"), *map(str, arguments)], capture_output=True, text=True)


def rescued(archive, spec, *options):
    path = archive.with_suffix(".pt2")
    done = translate("--to=pt2", archive, f"--args={spec}", "-o", path, *options)
    assert done.returncode == 0, done.stderr
    return path


def made(argument):
    if isinstance(argument, (list, tuple)):
        return type(argument)(made(a) for a in argument)
    if isinstance(argument, dict):
        return {key: made(value) for key, value in argument.items()}
    return argument() if callable(argument) else argument


def assert_equal(got, wanted):
    assert type(got) is type(wanted) or isinstance(wanted, tuple) and isinstance(got, tuple), (got, wanted)
    if isinstance(wanted, Tensor):
        torch.testing.assert_close(got, wanted, rtol=1e-5, atol=1e-6, equal_nan=True)
    elif isinstance(wanted, dict):
        assert list(got) == list(wanted)
        assert_equal(list(got.values()), list(wanted.values()))
    elif isinstance(wanted, (list, tuple)):
        assert len(got) == len(wanted)
        for g, w in zip(got, wanted):
            assert_equal(g, w)
    elif isinstance(wanted, float):
        assert got == pytest.approx(wanted, rel=1e-5)
    else:
        assert got == wanted


def compare(archive, path, calls):
    eager, program = torch.jit.load(str(archive)), torch.export.load(path)
    module = program.module()
    for call in calls:
        wanted_arguments = made(call)
        arguments = copy.deepcopy(wanted_arguments)
        wanted = eager(*wanted_arguments)
        assert_equal(module(*arguments), wanted)
        assert_equal(arguments, wanted_arguments)
    assert_equal(dict(module.state_dict()), dict(eager.state_dict()))
    assert dict(module.named_parameters(remove_duplicate=False)).keys() == dict(eager.named_parameters(remove_duplicate=False)).keys()
    read = translate(path)
    assert read.returncode == 0, read.stderr
    return program


@pytest.mark.parametrize("case", range(len(pt2_cases.CASES)), ids=lambda i: f"{pt2_cases.CASES[i][0].__name__}-{i}")
def test_scripted(saved, case):
    module, spec, calls = pt2_cases.CASES[case]
    archive, _ = saved(module())
    compare(archive, rescued(archive, spec), calls)


@pytest.mark.parametrize("module", pt2_cases.TRACED)
def test_traced(saved, module):
    spec, calls = next((spec, calls) for of, spec, calls in pt2_cases.CASES if of is module)
    arguments = made(calls[0])
    archive, _ = saved(torch.jit.trace(module().eval(), arguments, check_trace=False))
    compare(archive, rescued(archive, spec), calls[:1])


def test_open_sizes_are_symbols_with_ranges(saved):
    archive, _ = saved(pt2_cases.Sizes())
    program = torch.export.load(rescued(archive, "f32[n,m],f32[k,m]"))
    x, y = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"]
    assert [str(size) for size in (*x.shape, *y.shape)] == ["s0", "s1", "s2", "s1"]
    assert {str(name): int(values.lower) for name, values in program.range_constraints.items()} == {"s0": 2, "s1": 2, "s2": 2}
    sizes = [str(node.meta["val"].shape) for node in program.graph.nodes if node.name in ("cat", "reshape", "arange")]
    assert sizes == ["torch.Size([2*s0 + s2, s1])", "torch.Size([2*s0*s1 + s1*s2])", "torch.Size([2*s0])"]


def test_a_call_of_other_sizes_is_refused_by_pytorch(saved):
    archive, _ = saved(pt2_cases.Arithmetic())
    module = torch.export.load(rescued(archive, "f32[n,4]")).module()
    with pytest.raises(Exception, match="shape|Guard failed|expected"):
        module(torch.ones(3, 5))


def test_a_failed_check_raises(saved):
    archive, _ = saved(pt2_cases.Checks())
    module = torch.export.load(rescued(archive, "f32[n,4]")).module()
    with pytest.raises(RuntimeError, match="too small"):
        module(torch.full((2, 4), -500.0))


def test_signature(saved):
    archive, _ = saved(pt2_cases.Network())
    program = torch.export.load(rescued(archive, "f32[2,3,8,8]"))
    signature = program.graph_signature
    assert list(signature.parameters) == [name for name, _ in pt2_cases.Network().named_parameters()]
    assert list(signature.buffers_to_mutate.values()) == ["calls"]
    assert program.module_call_graph[0].signature.forward_arg_names == ["x"]
    archive, _ = saved(pt2_cases.WritesArguments())
    signature = torch.export.load(rescued(archive, "f32[3,4],f32[4,3]")).graph_signature
    assert sorted(signature.user_inputs_to_mutate.values()) == ["out", "x"]


def test_weights_are_aligned_and_shared(saved, tmp_path):
    archive, _ = saved(pt2_cases.Shared())
    path = rescued(archive, "i64[2,3]")
    module = torch.export.load(path).module()
    assert module.embed.weight.data_ptr() == module.out.weight.data_ptr()


def test_programs_can_be_decomposed(saved):
    archive, _ = saved(pt2_cases.Network())
    program = torch.export.load(rescued(archive, "f32[n,3,8,8]")).run_decompositions()
    x = torch.randn(3, 3, 8, 8)
    assert_equal(program.module()(x), torch.jit.load(str(archive))(x))


def test_another_method(saved, tmp_path):
    class Methods(nn.Module):
        def forward(self, x: Tensor):
            return x

        @torch.jit.export
        def encode(self, x: Tensor):
            return x * 3

    archive, eager = saved(Methods())
    module = torch.export.load(rescued(archive, "f32[n]", "--entry=encode")).module()
    assert_equal(module(torch.ones(3)), eager.encode(torch.ones(3)))
