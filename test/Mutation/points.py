"""The conditions of a C++ source, as clang's syntax tree has them, and the source with each of them put through at() of Points.h.

A decision (the condition of if, ?:, a loop; what a function of type bool returns; what a bool begins as; an && or || anywhere) is made
true and made false. An operand of && or || is left out: true in an &&, false in an ||; the other value would be that of the whole.
Loops are not made endless. Constants of the compiler's (constexpr, static_assert) cannot be changed while a program runs.
"""

import dataclasses
import re

from clang.cindex import Config, CursorKind, Index, TypeKind

# The parser is that of the compiler, which knows its headers and reads what it has precompiled; from PyPI come the words for it.
Config.set_library_file("/usr/lib/llvm-22/lib/libclang-22.so.22")

FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE, CursorKind.CONSTRUCTOR,
             CursorKind.CONVERSION_FUNCTION)
WRAPPERS = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)
LITERALS = (CursorKind.CXX_BOOL_LITERAL_EXPR, CursorKind.INTEGER_LITERAL)
LOGICAL = {b"&&": True, b"||": False}
CONSTANT = re.compile(rb"\b(constexpr|consteval|static_assert)\b")
FILE_POINTS = 1024  # numbers that each file has for its own


@dataclasses.dataclass
class Point:
    start: int  # bytes in the source
    end: int
    values: tuple  # that it is made, one at a time
    is_operand: bool = False


class Source:
    """One file's text, its points, and the edits that put them through at()."""

    def __init__(self, text):
        self.text = text
        self.points, self.edits = {}, {}  # by the places that they begin and end at: instances of a template are visited, too

    def of(self, node):
        return self.text[node.extent.start.offset:node.extent.end.offset]

    def add(self, node, values, is_operand=False):
        start, end = node.extent.start.offset, node.extent.end.offset
        if start < end:
            self.points.setdefault((start, end), Point(start, end, values, is_operand))

    def declared(self, node, variable, is_loop):
        """The condition is a declaration: `if (T x = e)` becomes `if (T x = e; at(x))`."""
        start, end = variable.extent.start.offset, variable.extent.end.offset
        point = self.points.setdefault((start, end), Point(start, end, (0,) if is_loop else (1, 0)))
        check = f"static_cast<bool>({variable.spelling}))"
        if not is_loop:
            self.edits[end, end] = (point, "; ", check)
            return
        closing = self.text.index(b")", end)
        self.edits[node.extent.start.offset, start] = (None, "for (;;) { ", "")
        self.edits[end, closing + 1] = (point, "; if (!", check + ") break;")
        self.edits[node.extent.end.offset, node.extent.end.offset] = (None, " }", "")


def stripped(node, source):
    """The expression within parentheses, conversions and `!`."""
    while True:
        inner = list(node.get_children())
        is_not = node.kind == CursorKind.UNARY_OPERATOR and source.of(node).startswith(b"!")
        if len(inner) != 1 or not (is_not or node.kind in WRAPPERS):
            return node
        node = inner[0]


def logical(node, source):
    """True for an &&, False for an ||, None for anything else."""
    sides = list(node.get_children()) if node.kind == CursorKind.BINARY_OPERATOR else []
    if len(sides) != 2:
        return None
    return LOGICAL.get(source.text[sides[0].extent.end.offset:sides[1].extent.start.offset].strip())


def is_bool(node, source):
    inner = stripped(node, source)
    if inner.kind in LITERALS:
        return False
    return node.type.get_canonical().kind == TypeKind.BOOL or logical(inner, source) is not None


def chain(node, source, is_and):
    """The operands of a && b && c."""
    inner = node
    while inner.kind in WRAPPERS and len(list(inner.get_children())) == 1:
        inner = next(inner.get_children())
    if logical(inner, source) is is_and:
        for side in inner.get_children():
            yield from chain(side, source, is_and)
    else:
        yield node


def operands(node, source):
    inner = stripped(node, source)
    is_and = logical(inner, source)
    if is_and is None:
        return visit_all(inner, source)
    for operand in chain(inner, source, is_and):
        source.add(operand, (int(is_and),), is_operand=True)
        operands(operand, source)


def decision(node, source, is_loop=False):
    if stripped(node, source).kind not in LITERALS:
        source.add(node, (0,) if is_loop else (1, 0))
    operands(node, source)


def visit_all(node, source):
    for child in node.get_children():
        visit(child, source)


def conditional(node, source):
    """if and while: perhaps an init statement, a condition or a declaration that is one, then what depends on it."""
    is_loop = node.kind == CursorKind.WHILE_STMT
    children = list(node.get_children())
    if children[0].kind == CursorKind.DECL_STMT:
        visit(children.pop(0), source)
    if children[0].kind == CursorKind.VAR_DECL:
        visit_all(children[0], source)
        if not is_loop or children[-1].kind == CursorKind.COMPOUND_STMT:
            source.declared(node, children[0], is_loop)
        children = children[2:]
    else:
        condition = children.pop(0)
        if CONSTANT.search(source.text[node.extent.start.offset:condition.extent.start.offset]) is None:
            decision(condition, source, is_loop)
    for child in children:
        visit(child, source)


def loop(node, source):
    """for: what stands between its two semicolons."""
    for child in node.get_children():
        before = source.text[node.extent.start.offset:child.extent.start.offset].rstrip()
        after = source.text[child.extent.end.offset:].lstrip()
        if before.endswith(b";") and after.startswith(b";"):
            decision(child, source, is_loop=True)
        else:
            visit(child, source)


def is_constant(node, source):
    if node.kind in FUNCTIONS:
        body = next((child for child in node.get_children() if child.kind == CursorKind.COMPOUND_STMT), None)
        return body is not None and CONSTANT.search(source.text[node.extent.start.offset:body.extent.start.offset]) is not None
    if node.kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL, CursorKind.STATIC_ASSERT):
        return CONSTANT.search(source.of(node).split(b"=")[0].split(b"(")[0]) is not None
    return False


def visit(node, source):
    if is_constant(node, source):
        return
    children = list(node.get_children())
    if node.kind in (CursorKind.IF_STMT, CursorKind.WHILE_STMT):
        conditional(node, source)
    elif node.kind == CursorKind.FOR_STMT:
        loop(node, source)
    elif node.kind == CursorKind.CXX_FOR_RANGE_STMT:
        for child in children:
            if child.kind != CursorKind.VAR_DECL:  # which begins as what the loop says
                visit(child, source)
    elif node.kind == CursorKind.DO_STMT:
        visit(children[0], source)
        decision(children[-1], source, is_loop=True)
    elif node.kind == CursorKind.CONDITIONAL_OPERATOR:
        decision(children[0], source)
        for child in children[1:]:
            visit(child, source)
    elif node.kind == CursorKind.RETURN_STMT and children and is_bool(children[0], source):
        decision(children[0], source)
    elif node.kind == CursorKind.VAR_DECL and node.type.get_canonical().kind == TypeKind.BOOL and children and is_bool(children[-1], source):
        decision(children[-1], source)
    elif node.kind == CursorKind.CALL_EXPR and node.spelling in ("success", "failure") and len(children) == 2 and is_bool(children[1], source):
        decision(children[1], source)
    elif logical(node, source) is not None:
        decision(node, source)
    else:
        visit_all(node, source)


def find(path, text, arguments):
    """The Source of a file: parsed as `text`, compiled with `arguments`."""
    unit = Index.create(excludeDecls=True).parse(str(path), args=arguments, unsaved_files=[(str(path), text.decode())])
    errors = [str(found) for found in unit.diagnostics if found.severity >= 3]
    if errors:
        raise RuntimeError(f"expected a source that compiles, got {errors[0]}")
    source = Source(text)
    for node in unit.cursor.get_children():
        if node.location.file and node.location.file.name == str(path):
            visit(node, source)
    return source


def rewritten(source, file):
    """(text, points in the order of their numbers) of a source whose points have the numbers from file * FILE_POINTS on."""
    points = sorted(source.points.values(), key=lambda point: (point.start, -point.end))
    if len(points) > FILE_POINTS:
        raise RuntimeError(f"expected at most {FILE_POINTS} conditions in a file, got {len(points)}")
    call = {id(point): f"::jit_mutation::at({file * FILE_POINTS + number}, " for number, point in enumerate(points)}
    declared = {id(edit[0]) for edit in source.edits.values()}
    # (place, order of what is put in one place, end of what is replaced, text): what closes comes before what opens, inner before outer.
    pieces = []
    for point in points:
        if id(point) not in declared:
            pieces.append((point.start, (1, -point.end), point.start, call[id(point)] + "static_cast<bool>("))
            pieces.append((point.end, (0, -point.start), point.end, "))"))
    for (start, end), (point, before, after) in source.edits.items():
        pieces.append((start, (0, 1) if point else (0, 2), end, before + call.get(id(point), "") + after))
    out, last = ['#include "jit_mutation_points.h"\n#line 1\n'.encode()], 0
    for start, _, end, text in sorted(pieces):
        out += [source.text[last:start], text.encode()]
        last = end
    return b"".join([*out, source.text[last:]]), points
