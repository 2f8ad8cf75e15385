"""Writes a program: parameters, calls of them, and statements that run in eager PyTorch; most of what it writes is not functional."""

import random
import re
import traceback
import warnings

import torch
import values
from containers import container_statements
from control import control_statements
from functions import function_statements
from guide import Guide, NoChoice, line
from naming import SIDE, first_statements, naming_statements
from pointwise import new_tensor
from program import Program, forget
from watch import Undefined, Watch
from writes import WRITES

KINDS = ["float32"] * 12 + ["float64"] * 2 + ["int64"] * 3 + ["int32", "uint8", "bool", "bool", "float16", "bfloat16", "complex64"]


def tensor_statement(g):
    """A tensor gets a name, now and then one that there was before; in a loop only that one is seen later."""
    name = g.tensor() if g.chance(0.6 if g.loops else 0.25) else g.fresh("t")
    return line(f"{name} = {new_tensor(g)}"), {name: "Tensor"}


def number_statement(g):
    tensor = g.tensor()
    whole = g.fresh("n")
    rank = g.values[tensor].dim()
    numbers = [name for name, kind in g.kinds.items() if kind == "int" and not name.startswith("i")]
    choices = [f"{tensor}.dim()", f"{tensor}.numel()"] + [f"{tensor}.size({d})" for d in range(rank)]
    if numbers:
        choices += [f"{g.some(numbers)} + 1", f"{g.some(numbers)} - 1"]
    if g.chance(0.1):
        return line(f"{whole} = {tensor}.{g.some(['is_contiguous()', f'is_set_to({g.tensor()})'])}"), {whole: "bool"}
    if g.chance(0.1):
        choices = [f"{tensor}.storage_offset()"] + [f"{tensor}.stride({d})" for d in range(rank)]
    return line(f"{whole} = {g.some(choices)}"), {whole: "int"}


def write_statement(g):
    return g.weighted(WRITES)(g), {}


FAMILIES = [(4, function_statements), (30, tensor_statement), (42, write_statement), (14, control_statements), (15, container_statements), (4, number_statement)]


def produce(g):
    """One more statement or a few that belong together; none where nothing fits."""
    try:
        made, kinds = (naming_statements if g.is_about_names else g.weighted(FAMILIES))(g)
    except Exception as error:
        if isinstance(error, (NoChoice, Undefined, RuntimeError, IndexError, TypeError, ValueError, KeyError, NotImplementedError)):
            return []
        raise
    return made if all(g.runs(statement, kinds if statement is made[-1] else {}) for statement in made) else []


Guide.produce = staticmethod(produce)


class Signature:
    """Parameters, and the text of calls with them: all with the same types, flags and sizes differ."""

    def __init__(self, rng):
        self.rng = rng
        self.is_about_names = rng.random() < 0.3
        self.is_special = rng.random() < 0.2 and not self.is_about_names
        self.sizes = {name: rng.choice((1, 2, 3, 3, 4, 4, 5)) for name in "nm"}
        if rng.random() < 0.05:
            self.sizes["m"] = 0
        first = rng.choice(["nm", "nm", "n", "mn", "nmn"])
        if self.is_about_names:
            self.sizes = {"n": SIDE, "m": SIDE}
            first = "nm"
        self.tensors = [("x", "float32", first)]
        for name in "yzw"[: 0 if self.is_about_names else rng.randint(1, 3)]:
            self.tensors.append((name, rng.choice(KINDS), rng.choice(["nm", "nm", "m", "n", "", "1m", "n1", "mn", "2nm"])))
        self.lists = rng.random() < 0.12 and not self.is_about_names
        self.optional = rng.random() < 0.2 and not self.is_about_names
        self.shares = rng.random() < 0.06 and not self.is_about_names
        self.count = rng.randint(0, 3)
        self.state = {}
        for name in "st"[: rng.choice((0,) * 8 + (() if self.is_about_names else (1, 1, 2)))]:
            dims = [n if n.isdigit() else self.sizes[n] for n in rng.choice(["nm", "m", "n", "", "mn"])]
            self.state[name] = values.tensor(rng, rng.choice(KINDS[:15]), dims, is_state=True)
        if len(self.state) == 2:
            self.share_state()

    def share_state(self):
        """Now and then the second buffer is saved in the memory of the first: by random numbers of its own, so that other programs
        stay what they were."""
        rng = random.Random(self.state["s"] + self.state["t"])
        if rng.random() < 0.1:
            self.state["t"] = "self.s" + rng.choice(("[...]", "[None]", ".reshape(-1)[1:]", ".reshape(-1)[::2]", ".unsqueeze(-1).transpose(0, -1)"))

    def kinds(self):
        found = {name: "Tensor" for name, _, _ in self.tensors}
        found |= {"a": "int", "flag": "bool"}
        found |= {"items": "List[Tensor]"} if self.lists else {}
        return found | ({"maybe": "Optional[Tensor]"} if self.optional else {})

    def text(self):
        return ", ".join(f"{name}: {kind}" for name, kind in self.kinds().items())

    def tensor(self, kind, dims, sizes):
        return values.tensor(self.rng, kind, [sizes[d] if d in sizes else int(d) for d in dims], self.is_special)

    def call(self, sizes, count, flag):
        given = [self.tensor(kind, dims, sizes) for _, kind, dims in self.tensors]
        if self.shares:  # the second tensor is memory of the first
            given[1] = self.rng.choice(["x", "x[:1]", "x.t()" if self.tensors[0][2] in ("nm", "mn") else "x[1:]"])
        rest = [str(count), str(flag)]
        if self.lists:
            rest.append(f"[{self.tensor('float32', 'nm', sizes)}, {self.tensor('float32', 'm', sizes)}]")
        if self.optional:
            rest.append(self.rng.choice(["None", self.tensor("float32", "nm", sizes)]))
        if self.shares:
            return f"(lambda x: (x, {', '.join([*given[1:], *rest])}))({given[0]})"
        return f"({', '.join([*given, *rest])})"

    def calls(self, other_sizes):
        """One call or two. The second has other flags and numbers, and other sizes where that is asked for."""
        flag = self.rng.random() < 0.5
        made = [self.call(self.sizes, self.count, flag)]
        if other_sizes:
            sizes = {name: size if size < 2 else self.rng.randint(2, 6) for name, size in self.sizes.items()}
            count = self.count if self.rng.random() < 0.5 else self.rng.randint(0, 3)
            made.append(self.call(sizes, count, flag if self.rng.random() < 0.7 else not flag))
        elif self.rng.random() < 0.5:
            made.append(self.call(self.sizes, self.rng.randint(0, 3), not flag))
        return made


def without(statements, one):
    """The statements but one, which may stand in a block."""
    kept = [statement for statement in statements if statement is not one]
    for statement in kept:
        statement.body = without(statement.body, one)
        statement.orelse = without(statement.orelse, one)
    return kept


def failing_statement(program):
    """None where TorchScript takes the program and all calls run; else the statement that did not and the error."""
    try:
        make, file = program.maker()
    except SyntaxError as error:
        return None, error
    try:
        torch.jit.script(make())
        function = make()
        for call in range(len(program.calls)):
            with warnings.catch_warnings(), Watch():
                warnings.simplefilter("ignore")
                function(*program.arguments(call))
    except Exception as error:
        places = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        places += map(int, re.findall(rf'File "{file}", line (\d+)', str(error)))
        return [owner for _, owner in program.lines()][places[-1] - 1] if places else None, error
    finally:
        forget(file)
    return None


def undefined_result(error):
    """The name that no statement makes any more, or None."""
    found = re.search(r"undefined value (\w+)|name '(\w+)' is not|variable '(\w+)'", str(error))
    return found and (found[1] or found[2] or found[3])


def valid(program):
    """The program without the statements that fail, or None where nothing is left of it."""
    for _ in range(60):
        failed = failing_statement(program)
        if failed is None:
            return program
        statement, error = failed
        if statement is not None:
            program.body = without(program.body, statement)
        elif undefined_result(error) in program.results and len(program.results) > 1:
            program.results.remove(undefined_result(error))
        else:
            return None
    return None


def generate(seed, other_sizes=False, keeps_arguments=False, with_gradients=False):
    """The program of a seed. `keeps_arguments`: it writes copies of its arguments alone."""
    for attempt in range(20):
        program = attempted(random.Random(f"{seed} {attempt}"), other_sizes, keeps_arguments, with_gradients)
        if program is not None:
            return program
    raise AssertionError(f"no program of seed {seed}")


def attempted(rng, other_sizes, keeps_arguments, with_gradients):
    signature = Signature(rng)
    program = Program(signature.text(), [], [], signature.calls(other_sizes), signature.state)
    try:
        module = program.maker()[0]() if signature.state else None
        g = Guide(rng, signature.kinds(), dict(zip(signature.kinds(), program.arguments(0))), module)
    except RuntimeError:  # a view of the first argument that it has not
        return None
    g.with_gradients = with_gradients
    if keeps_arguments:
        for name, _, _ in signature.tensors:
            made = line(f"{name} = {name}{rng.choice(['.clone()', ' * 1'])}")
            program.body += made if g.runs(made[0]) else []
    g.is_about_names = signature.is_about_names
    if g.is_about_names:
        program.body += first_statements(g)
    wanted = rng.choice((6, 6, 8, 8, 10, 12, 14) + (() if g.is_about_names else (18, 24, 40, 60)))  # each name may be each other one
    for _ in range(4 * wanted):
        if program.size() >= wanted:
            break
        program.body += produce(g)
    program.results = results(g)
    return valid(program)


def results(g):
    """Most of what has a name: a wrong value is seen there."""
    names = [name for name, kind in g.kinds.items() if kind in ("Tensor", "List[Tensor]", "int", "bool")]
    names = [name for name in names if not isinstance(g.values[name], tuple)]
    if g.chance(0.4):
        names = g.rng.sample(names, g.rng.randint(1, min(3, len(names))))
    return names[-10:]
