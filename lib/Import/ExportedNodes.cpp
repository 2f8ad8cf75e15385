//===- ExportedNodes.cpp - values and operators of an exported graph ------===//

#include "ExportedImporter.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

namespace {
struct PythonFrame {
  StringRef file;
  unsigned line = 0;
};
} // namespace

/// One line of a traceback: `File "model.py", line 12, in forward`.
static std::optional<PythonFrame> parseFrame(StringRef line) {
  PythonFrame frame;
  line = line.ltrim();
  if (!line.consume_front("File \""))
    return std::nullopt;
  std::tie(frame.file, line) = line.split('"');
  if (!line.consume_front(", line ") || line.consumeInteger(10, frame.line))
    return std::nullopt;
  return frame;
}

/// Whether PyTorch's own code, or code that it generated, stands there.
static bool isFromTorch(StringRef file) {
  return file.starts_with("<") || file.starts_with("torch/") || file.contains("/torch/");
}

/// The innermost call of the user's own code; where there is none, the innermost of all.
Location ExportedImporter::location(const Node &node) const {
  SmallVector<StringRef> lines;
  StringRef(node.stackTrace).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::optional<PythonFrame> chosen;
  for (StringRef line : lines)
    if (std::optional<PythonFrame> frame = parseFrame(line))
      if (!chosen || !isFromTorch(frame->file) || isFromTorch(chosen->file))
        chosen = frame;
  if (!chosen)
    return programLocation();
  return FileLineColLoc::get(context, chosen->file, chosen->line, 1);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type commonType(ValueRange values) {
  MLIRContext *context = values.empty() ? nullptr : values.front().getContext();
  Type joined = values.empty() ? Type() : values.front().getType();
  for (Value value : values)
    joined = joined ? joinTypes(joined, value.getType()) : Type();
  return joined || !context ? joined : Type(AnyType::get(context));
}

Value ExportedImporter::listOf(ArrayRef<Value> elements, Location loc) {
  // Whoever takes an empty list says what it is a list of.
  if (elements.empty())
    return ListOp::create(builder, loc, ListType::get(AnyType::get(context)), ValueRange());
  Type type = commonType(elements);
  Values widened;
  for (Value element : elements)
    widened.push_back(widen(element, type, loc, "list element"));
  return ListOp::create(builder, loc, ListType::get(type), widened);
}

Value ExportedImporter::makeTuple(ValueRange values, Location loc) {
  return TupleOp::create(builder, loc, TupleType::get(context, llvm::to_vector(values.getTypes())),
                         values);
}

Value ExportedImporter::value(const Argument &argument, Location loc) {
  using Kind = Argument::Kind;
  switch (argument.kind) {
  case Kind::None:
    return noneConstant(loc);
  case Kind::Bool:
    return boolConstant(argument.integer != 0, loc);
  case Kind::Int:
    return intConstant(argument.integer, loc);
  case Kind::Float:
    return floatConstant(argument.number, loc);
  case Kind::String:
    return ConstantOp::create(builder, loc, StringRef(argument.text));
  case Kind::Device:
    return ConstantOp::create(builder, loc, DeviceType::get(context),
                              builder.getStringAttr(argument.text));
  case Kind::Tensor:
  case Kind::SymInt:
  case Kind::SymFloat:
  case Kind::SymBool: {
    auto bound = scope.find(argument.text);
    if (bound != scope.end())
      return bound->second;
    errors.errorOnce(loc, "expected a value '" + argument.text + "' of the graph before its use");
    return unknown();
  }
  case Kind::List: {
    Values elements = values(argument.elements, loc);
    return llvm::is_contained(elements, Value()) ? unknown() : listOf(elements, loc);
  }
  case Kind::Graph:
  case Kind::Other:
    break;
  }
  return unsupported(loc, "an argument of kind " + (argument.graph ? "graph" : argument.text));
}

ExportedImporter::Values ExportedImporter::values(ArrayRef<Argument> arguments, Location loc) {
  return llvm::map_to_vector(arguments, [&](const Argument &a) { return value(a, loc); });
}

void ExportedImporter::bind(const Argument &output, Value result, Location loc) {
  if (output.kind == Argument::Kind::List) {
    auto list = result ? dyn_cast<ListType>(result.getType()) : ListType();
    SmallVector<Value> parts(output.elements.size());
    if (list) {
      SmallVector<Type> types(parts.size(), list.getElementType());
      llvm::copy(ListUnpackOp::create(builder, loc, types, result).getResults(), parts.begin());
    } else if (result) {
      error(loc) << "expected a list of " << parts.size() << " values, got "
                 << spell(result.getType());
    }
    for (auto [element, part] : llvm::zip(output.elements, parts))
      bind(element, part, loc);
    return;
  }
  if (output.kind == Argument::Kind::None)
    return;
  if (!output.isValue())
    return (void)unsupported(loc, "an output that is no value of the graph");
  scope[output.text] = convertScalar(result, output.kind, loc);
}

void ExportedImporter::bindOutputs(const Node &node, Value result, Location loc) {
  if (node.outputs.size() == 1)
    return bind(node.outputs.front(), result, loc);
  SmallVector<Value> parts(node.outputs.size());
  if (auto tuple = result ? result.getDefiningOp<TupleOp>() : TupleOp();
      tuple && tuple.getElements().size() == parts.size()) {
    llvm::copy(tuple.getElements(), parts.begin());
    if (tuple->use_empty())
      tuple.erase();
  } else if (result && !parts.empty()) {
    error(loc) << "expected " << parts.size() << " results of " << node.target << ", got "
               << spell(result.getType());
  }
  for (auto [output, part] : llvm::zip(node.outputs, parts))
    bind(output, part, loc);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

SmallVector<CallArgument> ExportedImporter::callArguments(const Node &node, Location loc) {
  SmallVector<CallArgument> arguments;
  for (const exported::NamedArgument &input : node.inputs)
    arguments.push_back({value(input.value, loc), input.name});
  return arguments;
}

/// The overload that is meant, by its name; none where there is no such operator.
static ArrayRef<Overload> findOverload(ArrayRef<Overload> overloads, StringRef name,
                                       StringRef overload) {
  std::string begin = name.str() + (overload == "default" ? "" : "." + overload.str()) + "(";
  for (const Overload &candidate : overloads)
    if (candidate.text.starts_with(begin))
      return candidate;
  return {};
}

Value ExportedImporter::importOperator(const Node &node, StringRef name, StringRef overload,
                                       Location loc) {
  SmallVector<CallArgument> arguments = callArguments(node, loc);
  if (llvm::any_of(arguments, [](const CallArgument &a) { return !a.value; }))
    return unknown();
  ArrayRef<Overload> meant = findOverload(schemas.find(name), name, overload);
  if (!meant.empty())
    if (std::optional<OverloadMatch> match = resolveOverload(meant, arguments, context))
      return buildOperator(*match, loc);
  StringRef functional = name;
  if (meant.empty() && functional.consume_back("_") && !functional.ends_with("_")) {
    meant = findOverload(schemas.find(functional), functional, overload);
    std::optional<OverloadMatch> match;
    if (!meant.empty() && !changesSizes(name))
      match = resolveOverload(meant, arguments, context);
    if (match && match->results.size() == 1 && isa<TensorType>(match->results.front())) {
      Value self = arguments.front().value;
      return OverwriteOp::create(builder, loc, self.getType(), self, buildOperator(*match, loc));
    }
  }
  // Another overload may take the same arguments; if not, the error lists what there is.
  return callOperator(name, arguments, loc);
}

void ExportedImporter::importNode(const Node &node) {
  Location loc = location(node);
  StringRef target = node.target;
  if (Form form = findForm(target))
    return bindOutputs(node, (this->*form)(node, loc), loc);
  if (target.consume_front("torch.ops.")) {
    auto [space, rest] = target.split('.');
    auto [base, overload] = rest.rsplit('.');
    std::string name = (space + "::" + base).str();
    return bindOutputs(node, importOperator(node, name, overload, loc), loc);
  }
  StringRef scalar = scalarOperator(target);
  if (!scalar.empty())
    return bindOutputs(node, importScalar(node, scalar, loc), loc);
  errors.errorOnce(loc, "operator " + node.target + " is not supported", {}, node.target);
  bindOutputs(node, unknown(), loc);
}

void ExportedImporter::importNodes(const Graph &graph) {
  for (const Node &node : graph.nodes)
    importNode(node);
}

} // namespace jit
