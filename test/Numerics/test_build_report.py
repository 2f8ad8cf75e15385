"""scripts/build --report, on logs of ninja written by hand."""

import subprocess
import sys

from conftest import ROOT


def report(tmp_path, *lines, head="# ninja log v5"):
    log = tmp_path / ".ninja_log"
    log.write_text("\n".join([head, *lines]) + "\n")
    return subprocess.run([sys.executable, ROOT / "scripts" / "build-report", log], capture_output=True, text=True)


def entry(start, end, output, command):
    return f"{start}\t{end}\t1795384537595580629\t{output}\t{command}"


def test_slowest_first_with_sum_and_wall_time(tmp_path):
    done = report(tmp_path, entry(0, 1500, "lib/A.o", "a1"), entry(0, 4000, "lib/B.o", "b1"), entry(4000, 4250, "bin/tool", "c1"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["3 steps, 5.8 s in all, 4.2 s of wall time",
                                        "     4.0 s  lib/B.o", "     1.5 s  lib/A.o", "     0.2 s  bin/tool"]


def test_a_step_with_several_outputs_counts_once(tmp_path):
    done = report(tmp_path, entry(0, 2000, "/somewhere/build/Ops.h.inc", "a1"), entry(0, 2000, "Ops.h.inc", "a1"))
    assert done.stdout.splitlines() == ["1 steps, 2.0 s in all, 2.0 s of wall time", "     2.0 s  Ops.h.inc"]


def test_the_last_build_of_an_output_counts(tmp_path):
    """And the wall time of two builds is not known: their clocks both begin at 0."""
    done = report(tmp_path, entry(0, 9000, "A.o", "a1"), entry(0, 10000, "B.o", "b1"), entry(0, 3000, "A.o", "a2"))
    assert done.stdout.splitlines() == ["2 steps, 13.0 s in all", "    10.0 s  B.o", "     3.0 s  A.o"]


def test_only_the_ten_slowest_are_named(tmp_path):
    done = report(tmp_path, *(entry(0, 1000 * i, f"{i}.o", f"c{i}") for i in range(1, 14)))
    assert [line.split()[-1] for line in done.stdout.splitlines()[1:]] == [f"{i}.o" for i in range(13, 3, -1)]


def test_what_is_no_log_is_refused(tmp_path):
    assert report(tmp_path, entry(0, 1, "A.o", "a"), head="some text").returncode == 1
    missing = subprocess.run([ROOT / "scripts" / "build", "--report", "no-such-preset"], capture_output=True, text=True)
    assert missing.returncode == 1 and "no-such-preset/.ninja_log" in missing.stderr


def test_an_interrupted_line_is_left_out(tmp_path):
    done = report(tmp_path, entry(0, 1000, "A.o", "a1"), "1000\t20")
    assert done.stdout.splitlines()[0] == "1 steps, 1.0 s in all, 1.0 s of wall time"
