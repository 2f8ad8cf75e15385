"""MLIR text: what MLIR's own parser trusts, what a program may be made of, and operations that contradict themselves."""

import random

from . import Case, opt, run
from .archive import INPUT

GOOD = """func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %y = aten.add.Tensor %x, %x, %one : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %y : !jit.tensor
}
"""


def with_line(text):
    return GOOD.replace("  %y =", f"  {text}\n  %y =", 1)


def attribute(text):
    return GOOD.replace("-> !jit.tensor {", f"-> !jit.tensor attributes {{a = {text}}} {{", 1)


def argument(text):
    return GOOD.replace("%x: !jit.tensor)", f"%x: !jit.tensor, %z: {text})", 1)


NESTING = {
    "tuples": ("tuple<", "i1", ">"), "lists": ("!jit.list<", "i1", ">"), "functions": ("(", "i1", ") -> ()"), "complex": ("complex<", "f32", ">"),
    "memrefs": ("memref<1x", "f32", ">"), "vectors": ("vector<1x", "f32", ">"), "structs": ("!llvm.struct<(", "i1", ")>"), "tensors": ("tensor<1x", "i1", ">"),
}
VALUES = {
    "arrays": ("[", "", "]"), "dictionaries": ("{a = ", "1", "}"), "dense": ("dense<" + "[", "", "]" + "> : tensor<1xi1>"), "sums": ("affine_map<(d0) -> (d0", "", "))>"),
    "brackets": ("affine_map<(d0) -> (", "d0", ")>"),
}
SHAPES = ["9223372036854775807x9223372036854775807xf32", "4611686018427387905x4xf32", "99999999999999999999xf32", "0x9223372036854775807x9223372036854775807xf32",
          "1x" * 5000 + "f32", "1x" * 65 + "f32"]


def aliases(mark, first, second, levels):
    lines = [f"{mark}a0 = {first}"] + [f"{mark}a{i} = {second.replace('@', f'{mark}a{i - 1}')}" for i in range(1, levels)]
    return "\n".join(lines) + "\n"


def calls(functions, times):
    text = ""
    for i in range(functions):
        lines = "".join(f"  %{k + 1} = call @f{i + 1}(%{k}) : (!jit.tensor) -> !jit.tensor\n" for k in range(times))
        text += f"func.func private @f{i}(%0: !jit.tensor) -> !jit.tensor {{\n{lines}  return %{times} : !jit.tensor\n}}\n"
    text += f"func.func private @f{functions}(%0: !jit.tensor) -> !jit.tensor {{\n  %1 = aten.neg %0 : (!jit.tensor) -> !jit.tensor\n  return %1 : !jit.tensor\n}}\n"
    return text + with_line("%c = call @f0(%x) : (!jit.tensor) -> !jit.tensor")


# Programs that are no programs of TorchScript: what would read, write or call anything.
FOREIGN = {
    "asm": "llvm.inline_asm has_side_effects \"ud2\", \"\" : () -> ()",
    "load": "%p = llvm.mlir.zero : !llvm.ptr\n  %q = llvm.load %p : !llvm.ptr -> i64",
    "store": "%m = memref.alloc() : memref<1xi64>\n  %c9 = arith.constant 999999999 : index\n  memref.store %one, %m[%c9] : memref<1xi64>",
    "extract": "%t = tensor.empty() : tensor<1xi64>\n  %c9 = arith.constant 999999999 : index\n  %q = tensor.extract %t[%c9] : tensor<1xi64>",
    "vector": "%v = arith.constant dense<1> : vector<1048576xi64>\n  %w = arith.addi %v, %v : vector<1048576xi64>",
    "wide-integer": "%v = arith.constant 3 : i16777215\n  %w = arith.divsi %v, %v : i16777215",
    "splat": "%v = arith.constant dense<1.0> : tensor<1099511627776xf32>",
    "resource": "%v = arith.constant dense_resource<r> : tensor<1000xf32>",
    "unranked": "%v = builtin.unrealized_conversion_cast %x : !jit.tensor to tensor<*xf32>",
    "undefined-dialect": "%v = \"evil.op\"() : () -> i64",
    "abort": "cf.assert %true, \"x\"",
}

# Operations that pass MLIR's own check of operands, and are wrong all the same.
WRONG = {
    "slot-absent": "%s = jit.slot_get @absent : !jit.tensor",
    "slot-set-absent": "jit.slot_set @absent = %x : !jit.tensor",
    "tuple-index-far": "%t = jit.tuple %x : (!jit.tensor) -> !jit.tuple<!jit.tensor>\n  %u = jit.tuple_index %t[9223372036854775807] : (!jit.tuple<!jit.tensor>) -> !jit.tensor",
    "tuple-index-negative": "%t = jit.tuple %x : (!jit.tensor) -> !jit.tuple<!jit.tensor>\n  %u = jit.tuple_index %t[-1] : (!jit.tuple<!jit.tensor>) -> !jit.tensor",
    "tuple-of-other": "%t = jit.tuple %x : (!jit.tensor) -> !jit.tuple<i64, i64>\n  %u:2 = jit.tuple_unpack %t : (!jit.tuple<i64, i64>) -> (i64, i64)\n  %w = arith.addi %u#0, %u#1 : i64",
    "tuple-unpack-more": "%t = jit.tuple %x : (!jit.tensor) -> !jit.tuple<!jit.tensor>\n  %u:2 = jit.tuple_unpack %t : (!jit.tuple<!jit.tensor>) -> (!jit.tensor, !jit.tensor)",
    "list-of-other": "%t = jit.list %x : (!jit.tensor) -> !jit.list<i64>",
    "list-unpack-more": "%t = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>\n  %u:2 = jit.list_unpack %t : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)",
    "cast": "%t = jit.unchecked_cast %x : !jit.tensor to i64\n  %w = arith.addi %t, %one : i64",
    "derefine": "%t = jit.derefine %x : !jit.tensor to i64\n  %w = arith.addi %t, %one : i64",
    "constant-text": "%t = jit.constant !jit.str = 7",
    "constant-tensor": "%t = jit.constant !jit.tensor = \"x\"",
    "constant-odd": "%t = jit.constant !jit.tensor = dense<1> : tensor<2xi3>",
    "object": "%t = jit.create_object : !jit.object<\"absent\">\n  %u = jit.get_attr %t[\"a\"] : (!jit.object<\"absent\">) -> !jit.tensor",
    "call-absent": "%t = call @absent(%x) : (!jit.tensor) -> !jit.tensor",
    "call-itself": "%t = call @forward(%x) : (!jit.tensor) -> !jit.tensor",
    "by-zero": "%z = arith.constant 0 : i64\n  %t = arith.floordivsi %one, %z : i64",
    "least": "%z = arith.constant -9223372036854775808 : i64\n  %m = arith.constant -1 : i64\n  %t = arith.floordivsi %z, %m : i64",
    "shift": "%z = arith.constant 64 : i64\n  %t = arith.shli %one, %z : i64",
    "group": "%t = jit.group -> (!jit.tensor) {\n    jit.yield %x : !jit.tensor\n  }",
    "yield": "jit.yield %x : !jit.tensor",
    "generic-operands": "%t = \"aten.add.Tensor\"() : () -> !jit.tensor",
    "generic-types": "%t = \"aten.relu\"(%one) : (i64) -> i64",
    "regions": "\"jit.group\"() ({}, {}) : () -> ()",
    "size-huge": "%z = arith.constant 9223372036854775807 : i64\n  %l = jit.list %z, %z : (i64, i64) -> !jit.list<i64>\n  %t = aten.view %x, %l : (!jit.tensor, !jit.list<i64>) -> !jit.tensor",
}

SLOTS = ["@s : i64 = \"text\"", "@s : !jit.tensor<[2],f32> = 7", "@s : !jit.tensor<[2],f32> = #jit.storage<\"data/0\", 0, [1]>",
         "@s : !jit.tensor<[2],f32> = #jit.storage<\"data/0\", -1, [1]>", "@s : !jit.tensor<[2],i3> = dense<1> : tensor<2xi3>",
         "@s : !jit.tensor<[2],f32> = dense<1.0> : tensor<3xf32>", "@s : !jit.tensor<[2],f32> = dense<1.0> : tensor<2xf64>", "@s : !jit.tuple<i64> = [1 : i64, 2 : i64]",
         "@s : !jit.list<i64> = [\"a\", 1.0]", "@s : !jit.any = unit", "@s : i1 = 5 : i64", "@s : i64 = 5 : i128", "@s : f64 = 1.0 : f32", "@forward : i64 = 1 : i64",
         "@s : !jit.tensor = #jit.storage<\"data/0\", 0, [1]>", "@s : i64 = @s", "@s : !jit.optional<i64> = [[[[]]]]"]


def cases():
    def case(label, text, error=None, command=run("program.mlir", "--input=@x.npy"), **more):
        data = text if isinstance(text, bytes) else text.encode()
        return Case("mlir-" + label, command, {"program.mlir": data, "x.npy": INPUT}, error, **more)

    reads = opt("program.mlir")
    yield case("good", GOOD, prints=r"2\b.*4\b")
    yield case("good-read", GOOD, command=reads, prints="aten.add.Tensor")
    for kept in range(5, len(GOOD) - 3, 23):
        yield case(f"cut-{kept}", GOOD[:kept], "error")
    for depth in (250, 300, 30000):
        fails = "levels of nesting" if depth > 256 else None
        for label, (left, middle, right) in NESTING.items():
            yield case(f"types-{label}-{depth}", argument(left * depth + middle + right * depth), fails, reads)
        for label, (left, middle, right) in VALUES.items():
            if label not in ("dense", "sums"):
                yield case(f"values-{label}-{depth}", attribute(left * depth + middle + right * depth), fails, reads)
        yield case(f"regions-{depth}", with_line("scf.execute_region { " * depth + "scf.yield " + "} " * depth), fails, reads)
        yield case(f"modules-{depth}", "module {" * depth + "}" * depth, fails, reads)
        yield case(f"locations-{depth}", GOOD.replace("i64\n", "i64 loc(" + "callsite(\"a\" at " * depth + "\"b\"" + ")" * depth + ")\n", 1), fails, reads)
        yield case(f"dense-{depth}", attribute("dense<" + "[" * depth + "]" * depth + "> : tensor<1xi1>"), fails or "error", reads)
    for length in (900, 200000):
        fails = "operators in one expression" if length > 1000 else None
        for operator in (" + ", " * ", " - ", " mod ", " floordiv "):
            yield case(f"chain-{operator.strip()}-{length}", attribute(f"affine_map<(d0) -> (d0{(operator + '2') * length})>"), fails, reads)
        yield case(f"signs-{length}", attribute(f"affine_map<(d0) -> ({'-' * length}d0)>"), fails, reads)
        yield case(f"bracketed-sums-{length}", attribute(f"affine_map<(d0) -> (d0{' + (2)' * length})>"), fails, reads)
    for shape in SHAPES:
        for kind in ("tensor", "vector", "memref"):
            yield case(f"shape-{kind}-{shape[:24]}-{len(shape)}", argument(f"{kind}<{shape}>"), "expected at most", reads)
    yield case("raw-overflow", attribute('dense<"0x00000000"> : tensor<4611686018427387905x4xi8>'), "expected at most .* elements", reads)
    for sizes in ("[9223372036854775807,9223372036854775807],f32", "[" + ",".join(["1"] * 65) + "],f32", "[" + ",".join(["1"] * 50000) + "],f32", "[-1],f32", "[2],i7",
                  "[2],!jit.tensor<[2],f32>", "[2],none", "[99999999999999999999],f32"):
        yield case(f"tensor-{sizes[:20]}-{len(sizes)}", GOOD.replace("!jit.tensor", f"!jit.tensor<{sizes}>"), "error")
    for mark, first, second in (("#", "[1]", "[@]"), ("!", "tuple<i1>", "tuple<@>"), ("#", "[1]", "[@, @]"), ("!", "tuple<i1>", "tuple<@, @>"),
                                ("!", "tuple<i1>", "tuple\n<@, @>"), ("!", "(i1) -> i1", "(@) -> (@)")):
        kind = "attribute" if mark == "#" else "type"
        shape = f"{second.count('@')}-{len(second)}"
        use = attribute if mark == "#" else argument
        for levels in (30, 2000):
            fails = "expected at most" if levels > 30 or second.count("@") > 1 else None
            yield case(f"aliases-{kind}-{shape}-{levels}", aliases(mark, first, second, levels) + use(f"{mark}a{levels - 1}"), fails, reads)
    yield case("digits", with_line("%v = arith.constant " + "9" * 1000000 + " : i16777215"), "characters of a number", reads)
    yield case("bytecode", b"ML\xefR" + bytes(100), "error")
    yield case("bytecode-read", b"ML\xefR\x01\x41\x00\x01" + bytes(range(60)), "error", reads)
    yield case("zeros", b"module {}\0", "error")
    yield case("comment-open", "/" * 1000000, "error")
    yield case("text-open", with_line('"' + "x" * 100000), "error")
    yield case("names", "".join(f"func.func private @f{i}()\n" for i in range(20000)), command=reads)
    for label, text in FOREIGN.items():
        yield case("foreign-" + label, with_line(text), "error")
    for label, text in WRONG.items():
        yield case("wrong-" + label, with_line(text))
        yield case("wrong-returned-" + label, with_line(text).replace("return %y", "return %t") if "%t =" in text else with_line(text))
    for number, slot in enumerate(SLOTS):
        kind = slot.partition(" : ")[2].partition(" = ")[0]
        used = with_line(f"%s = jit.slot_get @s : {kind}").replace("-> !jit.tensor {", f"-> {kind} {{", 1).replace("return %y : !jit.tensor", f"return %s : {kind}")
        yield case(f"slot-{number}", f"jit.slot {slot}\n" + (GOOD if "@forward" in slot else used))
    yield case("archive-absent", 'module attributes {jit.archive = "absent.pt"} {\n' + GOOD + "}", "absent.pt")
    yield case("archive-number", "module attributes {jit.archive = 7} {\n" + GOOD + "}")
    yield case("no-function", "module {}", "error")
    yield case("function-without-body", "func.func @forward(%x: !jit.tensor) -> !jit.tensor", "error")
    yield case("function-of-blocks", "func.func @forward(%x: !jit.tensor) -> !jit.tensor {\n  cf.br ^a\n^a:\n  return %x : !jit.tensor\n}", "error")
    yield case("calls-100", calls(100, 1))
    yield case("calls-2000", calls(2000, 1), "nested at most")
    yield case("calls-doubling", calls(40, 2), "operations after inlining")
    noise = random.Random(6)
    for number in range(40):
        broken = bytearray(GOOD.encode())
        for _ in range(2):
            broken[noise.randrange(len(broken))] = noise.choice(b"()[]{}<>:,.%@!# \n=\"x0-*")
        yield case(f"changed-{number}", bytes(broken))
