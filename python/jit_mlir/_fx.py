"""ATen graphs of torch.fx as programs: what the program computes, and what PyTorch does beside it."""

import operator
import pathlib
import tempfile
from typing import Any, Callable, Iterator, Optional

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.export import ExportedProgram, ModuleCallEntry, ModuleCallSignature
from torch.export.graph_signature import (ConstantArgument, ExportGraphSignature, InputKind, InputSpec, OutputKind, OutputSpec,
                                          SymIntArgument, TensorArgument)

from ._program import DTYPES, Program

aten = torch.ops.aten

# Draw numbers for a tensor of which the sizes matter and the values do not.
DRAWS_OF_SIZE = {aten.bernoulli.p, aten.rand_like.default, aten.randn_like.default, aten.randint_like.default,
                 aten.randint_like.low_dtype, aten.uniform.default, aten.normal_functional.default, aten.exponential.default,
                 aten.log_normal.default, aten.cauchy.default, aten.geometric.default, aten.random.default, aten.random.to,
                 getattr(aten.random, "from")}

Arguments = list[Any]


class Place:
    """Where a call finds an int: an argument, or one of an argument's sizes."""

    def __init__(self, argument: int, dim: Optional[int] = None) -> None:
        self.argument, self.dim = argument, dim

    def __call__(self, arguments: Arguments) -> int:
        value = arguments[self.argument]
        return value if self.dim is None else value.shape[self.dim]


def _symbols(placeholders: list[torch.fx.Node]) -> dict[Any, Place]:
    """Where a call's arguments say what a symbol is; sizes first, which need no argument of their own."""
    found: dict[Any, Place] = {}
    for index, node in enumerate(placeholders):
        if isinstance(node.meta["val"], torch.Tensor):
            for dim, size in enumerate(node.meta["val"].shape):
                if isinstance(size, torch.SymInt) and size.node.expr.is_symbol:
                    found.setdefault(size.node.expr, Place(index, dim))
    for index, node in enumerate(placeholders):
        if isinstance(node.meta["val"], torch.SymInt) and node.meta["val"].node.expr.is_symbol:
            found.setdefault(node.meta["val"].node.expr, Place(index))
    return found


def hint(value: Any) -> int:
    """The value of an int, or that of a symbolic one in the call that its graph was captured from."""
    if not isinstance(value, torch.SymInt):
        return value
    if not value.node.has_hint():
        raise TypeError(f"expected sizes that the inputs say, got {value}, which is computed")
    return int(value.node.hint)


class AtenGraph:
    """A graph of functional ATen operators, as AOTAutograd makes them, made into a program.

    Called as AOTAutograd calls what it has compiled: with the list of arguments, to be emptied. Beside the program,
    PyTorch hands on results that are arguments, or views of such; gives what is constant; and draws random numbers,
    so that seeds mean what they mean in PyTorch. The first `laid_out` results get the strides that the graph says.
    What the graph copies to its arguments at its end the program writes there.
    """

    def __init__(self, module: torch.fx.GraphModule, laid_out: int, threads: int, tier: str = "both") -> None:
        self._boxed_call = True  # how AOTAutograd knows; of the instance, so that wrappers take it over
        self.module = module
        self.placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        for node in self.placeholders:
            _check_input(node)
        self.device = _device_of(module)
        self.where = _symbols(self.placeholders)
        self.returned: list[torch.fx.Node] = []
        self.layouts: dict[int, Callable[[Arguments], torch.Tensor]] = {}
        self.graph, copied = self._copy()
        self.written: dict[torch.fx.Node, torch.fx.Node] = {}
        self.copies: list[tuple[int, Callable[[Arguments, Any], Any]]] = []
        for node in filter(is_write, module.graph.nodes):
            self._write(node, copied)
        self.makers = [self._maker(value, copied, index < laid_out) for index, value in enumerate(self._results())]
        self._drop_unused()
        self.program = self._compile(threads, tier) if self.returned or self.written else None

    def _results(self) -> Any:
        return self.module.graph.output_node().args[0]

    # ---- the program's graph ----

    def _copy(self) -> tuple[torch.fx.Graph, dict[torch.fx.Node, torch.fx.Node]]:
        """The graph without its results; what PyTorch provides at each call is one more input."""
        graph = torch.fx.Graph()
        copied: dict[torch.fx.Node, torch.fx.Node] = {}
        self.inputs: list[torch.fx.Node] = []
        self.given: list[Callable[[Arguments], Any]] = []
        for index, node in enumerate(self.placeholders):
            copied[node] = graph.node_copy(node)
            self._takes(copied[node], Place(index))
        last = self.inputs[-1] if self.inputs else None
        for node in self.module.graph.nodes:
            provided = self._provided(node)
            if provided is not None:
                with graph.inserting_after(last) if last else graph.inserting_before():
                    copied[node] = last = graph.placeholder(node.name)
                last.meta = dict(node.meta)
                if node.op == "get_attr":
                    last.meta["val"] = provided([])
                self._takes(last, provided)
            elif node.op not in ("placeholder", "output") and not is_write(node):
                copied[node] = graph.node_copy(node, copied.__getitem__)
        return graph, copied

    def _write(self, node: torch.fx.Node, copied: dict[torch.fx.Node, torch.fx.Node]) -> None:
        """The program writes what it computes itself; the rest is copied when it has run. In a stream it writes nothing."""
        argument, value = node.args[:2]
        was, now = argument.meta["val"], value.meta["val"]
        is_kept = was.shape == now.shape and was.dtype == now.dtype and not was.is_conj() and not was.is_neg()
        if value.op == "call_function" and is_kept and self.device.type == "cpu" and copied[value] not in self.written.values():
            self.written[copied[argument]] = copied[value]
        else:
            self.copies.append((self.placeholders.index(argument), self._maker(value, copied, False)))

    def _takes(self, node: torch.fx.Node, given: Callable[[Arguments], Any]) -> None:
        self.inputs.append(node)
        self.given.append(given)

    def _provided(self, node: torch.fx.Node) -> Optional[Callable[[Arguments], Any]]:
        """What makes the value of a node at each call, where the program does not."""
        if node.op == "get_attr":
            value = operator.attrgetter(node.target)(self.module)
            return (lambda arguments: value) if isinstance(value, torch.Tensor) else None
        if isinstance(node.target, torch._ops.OpOverload) and torch.Tag.nondeterministic_seeded in node.target.tags:
            return self._draw(node)
        return None

    def _draw(self, node: torch.fx.Node) -> Callable[[Arguments], Any]:
        if node.target not in DRAWS_OF_SIZE and any(isinstance(n.meta["val"], torch.Tensor) for n in node.all_input_nodes):
            raise TypeError(f"expected random numbers that depend on sizes alone, got {_name(node)}")

        def read(value: Any) -> Callable[[Arguments], Any]:
            if isinstance(value, torch.fx.Node):
                value = value.meta["val"]
            # As eager PyTorch: in the order of memory.
            return self._empty(value) if isinstance(value, torch.Tensor) else self._size(value)

        flat, tree = pytree.tree_flatten((node.args, node.kwargs))
        makers = [read(value) for value in flat]

        def draw(arguments: Arguments) -> torch.Tensor:
            args, kwargs = pytree.tree_unflatten([make(arguments) for make in makers], tree)
            return node.target(*args, **kwargs)

        return draw

    def _empty(self, value: torch.Tensor) -> Callable[[Arguments], torch.Tensor]:
        """Makes memory of a tensor's sizes and strides."""
        sizes, strides = ([self._size(n) for n in numbers] for numbers in (value.shape, value.stride()))
        return lambda arguments: torch.empty_strided([n(arguments) for n in sizes], [n(arguments) for n in strides],
                                                     dtype=value.dtype, device=value.device)

    def _size(self, value: Any) -> Callable[[Arguments], Any]:
        if not isinstance(value, torch.SymInt):
            return lambda arguments: value
        expression = value.node.expr
        if not expression.free_symbols <= self.where.keys():
            raise TypeError(f"expected sizes that the inputs say, got {expression}")
        if expression.is_symbol:
            return self.where[expression]
        return lambda arguments: int(expression.subs({s: self.where[s](arguments) for s in expression.free_symbols}))

    # ---- results ----

    def _maker(self, result: Any, copied: dict[torch.fx.Node, torch.fx.Node],
               laid_out: bool) -> Callable[[Arguments, Any], Any]:
        """What makes a result of a call's arguments and the program's results."""
        if not isinstance(result, torch.fx.Node):
            return lambda arguments, results: result
        views, base = _views(result)
        if is_write(base):
            base = base.args[0]
        if base.op == "placeholder":
            index = self.placeholders.index(base)
            return lambda arguments, results: _apply(views, arguments[index])
        if copied[base] not in self.returned:
            self.returned.append(copied[base])
        number = self.returned.index(copied[base])
        value = base.meta["val"]
        if isinstance(value, torch.Tensor) and value.device != self.device:
            raise TypeError(f"expected results of one device, got one of {value.device} beside those of {self.device}")
        if isinstance(value, torch.Tensor) and not value.is_contiguous() and (views or laid_out):
            self.layouts[number] = self._empty(value)
        return lambda arguments, results: _apply(views, results[number])

    # ---- the program ----

    def _drop_unused(self) -> None:
        """Leaves the inputs that the results depend on; sizes are asked of tensors."""
        self.graph.output((*self.written.values(), *self.returned))
        self.graph.eliminate_dead_code()
        body = next((node for node in self.graph.nodes if node.op != "placeholder"))
        for index, node in enumerate(self.inputs):
            if isinstance(node.meta["val"], torch.SymInt) and node.users:
                place = self.where.get(node.meta["val"].node.expr)
                if place is not None and place.dim is not None:
                    with self.graph.inserting_before(body):
                        size = self.graph.call_function(aten.sym_size.int, (self.inputs[place.argument], place.dim))
                    size.meta["val"] = node.meta["val"]
                    node.replace_all_uses_with(size)
        kept = [bool(node.users) or node in self.written for node in self.inputs]
        for node, is_kept in zip(self.inputs, kept):
            if not is_kept:
                self.graph.erase_node(node)
        self.inputs = [node for node, is_kept in zip(self.inputs, kept) if is_kept]
        self.given = [make for make, is_kept in zip(self.given, kept) if is_kept]
        self.is_written = [node in self.written for node in self.inputs]

    def _compile(self, threads: int, tier: str) -> Program:
        has_symbols = any(isinstance(size, torch.SymInt) for node in self.inputs if isinstance(node.meta["val"], torch.Tensor)
                          for size in node.meta["val"].shape)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "graph.pt2"
            torch.export.save(self._exported(), str(path))
            program = Program.open(str(path), threads, str(self.device), has_symbols, "strict", tier=tier)
        # Now, while there is still a way back.
        with unset_fake_temporarily():
            program._session.prepare("forward", [_example(node.meta["val"], node in self.written) for node in self.inputs])
        return program

    def _exported(self) -> ExportedProgram:
        for graph in _graphs(self.module, self.graph):
            for node in graph.nodes:
                node.meta = {key: value for key, value in node.meta.items() if key in ("val", "stack_trace")}
        inputs = [InputSpec(InputKind.USER_INPUT, _argument(node), None) for node in self.inputs]
        outputs = [OutputSpec(OutputKind.USER_OUTPUT, _argument(node), None) for node in self.returned]
        writes = [OutputSpec(OutputKind.USER_INPUT_MUTATION, _argument(value), node.name) for node, value in self.written.items()]
        signature = ModuleCallSignature([spec.arg for spec in inputs], [spec.arg for spec in outputs],
                                        pytree.tree_structure(((0,) * len(inputs), {})),
                                        pytree.tree_structure((0,) * len(outputs)))
        return ExportedProgram(torch.fx.GraphModule(self.module, self.graph), self.graph, ExportGraphSignature(inputs, [*writes, *outputs]),
                               state_dict={}, range_constraints={}, module_call_graph=[ModuleCallEntry("", signature)],
                               constants={})

    # ---- calls ----

    def __call__(self, arguments: Arguments) -> list[Any]:
        results: Any = ()
        if self.program is not None:
            given = [make(arguments) for make in self.given]
            given = [_given(value, is_written) for value, is_written in zip(given, self.is_written)]
            stream = torch.cuda.current_stream(self.device).cuda_stream if self.device.type == "cuda" else None
            made = self.program._session.call("forward", given, [], False, stream, given)
            results = [torch.from_dlpack(value) if hasattr(value, "__dlpack__") else value for value in made]
            for number, empty in self.layouts.items():
                results[number] = empty(arguments).copy_(results[number])
        for index, make in self.copies:
            arguments[index].copy_(make(arguments, results))
        made = [make(arguments, results) for make in self.makers]
        arguments.clear()
        return made


def is_write(node: torch.fx.Node) -> bool:
    """Whether it writes an argument, which then may be a result."""
    return (node.target is aten.copy_.default and node.args[0].op == "placeholder" and
            all(user.op == "output" for user in node.users))


def save_old_values(module: torch.fx.GraphModule, first: int) -> None:
    """Has the results from `first` on, which are for the backward pass, be what arguments were that the graph writes: it computes with
    that. PyTorch hands on the arguments themselves, which are something else by then."""
    graph, output = module.graph, module.graph.output_node()
    changed = {node.args[0] for node in graph.nodes if is_write(node)}
    results = list(output.args[0])
    body = next(node for node in graph.nodes if node.op != "placeholder")
    for index, node in enumerate(results):
        if index < first or not isinstance(node, torch.fx.Node) or _views(node)[1] not in changed:
            continue
        with graph.inserting_before(body) if node.op == "placeholder" else graph.inserting_after(node):
            results[index] = graph.call_function(aten.clone.default, (node,))
        results[index].meta["val"] = node.meta["val"].clone()
    output.args = (tuple(results),)
    module.recompile()


def _name(node: torch.fx.Node) -> str:
    schema = node.target._schema
    return schema.name + (f".{schema.overload_name}" if schema.overload_name else "")


def operators(module: torch.fx.GraphModule) -> Iterator[str]:
    """The operators that a graph calls, as their schemas name them."""
    for node in module.graph.nodes:
        if isinstance(node.target, torch._ops.OpOverload):
            yield _name(node)


def _device_of(module: torch.fx.GraphModule) -> torch.device:
    """The CUDA device that a graph has tensors of, else the CPU."""
    values = (node.meta.get("val") for node in module.graph.nodes)
    devices = {value.device for value in values if isinstance(value, torch.Tensor) and value.is_cuda}
    if len(devices) > 1:
        raise TypeError(f"expected tensors of one CUDA device, got some of {' and '.join(sorted(map(str, devices)))}")
    return next(iter(devices), torch.device("cpu"))


def _check_input(node: torch.fx.Node) -> None:
    value = node.meta["val"]
    if not isinstance(value, (torch.Tensor, torch.SymInt, int)):
        raise TypeError(f"expected inputs that are tensors or ints, got {type(value).__name__}")
    if isinstance(value, torch.Tensor):
        if value.device.type not in ("cpu", "cuda"):
            raise TypeError(f"expected tensors in the memory of the CPU or of a CUDA device, got one of {value.device}")
        if str(value.dtype).rsplit(".", 1)[-1] not in DTYPES:
            raise TypeError(f"expected tensors of {', '.join(DTYPES)}, got one of {value.dtype}")


def _views(node: torch.fx.Node) -> tuple[list[torch.fx.Node], torch.fx.Node]:
    """The views, the first first, that a node is of another; none where numbers that are computed take part."""
    views: list[torch.fx.Node] = []
    base = node
    while isinstance(base.target, torch._ops.OpOverload) and base.target.is_view and base.all_input_nodes == [base.args[0]]:
        views.insert(0, base)
        base = base.args[0]
    return views, base


def _apply(views: list[torch.fx.Node], value: Any) -> Any:
    for view in views:
        value = view.target(value, *view.args[1:], **view.kwargs)
    return value


def _graphs(module: torch.fx.GraphModule, graph: torch.fx.Graph) -> Iterator[torch.fx.Graph]:
    """A graph and those of the branches and loops in it."""
    yield graph
    for node in graph.nodes:
        if node.op == "get_attr":
            inner = operator.attrgetter(node.target)(module)
            yield from _graphs(inner, inner.graph)


def _argument(node: torch.fx.Node) -> Any:
    value = node.meta["val"]
    if isinstance(value, torch.Tensor):
        return TensorArgument(name=node.name)
    if isinstance(value, torch.SymInt):
        return SymIntArgument(name=node.name)
    return ConstantArgument(name=node.name, value=value)


def _given(value: Any, is_written: bool) -> Any:
    """An argument as the program takes it: of one that it writes, the memory itself, whatever its strides are."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach() if is_written else value.detach().contiguous()


def _example(value: Any, is_written: bool) -> Any:
    """Memory of an example's kind, whatever is in it."""
    if not isinstance(value, torch.Tensor):
        return hint(value)
    sizes = [hint(n) for n in value.shape]
    strides = [hint(n) for n in value.stride()] if is_written else None
    return torch.empty_strided(sizes, strides, dtype=value.dtype) if strides is not None else torch.empty(sizes, dtype=value.dtype)
