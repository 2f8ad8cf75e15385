//===- ExportedInputs.cpp - arguments and what is demanded of them --------===//

#include "ExportedImporter.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

using exported::InputSpec;

//===----------------------------------------------------------------------===//
// The function's arguments
//===----------------------------------------------------------------------===//

TensorType ExportedImporter::tensorType(const exported::TensorMeta &meta) {
  SmallVector<int64_t> sizes;
  for (const exported::Extent &size : meta.sizes)
    sizes.push_back(size.isKnown() ? size.value : TensorType::kDynamic);
  return TensorType::get(context, ArrayRef(sizes), dtypeToType(meta.dtype, context));
}

Type ExportedImporter::leafType(const InputSpec &spec) {
  const Argument &argument = spec.argument;
  switch (argument.kind) {
  case Argument::Kind::Tensor: {
    auto meta = program.graph.tensors.find(argument.text);
    return meta == program.graph.tensors.end() ? TensorType::get(context)
                                               : tensorType(meta->second);
  }
  case Argument::Kind::Int:
  case Argument::Kind::SymInt:
    return builder.getI64Type();
  case Argument::Kind::Float:
  case Argument::Kind::SymFloat:
    return builder.getF64Type();
  case Argument::Kind::Bool:
  case Argument::Kind::SymBool:
    return builder.getI1Type();
  case Argument::Kind::String:
    return StrType::get(context);
  case Argument::Kind::None:
    return NoneType::get(context);
  default:
    unsupported(programLocation(), "an input of kind " + argument.text);
    return AnyType::get(context);
  }
}

/// A dict among the inputs is the tuple of its values.
Type ExportedImporter::inputType(const Tree &tree, Inputs &leaves) {
  if (tree.kind == Tree::Kind::Leaf) {
    Type type = leafType(*leaves.front());
    leaves = leaves.drop_front();
    return type;
  }
  SmallVector<Type> types;
  for (const Tree &child : tree.children)
    types.push_back(inputType(child, leaves));
  if (tree.kind != Tree::Kind::List)
    return TupleType::get(context, types);
  Type joined = types.empty() ? Type(AnyType::get(context)) : types.front();
  for (Type type : types)
    joined = joined ? joinTypes(joined, type) : Type();
  return ListType::get(joined ? joined : AnyType::get(context));
}

/// Keyword arguments come last, under their own names.
SmallVector<ExportedImporter::Parameter> ExportedImporter::parameters(Inputs leaves) {
  const Tree &positional = program.inputTree.children[0], &keywords = program.inputTree.children[1];
  SmallVector<Parameter> parameters;
  auto add = [&](const Tree &tree, std::string name) {
    Inputs rest = leaves;
    Type type = inputType(tree, rest);
    parameters.push_back({&tree, std::move(name), leaves.drop_back(rest.size()), type});
    leaves = rest;
  };
  for (auto [i, tree] : llvm::enumerate(positional.children))
    add(tree,
        i < program.argumentNames.size() ? program.argumentNames[i] : "arg" + std::to_string(i));
  for (auto [key, tree] : llvm::zip(keywords.keys, keywords.children))
    add(tree, key.text);
  return parameters;
}

Attribute ExportedImporter::constantAttribute(const Argument &value) {
  switch (value.kind) {
  case Argument::Kind::Int:
    return builder.getI64IntegerAttr(value.integer);
  case Argument::Kind::Bool:
    return builder.getBoolAttr(value.integer != 0);
  case Argument::Kind::Float:
    return builder.getF64FloatAttr(value.number);
  case Argument::Kind::String:
    return builder.getStringAttr(value.text);
  default:
    return builder.getUnitAttr();
  }
}

func::FuncOp ExportedImporter::createFunction(ArrayRef<Parameter> parameters) {
  SmallVector<Type> types;
  for (const Parameter &parameter : parameters)
    types.push_back(parameter.type);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, programLocation(), "forward",
                                       builder.getFunctionType(types, {}));
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    function.setArgAttr(i, nameAttr, builder.getStringAttr(parameter.name));
    // What the program was exported for is all that such an argument may be.
    bool isConstant = parameter.tree->kind == Tree::Kind::Leaf &&
                      parameter.leaves.front()->kind == InputSpec::Kind::Constant;
    if (isConstant)
      function.setArgAttr(i, defaultAttr, constantAttribute(parameter.leaves.front()->argument));
  }
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

//===----------------------------------------------------------------------===//
// Their parts
//===----------------------------------------------------------------------===//

/// The type without what is known of the tensors in it.
static Type withoutSizes(Type type) {
  if (isa<TensorType>(type))
    return TensorType::get(type.getContext());
  if (auto list = dyn_cast<ListType>(type))
    return ListType::get(withoutSizes(list.getElementType()));
  if (auto tuple = dyn_cast<TupleType>(type))
    return TupleType::get(type.getContext(), llvm::map_to_vector(tuple.getTypes(), withoutSizes));
  return type;
}

void ExportedImporter::bindInput(const Tree &tree, Value value, Inputs &leaves,
                                 const std::string &name) {
  // An element of a list of anything: what it should be is demanded of its parts.
  if (Inputs rest = leaves; isa<AnyType>(value.getType()))
    value = UncheckedCastOp::create(builder, programLocation(), withoutSizes(inputType(tree, rest)),
                                    value);
  if (tree.kind == Tree::Kind::Leaf) {
    bindLeaf(*leaves.front(), value, name);
    leaves = leaves.drop_front();
    return;
  }
  Location loc = programLocation();
  ValueRange parts;
  if (tree.kind == Tree::Kind::List) {
    Value length = callOperator("aten::len", ArrayRef(value), loc);
    Value wanted = intConstant(tree.children.size(), loc);
    demand(callOperator("aten::eq", {length, wanted}, loc),
           "expected " + std::to_string(tree.children.size()) + " elements of '" + name +
               "', got {}",
           length);
    SmallVector<Type> types(tree.children.size(), cast<ListType>(value.getType()).getElementType());
    parts = ListUnpackOp::create(builder, loc, types, value).getResults();
  } else {
    parts = TupleUnpackOp::create(builder, loc, cast<TupleType>(value.getType()).getTypes(), value)
                .getResults();
  }
  for (auto [i, child, part] : llvm::enumerate(tree.children, parts))
    bindInput(child, part, leaves, name + "[" + std::to_string(i) + "]");
}

void ExportedImporter::bindLeaf(const InputSpec &spec, Value value, const std::string &name) {
  if (spec.kind == InputSpec::Kind::Constant)
    return demandConstant(spec.argument, value, name);
  scope[spec.argument.text] = value;
  if (spec.argument.kind == Argument::Kind::Tensor)
    return bindTensor(spec.argument.text, value, name);
  auto known = program.graph.ints.find(spec.argument.text);
  if (known != program.graph.ints.end() && !known->second.isKnown())
    noteDemand(known->second.expression, value, "'" + name + "'");
}

void ExportedImporter::demandConstant(const Argument &constant, Value value,
                                      const std::string &name) {
  Location loc = programLocation();
  if (constant.kind == Argument::Kind::None)
    return;
  Value wanted = this->value(constant, loc);
  demand(callOperator("aten::eq", {value, wanted}, loc),
         "expected '" + name + "' as the program was exported with: {}, got {}", {wanted, value});
}

void ExportedImporter::bindTensor(const std::string &graphName, Value value,
                                  const std::string &name) {
  auto found = program.graph.tensors.find(graphName);
  if (found == program.graph.tensors.end())
    return;
  Location loc = programLocation();
  const exported::TensorMeta &meta = found->second;
  auto type = cast<TensorType>(value.getType());
  if (!type.hasDtype())
    demand(callOperator("aten::eq",
                        {callOperator("prim::dtype", ArrayRef(value), loc),
                         intConstant(int64_t(meta.dtype), loc)},
                        loc),
           "expected '" + name + "' of element type " + std::string(shortName(meta.dtype)), {});
  if (!type.hasRank()) {
    Value rank = callOperator("aten::dim", ArrayRef(value), loc);
    demand(callOperator("aten::eq", {rank, intConstant(meta.sizes.size(), loc)}, loc),
           "expected '" + name + "' of rank " + std::to_string(meta.sizes.size()) + ", got {}",
           rank);
  }
  for (auto [dim, extent] : llvm::enumerate(meta.sizes)) {
    if (extent.isKnown() && type.hasRank() && type.getSizes()[dim] == extent.value)
      continue;
    std::string expression = extent.isKnown() ? std::to_string(extent.value) : extent.expression;
    Value size = callOperator("aten::size", {value, intConstant(dim, loc)}, loc);
    noteDemand(expression, size, "dimension " + std::to_string(dim) + " of '" + name + "'");
  }
}

//===----------------------------------------------------------------------===//
// Expressions over symbols
//===----------------------------------------------------------------------===//

void ExportedImporter::demand(Value condition, const std::string &message,
                              ArrayRef<Value> arguments) {
  if (condition && !llvm::is_contained(arguments, Value()))
    GuardOp::create(builder, programLocation(), condition, "builtins.RuntimeError", message,
                    arguments);
}

void ExportedImporter::noteDemand(const std::string &expression, Value value,
                                  const std::string &what) {
  Result<SymbolicExpression> parsed = SymbolicExpression::parse(expression, what);
  if (!parsed)
    error(programLocation()) << parsed.error().str();
  else if (value)
    demands.push_back({std::move(*parsed), value, what});
}

/// Sizes that are a symbol alone say what it is; all others are held against those.
void ExportedImporter::checkDemands() {
  using Kind = SymbolicExpression::Kind;
  SmallVector<const Demand *> rest;
  for (const Demand &demand : demands) {
    bool defines = demand.expression.kind == Kind::Symbol &&
                   symbols.try_emplace(demand.expression.name, demand.value).second;
    if (defines)
      checkRange(demand.expression.name, demand);
    else
      rest.push_back(&demand);
  }
  for (const Demand *next : rest) {
    Value wanted = evaluate(next->expression);
    if (!wanted && solve(next->expression, next->value, *next))
      wanted = evaluate(next->expression);
    if (!wanted) {
      unsupported(programLocation(), next->what + " as an expression of this kind");
      continue;
    }
    demand(callOperator("aten::eq", {next->value, wanted}, programLocation()),
           "expected " + next->what + " to be {}, got {}", {wanted, next->value});
  }
}

void ExportedImporter::checkRange(const std::string &symbol, const Demand &source) {
  auto range = program.ranges.find(symbol);
  if (range == program.ranges.end())
    return;
  Location loc = programLocation();
  auto check = [&](StringRef compare, int64_t bound, const char *words) {
    demand(callOperator(compare, {source.value, intConstant(bound, loc)}, loc),
           "expected " + source.what + " to be at " + words + " " + std::to_string(bound) +
               ", got {}",
           source.value);
  };
  // A smallest size of 2 only says that the export did not look at 0 and 1.
  if (range->second.min && *range->second.min > 2)
    check("aten::ge", *range->second.min, "least");
  if (range->second.max)
    check("aten::le", *range->second.max, "most");
}

/// The operator that a call of two ints is.
static StringRef integerOperator(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("Add", "aten::add")
      .Case("Mul", "aten::mul")
      .Cases({"FloorDiv", "CleanDiv"}, "aten::floordiv")
      .Cases({"Mod", "PythonMod"}, "aten::remainder")
      .Case("Max", "prim::max")
      .Case("Min", "prim::min")
      .Default("");
}

Value ExportedImporter::evaluate(const SymbolicExpression &expression) {
  using Kind = SymbolicExpression::Kind;
  if (expression.kind == Kind::Integer)
    return intConstant(expression.integer, programLocation());
  if (expression.kind == Kind::Symbol)
    return symbols.lookup(expression.name);
  StringRef name = integerOperator(expression.name);
  Value result;
  for (const SymbolicExpression &argument : expression.arguments) {
    Value next = name.empty() ? Value() : evaluate(argument);
    if (!next)
      return {};
    result = result ? callOperator(name, {result, next}, programLocation()) : next;
  }
  return result;
}

bool ExportedImporter::solve(const SymbolicExpression &expression, Value value,
                             const Demand &source) {
  using Kind = SymbolicExpression::Kind;
  Location loc = programLocation();
  if (expression.kind == Kind::Symbol) {
    symbols[expression.name] = value;
    checkRange(expression.name, source);
    return true;
  }
  bool isSum = expression.name == "Add", isProduct = expression.name == "Mul";
  if (expression.kind != Kind::Call || (!isSum && !isProduct))
    return false;
  const SymbolicExpression *open = nullptr;
  for (const SymbolicExpression &argument : expression.arguments) {
    Value known = evaluate(argument);
    if (!known && open)
      return false;
    if (known)
      value = callOperator(isSum ? "aten::sub" : "aten::floordiv", {value, known}, loc);
    else
      open = &argument;
  }
  return open && solve(*open, value, source);
}

} // namespace jit
