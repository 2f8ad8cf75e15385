//===- StepRewriter.cpp - one operation after another is rewritten --------===//
#include "StepRewriter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace jit {

StepRewriter::StepRewriter(RewritePatternSet set)
    : rewriter(set.getContext()), patterns(std::move(set)), applicator(patterns) {
  applicator.applyDefaultCostModel();
  rewriter.setListener(this);
}

//===----------------------------------------------------------------------===//
// What is to be visited
//===----------------------------------------------------------------------===//

/// Those around it may simplify with it.
void StepRewriter::push(Operation *op) {
  for (; op; op = op->getParentOp())
    if (own.contains(op))
      next.insert(op);
}

void StepRewriter::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  own.insert(op);
  push(op);
}

void StepRewriter::notifyOperationModified(Operation *op) { push(op); }

void StepRewriter::notifyOperationReplaced(Operation *op, ValueRange) {
  for (Operation *user : op->getUsers())
    push(user);
}

/// What it was made of may have no use now, or a single one.
void StepRewriter::notifyOperationErased(Operation *op) {
  for (Value operand : op->getOperands())
    if (Operation *def = operand ? operand.getDefiningOp() : nullptr)
      push(def);
  own.erase(op);
  next.remove(op);
}

//===----------------------------------------------------------------------===//
// Visits
//===----------------------------------------------------------------------===//

/// True where `op` was changed or replaced.
bool StepRewriter::fold(Operation *op) {
  SmallVector<OpFoldResult> results;
  if (op->hasTrait<OpTrait::ConstantLike>() || failed(op->fold(results)))
    return false;
  if (results.empty()) {
    notifyOperationModified(op);
    return true;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values;
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    auto value = dyn_cast<Value>(result);
    if (!value) {
      Operation *constant = op->getDialect()->materializeConstant(rewriter, cast<Attribute>(result),
                                                                  type, op->getLoc());
      if (!constant)
        return false; // those that were made for other results have no use and go
      value = constant->getResult(0);
    }
    values.push_back(value);
  }
  rewriter.replaceOp(op, values);
  return true;
}

void StepRewriter::visit(Operation *op) {
  if (isOpTriviallyDead(op))
    return rewriter.eraseOp(op);
  if (fold(op))
    return;
  rewriter.setInsertionPoint(op);
  (void)applicator.matchAndRewrite(op, rewriter);
}

void StepRewriter::simplify(Operation *op) {
  own = {op};
  next.insert(op);
  while (!next.empty())
    visit(next.pop_back_val());
}

} // namespace jit
