//===- GraphNodes.cpp - nodes of a printed graph --------------------------===//

#include "GraphImporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/InliningLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

GraphImporter::Form GraphImporter::findForm(StringRef name) {
  using G = GraphImporter;
  return llvm::StringSwitch<Form>(name)
      .Case("prim::Constant", &G::formConstant)
      .Case("prim::ListConstruct", &G::formList)
      .Case("prim::TupleConstruct", &G::formTuple)
      .Case("prim::DictConstruct", &G::formDict)
      .Cases({"prim::TupleUnpack", "prim::ListUnpack", "prim::ConstantChunk"}, &G::formSame)
      .Cases({"prim::profile", "prim::profile_ivalue", "aten::wait"}, &G::formSame)
      .Case("prim::TupleIndex", &G::formTupleIndex)
      .Case("prim::TupleSlice", &G::formTupleSlice)
      .Case("prim::GetAttr", &G::formGetAttr)
      .Case("prim::SetAttr", &G::formSetAttr)
      .Case("prim::CreateObject", &G::formCreateObject)
      .Cases({"prim::CallMethod", "prim::CallFunction"}, &G::formCall)
      .Case("prim::RaiseException", &G::formRaise)
      .Case("prim::Uninitialized", &G::formUninitialized)
      .Case("prim::unchecked_cast", &G::formCast)
      .Cases({"prim::unchecked_unwrap_optional", "aten::_unwrap_optional"}, &G::formUnwrap)
      .Case("prim::isinstance", &G::formIsInstance)
      .Case("aten::format", &G::formFormat)
      .Case("aten::percentFormat", &G::formPercentFormat)
      .Case("aten::append", &G::formAppend)
      .Cases({"aten::__is__", "aten::__isnot__"}, &G::formIs)
      .Case("aten::Int", &G::formInt)
      .Case("aten::Float", &G::formFloat)
      .Case("aten::Bool", &G::formBool)
      .Case("aten::str", &G::formStr)
      .Cases({"aten::warn", "prim::Print"}, &G::formNothing)
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Inlining may make a small text large, and deep.
void GraphImporter::importNodes(const Block &block) {
  int64_t maxNodes = maxInlinedOperations + maxInlinedPerOperation * int64_t(graph.nodeCount());
  for (const Node *node : block.nodes) {
    if (definitions.size() > maxRegionDepth)
      return errors.errorOnce(location(*node),
                              "expected at most " + std::to_string(maxRegionDepth) +
                                  " blocks and graphs within each other, got more");
    if (++importedNodes > maxNodes)
      return errors.errorOnce(location(*node), "expected at most " + std::to_string(maxNodes) +
                                                   " nodes after inlining, got more");
    importNode(*node);
  }
}

void GraphImporter::importNode(const Node &node) {
  Location loc = location(node);
  StringRef name = node.name;
  if (name == "prim::If")
    return importIf(node, loc);
  if (name == "prim::Loop")
    return importLoop(node, loc);
  if (const Block *body = graph.findSubgraph(node.name))
    return inlineGraph(node, *body, loc);
  if (importStateNode(node, loc))
    return;
  Values operands = useAll(asArray(node.inputs));
  if (name.starts_with("jit::") || name.starts_with("arith::"))
    return importOperation(node, operands, loc);
  Form form = findForm(name);
  Value result = form ? (this->*form)(node, operands, loc) : importOperator(node, operands, loc);
  Names outputs = asArray(node.outputs);
  if (outputs.size() == 1 && name != "prim::TupleUnpack" && name != "prim::ListUnpack")
    define(outputs.front(), result, loc);
  else if (!outputs.empty())
    defineAll(outputs, unpackValue(result, outputs.size(), loc), loc);
  else if (auto none = result ? result.getDefiningOp<ConstantOp>() : ConstantOp())
    if (none->use_empty())
      none.erase();
}

/// The module's state is read by paths of attributes.
bool GraphImporter::importStateNode(const Node &node, Location loc) {
  bool isGet = node.name == "prim::GetAttr";
  if ((!isGet && node.name != "prim::SetAttr") || node.inputs.empty())
    return false;
  Binding object = lookUp(node.inputs.front());
  const Attribute *name = node.find("name");
  if (!object.path || !name || node.outputs.size() > 1)
    return false;
  std::string path =
      object.path->empty() ? std::string(name->text) : *object.path + "." + std::string(name->text);
  if (!isGet) {
    unsupported(loc, "an assignment of the module's '" + path + "'");
    return true;
  }
  if (node.outputs.empty())
    return true;
  const graphtext::Value &output = node.outputs.front();
  Type type = output.type ? typeOf(*output.type) : Type(TensorType::get(context));
  if (isa_and_nonnull<ObjectType>(type))
    define(output.name, {{}, path}, loc);
  else
    define(output.name, {stateAt(path, type, loc)}, loc);
  return true;
}

/// Every argument stands by its position, also one that Python gives by keyword; `out` is the last.
Value GraphImporter::importOperator(const Node &node, Operands operands, Location loc) {
  SmallVector<CallArgument> arguments;
  for (Value operand : operands)
    arguments.push_back({operand, {}, /*anyPosition=*/true});
  ArrayRef<Overload> overloads = schemas.find(StringRef(node.name));
  bool known = !llvm::is_contained(operands, Value());
  Value out = operands.empty() ? Value() : operands.back();
  if (known && out && isa<TensorType>(out.getType()) && !overloads.empty() &&
      !resolveOverload(overloads, arguments, context))
    if (std::optional<OverloadMatch> match =
            resolveOverload(overloads, ArrayRef(arguments).drop_back(), context);
        match && match->results.size() == 1 && isa<TensorType>(match->results.front()) &&
        match->operands.size() + 1 == operands.size())
      return writeOut(out, buildOperator(*match, loc), loc);
  return callOperator(StringRef(node.name), arguments, loc);
}

bool GraphImporter::expectOperands(const Node &node, Operands operands, size_t count,
                                   Location loc) {
  if (operands.size() == count)
    return !llvm::is_contained(operands, Value());
  error(loc) << "expected " << count << " operands of " << StringRef(node.name) << ", got "
             << operands.size();
  return false;
}

//===----------------------------------------------------------------------===//
// What TorchScript has no word for
//===----------------------------------------------------------------------===//

static mlir::Attribute attributeOf(const graphtext::Attribute &attribute, Builder &b) {
  using Kind = graphtext::Attribute::Kind;
  if (attribute.kind == Kind::Int)
    return b.getI64IntegerAttr(attribute.integer);
  if (attribute.kind == Kind::Float)
    return b.getF64FloatAttr(attribute.number);
  return attribute.kind == Kind::String ? b.getStringAttr(StringRef(attribute.text))
                                        : mlir::Attribute();
}

/// An operation of the jit or arith dialect by its own name.
void GraphImporter::importOperation(const Node &node, Operands operands, Location loc) {
  auto [dialect, base] = StringRef(node.name).split("::");
  OperationState state(loc, (dialect + "." + base).str());
  std::optional<RegisteredOperationName> info = state.name.getRegisteredInfo();
  if (!info || info->hasTrait<OpTrait::IsTerminator>() || !node.blocks.empty()) {
    error(loc) << "expected an operation of the " << dialect << " dialect, got "
               << StringRef(node.name);
    return defineAll(asArray(node.outputs), Values(node.outputs.size()), loc);
  }
  state.addOperands(operands);
  SmallVector<Type> types;
  for (const graphtext::Value &output : node.outputs)
    types.push_back(output.type ? typeOf(*output.type) : Type());
  for (const Attribute &attribute : node.attributes)
    if (mlir::Attribute known = attributeOf(attribute, builder))
      state.addAttribute(StringRef(attribute.name), known);
  if (llvm::is_contained(operands, Value()) || llvm::is_contained(types, Type()))
    return defineAll(asArray(node.outputs), Values(node.outputs.size()), loc);
  state.addTypes(types);
  defineAll(asArray(node.outputs), builder.create(state)->getResults(), loc);
}

//===----------------------------------------------------------------------===//
// Containers and objects
//===----------------------------------------------------------------------===//

Value GraphImporter::formList(const Node &node, Operands operands, Location loc) {
  if (llvm::is_contained(operands, Value()))
    return unknown();
  return makeList(operands, node.outputs.empty() ? Type() : declaredType(node.outputs.front()),
                  loc);
}

Value GraphImporter::formTuple(const Node &node, Operands operands, Location loc) {
  if (llvm::is_contained(operands, Value()))
    return unknown();
  Type declared = node.outputs.empty() ? Type() : declaredType(node.outputs.front());
  auto type = dyn_cast_or_null<TupleType>(declared);
  if (!type || type.getTypes().size() != operands.size())
    return makeTuple(operands, loc);
  // Elements of wider declared types, (Tensor?, int), but tensors as they are.
  Values elements;
  for (auto [operand, part] : llvm::zip(operands, type.getTypes()))
    elements.push_back(isa<TensorType>(part) || !isSubtype(operand.getType(), part)
                           ? operand
                           : widen(operand, part, loc, "element"));
  return makeTuple(elements, loc);
}

Value GraphImporter::formDict(const Node &node, Operands operands, Location loc) {
  Type declared = node.outputs.empty() ? Type() : declaredType(node.outputs.front());
  auto type = dyn_cast_or_null<DictType>(declared);
  if (llvm::is_contained(operands, Value()))
    return unknown();
  if (!type || operands.size() % 2 != 0)
    return unsupported(loc, "a dict without a type, or with a key without a value");
  Values keys, values;
  for (size_t i = 0; i < operands.size(); i += 2) {
    keys.push_back(widen(operands[i], type.getKeyType(), loc, "key"));
    values.push_back(widen(operands[i + 1], type.getValueType(), loc, "value"));
  }
  if (llvm::is_contained(keys, Value()) || llvm::is_contained(values, Value()))
    return unknown();
  return DictOp::create(builder, loc, type, keys, values);
}

/// What is unpacked where its parts are defined, or nothing but noted.
Value GraphImporter::formSame(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 1, loc) ? operands.front() : unknown();
}

/// The number that a value is, where it is an int of the program.
static std::optional<int64_t> constantInt(Value value) {
  auto constant = value ? value.getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  if (!integer || !integer.getType().isInteger(64))
    return std::nullopt;
  return integer.getInt();
}

Value GraphImporter::formTupleIndex(const Node &node, Operands operands, Location loc) {
  if (!expectOperands(node, operands, 2, loc))
    return unknown();
  std::optional<int64_t> index = constantInt(operands[1]);
  if (!index || !isa<TupleType>(operands[0].getType()))
    return unsupported(loc, "an index into a tuple that is not a literal");
  return tupleElement(operands[0], *index, loc);
}

Value GraphImporter::formTupleSlice(const Node &node, Operands operands, Location loc) {
  if (!expectOperands(node, operands, 1, loc))
    return unknown();
  auto type = dyn_cast<TupleType>(operands[0].getType());
  const Attribute *begin = node.find("beg"), *end = node.find("end");
  int64_t size = type ? int64_t(type.getTypes().size()) : 0;
  if (!type || !begin || !end || begin->integer < 0 || end->integer > size ||
      begin->integer > end->integer)
    return unsupported(loc, "a slice of a tuple by anything but literals inside of it");
  Values parts;
  for (int64_t i = begin->integer; i < end->integer; ++i)
    parts.push_back(tupleElement(operands[0], i, loc));
  return makeTuple(parts, loc);
}

Value GraphImporter::formGetAttr(const Node &node, Operands operands, Location loc) {
  if (!expectOperands(node, operands, 1, loc))
    return unknown();
  const Attribute *name = node.find("name");
  Type type = node.outputs.size() == 1 ? declaredType(node.outputs.front()) : Type();
  if (!isa<ObjectType>(operands[0].getType()) || !name || !type)
    return unsupported(loc, "an attribute of a value of type " + spell(operands[0].getType()));
  return GetAttrOp::create(builder, loc, type, operands[0], StringRef(name->text));
}

Value GraphImporter::formSetAttr(const Node &node, Operands operands, Location loc) {
  if (!expectOperands(node, operands, 2, loc))
    return unknown();
  const Attribute *name = node.find("name");
  if (!isa<ObjectType>(operands[0].getType()) || !name)
    return unsupported(loc, "an attribute of a value of type " + spell(operands[0].getType()));
  SetAttrOp::create(builder, loc, operands[0], StringRef(name->text), operands[1]);
  return noneConstant(loc);
}

Value GraphImporter::formCreateObject(const Node &node, Operands, Location loc) {
  Type type = node.outputs.size() == 1 ? declaredType(node.outputs.front()) : Type();
  if (!isa_and_nonnull<ObjectType>(type))
    return unsupported(loc, "an object without a class");
  return CreateObjectOp::create(builder, loc, type);
}

/// Methods and functions are not part of a graph's text.
Value GraphImporter::formCall(const Node &node, Operands, Location loc) {
  const Attribute *name = node.find("name");
  return unsupported(loc, "a call of '" + StringRef(name ? name->text : "a function") +
                              "' (the text does not hold it: print the inlined graph instead)");
}

//===----------------------------------------------------------------------===//
// The language
//===----------------------------------------------------------------------===//

Value GraphImporter::formRaise(const Node &, Operands operands, Location loc) {
  if (operands.empty())
    return unsupported(loc, "an exception without a message");
  return raise(operands[0], operands.size() > 1 ? operands[1] : Value(), loc);
}

Value GraphImporter::formUninitialized(const Node &node, Operands, Location loc) {
  Type type = node.outputs.size() == 1 ? declaredType(node.outputs.front()) : Type();
  return type ? PoisonOp::create(builder, loc, type) : unknown();
}

Value GraphImporter::formCast(const Node &node, Operands operands, Location loc) {
  if (!expectOperands(node, operands, 1, loc))
    return unknown();
  Type type = node.outputs.size() == 1 ? declaredType(node.outputs.front()) : Type();
  return type ? castTo(builder, loc, operands.front(), type) : unknown();
}

Value GraphImporter::formUnwrap(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 1, loc) ? unwrapOptional(operands[0], loc) : unknown();
}

Value GraphImporter::formIsInstance(const Node &node, Operands operands, Location loc) {
  const Attribute *candidates = node.find("types");
  if (!expectOperands(node, operands, 1, loc) || !candidates)
    return unknown();
  SmallVector<Type> types;
  for (const Attribute &candidate : candidates->elements)
    types.push_back(candidate.type ? typeOf(*candidate.type) : Type());
  return isInstance(operands[0], types, loc);
}

Value GraphImporter::formFormat(const Node &, Operands operands, Location loc) {
  return formatText(operands, loc);
}

Value GraphImporter::formPercentFormat(const Node &, Operands operands, Location loc) {
  return percentText(operands, loc);
}

Value GraphImporter::formAppend(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 2, loc) ? appendElement(operands[0], operands[1], loc)
                                                : unknown();
}

Value GraphImporter::formIs(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 2, loc)
             ? identity(operands[0], operands[1], node.name == "aten::__isnot__", loc)
             : unknown();
}

Value GraphImporter::formInt(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 1, loc)
             ? castScalar("aten::Int", builder.getI64Type(), operands[0], loc)
             : unknown();
}

Value GraphImporter::formFloat(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 1, loc)
             ? castScalar("aten::Float", builder.getF64Type(), operands[0], loc)
             : unknown();
}

Value GraphImporter::formBool(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 1, loc)
             ? castScalar("aten::Bool", builder.getI1Type(), operands[0], loc)
             : unknown();
}

Value GraphImporter::formStr(const Node &node, Operands operands, Location loc) {
  return expectOperands(node, operands, 1, loc)
             ? castScalar("aten::str", StrType::get(context), operands[0], loc)
             : unknown();
}

/// A warning changes no value, and compiled code has nobody to warn.
Value GraphImporter::formNothing(const Node &, Operands, Location loc) { return noneConstant(loc); }

} // namespace jit
