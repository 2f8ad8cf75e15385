"""Random programs by our compiler and by eager PyTorch; see scripts/differential."""

import argparse
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "test" / "Numerics"))

from package import install  # noqa: E402
from program import Program  # noqa: E402
from reducer import Reducer  # noqa: E402
from report import FAILURES, Report  # noqa: E402
from ways import WAYS  # noqa: E402
from workers import Worker, run_all  # noqa: E402


def options():
    parser = argparse.ArgumentParser(prog="scripts/differential", description="compares random programs with eager PyTorch")
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="of the first program; the others follow")
    parser.add_argument("--single", action="store_true", help="one to three operators with unusual parameters and elements")
    parser.add_argument("--aliases", action="store_true", help="small programs about names of one memory, enumerated (aliases.py)")
    parser.add_argument("--ways", default="exact", help=f"some of {','.join(WAYS)}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--reduce", type=int, default=20, help="failing programs at most, to be made small")
    parser.add_argument("--refusals", type=int, default=0, help="the most frequent kinds of refusals, one program of each to be made small")
    return parser.parse_args()


def reduce(worker, report, seed, program, way, kind, message):
    """Writes the program as small as it gets; gives the file."""
    def run(candidate):
        return worker.run({"program": candidate.as_json(), "ways": [way]})[1]

    small = Reducer(run, way, kind).reduced(Program.from_json(program)) if program else None
    if small is None:
        return f"seed {seed} by {way}: {message}"
    last = run(small).get(way, ("", message))[1] or message
    return report.write(f"{kind.split(':')[0]}-{way}-{seed}", small, [f"seed {seed} by {way}: {kind}", last])


def reduce_all(package, report, chosen):
    worker = Worker(package)
    try:
        for seed, program, way, kind, message in chosen:
            path = reduce(worker, report, seed, program, way, kind, message)
            print(pathlib.Path(path).read_text() if isinstance(path, pathlib.Path) else path, flush=True)
    finally:
        worker.stop()


def main():
    chosen = options()
    build = pathlib.Path(os.environ.get("JIT_BUILD", ROOT / "build" / "dev"))
    folder = ROOT / "out" / "differential"
    package = install(build, folder / "site", folder / "python")
    ways = chosen.ways.split(",")
    report, began = Report(folder), time.monotonic()
    tasks = [{"seed": seed, "ways": ways, "single": chosen.single, "aliases": chosen.aliases} for seed in range(chosen.seed, chosen.seed + chosen.programs)]

    def take(task, program, outcomes):
        report.add(task["seed"], program, outcomes)
        for way, (outcome, message) in outcomes.items():
            if outcome in FAILURES:
                print(f"seed {task['seed']} by {way}: {outcome}: {message}"[:300], flush=True)

    run_all(package, tasks, chosen.jobs, take)
    print("\n".join(report.lines()))
    print(f"{chosen.programs / (time.monotonic() - began):.1f} programs/s", flush=True)
    reduce_all(package, report, report.failures[: chosen.reduce])
    often = [pair for pair, _ in report.kinds.most_common() if pair[1].startswith("refused")][: chosen.refusals]
    reduce_all(package, report, [(*report.first[pair][:3], pair[1], report.first[pair][3]) for pair in often])
    return int(report.failed or report.programs < chosen.programs)


if __name__ == "__main__":
    sys.exit(main())
