//===- Combiners.cpp - by which operations an op reduces ------------------===//
#include "Analysis/Combiners.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

std::optional<SmallVector<Operation *>> jit::codegen::combinersOf(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  auto outputs = op.getRegionOutputArgs();
  for (unsigned i = 0; i < outputs.size(); ++i) {
    SmallVector<Operation *> found;
    if (!outputs[i].hasOneUse() || !matchReduction(outputs, i, found) || found.size() != 1)
      return std::nullopt;
    Operation *combiner = found.front();
    bool isOneStep = combiner->getNumOperands() == 2 && combiner->getBlock() == op.getBlock() &&
                     combiner->hasOneUse() && combiner->hasTrait<OpTrait::IsCommutative>() &&
                     *outputs[i].user_begin() == combiner;
    if (!isOneStep || !arith::getNeutralElement(combiner))
      return std::nullopt;
    combiners.push_back(combiner);
  }
  return combiners;
}
