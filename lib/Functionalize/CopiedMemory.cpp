//===- CopiedMemory.cpp - copies of memory, with what views show twice ----===//

#include "CopiedMemory.h"
#include "ScatterPlaces.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Creation.h"

using namespace mlir;

namespace jit {

bool putsIntoCopy(Operation *op) {
  return op->hasTrait<CopiesStorage>() && !isa<aten::CopyOp>(op); // which puts all elements
}

/// Whether a view on some way to `value` may show an element twice, for all that is known.
static bool mayRepeat(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size(); ++next) {
    Value way = seen[next];
    Operation *op = way.getDefiningOp();
    if (op && mayRepeatElements(op))
      return true;
    if (Value viewed = viewedValue(way))
      seen.insert(viewed);
    for (Value other : waysTo(way))
      seen.insert(other);
  }
  return false;
}

/// A stride of 0 is no overlap: what is expanded is copied element by element.
static bool showsTwice(Value value) {
  auto type = cast<TensorType>(value.getType());
  Layout layout = layoutOf(value);
  if (!type.hasStaticSizes() || !layout.strides(type.getSizes()))
    return mayRepeat(value);
  return overlapOf(type.getSizes(), layout) == Overlap::Maybe;
}

LogicalResult checkCopiedMemory(func::FuncOp func) {
  WalkResult walk = func.walk([](Operation *op) {
    if (!putsIntoCopy(op) || !showsTwice(op->getOperand(0)))
      return WalkResult::advance();
    op->emitOpError("expected a tensor that shows each element once, got windows or strides that "
                    "may overlap; clone() it before");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
