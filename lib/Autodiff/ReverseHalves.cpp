//===- ReverseHalves.cpp - backward passes of halves ----------------------===//
//
// PyTorch's backward kernels compute elements of sixteen bits in float32 and round what they give
// once. A rule is several operators: rounded one by one, x * x of 300 is infinite before it is
// multiplied by what is zero there.
//
//===----------------------------------------------------------------------===//

#include "Reverse.h"
#include "jit/Dialect/Aten/Aten.h"

using namespace mlir;

namespace jit {

static bool isHalf(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  return type && type.getDtype() && (type.getDtype().isF16() || type.getDtype().isBF16());
}

/// Conversions have other operands than halves.
bool computesHalves(Operation *op) {
  return isa<PointwiseOpInterface>(op) && op->getNumResults() == 1 && isHalf(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isHalf(operand) || !isDifferentiable(operand.getType());
         });
}

LogicalResult reverseInSingle(Operation *op, const ActiveValues &active, OpBuilder &b,
                              GradientMap &gradients) {
  Location loc = op->getLoc();
  Value result = op->getResult(0), gradient = gradients.lookup(result);
  Type single = b.getF32Type();
  // Each operand once: the gradients of one that comes twice add up.
  llvm::MapVector<Value, Value> wide;
  SmallVector<Value> operands(op->getOperands());
  ActiveValues wideActive;
  for (Value &operand : operands) {
    bool isActive = active.contains(operand);
    if (isHalf(operand)) {
      Value &found = wide[operand];
      operand = found = found ? found : converted(b, loc, operand, single);
    }
    if (isActive)
      wideActive.insert(operand);
  }
  Operation *computed = createInferred(b, loc, op->getName(), operands);
  if (!computed)
    return failure();
  Value value = computed->getResult(0), known = converted(b, loc, result, dtypeOf(value));
  GradientMap inner;
  inner[value] = converted(b, loc, gradient, dtypeOf(value));
  if (failed(differentiate(computed, b, inner, wideActive)))
    return failure();
  for (auto [operand, as] : wide)
    if (Value given = inner.lookup(as))
      accumulate(b, loc, gradients, operand,
                 isZeros(given) ? zerosFor(b, loc, operand)
                                : converted(b, loc, given, dtypeOf(operand)));
  // The result is there: what the rule says of it is of that.
  value.replaceAllUsesWith(known);
  computed->erase();
  return success();
}

} // namespace jit
