"""Programs of torch.export: their JSON, and the tensors beside it."""

import copy
import json
import random

from . import Case, run, translate
from .archive import INPUT, WEIGHT, Zip

FLOAT = 7
LEAF = {"type": None, "context": None, "children_spec": []}


def sizes(*values):
    return [{"as_int": v} if isinstance(v, int) else {"as_expr": {"expr_str": v, "hint": None}} for v in values]


def meta(*extents, strides=None, offset=0, dtype=FLOAT):
    return {"dtype": dtype, "sizes": sizes(*extents), "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": sizes(*(strides or (1,) * len(extents))), "storage_offset": {"as_int": offset}, "layout": 7}


def tensor(name):
    return {"as_tensor": {"name": name}}


def tree(kind, children, context="null"):
    return {"type": f"builtins.{kind}", "context": context, "children_spec": children}


def signature(inputs, output):
    return {"in_spec": json.dumps([1, tree("tuple", [tree("tuple", [LEAF] * inputs), tree("dict", [], "[]")])]),
            "out_spec": json.dumps([1, output]), "forward_arg_names": ["x"]}


def model():
    """y = x + w"""
    arguments = [{"name": n, "arg": tensor(v), "kind": 1} for n, v in (("self", "x"), ("other", "w"))]
    node = {"target": "torch.ops.aten.add.Tensor", "inputs": arguments, "outputs": [tensor("y")], "metadata": {}}
    graph = {"inputs": [tensor("w"), tensor("x")], "outputs": [tensor("y")], "nodes": [node], "sym_int_values": {}, "sym_bool_values": {},
             "tensor_values": {"x": meta(2), "w": meta(2), "y": meta(2)}}
    held = [{"parameter": {"arg": {"name": "w"}, "parameter_name": "w"}}, {"user_input": {"arg": tensor("x")}}]
    return {"graph_module": {"graph": graph, "signature": {"input_specs": held, "output_specs": [{"user_output": {"arg": tensor("y")}}]},
                             "module_call_graph": [{"fqn": "", "signature": signature(1, LEAF)}]},
            "schema_version": {"major": 8, "minor": 20}, "range_constraints": {}}


def changed(*path, to):
    """The program with one place of it replaced; None drops it."""
    program = copy.deepcopy(model())
    place = program
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return json.dumps(program)


def archive(program, weight=meta(2), record=WEIGHT, config=None, **more):
    config = config or json.dumps({"config": {"w": {"path_name": "weight_0", "is_param": True, "use_pickle": False, "tensor_meta": weight}}})
    out = Zip()
    for member, data in ({"archive_format": "pt2", "byteorder": "little", "models/model.json": program,
                          "data/weights/model_weights_config.json": config, "data/weights/weight_0": record} | more).items():
        out.add("m/" + member, data)
    return out.bytes()


GRAPH = ("graph_module", "graph")
NODE = (*GRAPH, "nodes", 0)
TREE = ("graph_module", "module_call_graph", 0, "signature", "out_spec")

JSON = {"empty": "", "null": "null", "list": "[]", "number": "7", "open": "{", "open-text": '{"a', "comma": "{,}", "twice": '{"graph_module": 1} {}',
        "nan": '{"graph_module": NaN}', "comment": "/* */ {}", "zeros": "\0" * 50, "escape": '{"\\u12": 1}', "surrogate": '{"\\ud800": 1}', "deep-lists": "[" * 100000,
        "deep-objects": '{"a":' * 100000, "wide": "[" + "0," * 3000000 + "0]", "digits": "9" * 1000000, "exponent": "1e999999999999"}

EXPRESSIONS = ["", "(", "Symbol(", "Symbol('", "Mul(", "Mul()", "Add(Integer(2), )", "Integer(99999999999999999999)", "Integer(-9223372036854775808)", "Mul(" * 100000,
               "Pow(Integer(9), Integer(9223372036854775807))", "FloorDiv(Integer(1), Integer(0))", "Mod(Integer(1), Integer(0))",
               "FloorDiv(Integer(-9223372036854775808), Integer(-1))", "Symbol('s0', positive=True, integer=True)", "Evil(Integer(1))", "__import__('os')",
               "Mul(Symbol('s0'), Integer(9223372036854775807))", "Max()", "Add(" + "Integer(1), " * 20000 + "Integer(1))"]


def cases():
    def case(label, data, error=None, command=run("program.pt2", "--input=@x.npy"), **more):
        return Case("exported-" + label, command, {"program.pt2": data, "x.npy": INPUT}, error, **more)

    good = json.dumps(model())
    reads = translate("--import", "program.pt2")
    yield case("good", archive(good), prints=r"2\.5.*4\.5")
    for label, text in JSON.items():
        yield case("json-" + label, archive(text), "error", reads)
    for kept in range(20, len(good) - 1, max(1, len(good) // 12)):
        yield case(f"cut-{kept}", archive(good[:kept]), "error", reads)
    for path in ((*GRAPH,), (*GRAPH, "inputs"), (*GRAPH, "outputs"), (*GRAPH, "nodes"), (*GRAPH, "tensor_values"), (*NODE, "target"), (*NODE, "inputs"),
                 (*NODE, "outputs"), ("graph_module", "signature"), ("graph_module", "module_call_graph"), TREE, ("schema_version",), (*GRAPH, "tensor_values", "x")):
        label = "-".join(map(str, path[-2:]))
        for kind, value in {"absent": None, "number": 7, "text": "x", "list": [], "object": {}, "true": True}.items():
            yield case(f"{label}-{kind}", archive(changed(*path, to=value)), None, reads)
    for label, value in {"unknown": tensor("q"), "self": tensor("y"), "none": {"as_none": True}, "two": {"as_int": 1, "as_float": 2.0}, "nothing": {},
                         "int-text": {"as_int": "7"}, "graph-empty": {"as_graph": {"name": "g", "graph": {}}}, "ints-mixed": {"as_ints": [1, "x"]},
                         "infinite": {"as_float": "Infinite"}, "kind-unknown": {"as_wonder": 1}, "int-huge": {"as_int": 2**63}}.items():
        yield case("argument-" + label, archive(changed(*NODE, "inputs", 1, "arg", to=value)), "error")
    for target in ("aten.add.Tensor", "torch.ops.os.system", "", ".", "x" * 100000, "torch.ops.aten.add.Tensor.x", "operator.floordiv"):
        yield case(f"target-{target[:20]}", archive(changed(*NODE, "target", to=target)), "error")
    for number, text in enumerate(EXPRESSIONS):
        program = json.loads(good)
        program["graph_module"]["graph"]["tensor_values"]["x"] = meta(text)
        yield case(f"expression-{number}", archive(json.dumps(program)), None, reads)
    for label, spec in {"deep": None, "wide": tree("tuple", [LEAF] * 100000), "type": {"type": "os.system", "context": "null", "children_spec": []},
                        "context": tree("dict", [LEAF], "]["), "keys-few": tree("dict", [LEAF, LEAF], '["a"]'), "no-children": {"type": "builtins.tuple"}}.items():
        text = '{"type":"builtins.tuple","context":"null","children_spec":[' * 3000 + "]}" * 3000 if label == "deep" else json.dumps(spec)
        yield case("tree-" + label, archive(changed(*TREE, to=f"[1, {text}]")), "error", reads)
    for label, text in {"number": "7", "version": "[99, {}]", "one": "[1]", "no-json": "x"}.items():
        yield case("tree-text-" + label, archive(changed(*TREE, to=text)), "error", reads)
    for label, weight in {"offset": meta(2, offset=1), "offset-negative": meta(2, offset=-1), "size": meta(3), "size-huge": meta(2**62), "size-negative": meta(-2),
                          "stride": meta(2, strides=(2,)), "stride-huge": meta(2, strides=(2**62,)), "repeated": meta(2**40, strides=(0,)), "rank": meta(*[1] * 65),
                          "strides-few": meta(1, 2, strides=(1,)), "dtype": meta(2, dtype=99), "dtype-wide": meta(2, dtype=10), "symbol": meta("Symbol('s0')")}.items():
        yield case("weight-" + label, archive(good, weight), "error")
    for label, config in {"empty": "{}", "none": '{"config": {}}', "climbs": json.dumps({"config": {"w": {"path_name": "../../x", "is_param": True, "use_pickle": False, "tensor_meta": meta(2)}}}),
                          "pickled": json.dumps({"config": {"w": {"path_name": "weight_0", "is_param": True, "use_pickle": True, "tensor_meta": meta(2)}}})}.items():
        yield case("config-" + label, archive(good, config=config), "error")
    yield case("record-short", archive(good, record=b"1234567"), "reaches beyond storage")
    for low, high in ((5, 3), (-(2**63), 2**63 - 1), (2, 2**70), ("a", "b")):
        yield case(f"range-{low}", archive(changed("range_constraints", to={"s0": {"min_val": low, "max_val": high}})), None, reads)
    for major in (-1, 0, 9, 2**63, "8"):
        yield case(f"schema-{major}", archive(changed("schema_version", to={"major": major, "minor": 0})), None if major in (-1, 0) else "error", reads)
    noise = random.Random(5)
    for number in range(20):
        broken = bytearray(good.encode())
        broken[noise.randrange(len(broken))] = noise.choice(b'{}[]",:0x-tn')
        yield case(f"changed-{number}", archive(bytes(broken)))
