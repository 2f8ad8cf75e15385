"""The mutated copy of this checkout, in build/mutate: its sources, its points, its build."""

import dataclasses
import json
import pathlib
import shlex
import subprocess

import points

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutate"
COPY = FOLDER / "src"
BUILD = COPY / "build" / "dev"
FOLDERS = ("Simplify", "Specialize", "Autodiff", "Functionalize", "Dialect/Aten/Rules")
FILES = 256  # that there are numbers for
NUMBERS = FILES * points.FILE_POINTS
LIMITED = FOLDER / "limited"  # what tests take for the build: each tool under limits, so that one that hangs is ended
SECONDS, KILOBYTES = 5, 8_000_000
TARGETS = ("jit-cache", "jit-opt", "jit-translate", "jit-run", "jit-compile", "jit", "jit_runtime")


@dataclasses.dataclass(frozen=True)
class Mutant:
    point: int
    value: int
    file: str
    line: int
    kind: str  # "true", "false", "left out"
    text: str
    key: str  # by which its result is kept: what is changed, not its number

    def __str__(self):
        return f"{self.file}:{self.line}: {self.kind}: {self.text}"


def write(path, data):
    """Touches nothing that is the same already, for ninja."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def listed():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def sources(names):
    """{source of the folders: its number}."""
    chosen = [name for name in names if name.endswith(".cpp") and name.startswith(tuple(f"lib/{folder}/" for folder in FOLDERS))]
    if len(chosen) > FILES:
        raise RuntimeError(f"expected at most {FILES} files, got {len(chosen)}")
    return {name: number for number, name in enumerate(sorted(chosen))}


def copy_all(names, mutated):
    """The whole checkout but for what is mutated, which the build shall find as it was left."""
    stale = {path for path in COPY.rglob("*") if path.is_file() and "build" not in path.relative_to(COPY).parts[:1]}
    for name in names:
        if name not in mutated or not (COPY / name).exists():
            write(COPY / name, (ROOT / name).read_bytes())
            (COPY / name).chmod((ROOT / name).stat().st_mode)
        stale.discard(COPY / name)
    header = f"#define JIT_MUTATION_POINTS {NUMBERS}\n".encode() + (ROOT / "test/Mutation/Points.h").read_bytes()
    write(COPY / "include" / "jit_mutation_points.h", header)
    for path in stale - {COPY / "include" / "jit_mutation_points.h"}:
        if "out" not in path.relative_to(COPY).parts[:1]:
            path.unlink()


def build(*targets):
    subprocess.run(["nice", "scripts/build", "dev", *targets], cwd=COPY, check=True)


def limit():
    """Writes LIMITED; a crash shall not look for the names of its functions either."""
    for tool in (BUILD / "bin").glob("jit-*"):
        limits = f"ulimit -c 0\nulimit -t {SECONDS}\nulimit -v {KILOBYTES}"
        write(LIMITED / "bin" / tool.name, f'#!/bin/sh\n{limits}\nexport LLVM_DISABLE_SYMBOLIZATION=1\nexec {tool} "$@"\n'.encode())
        (LIMITED / "bin" / tool.name).chmod(0o755)
    if not (LIMITED / "lib").is_symlink():
        (LIMITED / "lib").symlink_to(BUILD / "lib")


def arguments_of(commands, path):
    """What clang is called with, for a parser: less the names of outputs."""
    words = shlex.split(commands[str(path)])
    words = words[words.index(next(word for word in words if "clang" in word)) + 1:]
    skipped = {"-o": 2, "-c": 2}
    out = []
    while words:
        count = skipped.get(words[0], 1)
        out += words[:1] if count == 1 else []
        words = words[count:]
    return [word for word in out if word != str(path)]


def mutants_of(name, text, ordered, file):
    """Two for a decision, one for an operand."""
    seen = {}
    for number, point in enumerate(ordered):
        shown = " ".join(text[point.start:point.end].decode().split())
        for value in point.values:
            kind = "left out" if point.is_operand else ("false", "true")[value]
            nth = seen[kind, shown] = seen.get((kind, shown), -1) + 1
            line = text.count(b"\n", 0, point.start) + 1
            yield Mutant(file * points.FILE_POINTS + number, value, name, line, kind, shown, f"{name}|{kind}|{shown}|{nth}")


def prepare(folders):
    """Brings build/mutate to the state of this checkout, with points in the folders and in those that had some before; gives all mutants."""
    names = listed()
    has_points = {folder for folder in FOLDERS if folder in folders or (FOLDER / "points" / "lib" / folder).exists()}
    numbered = {name: number for name, number in sources(names).items() if name.startswith(tuple(f"lib/{folder}/" for folder in has_points))}
    copy_all(names, numbered)
    build(*(f"Jit{folder}PassesIncGen" for folder in FOLDERS[:4]), "JitAtenIncGen", "JitDialectIncGen", "JitPrecompiledGraph")
    commands = {entry["file"]: entry["command"] for entry in json.loads((BUILD / "compile_commands.json").read_text())}
    mutants = []
    for name, file in numbered.items():
        mutants += rewrite(name, file, commands)
    build(*TARGETS)
    limit()
    return mutants


def rewrite(name, file, commands):
    """Writes a source with its points, unless it has been parsed as it is; gives its mutants."""
    text, kept = (ROOT / name).read_bytes(), FOLDER / "points" / f"{name}.json"
    mark = [file, text.decode(), (ROOT / "test/Mutation/points.py").read_text()]
    found = json.loads(kept.read_text()) if kept.exists() else {}
    if found.get("mark") != mark:
        ordered_text, ordered = points.rewritten(points.find(COPY / name, text, arguments_of(commands, COPY / name)), file)
        write(COPY / name, ordered_text)
        found = {"mark": mark, "points": [dataclasses.astuple(point) for point in ordered]}
        write(kept, json.dumps(found).encode())
    return list(mutants_of(name, text, [points.Point(*point) for point in found["points"]], file))
