//===- Widening.cpp - operators read tensors under the narrowest type -----===//

#include "jit/Dialect/Aten/Aten.h"

using namespace mlir;

namespace jit {

namespace {

/// An operator takes a tensor itself, not the same tensor under a wider tensor type.
struct DropWidening : OpInterfaceRewritePattern<AtenOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AtenOpInterface op, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto derefine = operand.get().getDefiningOp<DerefineOp>();
      if (!derefine || !isa<TensorType>(derefine.getType()))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(derefine.getValue()); });
      changed = true;
    }
    return changed ? success()
                   : rewriter.notifyMatchFailure(op, "expected an operand under a wider type");
  }
};

} // namespace

void populateDropWideningPatterns(RewritePatternSet &patterns) {
  patterns.add<DropWidening>(patterns.getContext());
}

} // namespace jit
