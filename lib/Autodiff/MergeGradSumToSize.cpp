//===- MergeGradSumToSize.cpp - one sum where two give the same -----------===//

#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITMERGEGRADSUMTOSIZE
#include "jit/Autodiff/Passes.h.inc"

/// The size that a sum is taken to, where it is known.
static std::optional<SmallVector<int64_t>> knownSize(aten::GradSumToSizeOp op) {
  auto ints = ListInfo(withoutDerefine(op.getSize())).ints();
  if (!ints || llvm::is_contained(*ints, TensorType::kDynamic))
    return std::nullopt;
  return ints;
}

namespace {

/// sum(a) + sum(b), to one size, is sum(a + b).
struct MergeAddedSums : OpRewritePattern<aten::AddTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::AddTensorOp op, PatternRewriter &rewriter) const override {
    auto a = op.getSelf().getDefiningOp<aten::GradSumToSizeOp>();
    auto b = op.getOther().getDefiningOp<aten::GradSumToSizeOp>();
    if (!a || !b || !a->hasOneUse() || !b->hasOneUse())
      return rewriter.notifyMatchFailure(op, "expected an addition of two sums");
    auto type = cast<TensorType>(a.getSelf().getType());
    if (type != b.getSelf().getType() || !type.hasStaticSizes() || !knownSize(a) ||
        knownSize(a) != knownSize(b))
      return rewriter.notifyMatchFailure(op, "expected two sums of one size to one size");
    auto add = aten::AddTensorOp::create(rewriter, op.getLoc(), type,
                                         ValueRange{a.getSelf(), b.getSelf(), op.getAlpha()});
    rewriter.replaceOpWithNewOp<aten::GradSumToSizeOp>(op, op.getType(),
                                                       ValueRange{add, a.getSize()});
    return success();
  }
};

struct MergePass : impl::JitMergeGradSumToSizeBase<MergePass> {
  void runOnOperation() override {
    mergeEqual();
    RewritePatternSet patterns(&getContext());
    patterns.add<MergeAddedSums>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

  /// Sums of one value to one size, however the size is written.
  void mergeEqual() {
    DominanceInfo dominance(getOperation());
    llvm::MapVector<Value, SmallVector<aten::GradSumToSizeOp>> sums;
    getOperation().walk([&](aten::GradSumToSizeOp op) { sums[op.getSelf()].push_back(op); });
    for (auto &[gradient, ops] : sums)
      for (size_t i = 0; i < ops.size(); ++i)
        for (size_t j = i + 1; ops[i] && j < ops.size(); ++j)
          if (ops[j] && isSame(ops[i], ops[j]) &&
              dominance.dominates(ops[i].getOperation(), ops[j])) {
            ops[j].replaceAllUsesWith(ops[i].getResult());
            ops[j].erase();
            ops[j] = nullptr;
          }
  }

  static bool isSame(aten::GradSumToSizeOp a, aten::GradSumToSizeOp b) {
    return a.getType() == b.getType() &&
           (a.getSize() == b.getSize() || (knownSize(a) && knownSize(a) == knownSize(b)));
  }
};

} // namespace

} // namespace jit
