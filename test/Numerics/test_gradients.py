"""Gradients of operators: jit-run --grad against eager autograd and finite differences, over PyTorch's own samples."""

import concurrent.futures
import json
import os
from dataclasses import dataclass, field

import numpy as np
import pytest
from conftest import ROOT, tool
from gradient_cases import differentiable_operators, gradient_cases, slope_error
from gradient_gaps import BY_SLOPE, GAPS, LOOSE, REACHED
from operator_cases import key_of
from running import JitRun

OPERATORS = differentiable_operators()
TOLERANCES = {"float64": dict(rtol=1e-7, atol=1e-9), "float32": dict(rtol=2e-4, atol=2e-5)}
GAP_REASONS = {name: reason for reason, names in GAPS.items() for name in names}


@dataclass
class Finding:
    """What the samples of one OpInfo showed."""

    cases: int = 0
    slopes: int = 0  # samples that finite differences confirm
    refused: list = field(default_factory=list)
    wrong: list = field(default_factory=list)
    results: list = field(default_factory=list)  # (operators, whether the gradients are equal)

    @property
    def is_equal(self):
        return self.cases > 0 and not self.refused and not self.wrong


def difference(case, outcome):
    """What is wrong with the gradients of one run, or None."""
    ours = [None if want is None else outcome.gradient(n) for n, want in enumerate(case.expected)]
    for number, (got, want) in enumerate(zip(ours, case.expected)):
        if want is None or case.text.split(" ")[0] in BY_SLOPE:
            continue
        want = want.numpy(force=True)
        if (got.dtype, got.shape) != (want.dtype, want.shape):
            return f"gradient {number}: {got.dtype}{got.shape}, expected {want.dtype}{want.shape}"
        try:
            loose = LOOSE.get(case.text.split(" ")[0]) if want.dtype == np.float32 else None
            np.testing.assert_allclose(got, want, **(loose or TOLERANCES[str(want.dtype)]), err_msg=f"gradient {number}")
        except AssertionError as error:
            return str(error)
    return slope_error(case, ours) if case.is_double else NotImplemented


def examine(case, folder, finding):
    folder.mkdir()
    case.program.save(str(folder / "case.pt"))
    outcome = JitRun(tool("jit-run"), folder)(folder / "case.pt", *case.arguments, flags=["--grad", "--threads=1"])
    before = len(finding.refused) + len(finding.wrong)
    compare(case, outcome, finding)
    finding.results.append((case.operators, len(finding.refused) + len(finding.wrong) == before))


def compare(case, outcome, finding):
    finding.cases += 1
    if outcome.code == 1 and outcome.stderr:
        finding.refused.append(f"{case.text}: {outcome.stderr}")
        return
    if outcome.code != 0:
        finding.wrong.append(f"{case.text}: exit code {outcome.code}: {outcome.stderr}")
        return
    message = difference(case, outcome)
    finding.slopes += message is None
    if message is not None and message is not NotImplemented:
        finding.wrong.append(f"{case.text}: {message}")


@pytest.fixture(scope="module")
def findings(request, tmp_path_factory, listed_operators):
    """{OpInfo: Finding}, for those that are asked for."""
    folder = tmp_path_factory.mktemp("gradients")
    listed = set(map(key_of, listed_operators))
    asked = {item.callspec.params["operator"] for item in request.session.items if item.path == request.path and hasattr(item, "callspec")}
    found = {name: Finding() for name in OPERATORS if name in asked}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = []
        for name, finding in found.items():
            for case in gradient_cases(OPERATORS[name], listed):
                runs.append(pool.submit(examine, case, folder / str(len(runs)), finding))
        for run in runs:
            run.result()
    write_results(found.values())
    return found


def write_results(findings):
    """Leaves what scripts/operator-table reads."""
    records = {}
    for operators, is_equal in (result for finding in findings for result in finding.results):
        for name, overload in operators:
            counts = records.setdefault(f"{name}.{overload}" if overload else name, {"gradients": [0, 0]})["gradients"]
            counts[not is_equal] += 1
    (ROOT / "out").mkdir(exist_ok=True)
    (ROOT / "out" / "gradients.json").write_text(json.dumps({"records": records}, indent=1, sort_keys=True))


def pytest_generate_tests(metafunc):
    if "operator" in metafunc.fixturenames:
        metafunc.parametrize("operator", OPERATORS)


def test_the_gradients_are_eagers(operator, findings):
    finding = findings[operator]
    # A gap may be refused; a wrong value is never one.
    assert not finding.wrong, f"{len(finding.wrong)} of {finding.cases} samples:\n" + "\n".join(m[:600] for m in finding.wrong)
    if operator in GAP_REASONS:
        assert not finding.is_equal, f"{operator} is whole now ({GAP_REASONS[operator]}): take it off GAPS"
        return
    assert finding.cases, "no sample of listed operators alone"
    assert not finding.refused, f"{len(finding.refused)} of {finding.cases} samples:\n" + "\n".join(m[:600] for m in finding.refused)


def test_the_count_of_equal_gradients(findings, report):
    if len(findings) < len(OPERATORS):
        pytest.skip("some OpInfos were left out of this run")
    equal = [finding for finding in findings.values() if finding.is_equal]
    samples, slopes = sum(f.cases for f in equal), sum(f.slopes for f in equal)
    report(f"gradients of {len(equal)} of {len(OPERATORS)} OpInfos equal eager's: {samples} samples, {slopes} confirmed by finite differences")
    for reason, names in sorted(GAPS.items(), key=lambda gap: -len(gap[1])):
        report(f"{len(names):5} {reason}")
    assert not set(GAP_REASONS) - set(OPERATORS), "gaps that are no OpInfos"
    assert len(equal) >= REACHED
