"""Mutation testing; see scripts/mutate."""

import argparse
import re
import sys
import time

import checkout
import hunt
import results
import shares


def options():
    parser = argparse.ArgumentParser(prog="scripts/mutate", description="changes conditions one at a time; says what no test notices")
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=f"of lib/: {' '.join(checkout.FOLDERS)}")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants of all")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--list", action="store_true", help="lists the mutants and runs none")
    parser.add_argument("--only", metavar="FILE[:LINE]", help="mutants of a file whose name ends so, or of one of its lines")
    parser.add_argument("--again", action="store_true", help="runs survivors by the tests that have changed or are new")
    parser.add_argument("--by", choices=("lit", "comparisons"), help="by lit tests, or comparisons with PyTorch, alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="writes the figures of what was run to docs/reliability.md")
    chosen = parser.parse_args()
    chosen.folders = chosen.folders or list(checkout.FOLDERS[:4])
    if unknown := set(chosen.folders) - set(checkout.FOLDERS):
        parser.error(f"expected folders of {' '.join(checkout.FOLDERS)}, got {' '.join(unknown)}")
    return chosen


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def chosen_of(mutants, chosen):
    of_folders = [mutant for mutant in mutants if mutant.file.startswith(tuple(f"lib/{folder}/" for folder in chosen.folders))]
    if chosen.only:
        name, _, line = chosen.only.partition(":")
        of_folders = [mutant for mutant in of_folders if mutant.file.endswith(name) and (not line or mutant.line == int(line))]
    return hunt.sampled(of_folders, chosen.sample, chosen.seed)


def measure(crew, mark):
    """What each test reaches, of those that were not asked before."""
    coverage = results.coverage(mark)
    names = set(crew.names)
    coverage = {name: test for name, test in coverage.items() if name in names or not hunt.is_lit(name)}
    wanted = sorted((name for name in names if name not in coverage), key=lambda name: (not hunt.is_lit(name), name))
    if wanted:
        say(f"{len(wanted)} tests: what do they reach?")
    for number, (_, name, test) in enumerate(crew.run([("test", name) for name in wanted]), 1):
        coverage[name] = test
        if not test["passes"]:
            say(f"fails without a mutant: {name}")
        if number % 100 == 0:
            results.keep_coverage(mark, coverage)
            say(f"{number} of {len(wanted)} tests")
    results.keep_coverage(mark, coverage)
    return {name: test for name, test in coverage.items() if name in names}


def waiting(mutants, kept, is_again):
    return [mutant for mutant in mutants if mutant.key not in kept or (is_again and kept[mutant.key]["noticed"] is None)]


def run(crew, mutants, coverage, kept):
    """Runs each mutant by the tests that can notice it, and keeps what is found."""
    kills, begun = {}, {}

    def tasks():
        for mutant in mutants:
            own = re.match(r"lib/([\w/]+)/", mutant.file)[1].replace("Dialect/Aten/Rules", "Dialect")
            before = kept.get(mutant.key, {}).get("ran", {})
            names = [name for name in hunt.order(mutant, coverage, kills, own) if before.get(name) != coverage[name]["digest"]]
            begun[mutant.key] = before
            yield "mutant", (mutant, names)

    for number, (_, mutant, noticed, ran) in enumerate(crew.run(tasks()), 1):
        kept[mutant.key] = results.keep(mutant, noticed, [*begun[mutant.key], *ran])
        if noticed:
            kills[mutant.file, noticed] = kills.get((mutant.file, noticed), 0) + 1
        if number % 50 == 0:
            say(f"{number} of {len(mutants)} mutants")


def main():
    chosen = options()
    mutants = checkout.prepare(chosen.folders)
    mark = results.stamp(mutants)
    picked = chosen_of(mutants, chosen)
    if chosen.list:
        print("\n".join(map(str, picked)))
        return 0
    kept = results.results()
    todo = waiting(picked, kept, chosen.again)
    say(f"{len(picked)} mutants of {len(mutants)}, {len(todo)} to run")
    if todo:
        crew = hunt.Crew(chosen.jobs, chosen.by != "lit")
        coverage = {name: test for name, test in measure(crew, mark).items() if hunt.is_lit(name) == (chosen.by == "lit") or not chosen.by}
        run(crew, todo, coverage, kept)
        crew.stop()
    print("\n".join(shares.lines(picked, kept, chosen.by)))
    if chosen.write:
        shares.write(picked, kept, chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
