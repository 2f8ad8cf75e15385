"""TorchScript that nests, repeats, contradicts itself, or computes what no machine holds."""

import random
import re

from . import Case, run, translate
from .archive import CODE, INPUT, archive, integer, module, tensor

HEAD = """class M(Module):
  __parameters__ = ["w", ]
  w : Tensor
  def forward(self: __torch__.M, x: Tensor) -> Tensor:
"""


def body(*lines):
    return HEAD + "".join(f"    {line}\n" for line in lines)


def returning(expression):
    return body(f"return {expression}")


def nested(statement, depth):
    lines = [" " * level + statement for level in range(depth)] + [" " * depth + "x = torch.neg(x)"]
    return body(*lines, "return x")


def calls(functions, times, leaf="torch.neg(x)"):
    """Functions each of which calls the next so many times."""
    code = "".join(f"def f{i}(x: Tensor) -> Tensor:\n" + f"  x = __torch__.f{i + 1}(x)\n" * times + "  return x\n" for i in range(functions))
    return code + f"def f{functions}(x: Tensor) -> Tensor:\n  return {leaf}\n" + returning("__torch__.f0(x)")


def nested_calls(functions, depth):
    """Functions that call the next from inside of many branches."""
    code = ""
    for i in range(functions):
        lines = [" " * level + "if bool(torch.sum(x)):" for level in range(depth)] + [" " * depth + f"x = __torch__.f{i + 1}(x)"]
        code += f"def f{i}(x: Tensor) -> Tensor:\n" + "".join(f"  {line}\n" for line in lines) + "  return x\n"
    return code + f"def f{functions}(x: Tensor) -> Tensor:\n  return torch.neg(x)\n" + returning("__torch__.f0(x)")


def tuples(levels):
    code = "class T0(NamedTuple):\n  a : int\n"
    for level in range(1, levels):
        code += f"class T{level}(NamedTuple):\n" + "".join(f"  {f} : __torch__.T{level - 1}\n" for f in "ab")
    return code + HEAD.replace("x: Tensor", f"x: Tensor, t: Optional[__torch__.T{levels - 1}]=None") + "    return x\n"


SYNTAX = {
    "nothing": "", "zeros": "\0" * 100, "utf8": "class \xff\xfe", "tabs": "\t" * 1000, "dedent": "class M(Module):\n    a : int\n  b : int\n",
    "no-colon": "class M(Module)\n", "class-alone": "class", "string-open": HEAD + '    return "', "bracket-open": returning("(" * 100),
    "bracket-close": returning(")"), "indent-alone": "   \n      \n", "backslash": body("return \\x"), "escape": returning('"\\x4"'),
    "operator-alone": returning("+"), "star": returning("*x"), "keyword": returning("class"), "assign-number": body("1 = x", "return x"),
    "assign-call": body("f(x) = x", "return x"), "chained": body("y = z = x", "return y"), "parameter-twice": CODE.replace("x: Tensor", "x: Tensor, x: Tensor"),
    "int-beyond": returning("torch.add(x, 99999999999999999999)"), "float-beyond": returning("torch.add(x, 1e999999)"),
    "digits": returning("torch.add(x, " + "9" * 100000 + ")"), "name-long": returning("n" * 1000000), "class-twice": CODE + CODE,
    "class-of-itself": "class M(Module):\n  m : __torch__.M\n" + HEAD.partition("\n")[2] + "    return x\n",
    "method-absent": CODE.replace("forward", "backward"), "no-return": body("y = x"), "global": "x = 3\n" + CODE,
}

MEANING = {
    "unknown-name": returning("y"), "unknown-operator": returning("torch.no_such_thing(x)"), "unknown-class": returning("__torch__.N.__new__(__torch__.N)"),
    "unknown-attribute": returning("self.v"), "unknown-constant": returning("CONSTANTS.c7"), "constant-far": returning("CONSTANTS.c99999999999999999999"),
    "wrong-type": returning("torch.add(1, 2)"), "too-many": returning("torch.neg(x, x, x, x)"), "no-arguments": returning("torch.neg()"),
    "calls-itself": "def f(x: Tensor) -> Tensor:\n  return __torch__.f(x)\n" + returning("__torch__.f(x)"),
    "call-each-other": "def f(x: Tensor) -> Tensor:\n  return __torch__.g(x)\ndef g(x: Tensor) -> Tensor:\n  return __torch__.f(x)\n" + returning("__torch__.f(x)"),
    "method-calls-itself": returning("(self).forward(x)"), "breaks-outside": body("break", "return x"),
    "tuple-of-itself": "class T(NamedTuple):\n  t : __torch__.T\n" + HEAD.replace("x: Tensor", "x: Tensor, t: Optional[__torch__.T]=None") + "    return x\n",
    "unpacks-too-many": body("a, b, c, = (x, x)", "return a"), "unpacks-number": body("a, b, = 3", "return x"),
    "index-beyond": returning("(x, x)[7]"), "index-before": returning("[x, x][-9]"), "index-huge": returning("[x][9223372036854775807]"),
    "index-least": returning("[x][-9223372036854775808]"), "raises-nothing": body("ops.prim.RaiseException()", "return x"),
    "format-few": body('ops.prim.RaiseException(torch.format("{} {} {}", 1))', "return x"),
    "enum-absent": "class E(Enum):\n  A = 1\n" + returning("torch.add(x, __torch__.E.B.value)"),
}

# Numbers of the language that a careless evaluator divides by, shifts by, or takes as a size.
LEAST = "-9223372036854775808"
NUMBERS = {
    "floor-by-zero": "1 // 0", "modulo-zero": "1 % 0", "by-zero": "1 / 0", "least-floor": f"({LEAST}) // -1", "least-modulo": f"({LEAST}) % -1",
    "least-negated": f"-({LEAST})", "shift-far": "1 << 64", "shift-back": "1 << -1", "shift-huge": "1 >> 9223372036854775807", "power-huge": "2 ** 4096",
    "power-of-zero": "0 ** -1", "sum-beyond": "9223372036854775807 + 1", "product-beyond": "9223372036854775807 * 2",
    "of-inf": "int(inf)", "of-nan": "int(nan)", "of-beyond": "int(1.0e+300)", "of-text": 'int("seven")', "length-of-product": "torch.len([0] * 1099511627776)",
    "length-of-text": 'torch.len(torch.mul("a", 1099511627776))', "length-of-range": "torch.len(torch.__range_length(0, 9223372036854775807, 1))",
    "range-by-zero": "torch.__range_length(0, 9, 0)", "absolute-least": f"torch.abs({LEAST})", "gcd-least": f"torch.gcd({LEAST}, {LEAST})",
}

SIZES = {
    "zeros-huge": "torch.zeros([1099511627776, 1099511627776])", "zeros-negative": "torch.zeros([-1])",
    "ones-beyond": "torch.ones([9223372036854775807, 2])", "full-rank": "torch.zeros([" + "1, " * 2000 + "])", "arange-huge": "torch.arange(9223372036854775807)",
    "arange-by-zero": "torch.arange(0, 9, 0)", "arange-nan": "torch.arange(nan)", "arange-inf": "torch.arange(0., inf, 1.)", "eye-huge": "torch.eye(4294967296)",
    "linspace-huge": "torch.linspace(0, 1, 9223372036854775807)", "linspace-negative": "torch.linspace(0, 1, -5)", "repeat-huge": "torch.repeat(x, [1099511627776])",
    "repeat-negative": "torch.repeat(x, [-1])", "expand-huge": "torch.expand(x, [4611686018427387904, 2])", "view-of-nothing": "torch.view(x, [0, -1])",
    "view-two-open": "torch.view(x, [-1, -1])", "view-negative": "torch.view(x, [-7])", "reshape-overflow": "torch.reshape(x, [4611686018427387904, 4, -1])",
    "pad-huge": "torch.constant_pad_nd(x, [9223372036854775807, 1])", "pad-negative": "torch.constant_pad_nd(x, [-9, -9])", "pad-odd": "torch.constant_pad_nd(x, [1])",
    "select-beyond": "torch.select(x, 0, 9)", "select-least": f"torch.select(x, 0, {LEAST})", "select-dim": "torch.select(x, 9223372036854775807, 0)",
    "select-dim-least": f"torch.select(x, {LEAST}, 0)", "slice-by-zero": "torch.slice(x, 0, 0, 2, 0)", "slice-back": "torch.slice(x, 0, 0, 2, -1)",
    "slice-by-huge": "torch.slice(x, 0, 1, 9223372036854775807, 9223372036854775807)", "slice-least": f"torch.slice(x, 0, {LEAST}, {LEAST})",
    "narrow-beyond": "torch.narrow(x, 0, 1, 9223372036854775807)", "chunk-zero": "torch.cat(torch.chunk(x, 0, 0), 0)", "chunk-huge": "torch.cat(torch.chunk(x, 9223372036854775807, 0), 0)",
    "split-zero": "torch.cat(torch.split(x, 0, 0), 0)", "split-negative": "torch.cat(torch.split(x, -1, 0), 0)", "cat-nothing": "torch.cat(annotate(List[Tensor], []), 0)",
    "stack-dim": "torch.stack([x, x], 99)", "unsqueeze-far": "torch.unsqueeze(x, 9223372036854775807)", "squeeze-least": f"torch.squeeze(x, {LEAST})",
    "permute-twice": "torch.permute(x, [0, 0])", "transpose-far": "torch.transpose(x, 0, 9223372036854775807)", "flatten-back": "torch.flatten(x, 5, -9)",
    "strided-beyond": "torch.as_strided(x, [2], [9223372036854775807])", "strided-before": "torch.as_strided(x, [2], [1], -1)", "strided-negative": "torch.as_strided(x, [2], [-1])",
    "strided-large": "torch.as_strided(x, [1000], [1])", "unfold-zero": "torch.unfold(x, 0, 0, 0)", "unfold-huge": "torch.unfold(x, 0, 9223372036854775807, 1)",
    "pool-by-zero": "torch.max_pool1d(torch.view(x, [1, 1, 2]), [0], [0])", "pool-step-zero": "torch.avg_pool2d(torch.view(x, [1, 1, 1, 2]), [1, 1], [0, 0])",
    "pool-huge": "torch.max_pool1d(torch.view(x, [1, 1, 2]), [9223372036854775807], [1])", "adaptive-zero": "torch.adaptive_avg_pool1d(torch.view(x, [1, 1, 2]), [0])",
    "adaptive-huge": "torch.adaptive_avg_pool1d(torch.view(x, [1, 1, 2]), [9223372036854775807])",
    "conv-step-zero": "torch.conv1d(torch.view(x, [1, 1, 2]), torch.view(self.w, [1, 1, 2]), None, [0])",
    "conv-groups-zero": "torch.conv1d(torch.view(x, [1, 1, 2]), torch.view(self.w, [1, 1, 2]), None, [1], [0], [1], 0)",
    "conv-groups-huge": "torch.conv1d(torch.view(x, [1, 1, 2]), torch.view(self.w, [1, 1, 2]), None, [1], [0], [1], 9223372036854775807)",
    "conv-padding-huge": "torch.conv1d(torch.view(x, [1, 1, 2]), torch.view(self.w, [1, 1, 2]), None, [1], [9223372036854775807])",
    "conv-dilation-zero": "torch.conv1d(torch.view(x, [1, 1, 2]), torch.view(self.w, [1, 1, 2]), None, [1], [0], [0])",
    "norm-groups-zero": "torch.group_norm(torch.view(x, [1, 2, 1]), 0)", "norm-shape": "torch.layer_norm(x, [9223372036854775807])",
    "shuffle-zero": "torch.pixel_shuffle(torch.view(x, [1, 2, 1, 1]), 0)", "channels-zero": "torch.channel_shuffle(torch.view(x, [1, 2, 1, 1]), 0)",
    "upsample-huge": "torch.upsample_nearest1d(torch.view(x, [1, 1, 2]), [9223372036854775807])", "upsample-zero": "torch.upsample_nearest1d(torch.view(x, [1, 1, 2]), [0])",
    "upsample-huge-image": "torch.upsample_nearest2d(torch.expand(torch.view(x, [1, 1, 1, 2]), [1, 1, 8589934592, 2]), [8589934592, 2], 1.0, 1.0)",
    "upsample-huge-rows": "torch.upsample_nearest2d(torch.view(x, [1, 1, 1, 2]), [9223372036854775807, 3])",
    "upsample-huge-linear": "torch.upsample_bilinear2d(torch.view(x, [1, 1, 1, 2]), [9223372036854775807, 3], False)",
    "upsample-huge-cubic": "torch.upsample_bicubic2d(torch.view(x, [1, 1, 1, 2]), [9223372036854775807, 3], False)",
    "upsample-huge-smooth": "torch._upsample_bilinear2d_aa(torch.view(x, [1, 1, 1, 2]), [9223372036854775807, 3], False)",
    "topk-beyond": "(torch.topk(x, 9223372036854775807))[0]", "kth-zero": "(torch.kthvalue(x, 0))[0]", "roll-huge": "torch.roll(x, [9223372036854775807], [0])",
    "roll-least": f"torch.roll(x, [{LEAST}], [0])", "one-hot-huge": "torch.one_hot(torch.to(x, 4), 9223372036854775807)", "tril-least": f"torch.tril(torch.view(x, [1, 2]), {LEAST})",
    "diag-huge": "torch.diag(x, 9223372036854775807)", "diag-embed-least": f"torch.diag_embed(x, {LEAST})", "embedding-beyond": "torch.embedding(torch.view(self.w, [2, 1]), torch.to(torch.mul(x, 1000000), 4))",
    "gather-beyond": "torch.gather(x, 0, torch.to(torch.mul(x, 1000000), 4))", "index-select-beyond": "torch.index_select(x, 0, torch.to(torch.mul(x, -1000000), 4))",
    "scatter-beyond": "torch.scatter(x, 0, torch.to(torch.mul(x, 1000000), 4), x)", "interleave-huge": "torch.repeat_interleave(x, 9223372036854775807)",
    "interleave-negative": "torch.repeat_interleave(x, -2)", "dtype-99": "torch.to(x, 99)", "dtype-least": f"torch.to(x, {LEAST})", "fft-huge": "torch.abs(torch.fft_fft(x, 9223372036854775807))",
    "fft-zero": "torch.abs(torch.fft_fft(x, 0))", "bincount-huge": "torch.bincount(torch.to(x, 4), None, 9223372036854775807)", "tile-many": "torch.tile(x, [" + "1, " * 2000 + "])",
    "matmul-huge": "torch.matmul(torch.expand(x, [4611686018427387904, 2]), x)", "cumsum-dim": "torch.cumsum(x, 77)", "sum-dims": "torch.sum(x, [0, 0])",
    "glu-odd": "torch.glu(torch.slice(x, 0, 0, 1), 0)", "heads-zero": "torch.view(x, [1, 2 // torch.len(annotate(List[int], []))])",
    "tri-huge": "torch.to(torch.tril_indices(4294967296, 4294967296), 6)", "hann-huge": "torch.hann_window(9223372036854775807)", "rand-huge": "torch.rand([4611686018427387904])",
}

LOOPS = {
    "forever": ("while True:", "  x = torch.neg(x)"), "counts-far": ("for i in range(9223372036854775807):", "  x = torch.neg(x)"),
    "list-grows": ("l = [x]", "while torch.lt(torch.len(l), 1099511627776):", "  l = torch.add(l, l)"),
    "text-grows": ('s = "a"', "for i in range(60):", "  s = torch.add(s, s)", "n = torch.len(s)"),
}


def cases():
    def case(label, code, error=None, command=run("program.pt", "--input=@x.npy"), **more):
        return Case("source-" + label, command, {"program.pt": archive(code=code), "x.npy": INPUT}, error, **more)

    reads = translate("--import", "program.pt")
    yield case("good", CODE, prints=r"2\.5.*4\.5")
    for label, code in SYNTAX.items():
        open_question = label in ("int-beyond", "tabs", "class-twice", "global", "no-return", "method-absent")
        yield case("syntax-" + label, code, None if open_question else "error")
    for label, code in MEANING.items():
        yield case("meaning-" + label, code, "error")
    for label, text in NUMBERS.items():
        yield case("number-" + label, returning(f"torch.add(x, {text})"))
        # The same where nothing is known before the call.
        grown = text.replace("1 //", "n //").replace(f"({LEAST})", f"({LEAST} + n)").replace("0", "n", 1) if "e+" not in text else text
        yield case("number-at-run-" + label, body("n = torch.size(x, 0) - 2", f"return torch.add(x, {grown})"))
    for label, text in SIZES.items():
        yield case("sizes-" + label, returning(text))
        # Where the size is a number of the call's.
        grown = re.sub(r"(?<![\w.])(\d{4,})(?![\w.])", r"(n * \1)", text)
        if grown != text:
            yield case("sizes-of-a-call-" + label, body("n = torch.size(x, 0) - 1", f"return {grown}"),
                       command=run("program.pt", "--input=@x.npy", "--any-sizes"))
    for depth in (60, 300, 5000):
        for label, statement in {"if": "if True:", "for": "for i in range(1):", "while": "while False:"}.items():
            yield case(f"nested-{label}-{depth}", nested(statement, depth), "deeper than 256" if depth > 256 else None, reads)
    yield case("nested-200-runs", nested("if True:", 200), prints=r"-1.*-2")
    yield case("elif-far", body("if False:", "  x = x", *["elif False:", "  x = x"] * 2000, "return x"), "deeper than 256", reads)
    yield case("functions-nested", nested_calls(50, 100), "branches and loops within each other|after inlining")
    for depth in (200, 300, 100000):
        for label, (left, right) in {"brackets": ("(", ")"), "lists": ("[", "]"), "minus": ("-", ""), "not": ("not ", ""), "calls": ("torch.neg(", ")")}.items():
            yield case(f"deep-{label}-{depth}", returning(left * depth + "x" + right * depth), "deeper than 256" if depth > 256 else None, reads)
    yield case("chain-of-sums", returning(" + ".join(["x"] * 20000)), "deeper than 256", reads)
    yield case("chain-of-attributes", returning("self" + ".w" * 20000), "deeper than 256", reads)
    yield case("types-deep", CODE.replace("x: Tensor", "x: " + "List[" * 5000 + "int" + "]" * 5000), "deeper than 256", reads)
    yield case("calls-200", calls(200, 1), prints=r"-1.*-2")
    yield case("calls-3000", calls(3000, 1), "nested at most")
    yield case("calls-doubling", calls(40, 2), "operations after inlining")
    yield case("tuples-doubling", tuples(60), "error", reads)
    for label, lines in LOOPS.items():
        yield case("loop-" + label, body(*lines, "return x"), command=reads)
    yield case("wide", body(*["x = torch.neg(x)"] * 3000, "return x"), command=reads)
    noise = random.Random(2)
    for number in range(24):
        broken = bytearray(CODE.encode())
        for _ in range(3):
            broken[noise.randrange(len(broken))] = noise.choice(b"()[]:,. \n=\"'x0-*")
        yield Case(f"source-changed-{number}", run("program.pt", "--input=@x.npy"),
                   {"program.pt": archive(module(w=tensor(), n=integer(1)), bytes(broken)), "x.npy": INPUT})
