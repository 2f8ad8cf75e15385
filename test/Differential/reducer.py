"""Makes a failing program small: as long as it fails in the same way, statements, calls, results and parts of expressions go."""

import ast
import copy
import dataclasses
import re

from program import blocks

MOST_RUNS = 250


class Reducer:
    """`run` gives {way: (outcome, message)} of a program."""

    def __init__(self, run, way, kind):
        self.run, self.way, self.kind = run, way, kind
        self.runs = 0

    def fails(self, program):
        if self.runs >= MOST_RUNS:
            return False
        self.runs += 1
        outcome = self.run(program).get(self.way)
        return outcome is not None and kind_of(*outcome) == self.kind

    def reduced(self, program):
        """The smallest that was found."""
        is_smaller = True
        while is_smaller and self.runs < MOST_RUNS:
            is_smaller = False
            for shrink in SHRINKS:
                program, changed = self.shrunk(program, shrink)
                is_smaller |= changed
        return program

    def shrunk(self, program, shrink):
        """Takes each proposal that still fails, and asks again from there on."""
        changed, skipped = False, 0
        while True:
            proposals = list(shrink(program))[skipped:]
            taken = next((pair for pair in enumerate(proposals) if self.fails(pair[1])), None)
            if taken is None:
                return program, changed
            skipped += taken[0]
            program, changed = taken[1], True


def kind_of(outcome, message):
    """Failures of one kind have one cause, as far as words tell: numbers and values are left out."""
    if outcome in ("wrong", "equal", "unsettled", "timeout"):
        return outcome
    missing = re.search(r"operator (\S+) is not supported", message)
    if missing:
        return f"{outcome}: operator {missing[1]} is not supported"
    words = re.sub(r"[^\s(]+\.py:\d+:(\d+:)? |\S*/\S+", "", message)
    words = re.sub(r"^(\w[\w ]*: )'[\w.]+' op ", r"\1", words)
    words = re.sub(r"tensor<[^>]*>|\[[\d, n?-]*\]|-?\d[\d.e+-]*", "N", words)
    return f"{outcome}: {words[:160]}"


def fewer_calls(program):
    for i in range(len(program.calls) if len(program.calls) > 1 else 0):
        yield dataclasses.replace(program, calls=[program.calls[i]])


def fewer_buffers(program):
    text = "\n".join([statement.text() for statement in program.body] + program.results)
    for name in program.state:
        if not re.search(rf"self\.{name}\b", text):
            yield dataclasses.replace(program, state={n: value for n, value in program.state.items() if n != name})


def edited(program, number, edit):
    """A copy whose list of that number has been edited."""
    made = copy.deepcopy(program)
    edit(list(blocks(made.body))[number])
    return made


def fewer_chunks(program):
    count = len(program.body)
    length = count // 2
    while length > 1:
        for start in range(0, count, length):
            yield edited(program, 0, lambda body: body.__delitem__(slice(start, start + length)))
        length //= 2


def fewer_statements(program):
    for number, body in enumerate(blocks(program.body)):
        for i in reversed(range(len(body))):
            yield edited(program, number, lambda body: body.pop(i))


def flatter(program):
    """A block in place of what decides on it."""
    for number, body in enumerate(blocks(program.body)):
        for i, statement in enumerate(body):
            for inner in (statement.body, statement.orelse):
                if inner:
                    yield edited(program, number, lambda body: body.__setitem__(slice(i, i + 1), copy.deepcopy(inner)))
            if statement.orelse:
                yield edited(program, number, lambda body: setattr(body[i], "orelse", []))


def fewer_results(program):
    if len(program.results) > 1:
        for name in program.results:
            yield dataclasses.replace(program, results=[name])
        for name in program.results:
            yield dataclasses.replace(program, results=[r for r in program.results if r != name])


def fewer_parameters(program):
    """Those that nothing reads, where calls are plain tuples."""
    trees = [ast.parse(call, mode="eval").body for call in program.calls]
    if not all(isinstance(tree, ast.Tuple) for tree in trees):
        return
    parameters = re.split(r", (?=\w+: )", program.parameters)
    rest = "\n".join([statement.text() for statement in program.body] + program.results)
    for i, parameter in enumerate(parameters if len(parameters) > 1 else ()):
        if not re.search(rf"\b{parameter.split(':')[0]}\b", rest):
            calls = [ast.unparse(ast.Tuple(tree.elts[:i] + tree.elts[i + 1:], ast.Load())) for tree in trees]
            yield dataclasses.replace(program, parameters=", ".join(parameters[:i] + parameters[i + 1:]), calls=calls)


def shorter_lines(program):
    """Methods and operands are left out of expressions."""
    for number, body in enumerate(blocks(program.body)):
        for i, statement in enumerate(body):
            for head in shorter(statement.head):
                yield edited(program, number, lambda body: setattr(body[i], "head", head))


def shorter(head):
    colon = ":" if head.endswith(":") else ""
    try:
        tree = ast.parse(head + (" pass" if colon else ""))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        for part in parts_of(node):
            made = ast.unparse(Replace(node, part).visit(copy.deepcopy(tree, {id(node): node, id(part): part})))
            made = made.split("\n")[0] if colon else made
            if len(made) < len(head):
                yield made


class Replace(ast.NodeTransformer):
    """Puts `part` where `node` is."""

    def __init__(self, node, part):
        self.node, self.part = node, part

    def visit(self, node):
        return self.part if node is self.node else super().visit(node)


def parts_of(node):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_function = isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
        return node.args[:2] if is_function else [node.func.value]
    if isinstance(node, ast.Subscript):
        return [node.value]
    return [node.left, node.right] if isinstance(node, ast.BinOp) else []


def plainer_calls(program):
    """Tensors of plain numbers in place of random ones."""
    for i, call in enumerate(program.calls):
        for found in re.finditer(r"torch\.tensor\(\[([^\]]*)\], dtype=torch\.float32\)", call):
            count = len(found[1].split(",")) if found[1] else 0
            made = call[: found.start()] + f"torch.arange(1.0, {count + 1}.0)" + call[found.end():]
            yield dataclasses.replace(program, calls=[*program.calls[:i], made, *program.calls[i + 1:]])


SHRINKS = (fewer_calls, fewer_chunks, fewer_statements, flatter, fewer_results, fewer_parameters, fewer_buffers, shorter_lines,
           plainer_calls)
