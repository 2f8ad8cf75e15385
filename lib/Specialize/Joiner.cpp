//===- Joiner.cpp - what a branch on data gives ---------------------------===//

#include "Joiner.h"

using namespace mlir;

namespace jit {

bool isFlat(Type type) { return isa<TensorType>(type) || type.isIntOrFloat(); }

Value commonValue(scf::IfOp op, Value thenValue, Value elseValue) {
  Value value = thenValue ? thenValue : elseValue;
  if (!value || (thenValue && elseValue && !isSameValue(thenValue, elseValue)))
    return {};
  if (!op->isAncestor(value.getParentRegion()->getParentOp()))
    return value;
  OpBuilder before(op);
  return constantOf(value) ? before.clone(*value.getDefiningOp())->getResult(0) : Value();
}

bool areAlike(Value a, Value b) {
  if (a.getType() != b.getType())
    return false;
  if (isa<TensorType>(a.getType()) || isSameValue(a, b))
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  return isa_and_present<ListOp, TupleOp, DictOp, DerefineOp>(x) && y &&
         x->getName() == y->getName() && x->getAttrDictionary() == y->getAttrDictionary() &&
         x->getNumOperands() == y->getNumOperands() &&
         llvm::all_of_zip(x->getOperands(), y->getOperands(), areAlike);
}

std::optional<PackedForm> formOfBoth(Value a, Value b) {
  auto first = packedForm(a), second = packedForm(b);
  return first && second ? joinForms(*first, *second) : std::nullopt;
}

unsigned Joiner::add(Type type, Value thenValue, Value elseValue) {
  types.push_back(type);
  yields[0].push_back(thenValue);
  yields[1].push_back(elseValue);
  return types.size() - 1;
}

bool Joiner::addParts(Value value, unsigned region) {
  if (!isInside(value) || partAt.contains(value))
    return true;
  if (isFlat(value.getType())) {
    partAt[value] = region == 0 ? add(value.getType(), value, {}) : add(value.getType(), {}, value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  return isa_and_present<ConstantOp, DerefineOp, ListOp, TupleOp, DictOp, ListFromTensorOp,
                         ListConcatOp, EitherOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value part) { return addParts(part, region); });
}

std::function<Value(OpBuilder &)> Joiner::addAlike(Value thenValue, Value elseValue) {
  if (Value common = commonValue(branch, thenValue, elseValue))
    return [=](OpBuilder &) { return common; };
  if (isa<TensorType>(thenValue.getType())) {
    unsigned at = add(thenValue.getType(), thenValue, elseValue);
    return [=, this](OpBuilder &) -> Value { return branch.getResult(at); };
  }
  Operation *op = thenValue.getDefiningOp();
  SmallVector<std::function<Value(OpBuilder &)>> parts;
  for (auto [x, y] : llvm::zip(op->getOperands(), elseValue.getDefiningOp()->getOperands()))
    parts.push_back(addAlike(x, y));
  return [=](OpBuilder &b) {
    auto made = llvm::map_to_vector(parts, [&](const auto &part) { return part(b); });
    Operation *container = b.clone(*op);
    container->setOperands(made);
    return container->getResult(0);
  };
}

std::function<Value(OpBuilder &)> Joiner::addPacked(Value thenValue, Value elseValue) {
  auto form = formOfBoth(thenValue, elseValue);
  if (!form)
    return {};
  SmallVector<Value> tensors[2];
  for (auto [i, list] : llvm::enumerate(ArrayRef{thenValue, elseValue})) {
    OpBuilder inner = OpBuilder::atBlockEnd(&branch->getRegion(i).front());
    tensors[i] = packWidened(inner, branch.getLoc(), list, *form);
  }
  unsigned at = types.size();
  for (auto [x, y] : llvm::zip_equal(tensors[0], tensors[1]))
    add(x.getType(), x, y);
  return [=, this, type = thenValue.getType()](OpBuilder &b) {
    unsigned next = at;
    return unpackNext(b, branch.getLoc(), branch.getResults(), next, *form, type);
  };
}

scf::IfOp Joiner::build(OpBuilder &b) {
  Location loc = branch.getLoc();
  for (int i : {0, 1}) {
    OpBuilder inner = OpBuilder::atBlockEnd(&branch->getRegion(i).front());
    SmallVector<Value> values;
    for (auto [value, type] : llvm::zip(yields[i], types))
      values.push_back(value ? widen(inner, loc, value, type)
                             : Value(PoisonOp::create(inner, loc, type)));
    scf::YieldOp::create(inner, loc, values);
  }
  auto result = scf::IfOp::create(b, loc, types, branch.getCondition(), true, true);
  result.getThenRegion().takeBody(branch.getThenRegion());
  result.getElseRegion().takeBody(branch.getElseRegion());
  branch.erase();
  return branch = result;
}

Value Joiner::rebuilt(OpBuilder &b, Value value) {
  if (!isInside(value))
    return value;
  if (auto part = partAt.find(value); part != partAt.end())
    return branch.getResult(part->second);
  IRMapping map;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    map.map(operand, rebuilt(b, operand));
  return b.clone(*op, map)->getResult(0);
}

} // namespace jit
