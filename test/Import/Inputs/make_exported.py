"""Packs a test file into a .pt2 archive, as torch.export.save lays it out.

The test file is a function: lines of `#` are blanked, so that line numbers stay. It is read, not run:
  def forward(w: parameter["lin.weight", f32[3, 2]], x: f32[s0, 2], *, n: int, flag: constant_input[True]):
      y = torch.ops.aten.mm.default(self=x, mat2=w)      a node with one tensor; keywords are the schema's names
      n: int = torch.ops.aten.sym_size.int(self=x, dim=0)
      a, b = ...                                         a node with two tensors; [a, b] = ... with one list of them
      mutate(buffer_mutation="mean", value=y)            an output that is no result
      return {"y": y, "rest": [n, None]}                 the results as they are nested
Functions inside are graphs that nodes take by name; their returns list their outputs.
Two more lines speak to this script:
  # RANGES: {"s0": (3, 64)}
  # PATCH: python statements on `model`, the text to be, and `files`, all other members
"""

import ast
import json
import re
import sys
import zipfile

DTYPES = {"u8": (1, 1), "i32": (4, 4), "i64": (5, 8), "f16": (6, 2), "f32": (7, 4), "f64": (8, 8), "c64": (10, 8), "bool": (12, 1),
          "bf16": (13, 2)}
STATE = {"parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name"}
SYMBOLS = {"int": "as_sym_int", "float": "as_sym_float", "bool": "as_sym_bool"}


def symbolic(node):
    """A size: a number, a symbol or sympy's constructor calls."""
    if isinstance(node, ast.Constant):
        return f"Integer({node.value})"
    if isinstance(node, ast.Name):
        return f"Symbol('{node.id}', positive=True, integer=True)"
    return f"{node.func.id}({', '.join(map(symbolic, node.args))})"


def extent(node):
    return {"as_int": node.value} if isinstance(node, ast.Constant) else {"as_expr": {"expr_str": symbolic(node), "hint": None}}


def parts(node):
    """What stands between the brackets of a subscript."""
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def tensor_meta(node):
    sizes = parts(node) if isinstance(node, ast.Subscript) else []
    name = node.value.id if isinstance(node, ast.Subscript) else node.id
    strides, step = [], 1
    for size in reversed(sizes):
        strides.insert(0, {"as_int": step})
        step *= size.value if isinstance(size, ast.Constant) else 1
    return {"dtype": DTYPES[name][0], "sizes": [extent(s) for s in sizes], "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": strides, "storage_offset": {"as_int": 0}, "layout": 7}


def tree(node, leaf):
    """A treespec, its leaves given to `leaf` in order."""
    if isinstance(node, (ast.Tuple, ast.List)):
        kind = "tuple" if isinstance(node, ast.Tuple) else "list"
        return {"type": f"builtins.{kind}", "context": "null", "children_spec": [tree(n, leaf) for n in node.elts]}
    if isinstance(node, ast.Dict):
        return {"type": "builtins.dict", "context": json.dumps([k.value for k in node.keys]),
                "children_spec": [tree(n, leaf) for n in node.values]}
    leaf(node)
    return {"type": None, "context": None, "children_spec": []}


class GraphWriter:
    def __init__(self, function, graphs):
        self.kinds, self.graphs = {}, dict(graphs)
        self.graph = {"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {},
                      "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {}}
        self.mutations, self.returned = [], None
        self.function = function

    def define(self, name, annotation):
        """An input or a node's result; gives it as an argument."""
        symbol = annotation.id if isinstance(annotation, ast.Name) else None
        self.kinds[name] = SYMBOLS.get(symbol, "as_tensor")
        if symbol == "int":
            self.graph["sym_int_values"][name] = {"as_expr": {"expr_str": f"Symbol('{name}', integer=True)", "hint": None}}
        elif annotation is not None and symbol not in SYMBOLS:
            self.graph["tensor_values"][name] = tensor_meta(annotation)
        return self.name(name)

    def name(self, name):
        kind = self.kinds.get(name, "as_tensor")
        return {kind: {"name": name} if kind == "as_tensor" else {"as_name": name}}

    def argument(self, node):
        if isinstance(node, ast.Name):
            return {"as_graph": self.graphs[node.id]} if node.id in self.graphs else self.name(node.id)
        if isinstance(node, (ast.List, ast.Tuple)):
            return self.list([self.argument(n) for n in node.elts])
        if isinstance(node, ast.Call):
            return {node.func.id: ast.literal_eval(node.args[0])}
        value = ast.literal_eval(node)
        kinds = {type(None): "none", bool: "bool", int: "int", float: "float", str: "string"}
        return {"as_" + kinds[type(value)]: True if value is None else value}

    def list(self, elements):
        keys = {next(iter(e)) for e in elements}
        if len(keys) <= 1 and keys != {"as_none"}:
            key = next(iter(keys), "as_tensor")
            return {key + "s": [e[key] for e in elements]}
        if "as_sym_int" in keys:
            return {"as_sym_ints": [e.get("as_sym_int", e) for e in elements]}
        return {"as_optional_tensors": elements}

    def node(self, call, outputs, line):
        inputs = [{"name": "", "arg": self.argument(a), "kind": 1} for a in call.args]
        inputs += [{"name": k.arg, "arg": self.argument(k.value), "kind": 2} for k in call.keywords]
        trace = f'  File "/usr/lib/python3/torch/nn/modules/linear.py", line 7, in forward\n  File "model.py", line {line}, in forward\n    code\n'
        self.graph["nodes"].append({"target": ast.unparse(call.func), "inputs": inputs, "outputs": outputs,
                                    "metadata": {"stack_trace": trace}, "name": None})

    def statement(self, statement):
        if isinstance(statement, ast.FunctionDef):
            inner = GraphWriter(statement, self.graphs)
            for argument in statement.args.args:
                inner.graph["inputs"].append(inner.define(argument.arg, argument.annotation))
            inner.statements()
            inner.graph["outputs"] = [inner.argument(n) for n in inner.returned.elts]
            self.graphs[statement.name] = {"name": statement.name, "graph": inner.graph}
        elif isinstance(statement, ast.Return):
            self.returned = statement.value
        elif isinstance(statement, ast.Expr) and ast.unparse(statement.value.func) == "mutate":
            kind, value = statement.value.keywords
            target = {"buffer_mutation": "buffer_name", "user_input_mutation": "user_input_name",
                      "gradient_to_parameter": "parameter_name"}[kind.arg]
            self.graph["outputs"].append(self.name(value.value.id))
            self.mutations.append({kind.arg: {"arg": {"name": value.value.id}, target: kind.value.value}})
        elif isinstance(statement, ast.Expr):
            self.node(statement.value, [], statement.lineno)
        elif isinstance(statement, ast.AnnAssign):
            self.node(statement.value, [self.define(statement.target.id, statement.annotation)], statement.lineno)
        else:
            target = statement.targets[0]
            names = [n.id for n in target.elts] if isinstance(target, (ast.Tuple, ast.List)) else [target.id]
            outputs = [self.define(n, None) for n in names]
            if isinstance(target, ast.List):
                outputs = [{"as_tensors": [o["as_tensor"] for o in outputs]}]
            self.node(statement.value, outputs, statement.lineno)

    def statements(self):
        for statement in self.function.body:
            self.statement(statement)


class ProgramWriter(GraphWriter):
    def __init__(self, function, ranges):
        super().__init__(function, {})
        self.ranges, self.files, self.inputs = ranges, {}, []
        self.configs = {"weights": {}, "constants": {}}

    def input(self, name, node):
        """An input by its annotation; gives the tree of a user's input, None for state."""
        kind = node.value.id if isinstance(node, ast.Subscript) else None
        if kind in STATE:
            path, annotation = parts(node)
            argument = self.define(name, annotation)
            self.inputs.append({kind: {"arg": argument["as_tensor"], STATE[kind]: path.value}
                                | ({"persistent": True} if kind == "buffer" else {})})
            self.store(kind, path.value, annotation)
            self.graph["inputs"].append(argument)
            return None
        counter = iter(range(1000))

        def leaf(annotation):
            own = name if annotation is node else f"{name}_{next(counter)}"
            if isinstance(annotation, ast.Subscript) and annotation.value.id == "constant_input":
                argument = self.argument(annotation.slice)
                self.inputs.append({"constant_input": {"name": own, "value": argument}})
            else:
                argument = self.define(own, annotation)
                self.inputs.append({"user_input": {"arg": argument}})
            self.graph["inputs"].append(argument)

        return tree(node, leaf)

    def store(self, kind, path, annotation):
        folder, file = ("constants", "tensor") if kind == "tensor_constant" else ("weights", "weight")
        meta = tensor_meta(annotation)
        count = 1
        for size in meta["sizes"]:
            count *= size["as_int"]
        size = DTYPES[annotation.value.id if isinstance(annotation, ast.Subscript) else annotation.id][1]
        record = f"{file}_{len(self.configs[folder])}"
        self.files[f"data/{folder}/{record}"] = bytes(count * size)
        self.configs[folder][path] = {"path_name": record, "is_param": kind == "parameter", "use_pickle": False, "tensor_meta": meta}

    def model(self):
        arguments = self.function.args
        positional = [(a.arg, self.input(a.arg, a.annotation)) for a in arguments.args]
        positional = [(name, spec) for name, spec in positional if spec]
        keywords = [(a.arg, self.input(a.arg, a.annotation)) for a in arguments.kwonlyargs]
        self.statements()
        outputs = []
        out_spec = tree(self.returned, lambda node: outputs.append(self.argument(node)))
        self.graph["outputs"] += outputs
        in_spec = {"type": "builtins.tuple", "context": "null", "children_spec": [
            {"type": "builtins.tuple", "context": "null", "children_spec": [spec for _, spec in positional]},
            {"type": "builtins.dict", "context": json.dumps([n for n, _ in keywords]), "children_spec": [s for _, s in keywords]}]}
        signature = {"input_specs": self.inputs,
                     "output_specs": self.mutations + [{"user_output": {"arg": o}} for o in outputs]}
        entry = {"inputs": [], "outputs": [], "in_spec": json.dumps([1, in_spec]), "out_spec": json.dumps([1, out_spec]),
                 "forward_arg_names": [name for name, _ in positional + keywords]}
        for folder, config in self.configs.items():
            self.files[f"data/{folder}/model_{folder}_config.json"] = json.dumps({"config": config})
        return {"graph_module": {"graph": self.graph, "signature": signature,
                                 "module_call_graph": [{"fqn": "", "signature": entry}], "metadata": {}},
                "opset_version": {"aten": 10}, "schema_version": {"major": 8, "minor": 20},
                "range_constraints": {name: {"min_val": low, "max_val": high} for name, (low, high) in self.ranges.items()},
                "verifiers": ["ATEN"], "torch_version": "2.13.0"}


def setting(text, name, default):
    found = re.search(rf"^# {name}: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else default


def main(source, target):
    text = open(source).read()
    function = ast.parse(re.sub(r"^#.*$", "", text, flags=re.MULTILINE)).body[0]
    writer = ProgramWriter(function, ast.literal_eval(setting(text, "RANGES", "{}")))
    model = writer.model()
    files = {"archive_format": "pt2", "archive_version": "0", "byteorder": "little", ".data/version": "6"} | writer.files
    exec(setting(text, "PATCH", ""), {"model": model, "files": files})
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr("m/" + name, data)
        archive.writestr("m/models/model.json", json.dumps(model))


main(*sys.argv[1:])
