"""Which element types an operator takes: PyTorch's samples cast to each, by eager and by ours. What eager gives a value for must not
be refused for its elements, and what it refuses must not get a value from an operator of lib/Dialect/Aten/ElementKinds.cpp. With
--full all operators, which takes half an hour; without, some of them. The last test says how many calls that eager refuses get a
value."""

import collections
import re
import warnings

import pytest
import torch
from conftest import ROOT
from opinfo import name_of, op_db
from opinfo_worker import Sample, itself, plain

KINDS = [torch.bool, torch.uint8, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.complex64]
REFUSED = re.compile("expected elements that are .* in aten::")
# Without --full.
SOME = ["floor", "lt", "sort", "softmax", "std", "linalg.cholesky", "nn.functional.relu", "nn.functional.gelu", "nn.functional.layer_norm", "nn.functional.batch_norm",
        "nn.functional.group_norm", "special.bessel_j0", "bitwise_and", "amax", "remainder", "fft.fft", "nn.functional.max_pool2d", "lerp", "median", "gcd", "histogram"]
# Whether eager refuses these depends on more than their elements.
BY_VALUES = {"nn.functional.threshold", "round", *(f"nn.functional.conv_transpose{n}d" for n in (1, 2, 3))}


def in_table():
    text = (ROOT / "lib" / "Dialect" / "Aten" / "ElementKinds.cpp").read_text()
    return {name for literal in re.findall(r'"([a-z_0-9 ]+)"', text.split("groups[] = {")[1].split("};")[0]) for name in literal.split()}


def cast(tensor, source, kind):
    return tensor.to(kind) if tensor.dtype is source else tensor.clone()


def outcome(call, tensors):
    """The results, or the exception."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(*tensors), None
        except Exception as error:  # whatever it is
            return None, str(error).strip().splitlines()[-1]  # the lines before it are the program's


def compared(jit_mlir, info):
    """(kind, what eager says, what ours says) of the first sample that can be traced, and the operators in it."""
    source = next((d for d in (torch.float32, torch.int64, torch.complex64, torch.bool) if d in info.supported_dtypes("cpu")), None)
    try:
        samples = list(info.sample_inputs("cpu", source))[:3]
    except Exception:  # it may need a library that is not here
        return [], set()
    for sample in samples:
        try:
            module = Sample(info, sample, itself)
            tensors = [plain(t) for t in module.tensors]
            program = torch.jit.trace(module, tensors, check_trace=False)
        except Exception:  # what cannot be traced
            continue
        if not tensors or any(t.numel() == 0 for t in tensors):
            continue
        names = {node.kind().removeprefix("aten::") for node in program.inlined_graph.nodes() if node.kind().startswith("aten::")}
        ours = jit_mlir.compile(program)
        found = []
        for kind in KINDS:
            given = [cast(t, source, kind) for t in tensors]
            eager = outcome(program, [t.clone() for t in given])[1]
            found.append((kind, eager, outcome(ours, given)[1]))
        return found, names
    return [], set()


counts = collections.Counter()
CHOSEN = [i for i, info in enumerate(op_db) if info.name in SOME and not info.variant_test_name]


def pytest_generate_tests(metafunc):
    if "number" in metafunc.fixturenames:
        numbers = range(len(op_db)) if metafunc.config.getoption("full") else CHOSEN
        metafunc.parametrize("number", numbers, ids=[name_of(op_db[i]) for i in numbers])


def test_the_same_element_types(number, jit_mlir):
    found, names = compared(jit_mlir, op_db[number])
    settled = len(names & in_table()) == 1 and len(names) == 1 and op_db[number].name not in BY_VALUES
    for kind, eager, ours in found:
        counts["refused by eager"] += eager is not None
        counts["of these, given a value"] += eager is not None and ours is None
        assert eager or not (ours and REFUSED.search(ours)), f"{kind}: eager gives a value, ours says {ours}"
        assert not (settled and eager and ours is None), f"{kind}: eager says {eager}, ours gives a value"


def test_how_many(report):
    report(f"calls of element types that eager PyTorch refuses: {counts['refused by eager']}, given a value: {counts['of these, given a value']}")


def test_orders_are_of_what_has_one(jit_mlir):
    program = jit_mlir.compile(torch.jit.script(largest))
    assert program(torch.tensor([1.0, 3.0, 2.0])) == 3
    with pytest.raises(jit_mlir.Error, match=r"expected elements that are bool, uint8, int8 to int64, f16, bf16, f32 and f64 in aten::amax, got c64"):
        program(torch.tensor([1j, 2.0]))


def largest(x):
    return torch.amax(x)
