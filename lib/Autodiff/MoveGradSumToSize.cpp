//===- MoveGradSumToSize.cpp - sums as late as they may be ----------------===//

#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITMOVEGRADSUMTOSIZE
#include "jit/Autodiff/Passes.h.inc"

/// The operands in which a pointwise operator is linear, all others held.
static SmallVector<unsigned, 2> linearOperands(Operation *op) {
  SmallVector<unsigned, 2> alone;
  if (auto linear = dyn_cast<LinearOpInterface>(op))
    for (ArrayRef<unsigned> set : linear.getLinearOperands())
      if (set.size() == 1)
        alone.push_back(set.front());
  return alone;
}

namespace {

struct MoveSum : OpInterfaceRewritePattern<PointwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(PointwiseOpInterface op, PatternRewriter &rewriter) const override {
    for (unsigned i : linearOperands(op)) {
      auto sum = op->getOperand(i).getDefiningOp<aten::GradSumToSizeOp>();
      if (!sum || !sum->hasOneUse() || !mayMove(op, sum))
        continue;
      auto from = cast<TensorType>(sum.getSelf().getType());
      auto result = cast<TensorType>(op->getResult(0).getType());
      IRMapping map;
      map.map(sum.getResult(), sum.getSelf());
      Operation *moved = rewriter.clone(*op, map);
      moved->getResult(0).setType(result.withSizes(from.getSizes()));
      rewriter.replaceOpWithNewOp<aten::GradSumToSizeOp>(
          op, result, ValueRange{moved->getResult(0), sum.getSize()});
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected an operator that is linear in a sum");
  }

  static bool mayMove(Operation *op, aten::GradSumToSizeOp sum) {
    // Only into the kernel that computes what is summed: elsewhere it would make work.
    if (!sum.getSelf().hasOneUse() || !sum.getSelf().getDefiningOp<PointwiseOpInterface>())
      return false;
    auto from = cast<TensorType>(sum.getSelf().getType());
    auto to = cast<TensorType>(sum.getResult().getType());
    auto result = cast<TensorType>(op->getResult(0).getType());
    // Each other operand is broadcast to the sizes of the sum, and so the same for all elements
    // that the sum adds up.
    return from.hasStaticSizes() && to.hasStaticSizes() && result.hasStaticSizes() &&
           result.getSizes() == to.getSizes() && result.getDtype() == to.getDtype();
  }
};

struct MovePass : impl::JitMoveGradSumToSizeBase<MovePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveSum>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

} // namespace jit
