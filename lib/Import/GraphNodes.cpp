//===- GraphNodes.cpp - nodes of a printed graph --------------------------===//

#include "GraphImporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/InliningLimits.h"
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
      .Case("prim::ConstantChunk", &G::formChunk)
      .Cases({"prim::VarConcat", "prim::VarStack"}, &G::formConcat)
      .Case("prim::FusedConcat", &G::formFusedConcat)
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

/// A node in so many blocks counts as two, in twice as many as three.
static constexpr size_t blocksThatCountTwice = 16;

/// Inlining may make a small text large, and deep.
void GraphImporter::importNodes(const Block &block) {
  for (const Node *node : block.nodes) {
    if (definitions.size() > maxRegionDepth)
      return errors.errorOnce(location(*node),
                              "expected at most " + std::to_string(maxRegionDepth) +
                                  " blocks and graphs within each other, got more");
    // What lies deep is walked, and let go of, once more for each block around it.
    importedNodes += 1 + int64_t(definitions.size() / blocksThatCountTwice);
    if (importedNodes > maxNodes())
      return errors.errorOnce(location(*node), "expected at most " + std::to_string(maxNodes()) +
                                                   " nodes after inlining, got more");
    importNode(*node);
  }
}

void GraphImporter::importNode(const Node &node) {
  Location loc = location(node);
  StringRef name = node.name;
  if (runsItsGraph(node))
    return inlineGraph(node, loc);
  if (importStateNode(node, loc))
    return;
  Values operands = useAll(asArray(node.inputs));
  if (llvm::is_contained(operands, Value()))
    return defineAll(asArray(node.outputs), Values(node.outputs.size()), loc);
  if (name == "prim::If")
    return importIf(node, operands, loc);
  if (name == "prim::Loop")
    return importLoop(node, operands, loc);
  if (node.subgraph || !node.blocks.empty())
    return keepWhole(node, operands,
                     "operator " + operatorName(node) + " with blocks is not supported", loc);
  if (name.starts_with("jit::") || name.starts_with("arith::"))
    return importOperation(node, operands, loc);
  importPlain(node, operands, loc);
}

/// A node without blocks: an operator, or what takes its place.
void GraphImporter::importPlain(const Node &node, Operands operands, Location loc) {
  Values values;
  ImportErrors::Attempt made = attempt([&] { values = valuesOf(node, operands, loc); });
  if (made.message.empty())
    return defineAll(asArray(node.outputs), values, loc);
  keep(node, operands, made, {}, loc);
}

GraphImporter::Values GraphImporter::valuesOf(const Node &node, Operands operands, Location loc) {
  StringRef name = node.name;
  if (name == "prim::TupleUnpack" || name == "prim::ListUnpack")
    return unpack(node, operands, loc);
  Form form = findForm(name);
  Value result = form ? (this->*form)(node, operands, loc) : importOperator(node, operands, loc);
  size_t count = node.outputs.size();
  if (!result)
    return Values(count);
  if (count == 1 && name != "prim::ConstantChunk")
    return {result};
  if (count)
    return unpackValue(result, count, loc);
  if (auto none = result.getDefiningOp<ConstantOp>(); none && none->use_empty())
    none.erase();
  return {};
}

/// The module's state is read by paths of attributes.
bool GraphImporter::importStateNode(const Node &node, Location loc) {
  if (node.name != "prim::GetAttr" || node.inputs.size() != 1)
    return false;
  Binding object = lookUp(node.inputs.front());
  const Attribute *name = node.find("name");
  if (!object.path || !name || node.outputs.size() > 1)
    return false;
  if (node.outputs.empty())
    return true;
  std::string path =
      object.path->empty() ? std::string(name->text) : *object.path + "." + std::string(name->text);
  const graphtext::Value &output = node.outputs.front();
  if (isModule(output))
    define(output.name, {{}, path});
  else
    define(output.name,
           {stateAt(path, output.type ? typeOf(*output.type) : TensorType::get(context), loc)});
  return true;
}

/// Every argument stands by its position, also one that Python gives by keyword.
Value GraphImporter::importOperator(const Node &node, Operands operands, Location loc) {
  SmallVector<CallArgument> arguments;
  for (Value operand : operands)
    arguments.push_back({operand, {}, /*anyPosition=*/true});
  Value result = callOperator(StringRef(node.name), arguments, loc);
  return result && !node.attributes.empty()
             ? unsupported(loc, "operator " + StringRef(node.name) + " with attributes")
             : result;
}

bool GraphImporter::expectOperands(const Node &node, Operands operands, size_t count,
                                   Location loc) {
  if (operands.size() == count)
    return true;
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
  if (llvm::is_contained(types, Type()))
    return defineAll(asArray(node.outputs), Values(node.outputs.size()), loc);
  state.addTypes(types);
  defineAll(asArray(node.outputs), builder.create(state)->getResults(), loc);
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
  // What an Optional holds may be known better than what it is cast to.
  auto optional = dyn_cast<OptionalType>(operands[0].getType());
  if (type && optional && isSubtype(optional.getElementType(), type))
    type = optional.getElementType();
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
  for (const Attribute &candidate : candidates->elements) {
    if (!candidate.type)
      return unsupported(loc, "a test for what is no type");
    types.push_back(typeOf(*candidate.type));
  }
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
