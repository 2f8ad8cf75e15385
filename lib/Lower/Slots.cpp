//===- Slots.cpp - frozen module state becomes arguments ------------------===//

#include "Lower.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace jit {

/// The slot's type, with what the reads know of it; null after an error.
static TensorType weightType(ArrayRef<SlotGetOp> reads, SymbolTableCollection &symbols) {
  SlotGetOp first = reads.front();
  auto slot = symbols.lookupNearestSymbolFrom<SlotOp>(first, first.getSlotAttr());
  if (!slot) {
    first.emitError("expected a slot, got ") << first.getSlotAttr();
    return {};
  }
  Type type = slot.getType();
  for (SlotGetOp read : reads)
    type = type ? meetTypes(type, read.getType()) : type;
  auto tensor = dyn_cast_if_present<TensorType>(type);
  if (!tensor || !tensor.isStatic())
    first.emitError("expected a slot of static tensor type, got ") << slot.getType();
  return tensor;
}

static LogicalResult turnSlotsIntoArguments(func::FuncOp func, SymbolTableCollection &symbols) {
  llvm::MapVector<StringAttr, SmallVector<SlotGetOp>> reads;
  func.walk([&](SlotGetOp op) { reads[op.getSlotAttr().getAttr()].push_back(op); });
  Builder b(func.getContext());
  for (auto &[path, ops] : reads) {
    TensorType type = weightType(ops, symbols);
    if (!type || !type.isStatic())
      return failure();
    auto attrs = b.getDictionaryAttr(b.getNamedAttr(weightAttr, path));
    unsigned index = func.getNumArguments();
    if (failed(func.insertArgument(index, type, attrs, ops.front().getLoc())))
      return failure();
    for (SlotGetOp op : ops) {
      op.replaceAllUsesWith(func.getArgument(index));
      op.erase();
    }
  }
  return success();
}

LogicalResult turnSlotsIntoArguments(ModuleOp module) {
  SymbolTableCollection symbols;
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    if (failed(turnSlotsIntoArguments(func, symbols)))
      return failure();
  return success();
}

} // namespace jit
