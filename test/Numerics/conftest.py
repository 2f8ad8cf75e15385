"""Fixtures: programs are made here with PyTorch, saved, and run by the built tools alone."""

import fcntl
import functools
import hashlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "examples" / "demo"))

import one_parser  # noqa: E402
import package  # noqa: E402
from artifacts import Library  # noqa: E402
from running import JitRun  # noqa: E402

one_parser.hold()
# A test is to compile what it tests, and to leave nothing behind.
os.environ["JIT_CACHE"] = "off"
# As in an environment that is activated, where the tools look for CUDA's.
os.environ.setdefault("VIRTUAL_ENV", sys.prefix)


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    np.random.seed(0)


def tool(name, must_exist=True):
    path = pathlib.Path(os.environ.get("JIT_BUILD", ROOT / "build" / "dev")) / "bin" / name
    assert path.exists() or not must_exist, f"{path} is not built"
    return path


def resident_bytes():
    """Of this process, in memory."""
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def jit_run(tmp_path):
    """Calls jit-run: jit_run(archive, *arguments, method=..., repeat_over=...) -> Outcome."""
    return JitRun(tool("jit-run"), tmp_path)


@pytest.fixture
def saved(tmp_path):
    """Scripts a module where it is not TorchScript yet, saves it, and gives (archive, what PyTorch will run)."""

    def save(module, name="program"):
        scripted = module if isinstance(module, torch.jit.ScriptModule) else torch.jit.script(module.eval())
        path = tmp_path / f"{name}.pt"
        scripted.save(str(path))
        return path, torch.jit.load(str(path))

    return save


@pytest.fixture
def agrees(saved, jit_run):
    """Runs a module both ways on the same arguments and compares every output; gives jit-run's Outcome."""

    def check(module, *arguments, rtol=None, atol=None, method="forward", flags=()):
        archive, reference = saved(module)
        got = jit_run(archive, *arguments, method=method, flags=flags)
        with torch.no_grad():
            expected = getattr(reference, method)(*clone(arguments))
        got.assert_close(expected, rtol=rtol, atol=atol)
        return got

    return check


@pytest.fixture
def compiled(tmp_path):
    """Compiles an archive: compiled(archive, calls, *flags, name=...) -> Library."""

    def compile_(archive, calls, *flags, name="program", suffix=".so"):
        output = tmp_path / f"lib{name}{suffix}"
        command = [tool("jit-compile"), archive, "-o", output, "--verify-stages", *flags]
        command += [f"--call={call}" for call in calls]
        process = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
        assert process.returncode == 0, process.stderr
        return Library(output) if suffix == ".so" else output

    return compile_


def clone(value):
    """A copy of nested arguments, since a program may write into its inputs."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, (list, tuple)):
        return type(value)(clone(v) for v in value)
    return value


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Where `pip install` put the package. Runs that share the tests build it in one folder, one after the other."""
    build = tool("jit-run").parents[1]
    with open(build / "python.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return package.install(build, tmp_path_factory.mktemp("site"), build / "python")


@pytest.fixture(scope="session")
def jit_mlir(installed):
    sys.path.insert(0, str(installed))
    import jit_mlir

    return jit_mlir


@pytest.fixture(scope="session")
def silero_archive():
    path = ROOT / "out" / "models" / "silero_vad.jit"
    assert path.exists(), "the model is missing: scripts/setup test fetches it"
    return path


@pytest.fixture(scope="session")
def listed_operators():
    """The schema string of each operator record."""
    listing = subprocess.run([tool("jit-translate"), "--list-operators"], check=True, capture_output=True, text=True)
    return [line for line in listing.stdout.splitlines() if line.strip()]


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="run all of what is otherwise run in part")
    parser.addoption("--share", metavar="FOLDER", type=pathlib.Path, help="divide the files with the other runs that name this folder")
    parser.addoption("--share-each", action="store_true", help="divide the tests of files, too")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """True, which is to say that nothing is left to do, for a file, or a test, that another run has taken."""
    shared = item.config.getoption("--share")
    each = item.config.getoption("--share-each")
    name = hashlib.sha256(item.nodeid.encode()).hexdigest() if each else item.path.name
    if shared is None or is_mine(shared, name):
        return None
    if each:
        # What the test before has left for this one.
        item.session._setupstate.teardown_exact(nextitem)
    return True


@functools.cache
def is_mine(shared, name):
    """Whether this run is the first to take the file."""
    try:
        (shared / name).mkdir()
    except FileExistsError:
        return False
    return True


# What takes minutes, begun first so that no run is left alone with it.
LONGEST = ["test_operators.py", "test_opinfo.py", "test_gradients.py", "test_models.py", "test_torch_compile.py", "test_add_an_op.py"]


def pytest_collection_modifyitems(config, items):
    if config.getoption("--share"):
        items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


REPORT = pytest.StashKey[list]()


@pytest.fixture
def report(request):
    """report(line): prints a line of figures at the end of the run."""
    return request.config.stash.setdefault(REPORT, []).append


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash.get(REPORT, []):
        terminalreporter.write_line(line)
