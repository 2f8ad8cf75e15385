"""The comparisons with PyTorch that the mutated folders are for, collected once and then run one at a time, in this process."""

import os
import pathlib
import sys

import checkout
import pytest
from _pytest.runner import runtestprotocol

FILES = ("language", "loops", "containers", "functions", "gradient_corners", "autograd_in_programs", "grad_mode", "grad_sums",
         "training", "symbolic_sizes", "modules", "differential", "autograd_errors", "strings", "random")
# Of many programs each.
LEFT_OUT = ("test_random_programs", "test_view_or_copy_by_layout", "test_strides_of_new_memory", "test_new_or_shared_memory")
PATIENCE = 15  # seconds for a program of scripts/differential


class Collected:
    """pytest's plugin: takes the session when it has collected, and lets it run nothing else."""

    def __init__(self, use):
        self.use = use

    def pytest_runtestloop(self, session):
        if session.testsfailed:
            raise session.Failed("expected files that can be collected")
        self.use(Numerics(session))
        return True


class Numerics:
    """{name: test}; names are those of pytest, from the checkout's root on."""

    def __init__(self, session):
        self.session = session
        # What loads the library into this process would end it with a crash.
        chosen = [item for item in session.items if item.originalname not in LEFT_OUT and "jit_mlir" not in item.fixturenames]
        self.tests = {f"test/Numerics/{item.nodeid.split('/')[-1]}": item for item in chosen}
        sys.modules["workers"].PATIENCE = PATIENCE

    def passes(self, name):
        item = self.tests[name]
        # What the last test's module has made is kept if this one is of the same.
        self.session._setupstate.teardown_exact(item)
        item._initrequest()
        reports = runtestprotocol(item, nextitem=item.parent, log=False)
        return not any(report.failed for report in reports)


def use(function, folder):
    """Calls function(Numerics) within a session of pytest."""
    os.environ["JIT_BUILD"] = str(checkout.LIMITED)
    os.chdir(checkout.ROOT)
    files = [str(pathlib.Path("test/Numerics") / f"test_{name}.py") for name in FILES]
    return pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", f"--basetemp={folder}", *files], plugins=[Collected(function)])
