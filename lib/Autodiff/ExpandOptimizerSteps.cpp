//===- ExpandOptimizerSteps.cpp - gradients of the loss, and the steps ----===//

#include "Optimizers.h"
#include "RequiresGrad.h"
#include "Reverse.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITEXPANDOPTIMIZERSTEPS
#include "jit/Autodiff/Passes.h.inc"

/// Whether a step along zeros leaves everything as it is, as none does.
static bool isPlain(OptimizerStepOp step) {
  auto decay = step.getOptions().getAs<FloatAttr>("weight_decay");
  return step.getOptimizer() == "sgd" && step.getState().empty() &&
         (!decay || decay.getValue().isZero());
}

/// Fails where data decide whether the loss depends on a parameter, so that it has no gradient in
/// some calls: PyTorch leaves it out of the step then.
static LogicalResult checkSettled(func::FuncOp func, OptimizerStepOp step) {
  if (isPlain(step) || RequiresGrad(step.getParameter())(step.getLoss()))
    return success();
  auto argument = dyn_cast<BlockArgument>(step.getParameter());
  auto slot = argument ? func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), slotAttr)
                       : StringAttr();
  return step.emitError("unsupported: expected a loss that depends on parameter '")
         << (slot ? slot.getValue() : "")
         << "' in each call or in none, got one where data decide; "
         << "sgd without momentum and weight decay takes such a step";
}

static LogicalResult expandSteps(func::FuncOp func, ArrayRef<OptimizerStepOp> steps) {
  Value loss = steps.front()->getOperand(0);
  auto type = cast<TensorType>(loss.getType());
  if (!isDifferentiable(type) || !type.isStatic() ||
      ShapedType::getNumElements(type.getSizes()) != 1)
    return func.emitError("expected a loss of one floating element, got ") << type;
  ActiveValues active;
  for (OptimizerStepOp step : steps) {
    if (failed(checkSettled(func, step)))
      return failure();
    active.insert(step.getParameter());
  }
  expandAndPropagate(func, active);

  OptimizerStepOp first = steps.front();
  loss = first.getLoss();
  OpBuilder b(first);
  GraphBuilder build{b, func.getLoc()};
  GradientMap gradients;
  gradients[loss] = onesLike(Tensor(build, loss)).v;
  if (failed(Reverse(active).block(func.front(), b, gradients)))
    return failure();
  for (OptimizerStepOp step : steps) {
    b.setInsertionPoint(step);
    // What the loss does not depend on stays as it is, as in PyTorch, weight decay or not.
    SmallVector<Value> next = {step.getParameter()};
    llvm::append_range(next, step.getState());
    if (Value gradient = gradients.lookup(step.getParameter()))
      next = buildOptimizerStep(b, step, gradient);
    step->replaceAllUsesWith(next);
    step.erase();
  }
  return success();
}

namespace {

struct ExpandOptimizerStepsPass : impl::JitExpandOptimizerStepsBase<ExpandOptimizerStepsPass> {
  using JitExpandOptimizerStepsBase::JitExpandOptimizerStepsBase;

  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!func || func.isExternal()) {
      getOperation().emitError("expected a function called '") << entry << "'";
      return signalPassFailure();
    }
    SmallVector<OptimizerStepOp> steps;
    func.walk([&](OptimizerStepOp step) { steps.push_back(step); });
    if (!steps.empty() && failed(expandSteps(func, steps)))
      signalPassFailure();
  }
};

} // namespace

} // namespace jit
