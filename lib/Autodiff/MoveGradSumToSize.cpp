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

/// True if `value` is the same for all elements that a sum from `from` to `to` adds up.
static bool isConstantOver(Value value, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  auto type = dyn_cast<TensorType>(value.getType());
  if (!type)
    return true;
  if (!type.hasStaticSizes() || type.getRank() > int64_t(to.size()))
    return false;
  for (int64_t back = 1; back <= type.getRank(); ++back) {
    int64_t size = type.getSizes()[type.getRank() - back];
    bool isSummed = from[from.size() - back] != to[to.size() - back];
    if (size != 1 && (isSummed || size != to[to.size() - back]))
      return false;
  }
  return true;
}

namespace {

struct MoveSum : OpInterfaceRewritePattern<PointwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(PointwiseOpInterface op, PatternRewriter &rewriter) const override {
    for (unsigned i : linearOperands(op)) {
      auto sum = op->getOperand(i).getDefiningOp<aten::GradSumToSizeOp>();
      if (!sum || !sum->hasOneUse() || !mayMove(op, i, sum))
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

  static bool mayMove(Operation *op, unsigned i, aten::GradSumToSizeOp sum) {
    // Only into the kernel that computes what is summed: elsewhere it would make work.
    if (!sum.getSelf().hasOneUse() || !sum.getSelf().getDefiningOp<PointwiseOpInterface>())
      return false;
    auto from = cast<TensorType>(sum.getSelf().getType());
    auto to = cast<TensorType>(sum.getResult().getType());
    auto result = dyn_cast<TensorType>(op->getResult(0).getType());
    if (!from.hasStaticSizes() || !to.hasStaticSizes() || !result || !result.hasStaticSizes() ||
        result.getSizes() != to.getSizes() || result.getDtype() != to.getDtype())
      return false;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.getOperandNumber() != i &&
          !isConstantOver(operand.get(), from.getSizes(), to.getSizes()))
        return false;
    return true;
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
