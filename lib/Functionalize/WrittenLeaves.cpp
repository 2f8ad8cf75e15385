//===- WrittenLeaves.cpp - leaves whose memory is written -----------------===//

#include "WrittenLeaves.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/History.h"

using namespace mlir;

namespace jit {

LogicalResult settleWrittenLeaves(func::FuncOp func, const MemoryClasses &classes) {
  WalkResult walk = func.walk([&](aten::LeafOp leaf) {
    Value self = leaf.getSelf();
    if (!classes.isWritten(leaf.getResult()) ||
        !mayRequireGrad(self, leaf, /*countsParameters=*/true))
      return WalkResult::advance();
    auto argument = dyn_cast<BlockArgument>(self);
    if (!self.getDefiningOp<aten::LeafOp>() &&
        !(argument && argument.getOwner() == &func.front())) {
      leaf.emitOpError("expected to know whether a tensor that is written in place is a leaf");
      return WalkResult::interrupt();
    }
    leaf.getResult().replaceAllUsesWith(self);
    leaf.erase();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
