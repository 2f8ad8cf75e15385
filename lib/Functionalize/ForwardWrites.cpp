//===- ForwardWrites.cpp - in-place operators give what they wrote --------===//

#include "ForwardWrites.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Jit/SelectionPatterns.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FORWARDWRITESPASS
#include "jit/Functionalize/Passes.h.inc"

/// An in-place operator hands on the tensor that it wrote, so a loop around it seems to carry a new
/// one each time. Under its one name the loop is seen to carry nothing.
void forwardWrites(func::FuncOp func) {
  func.walk([&](Operation *op) {
    if (!isa<OverwriteOp, aten::RequiresGradInPlaceOp>(op))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    result.replaceAllUsesWith(castTo(builder, op->getLoc(), op->getOperand(0), result.getType()));
  });
  MLIRContext *context = func.getContext();
  RewritePatternSet patterns(context);
  scf::IfOp::getCanonicalizationPatterns(patterns, context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  scf::WhileOp::getCanonicalizationPatterns(patterns, context);
  FrozenRewritePatternSet frozen(std::move(patterns), selectionPatterns());
  // Not coming to an end within the limit leaves a correct program.
  (void)applyPatternsGreedily(func, frozen);
}

namespace {
struct ForwardWritesPass : impl::ForwardWritesPassBase<ForwardWritesPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      forwardWrites(func);
  }
};
} // namespace

} // namespace jit
