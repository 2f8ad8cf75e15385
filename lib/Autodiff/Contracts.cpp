//===- Contracts.cpp - what Gradients and Autodiff leave behind -----------===//

#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Jit/Contract.h"

using namespace mlir;

namespace jit {

LogicalResult verifyGradientsExpanded(ModuleOp module) {
  ConversionTarget target(*module.getContext());
  target.addIllegalOp<aten::GradOp, aten::GradientOp, aten::LeafOp, aten::VariableOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return verifyContract(module, target, "no gradient to be asked for after Gradients");
}

LogicalResult verifyDifferentiated(ModuleOp module) {
  ConversionTarget target(*module.getContext());
  target.addIllegalOp<OptimizerStepOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return verifyContract(module, target, "no optimizer's step after Autodiff");
}

} // namespace jit
