//===- DetachedMemory.cpp - detached names of repeated elements -----------===//

#include "DetachedMemory.h"
#include "ScatterPlaces.h"
#include "jit/Dialect/Aten/Aten.h"

using namespace mlir;

namespace jit {

/// The views that `value` is of, the outermost first, down to the last that shows elements more
/// than once.
static SmallVector<Operation *> viewsDownToRepeated(Value value, Layouts &layouts) {
  SmallVector<Operation *> views;
  size_t count = 0;
  for (Value viewed; (viewed = layouts.viewedValue(value)); value = viewed) {
    Operation *view = value.getDefiningOp();
    if (!isPure(view) && !isa<OverwriteOp>(view))
      break;
    views.push_back(view);
    if (mayRepeatElements(view))
      count = views.size();
  }
  views.truncate(count);
  return views;
}

/// A detached name of the same type as what it is of.
static bool isDetached(Operation *op) {
  return isa<ViewOpInterface>(op) && op->hasTrait<OfGradientsAlone>() &&
         op->getNumOperands() == 1 && op->getOperand(0).getType() == op->getResult(0).getType();
}

void detachMemory(func::FuncOp func) {
  SmallVector<Operation *> all;
  func.walk([&](Operation *op) {
    if (isDetached(op))
      all.push_back(op);
  });
  for (Operation *op : all) {
    Layouts layouts;
    SmallVector<Operation *> views = viewsDownToRepeated(op->getOperand(0), layouts);
    if (views.empty())
      continue;
    OpBuilder b(op);
    Value memory = views.back()->getOperand(0);
    Operation *name = b.clone(*op);
    name->setOperand(0, memory);
    name->getResult(0).setType(memory.getType());
    Value now = name->getResult(0);
    for (Operation *view : llvm::reverse(views)) {
      if (isa<OverwriteOp>(view)) // another name of it
        continue;
      Operation *shown = b.clone(*view);
      shown->setOperand(0, now);
      now = shown->getResult(0);
    }
    op->replaceAllUsesWith(ValueRange(now));
    op->erase();
  }
}

} // namespace jit
