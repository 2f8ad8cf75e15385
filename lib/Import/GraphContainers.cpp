//===- GraphContainers.cpp - containers and objects of a printed graph ----===//

#include "GraphImporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

Value GraphImporter::formList(const Node &node, Operands operands, Location loc) {
  return makeList(operands, node.outputs.empty() ? Type() : declaredType(node.outputs.front()),
                  loc);
}

Value GraphImporter::formTuple(const Node &node, Operands operands, Location loc) {
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
  return makeDict(node.outputs.empty() ? Type() : declaredType(node.outputs.front()), operands,
                  loc);
}

Value GraphImporter::makeDict(Type declared, Operands entries, Location loc) {
  auto type = dyn_cast_or_null<DictType>(declared);
  if (!type || entries.size() % 2 != 0)
    return unsupported(loc, "a dict without a type, or with a key without a value");
  Values keys, values;
  for (size_t i = 0; i < entries.size(); i += 2) {
    keys.push_back(widen(entries[i], type.getKeyType(), loc, "key"));
    values.push_back(widen(entries[i + 1], type.getValueType(), loc, "value"));
  }
  if (llvm::is_contained(keys, Value()) || llvm::is_contained(values, Value()))
    return unknown();
  return DictOp::create(builder, loc, type, keys, values);
}

/// What only says something of its operand.
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

/// The parts of a tuple that is made here are at hand; the tuple may be used again.
GraphImporter::Values GraphImporter::unpack(const Node &node, Operands operands, Location loc) {
  size_t count = node.outputs.size();
  if (!expectOperands(node, operands, 1, loc))
    return Values(count);
  auto made = operands[0].getDefiningOp<TupleOp>();
  if (made && made.getElements().size() == count)
    return Values(made.getElements());
  return unpackValue(operands[0], count, loc);
}

/// What autodiff makes of `chunk`: all the parts are results.
Value GraphImporter::formChunk(const Node &node, Operands operands, Location loc) {
  const Attribute *chunks = node.find("chunks"), *dim = node.find("dim");
  if (!expectOperands(node, operands, 1, loc) || !chunks || !dim ||
      chunks->integer != int64_t(node.outputs.size()))
    return unsupported(loc, "a prim::ConstantChunk that does not give each of its chunks");
  Value count = intConstant(chunks->integer, loc), along = intConstant(dim->integer, loc);
  return callOperator("aten::chunk", {operands[0], count, along}, loc);
}

/// `cat` and `stack` of operands that are in no list, behind them the dimension.
Value GraphImporter::formConcat(const Node &node, Operands operands, Location loc) {
  if (operands.size() < 2)
    return unsupported(loc, "a " + StringRef(node.name) + " of nothing");
  Value list = makeList(operands.drop_back(), ListType::get(TensorType::get(context)), loc);
  StringRef name = node.name == "prim::VarStack" ? "aten::stack" : "aten::cat";
  return callOperator(name, {list, operands.back()}, loc);
}

Value GraphImporter::formFusedConcat(const Node &node, Operands operands, Location loc) {
  const Attribute *dim = node.find("dim");
  if (!dim || operands.empty())
    return unsupported(loc, "a prim::FusedConcat of nothing, or without a dimension");
  Value list = makeList(operands, ListType::get(TensorType::get(context)), loc);
  return callOperator("aten::cat", {list, intConstant(dim->integer, loc)}, loc);
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
  if (isa<BlockArgument>(operands[0]))
    return unsupported(loc, "an assignment of the module's '" + StringRef(name->text) + "'");
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

} // namespace jit
