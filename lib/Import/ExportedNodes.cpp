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
  case Kind::Complex:
    return complexConstant({argument.number, argument.imaginary}, loc);
  case Kind::String:
    return ConstantOp::create(builder, loc, StringRef(argument.text));
  case Kind::Device:
    return deviceConstant(argument.text, loc);
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
  case Kind::Operator:
  case Kind::Other:
    break;
  }
  return unsupported(loc, "an argument of kind " + (argument.graph ? "graph" : argument.text));
}

ExportedImporter::Values ExportedImporter::values(ArrayRef<Argument> arguments, Location loc) {
  return llvm::map_to_vector(arguments, [&](const Argument &a) { return value(a, loc); });
}

bool isMissing(Value result) { return result && result.getDefiningOp<MissingOp>(); }

static bool isOfKind(Type type, exported::Argument::Kind kind) {
  using Kind = exported::Argument::Kind;
  return kind == Kind::SymInt     ? type.isInteger(64)
         : kind == Kind::SymFloat ? type.isF64()
         : kind == Kind::SymBool  ? type.isInteger(1)
                                  : isa<TensorType>(type);
}

void ExportedImporter::bind(const Argument &output, Value result, Location loc) {
  if (output.kind == Argument::Kind::List) {
    auto list = result ? dyn_cast<ListType>(result.getType()) : ListType();
    SmallVector<Value> parts(output.elements.size());
    if (isMissing(result)) {
      llvm::fill(parts, result);
    } else if (list) {
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
  Value converted = convertScalar(result, output.kind, loc);
  if (converted && !isOfKind(converted.getType(), output.kind) && !isMissing(result)) {
    error(loc) << "expected a result for '" << output.text << "' of another type, got "
               << spell(converted.getType());
    converted = unknown();
  }
  scope[output.text] = converted;
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
  } else if (isMissing(result)) {
    llvm::fill(parts, result);
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

/// PyTorch lets a number stand for a tensor, and it then has no say in the result's element type:
/// it is as in the overload for numbers.
static bool takesNumberAsTensor(const OverloadMatch &match) {
  return llvm::any_of(match.operands, [](const OverloadMatch::Operand &operand) {
    return operand.conversion == Conversion::NumberToTensor;
  });
}

Value ExportedImporter::importOperator(const Node &node, StringRef name, StringRef overload,
                                       Location loc) {
  SmallVector<CallArgument> arguments = callArguments(node, loc);
  if (llvm::any_of(arguments, [](const CallArgument &a) { return !a.value; }))
    return unknown();
  ArrayRef<Overload> meant = findOverload(schemas.find(name), name, overload);
  if (!meant.empty())
    if (std::optional<OverloadMatch> match = resolveOverload(meant, arguments, context);
        match && !takesNumberAsTensor(*match))
      return buildOperator(*match, loc);
  StringRef functional = name;
  if (meant.empty() && !isCustomName(name) && functional.consume_back("_") &&
      !functional.ends_with("_")) {
    // What is written is called self here, whatever the functional operator calls it.
    if (!arguments.empty())
      arguments.front().keyword = {};
    meant = findOverload(schemas.find(functional), functional, overload);
    std::optional<OverloadMatch> match;
    if (!meant.empty() && !changesSizes(name))
      match = resolveOverload(meant, arguments, context);
    if (match && takesNumberAsTensor(*match))
      match = resolveOverload(schemas.find(functional), arguments, context);
    Value self = arguments.empty() ? Value() : arguments.front().value;
    if (match && self && isa<TensorType>(self.getType()) && match->results.size() == 1 &&
        isa<TensorType>(match->results.front())) {
      Value result = buildOperator(*match, loc);
      return result ? overwrite(self, result, "category", loc) : unknown();
    }
  }
  // Another overload may take the same arguments; if not, the error lists what there is.
  return callOperator(name, arguments, loc);
}

/// `with_effects(token, operator, ...)` gives a token and what the operator gives.
void ExportedImporter::importEffect(const Node &node, Location loc) {
  bool fits = node.inputs.size() >= 2 && !node.outputs.empty() &&
              node.inputs[1].value.kind == Argument::Kind::Operator &&
              node.inputs[1].value.text != node.target;
  if (!fits) {
    error(loc) << "expected a token and an operator of " << node.target;
    return;
  }
  scope[node.outputs[0].text] = value(node.inputs[0].value, loc);
  Node effect = node;
  effect.target = node.inputs[1].value.text;
  effect.inputs.erase(effect.inputs.begin(), effect.inputs.begin() + 2);
  effect.outputs.erase(effect.outputs.begin());
  importNode(effect);
}

void ExportedImporter::importNode(const Node &node) {
  Location loc = location(node);
  StringRef target = node.target;
  if (target == "torch.ops.higher_order.with_effects")
    return importEffect(node, loc);
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
  bindOutputs(node, reportMissing(node.target, {}, callArguments(node, loc), loc), loc);
}

void ExportedImporter::importNodes(const Graph &graph) {
  for (const Node &node : graph.nodes)
    importNode(node);
}

} // namespace jit
