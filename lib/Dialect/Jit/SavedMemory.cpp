//===- SavedMemory.cpp - state that was saved in one memory ---------------===//

#include "jit/Dialect/Jit/SavedMemory.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace jit {

namespace {
/// The part of a record that a tensor spans, in elements; what lies between them counts.
struct Span {
  StringRef record;
  Type dtype;
  int64_t begin, end;
};
} // namespace

/// Nothing for what is no tensor, and for a tensor without elements.
static std::optional<Span> spanOf(SlotOp slot) {
  auto storage = dyn_cast<StorageAttr>(slot.getValue());
  auto type = dyn_cast<TensorType>(slot.getType());
  if (!storage || !type || !type.hasStaticSizes() || llvm::is_contained(type.getSizes(), 0))
    return std::nullopt;
  int64_t end = storage.getOffset(), reach = 1;
  bool isTooLarge = llvm::AddOverflow(end, reach, end);
  for (auto [size, stride] : llvm::zip(type.getSizes(), storage.getStrides()))
    isTooLarge |= llvm::MulOverflow(size - 1, stride, reach) || llvm::AddOverflow(end, reach, end);
  if (isTooLarge)
    end = std::numeric_limits<int64_t>::max();
  return Span{storage.getMember(), type.getDtype(), storage.getOffset(), end};
}

SlotOp slotInMemoryOf(SlotOp slot) {
  std::optional<Span> own = spanOf(slot);
  if (!own)
    return {};
  for (auto other : slot->getParentOfType<ModuleOp>().getOps<SlotOp>()) {
    std::optional<Span> span = other == slot ? std::nullopt : spanOf(other);
    if (!span || span->record != own->record)
      continue;
    // Of other element types the places count otherwise.
    if (span->dtype != own->dtype || (span->begin < own->end && own->begin < span->end))
      return other;
  }
  return {};
}

} // namespace jit
