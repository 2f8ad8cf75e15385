"""Printed graphs."""

import random

from . import Case, run, translate
from .archive import INPUT

GOOD = """graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %y : Tensor = aten::add(%x, %x, %one)
  return (%y)
"""


def constant(value, kind="int[]"):
    return GOOD.replace("  %y", f"  %c : {kind} = prim::Constant[value={value}]()\n  %y", 1)


def typed(text):
    return GOOD.replace("%x : Tensor", f"%x : {text}")


def blocks(depth):
    opening = "".join(f"  %b{i} : Tensor = prim::If(%c)\n    block0():\n" for i in range(depth))
    return f"graph(%x : Tensor, %c : bool):\n{opening}      -> (%x)\n" + "    block1():\n      -> (%x)\n" * depth + "  return (%x)\n"


def groups(count, times):
    text = "graph(%x : Tensor):\n  %y : Tensor = prim::G_0(%x)\n  return (%y)\n"
    for i in range(count):
        uses = "".join(f"  %y{k + 1} : Tensor = prim::G_{i + 1}(%y{k})\n" for k in range(times))
        text += f"with prim::G_{i} = graph(%y0 : Tensor):\n{uses}  return (%y{times})\n"
    return text + f"with prim::G_{count} = graph(%x : Tensor):\n  %y : Tensor = aten::neg(%x)\n  return (%y)\n"


def cases():
    def case(label, text, error=None, command=run("program.txt", "--input=@x.npy"), **more):
        data = text if isinstance(text, bytes) else text.encode()
        return Case("graph-" + label, command, {"program.txt": data, "x.npy": INPUT}, error, **more)

    reads = translate("--import", "program.txt")
    yield case("good", GOOD, prints=r"2\b.*4\b")
    for kept in range(6, len(GOOD) - 2, 7):
        yield case(f"cut-{kept}", GOOD[:kept], "error")
    yield case("no-return", GOOD.replace("  return (%y)\n", ""), "error")
    yield case("two-returns", GOOD + "  return (%y)\n", "error")
    for label, text in {"string-open": '"', "octal": '"\\777"', "beyond": "99999999999999999999", "brackets-open": "[[[", "empty": "",
                        "complex": "1e5-2", "tensor-of-two": "{1, 2}", "tensor-open": "{", "mixed": "[1, 2.5, x]", "word": "nothing", "digits": "9" * 100000}.items():
        yield case("constant-" + label, constant(text), "error")
    for shape, values in (("2", "1"), ("99999999999999999999", "1"), ("4611686018427387904,4", "1"), ("-1", "1"), ("0,9223372036854775807,9223372036854775807", ""),
                          (",".join(["1"] * 65), "1"), ("2", " ".join(["1"] * 1000))):
        yield case(f"printed-{shape[:12]}-{len(values)}", constant(f" {values} [ CPULongType{{{shape}}} ]", "Tensor"), "error")
    for text in ("Float(9223372036854775807, 9223372036854775807)", "Float(-1)", "Float(99999999999999999999)", "Float(" + "1, " * 64 + "1)", "Float(2, strides=[0])",
                 "Quad(2)", "Float(", "int", "NoneType", "Dict(Tensor, Tensor)", "Tensor" + "[]" * 100, "Tensor" + "?" * 100, "Future(Tensor)", "__torch__.M", "Union()"):
        yield case(f"type-{text[:24]}", typed(text))
    for depth in (300, 20000):
        for label, (left, right) in {"tuples": ("(", ")"), "futures": ("Future(", ")"), "lists": ("", "[]"), "dicts": ("Dict(int, ", ")")}.items():
            yield case(f"types-{label}-{depth}", typed(left * depth + "int" + right * depth), "deeper than 256", reads)
        yield case(f"constants-{depth}", constant("[" * depth + "]" * depth), "deeper than 256", reads)
        yield case(f"blocks-{depth}", blocks(depth), "deeper than 256", reads)
    yield case("groups-chained", groups(200, 1), command=reads)
    yield case("groups-chained-far", groups(20000, 1), "error", reads)
    yield case("groups-doubling", groups(40, 2), "error", reads)
    yield case("group-absent", GOOD.replace("aten::add(%x, %x, %one)", "prim::G_7(%x)"), "error")
    yield case("value-of-itself", GOOD.replace("%y : Tensor = aten::add(%x, %x, %one)", "%y : Tensor = aten::neg(%y)"), "error")
    yield case("twice", GOOD + GOOD, "error")
    yield case("no-operator", GOOD.replace("aten::add", "aten::"), "error")
    yield case("many-results", GOOD.replace("%y : Tensor =", "%y : Tensor, " + ", ".join(f"%z{i} : Tensor" for i in range(2000)) + " ="), "error")
    yield case("many-inputs", GOOD.replace("%x : Tensor", "%x : Tensor, " + ", ".join(f"%z{i} : Tensor" for i in range(20000))), command=reads)
    yield case("zeros", b"graph(\0" * 10, "error")
    yield case("comment-open", "#" * 100000 + "\n" + GOOD, command=reads)
    noise = random.Random(4)
    for number in range(24):
        broken = bytearray(GOOD.encode())
        for _ in range(2):
            broken[noise.randrange(len(broken))] = noise.choice(b"()[]{}<>:,.% \n=\"x0-*")
        yield case(f"changed-{number}", bytes(broken))
