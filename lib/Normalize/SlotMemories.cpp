//===- SlotMemories.cpp - which slots may come to share memory ------------===//

#include "SlotMemories.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
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

void SlotMemories::addUses(Operation *op) {
  if (!observes(op))
    return;
  for (Value operand : op->getOperands()) {
    if (operand.getType().isIntOrFloat())
      continue;
    const void *leader = classes.getOrInsertLeaderValue(keyOf(operand));
    observed.insert(leader);
    if (isa<OverwriteOp, BecomeOp>(op))
      written.insert(leader);
    if (isa<aten::AsStridedOp>(op))
      strided.insert(leader);
  }
}

SlotMemories::SlotMemories(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    addFunction(func);
  for (auto slot : module.getOps<SlotOp>())
    if (auto whole = slot->getAttrOfType<StringAttr>(partOfAttr))
      classes.unionSets(keyOf(whole), keyOf(slot.getSymNameAttr()));
  for (auto slot : module.getOps<SlotOp>())
    slotsOf[classes.getOrInsertLeaderValue(keyOf(slot.getSymNameAttr()))].push_back(
        slot.getSymNameAttr());
  module.walk([&](Operation *op) { addUses(op); });
}

StringAttr SlotMemories::sharedWith(SlotOp slot) const {
  ArrayRef<StringAttr> all =
      slotsOf.find(classes.getLeaderValue(keyOf(slot.getSymNameAttr())))->second;
  return all.size() > 1 ? all.front() : StringAttr();
}

bool SlotMemories::isIn(const Classes &some, SlotOp slot) const {
  return some.contains(classes.getLeaderValue(keyOf(slot.getSymNameAttr())));
}

} // namespace jit
