//===- Contract.cpp - what a stage leaves behind --------------------------===//

#include "jit/Dialect/Jit/Contract.h"

using namespace mlir;

namespace jit {

LogicalResult verifyContract(ModuleOp module, const ConversionTarget &target, StringRef expected) {
  WalkResult walk = module.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (target.isLegal(op))
      return WalkResult::advance();
    op->emitOpError("expected ") << expected;
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

bool definesOnly(Operation *op, function_ref<bool(Type)> holds) {
  if (!llvm::all_of(op->getResultTypes(), holds))
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!llvm::all_of(block.getArgumentTypes(), holds))
        return false;
  return true;
}

} // namespace jit
