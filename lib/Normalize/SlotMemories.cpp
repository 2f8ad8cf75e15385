//===- SlotMemories.cpp - which slots may come to share memory ------------===//

#include "SlotMemories.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace jit {

static const void *keyOf(Value value) { return value.getAsOpaquePointer(); }
static const void *keyOf(StringAttr slot) { return slot.getAsOpaquePointer(); }

void SlotMemories::addFunction(Operation *func) {
  func->walk([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      forEachSharer(use, [&](Value sharer) { classes.unionSets(keyOf(use.get()), keyOf(sharer)); });
    // A number that is read has no memory, but no harm is done.
    if (auto get = dyn_cast<SlotGetOp>(op))
      classes.unionSets(keyOf(get.getSlotAttr().getAttr()), keyOf(get.getResult()));
    if (auto set = dyn_cast<SlotSetOp>(op))
      classes.unionSets(keyOf(set.getSlotAttr().getAttr()), keyOf(set.getValue()));
  });
}

/// What could tell whether the tensors that it takes share memory with others.
static bool observes(Operation *op) {
  return isa<OverwriteOp, BecomeOp>(op) || op->hasTrait<AsksStrides>();
}

SlotMemories::SlotMemories(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    addFunction(func);
  auto leaderOf = [&](const void *key) { return classes.getOrInsertLeaderValue(key); };
  for (auto slot : module.getOps<SlotOp>())
    slotsOf[leaderOf(keyOf(slot.getSymNameAttr()))].push_back(slot.getSymNameAttr());
  module.walk([&](Operation *op) {
    if (observes(op))
      for (Value operand : op->getOperands())
        if (!operand.getType().isIntOrFloat())
          observed.insert(leaderOf(keyOf(operand)));
  });
}

StringAttr SlotMemories::sharedWith(SlotOp slot) const {
  ArrayRef<StringAttr> all =
      slotsOf.find(classes.getLeaderValue(keyOf(slot.getSymNameAttr())))->second;
  return all.size() > 1 ? all.front() : StringAttr();
}

bool SlotMemories::isObserved(SlotOp slot) const {
  return observed.contains(classes.getLeaderValue(keyOf(slot.getSymNameAttr())));
}

} // namespace jit
