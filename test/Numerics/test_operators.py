"""Each operator record against PyTorch: its schema, and its values over samples."""

import concurrent.futures
import os
import subprocess

import numpy as np
import pytest
import vision_operators
from conftest import tool
from operator_cases import cases_from_samples, cases_from_schema, key_of, registry
from operator_gaps import GAPS, UNREACHED
from running import JitRun, leaves


# torchvision's operators are among those that PyTorch knows from here on.
vision_operators.define()

# What PyTorch has no name for.
OURS = {"aten::_with_elements", "aten::_eigen_parts", "aten::_eigenvalue_parts", "aten::fill_diagonal", "aten::_largest", "aten::_normalized_batch", "aten::_leaf", "aten::_variable", "aten::_gradient", "jit::_tolist", "jit::_isinstance", "jit::_kept_boxes",
        "jit::_parts", "jit::_resized", "jit::_packed_rows", "jit::_wide_matmul", "jit::_lstm_masked", "jit::_gru_masked", "jit::_rnn_tanh_masked", "jit::_rnn_relu_masked",
        "jit::autocast_applies", "jit::autocast_enabled", "jit::autocast_to", "jit::autocast_to_widest", "jit::set_autocast"}


def listed():
    listing = subprocess.run([tool("jit-translate"), "--list-operators"], check=True, capture_output=True, text=True)
    return [line for line in listing.stdout.splitlines() if line.strip()]


def pytest_generate_tests(metafunc):
    if "schema" in metafunc.fixturenames:
        schemas = [schema for schema in listed() if key_of(schema)[0] not in OURS]
        metafunc.parametrize("schema", schemas, ids=[s.split("(", 1)[0] for s in schemas])


def test_the_schema_is_pytorchs(schema):
    assert schema == str(registry().get(key_of(schema), "not registered"))


def difference(case, outcome):
    """What is wrong with one run, or None."""
    try:
        outcome.assert_ok()
        expected = [case.expected] if isinstance(case.expected, str) else list(leaves(case.expected))
        if isinstance(case.expected, str):
            assert case.expected in outcome.stdout, f"expected {case.expected!r} in: {outcome.stdout}"
        elif case.undefined:
            got = [(o.dtype, o.shape) for o in outcome.outputs]
            assert got == [(e.dtype, e.shape) for e in expected], got
        else:
            outcome.assert_close(case.expected)
    except AssertionError as error:
        return f"{case.text}: {error}"
    return None


def cases(schemas, picked):
    """PyTorch's samples of the picked operators; plain values for those that they do not reach."""
    reached = set()
    for case in cases_from_samples(set(schemas), asked=picked):
        if case.operators & picked:
            reached |= case.operators
            yield case
    for key in schemas:
        if key in picked - reached:
            for case in cases_from_schema(key, schemas[key]):
                reached.add(key)
                yield case
    # An operator may be in the samples of others alone.
    rest = {key for key in picked - reached if ".".join(filter(None, key)) not in UNREACHED}
    if rest:
        yield from (case for case in cases_from_samples(set(schemas)) if case.operators & rest)


def picked_of(session):
    """The operators whose values are asked for: with -k and by node ids, not all."""
    mine = [item for item in session.items if getattr(item, "originalname", "") == test_the_values_are_pytorchs.__name__]
    return {key_of(item.callspec.params["schema"]) for item in mine}


@pytest.fixture(scope="module")
def differences(tmp_path_factory, request):
    """{operator: [None or a message, one for each case]}, every case run once."""
    folder = tmp_path_factory.mktemp("operators")
    schemas = {key: found for key in map(key_of, listed()) if (found := registry().get(key))}
    picked = picked_of(request.session) & set(schemas)

    def run(number, case):
        mine = folder / str(number)
        mine.mkdir()
        case.program.save(str(mine / "case.pt"))
        outcome = JitRun(tool("jit-run"), mine)(mine / "case.pt", *case.arguments, flags=["--threads=1"])
        return case, difference(case, outcome)

    result = {key: [] for key in schemas}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Cases are run while others are made.
        runs = [pool.submit(run, number, case) for number, case in enumerate(cases(schemas, picked))]
        for case, message in (done.result() for done in runs):
            for key in case.operators:
                result[key].append(message)
    return result


def test_the_values_are_pytorchs(schema, differences):
    key = schema.split("(", 1)[0]
    messages = differences.get(key_of(schema), [])
    if key in UNREACHED:
        assert not messages, f"{key} is reached now: take it off UNREACHED"
        return
    assert messages, "no case: neither PyTorch's samples nor plain values reach this operator"
    wrong = [m for m in messages if m]
    if key in GAPS:
        assert wrong, f"{key} is whole now ({GAPS[key]}): take it off GAPS"
        return
    assert not wrong, f"{len(wrong)} of {len(messages)} cases:\n" + "\n".join(m[:600] for m in wrong[:4])
