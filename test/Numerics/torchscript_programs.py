"""How many of the programs that torchscript_collect.py keeps give eager's values.

    python test/Numerics/torchscript_programs.py FOLDER --package SITE [--jobs 2] [--out RESULTS.json] [--only NAME]

FOLDER is what torchscript_collect.py wrote, SITE a folder with the installed jit_mlir. A program is "equal" when each of its
calls gives what PyTorch gave, or raises where PyTorch raised; "wrong" when one does not; "refused" when one is not taken; else
"crashed" or "slow". "both refuse" are those that PyTorch's interpreter takes no better. An archive is not all that a test's
function was (a `with` that nothing seems to read is not saved, a type that lets an int stand for a list neither): where a value
differs, or a call is refused, PyTorch is asked what it makes of the archive, and that is what counts.
"""

import argparse
import collections
import enum
import io
import json
import math
import pathlib
import queue
import re
import subprocess
import sys
import threading
import types

import torch
from tolerance import assert_near

SECONDS = 120


# ---------------------------------------------------------------- one program, in the worker


def difference(got, want, where="result"):
    """What is wrong with a value, or an empty text."""
    if isinstance(want, torch.Tensor):
        if not isinstance(got, torch.Tensor):
            return f"{where}: {type(got).__name__}, expected a tensor"
        if want.layout != torch.strided or want.is_quantized:
            return f"{where}: a dense tensor, expected {want.layout}"
        try:
            assert_near(numbers(got), numbers(want), where=where)
        except AssertionError as error:
            return " ".join(str(error).split())
        return ""
    if isinstance(want, (list, tuple)):
        if isinstance(got, list) != isinstance(want, list) or not isinstance(got, (list, tuple)) or len(got) != len(want):
            return f"{where}: {got!r:.80}, expected {want!r:.80}"
        found = (difference(a, b, f"{where}[{i}]") for i, (a, b) in enumerate(zip(got, want)))
        return next(filter(None, found), "")
    if type(want).__name__ == "Instance":
        missing = [name for name in want.attributes if not hasattr(got, name)]
        if missing:
            return f"{where}: {got!r:.80}, expected the attributes {', '.join(missing)}"
        return next(filter(None, (difference(getattr(got, name), item, f"{where}.{name}") for name, item in want.attributes.items())), "")
    if type(want).__name__ == "Member":
        is_same = isinstance(got, enum.Enum) and (got.name, got.value) == (want.name, want.value)
        return "" if is_same else f"{where}: {got!r:.80}, expected {want.name}"
    if isinstance(want, dict):
        if not isinstance(got, dict) or list(got) != list(want):
            return f"{where}: {got!r:.80}, expected {want!r:.80}"
        return next(filter(None, (difference(got[key], want[key], f"{where}[{key!r}]") for key in want)), "")
    return "" if is_equal(got, want) else f"{where}: {got!r:.80}, expected {want!r:.80}"


def numbers(tensor):
    tensor = tensor.detach()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.to(torch.float16)
    return tensor.contiguous().resolve_conj().resolve_neg().numpy()


def is_equal(got, want):
    if type(got) is not type(want):
        return False
    if isinstance(want, float):
        return got == want or math.isnan(got) and math.isnan(want) or math.isclose(got, want, rel_tol=1e-9)
    if isinstance(want, complex):
        return is_equal(got.real, want.real) and is_equal(got.imag, want.imag)
    return got == want


def parts_of(value):
    """What a list, tuple, dict or object holds."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, dict):
        return value.values()
    return value.attributes.values() if type(value).__name__ == "Instance" else ()


def contains(value, *kinds):
    """Whether it holds a value of the collector's classes of these names."""
    return type(value).__name__ in kinds or any(contains(part, *kinds) for part in parts_of(value))


def opaque_kinds(value):
    if type(value).__name__ == "Opaque":
        return [value.kind]
    if isinstance(value, torch._C.ScriptObject):
        return ["ScriptObject"]
    return [kind for part in parts_of(value) for kind in opaque_kinds(part)]


def can_be_asked(call):
    """Whether PyTorch can run the call from the archive: it has no classes of Python's for what comes back."""
    return not contains(call["arguments"], "Opaque", "Saved") and not contains(call["result"], "Member", "Instance")


def one_line(error):
    return " ".join(str(error).split())


def is_drawn(archive, entry, call):
    """Whether PyTorch itself gives several results of this call, by its seed."""
    found = []
    for seed in range(1, 6):
        torch.manual_seed(seed)
        found.append(getattr(torch.jit.load(archive), entry["method"])(*copied(call["arguments"])))
    return any(difference(again, found[0]) for again in found[1:])


def tensors_of(value):
    return [value] if isinstance(value, torch.Tensor) else [tensor for part in parts_of(value) for tensor in tensors_of(part)]


def widened(value):
    """The value with its floats in float64."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.detach().double()
    return type(value)(map(widened, value)) if isinstance(value, (list, tuple)) and not hasattr(value, "_fields") else value


def error_of(tensor, exact):
    return float((tensor.detach().double() - exact).abs().max()) if exact.numel() else 0.0


def is_as_exact(archive, entry, call, got):
    """Whether results of 16 bits are as near to what PyTorch computes in float64 as its own are: it rounds between the steps of an
    operator, in an order that is its own. Twice its own error is allowed, and a unit of the largest element."""
    got, want = tensors_of(got), tensors_of(call["result"])
    if len(got) != len(want) or not all(tensor.dtype in (torch.float16, torch.bfloat16) for tensor in want):
        return False
    try:
        module = torch.jit.load(archive)
        module = module.double() if isinstance(module, torch.jit.ScriptModule) else module
        exact = tensors_of(getattr(module, entry["method"])(*widened(list(copied(call["arguments"])))))
    except RuntimeError:
        return False
    near = (error_of(a, e) <= 2 * error_of(b, e) + torch.finfo(b.dtype).eps * float(e.abs().max()) for a, b, e in zip(got, want, exact))
    return all(e.dtype == torch.float64 and a.shape == e.shape for a, e in zip(got, exact)) and all(near)


def of_archive(archive, entry, call):
    """The call with the result or error that PyTorch has when it reads the archive."""
    try:
        result = getattr(torch.jit.load(archive), entry["method"])(*copied(call["arguments"]))
    except Exception as error:
        return {**call, "result": None, "error": f"{type(error).__name__}: {error}"}
    return {**call, "result": result, "error": None}


def judged(jit_mlir, program, archive, entry):
    """(verdict, message) of each call, by what PyTorch makes of the archive where that is not what the test saw."""
    asked = False
    for call in entry["calls"]:
        verdict, message = of_call(jit_mlir, program, archive, entry, call)
        # Asked once of a program: where its first such call is what the test saw, so are the others.
        if verdict in ("wrong", "refused") and not asked and can_be_asked(call):
            again = of_archive(archive, entry, call)
            asked = bool(again["error"]) == bool(call["error"]) and not difference(again["result"], call["result"])
            # A result that only this tool cannot compare stays a refusal where PyTorch cannot read the archive.
            if not asked and not (again["error"] and message.startswith("result of")):
                verdict, message = of_call(jit_mlir, program, archive, entry, again)
        yield verdict, message


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(map(copied, value))
    if type(value).__name__ == "Member":
        return enum.Enum("Member", {value.name: value.value})[value.name]
    if type(value).__name__ == "Instance":
        return types.SimpleNamespace(**{name: copied(item) for name, item in value.attributes.items()})
    if type(value).__name__ == "Saved":
        return torch.jit.load(io.BytesIO(value.bytes))
    return value


def outline(value):
    """The value with nothing but the kinds and sizes of its tensors."""
    if isinstance(value, torch.Tensor):
        return str(value.dtype), tuple(value.shape)
    if isinstance(value, (list, tuple)):
        return type(value).__name__ == "list", [outline(item) for item in value]
    return type(value).__name__


def of_call(jit_mlir, program, archive, entry, call):
    """(verdict, message) of one call."""
    if contains(call["arguments"], "Opaque"):
        return "refused", f"argument of {', '.join(opaque_kinds(call['arguments']))}"
    try:
        got = getattr(program, entry["method"])(*copied(call["arguments"]))
    except jit_mlir.Error as error:
        if call["error"] is not None:
            return ("equal", "") if error.kind == "raised" else ("both refuse", one_line(error))
        return ("wrong", f"raised: {one_line(error)}") if error.kind == "raised" else ("refused", one_line(error))
    except Exception as error:  # Python's own, of values that have no counterpart
        return ("both refuse" if call["error"] else "refused"), f"{type(error).__name__}: {one_line(error)}"
    if call["error"] is not None:
        return "wrong", f"expected {one_line(call['error'])[:150]}, got a value"
    found = difference(got, call["result"])
    if found and outline(got) == outline(call["result"]) and is_drawn(archive, entry, call):
        found = ""
    if found and outline(got) == outline(call["result"]) and is_as_exact(archive, entry, call, got):
        found = ""
    if found and opaque_kinds(call["result"]):
        return "refused", f"result of {', '.join(opaque_kinds(call['result']))}"
    return ("wrong", found) if found else ("equal", "")


ORDER = ["wrong", "refused", "both refuse", "equal"]


def of_program(jit_mlir, calls_file):
    """(verdict, message, where) of one program."""
    entry = loaded(calls_file)
    archive = str(calls_file.with_suffix(".pt"))
    about = {"test": entry["test"], "kind": entry["kind"]}
    try:
        program = jit_mlir.load(archive)
    except Exception as error:
        first = entry["calls"][0]  # with an object that no file holds PyTorch cannot be asked, either
        raises = all(call["error"] for call in entry["calls"]) or (
            can_be_asked(first) and of_archive(archive, entry, first)["error"])
        return {"verdict": "both refuse" if raises else "refused", "message": one_line(error), **about}
    found = list(judged(jit_mlir, program, archive, entry))
    verdict, message = min(found, key=lambda pair: ORDER.index(pair[0]), default=("both refuse", "no call"))
    return {"verdict": verdict, "message": message, **about}


def work(package):
    """Answers a line of JSON for each path on stdin."""
    sys.path.insert(0, package)
    import jit_mlir

    torch.set_num_threads(1)
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        torch.manual_seed(0)
        try:
            answer = of_program(jit_mlir, pathlib.Path(line.strip()))
        except Exception as error:
            answer = {"verdict": "refused", "message": f"the tool itself: {type(error).__name__}: {one_line(error)}"}
        print(json.dumps(answer), file=answers, flush=True)


# ---------------------------------------------------------------- all of them


class Worker:
    """A process that goes on until it crashes, and is begun again then."""

    def __init__(self, package):
        self.package, self.process = package, None

    def ask(self, path):
        if self.process is None:
            command = [sys.executable, __file__, "--work", "--package", self.package, "-"]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        timer = threading.Timer(SECONDS, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(f"{path}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        late = not timer.is_alive()
        timer.cancel()
        if line:
            return json.loads(line)
        code = self.process.wait()
        self.process = None
        entry = loaded(path)
        about = {"test": entry["test"], "kind": entry["kind"]}
        return {"verdict": "slow" if late else "crashed", "message": f"exit code {code}", **about}

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def spread(paths, most):
    """At most so many programs of each test, at equal distances: one test of PyTorch's makes thousands that differ in a number."""
    by_test = collections.defaultdict(list)
    for path in paths:
        try:
            by_test[path.parent.name, loaded(path)["test"]].append(path)
        except RuntimeError as error:  # an object of a class of C++ that only the tests' own library has
            print(f"not read: {path}: {one_line(error)[:200]}", file=sys.stderr)
    return [found[i * len(found) // most] if len(found) > most else found[i]
            for found in by_test.values() for i in range(min(most, len(found)))]


def loaded(calls_file):
    import torchscript_collect

    kinds = (torchscript_collect.Opaque, torchscript_collect.Member, torchscript_collect.Instance, torchscript_collect.Saved)
    for kind in kinds:  # the collector was the main module
        setattr(sys.modules["__main__"], kind.__name__, kind)
    return torch.load(calls_file, weights_only=False)


def run(paths, package, jobs):
    waiting, results = queue.SimpleQueue(), {}
    for path in paths:
        waiting.put(path)

    def go():
        worker = Worker(package)
        while True:
            try:
                path = waiting.get_nowait()
            except queue.Empty:
                break
            results[f"{path.parent.name}/{path.stem}"] = worker.ask(path)
        worker.stop()

    threads = [threading.Thread(target=go) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return dict(sorted(results.items()))


def kind_of(message):
    """A refusal without its numbers and names, so that alike ones are one line."""
    message = re.sub(r"(/?[\w.<>-]+/)+[\w.<>-]+:\d+(:\d+)?:? ?", "", message)
    message = re.sub(r"__torch__[\w.]*", "CLASS", message)
    return re.sub(r"%?\d+(\.\d+)?", "N", message)[:110]


def summary(results):
    for kind in ("function", "method"):
        of_kind = [r for r in results.values() if r.get("kind") == kind]
        counts = collections.Counter(r["verdict"] for r in of_kind)
        taken = len(of_kind) - counts["both refuse"]
        if taken:
            share = 100 * counts["equal"] / taken
            yield f"{kind}s: {taken} that PyTorch runs, {share:.1f} % equal; " + ", ".join(f"{n} {v}" for v, n in counts.most_common())
    for verdict in ("wrong", "crashed", "slow", "refused"):
        kinds = collections.defaultdict(list)
        for name, result in results.items():
            if result["verdict"] == verdict:
                kinds[kind_of(result["message"])].append(name)
        for message, names in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
            yield f"{len(names):4} {verdict}: {message}  [{' '.join(names[:3])}]"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder")
    options.add_argument("--package", required=True)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--out", type=pathlib.Path)
    options.add_argument("--only", default="")
    options.add_argument("--most", type=int, default=40, help="programs of each test")
    options.add_argument("--work", action="store_true")
    options = options.parse_args()
    if options.work:
        work(options.package)
        return
    paths = [p for p in sorted(pathlib.Path(options.folder).glob("*/*.calls")) if options.only in f"{p.parent.name}/{p.stem}"]
    results = run(spread(paths, options.most), options.package, options.jobs)
    if options.out:
        options.out.write_text(json.dumps(results, indent=1))
    print("\n".join(summary(results)))


if __name__ == "__main__":
    main()
