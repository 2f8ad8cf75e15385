//===- ReverseAutocast.cpp - backward passes in regions of autocast -------===//
//
// Eager PyTorch runs a backward pass under the region that asks for it. Most of what it computes is
// on no list; what matters are the products of a product's gradient. Where they come from within
// the region, their operands have its element type already; where they come from before it, they
// are cast now.
//
//===----------------------------------------------------------------------===//

#include "Reverse.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

/// Whether a region that casts to `lower` casts `value`.
static bool isCast(Value value, Type lower) {
  auto type = dyn_cast<TensorType>(value.getType());
  Type dtype = type ? type.getDtype() : Type();
  return isa_and_present<FloatType>(dtype) && !dtype.isF64() && dtype != lower;
}

static LogicalResult refuse(Operation *op) {
  return op->emitError("expected, where autocast is enabled, no gradient of '")
         << op->getName() << "' in an element type that the region casts";
}

/// The gradients by the factors of a product are those of the product of the factors as cast.
static LogicalResult reverseProduct(Operation *op, unsigned first, Type lower,
                                    const ActiveValues &active, OpBuilder &b,
                                    GradientMap &gradients) {
  SmallVector<Value> operands(op->getOperands()), factors = {operands[first], operands[first + 1]};
  ActiveValues others, activeFactors;
  for (auto [place, operand] : llvm::enumerate(operands))
    if (active.contains(operand) && place != first && place != first + 1)
      others.insert(operand);
  if (others.contains(factors[0]) || others.contains(factors[1]))
    return refuse(op);
  if (!others.empty() && failed(differentiate(op, b, gradients, others)))
    return failure();
  for (unsigned i : {0, 1}) {
    operands[first + i] = converted(b, op->getLoc(), factors[i], lower);
    if (active.contains(factors[i]))
      activeFactors.insert(operands[first + i]);
  }
  Operation *product = createInferred(b, op->getLoc(), op->getName(), operands);
  if (!product)
    return failure();
  GradientMap inner;
  Value gradient = gradients.lookup(op->getResult(0)), result = product->getResult(0);
  inner[result] = converted(b, op->getLoc(), gradient, dtypeOf(result));
  if (failed(differentiate(product, b, inner, activeFactors)))
    return failure();
  for (unsigned i : {0, 1}) {
    Value given = inner.lookup(operands[first + i]);
    if (given && !(i == 1 && operands[first] == operands[first + 1]))
      accumulate(b, op->getLoc(), gradients, factors[i],
                 converted(b, op->getLoc(), given, dtypeOf(factors[i])));
  }
  if (product->use_empty())
    product->erase();
  return success();
}

/// What stands between `before` and where `b` builds; from the start of the block if that is null.
static bool buildsProduct(Operation *before, OpBuilder &b, Type lower) {
  Block *block = b.getInsertionBlock();
  auto begin = before ? std::next(before->getIterator()) : block->begin();
  return llvm::any_of(llvm::make_range(begin, b.getInsertionPoint()), [&](Operation &built) {
    WalkResult walk = built.walk([&](Operation *op) {
      bool isListed = autocastPolicyOf(op->getName(), "cpu") == AutocastPolicy::Lower;
      return isListed && isCast(op->getResult(0), lower) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
    });
    return walk.wasInterrupted();
  });
}

LogicalResult reverseInRegion(Operation *op, Type lower, const ActiveValues &active, OpBuilder &b,
                              GradientMap &gradients) {
  std::optional<unsigned> first = firstCastFactor(op);
  if (first && isCast(op->getResult(0), lower))
    return reverseProduct(op, *first, lower, active, b, gradients);
  Block *block = b.getInsertionBlock();
  auto at = b.getInsertionPoint();
  Operation *before = at == block->begin() ? nullptr : &*std::prev(at);
  if (failed(differentiate(op, b, gradients, active)))
    return failure();
  if (!first && !isCastOnlyForward(op) && buildsProduct(before, b, lower))
    return refuse(op);
  return success();
}

LogicalResult checkInRegion(Operation *op, Type lower) {
  if (op->getNumResults() == 0 || !isCast(op->getResult(0), lower))
    return success();
  AutocastPolicy policy = autocastPolicyOf(op->getName(), "cpu");
  bool isListed = policy == AutocastPolicy::Lower || policy == AutocastPolicy::Refused;
  return isListed && !firstCastFactor(op) && !isCastOnlyForward(op) ? refuse(op) : success();
}

} // namespace jit
