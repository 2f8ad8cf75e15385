//===- Renaming.cpp - one value in the place of another -------------------===//

#include "Renaming.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace jit {

SmallVector<std::pair<Value, Value>> namedValues(Operation *op, const IRMapping &map) {
  SmallVector<std::pair<Value, Value>> named;
  auto add = [&](Value name) {
    if (Value value = map.lookupOrNull(name))
      named.push_back({name, value});
  };
  op->getParentOfType<func::FuncOp>().walk<WalkOrder::PreOrder>([&](Operation *inner) {
    llvm::for_each(inner->getResults(), add);
    for (Region &region : inner->getRegions())
      llvm::for_each(region.getArguments(), add);
  });
  return named;
}

bool showsItsParts(Value value) {
  return isa_and_present<ListOp, TupleOp, DictOp, DerefineOp, UncheckedCastOp, ListConcatOp,
                         ListAppendOp, DictMergeOp, DictEraseOp>(value.getDefiningOp());
}

bool takesElementsOnly(OpOperand &use) {
  Operation *op = use.getOwner();
  return isa<ListConcatOp, DictMergeOp>(op) ||
         (isa<ListAppendOp, DictEraseOp>(op) && use.getOperandNumber() == 0);
}

/// A list that was made of the elements of another is none of its names.
Value Renaming::operator()(OpOperand &part) {
  return takesElementsOnly(part) && isIt(part.get()) ? part.get() : (*this)(part.get());
}

Value Renaming::operator()(Value value) {
  if (auto known = done.find(value); known != done.end())
    return known->second;
  if (isIt(value))
    return to;
  if (!showsItsParts(value))
    return value;
  IRMapping map;
  bool isIn = false;
  Operation *op = value.getDefiningOp();
  for (OpOperand &part : op->getOpOperands()) {
    map.map(part.get(), (*this)(part));
    isIn |= map.lookup(part.get()) != part.get();
  }
  return done[value] = isIn ? b.clone(*op, map)->getResult(0) : value;
}

} // namespace jit
