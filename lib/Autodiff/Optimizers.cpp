//===- Optimizers.cpp - the arithmetic of optimizers ----------------------===//

#include "Optimizers.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"

using namespace mlir;

namespace jit {

std::optional<SmallVector<StringRef>> optimizerState(StringRef optimizer, bool hasMomentum) {
  if (optimizer == "adam" || optimizer == "adamw")
    return SmallVector<StringRef>{"exp_avg", "exp_avg_sq"};
  if (optimizer == "sgd")
    return hasMomentum ? SmallVector<StringRef>{"momentum_buffer"} : SmallVector<StringRef>();
  return std::nullopt;
}

namespace {

/// The operands of one step, and its numbers.
struct Step {
  Step(GraphBuilder &build, OptimizerStepOp op, Value gradient)
      : build(build), op(op), parameter(build, op.getParameter()), step(build, op.getStep()),
        gradient(build, gradient) {}

  double number(StringRef name) {
    return cast<FloatAttr>(op.getOptions().get(name)).getValueAsDouble();
  }
  Tensor state(unsigned i) { return {build, op.getState()[i]}; }

  GraphBuilder &build;
  OptimizerStepOp op;
  Tensor parameter, step, gradient;
};

} // namespace

static SmallVector<Value> stepSgd(Step s) {
  Tensor gradient = s.gradient;
  if (double decay = s.number("weight_decay"))
    gradient = gradient + s.parameter * decay;
  SmallVector<Value> next;
  if (double momentum = s.number("momentum")) {
    Tensor buffer = s.state(0) * momentum + gradient * (1 - s.number("dampening"));
    if (s.number("dampening") != 0) // the first buffer is the gradient
      buffer = where(s.step == 1.0, gradient, buffer);
    next.push_back(buffer.v);
    gradient = s.number("nesterov") != 0 ? gradient + buffer * momentum : buffer;
  }
  next.insert(next.begin(), (s.parameter - gradient * s.number("lr")).v);
  return next;
}

static SmallVector<Value> stepAdam(Step s, bool isDecoupled) {
  GraphBuilder &build = s.build;
  double lr = s.number("lr"), decay = s.number("weight_decay");
  double beta1 = s.number("beta1"), beta2 = s.number("beta2");
  Tensor gradient = s.gradient, parameter = s.parameter;
  if (decay != 0 && isDecoupled)
    parameter = parameter * (1 - lr * decay);
  else if (decay != 0)
    gradient = gradient + parameter * decay;
  Tensor average = build.op<aten::LerpScalarOp>(s.state(0), gradient, 1 - beta1);
  Tensor square = s.state(1) * beta2 + gradient * gradient * (1 - beta2);
  // What is missing of the averages because they began at zero. The step is f64 of rank 0.
  auto correction = [&](double beta) { return 1.0 - build.op<aten::PowScalarOp>(beta, s.step); };
  Tensor size = lr / correction(beta1);
  Tensor denominator = sqrt(square) / sqrt(correction(beta2)) + s.number("eps");
  return {(parameter - average / denominator * size).v, average.v, square.v};
}

SmallVector<Value> buildOptimizerStep(OpBuilder &b, OptimizerStepOp op, Value gradient) {
  GraphBuilder build{b, op.getLoc()};
  Step step(build, op, gradient);
  return op.getOptimizer() == "sgd" ? stepSgd(step) : stepAdam(step, op.getOptimizer() == "adamw");
}

} // namespace jit
