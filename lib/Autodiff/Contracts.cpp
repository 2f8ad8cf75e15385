//===- Contracts.cpp - what Gradients and Autodiff leave behind -----------===//

#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Jit/Contract.h"

using namespace mlir;

namespace jit {

LogicalResult verifyGradientsExpanded(ModuleOp module) {
  return verifyNone<aten::GradOp, aten::GradientOp, aten::LeafOp, aten::VariableOp>(
      module, "no gradient to be asked for after Gradients");
}

LogicalResult verifyDifferentiated(ModuleOp module) {
  return verifyNone<OptimizerStepOp>(module, "no optimizer's step after Autodiff");
}

} // namespace jit
