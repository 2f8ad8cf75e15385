//===- NarrowWrites.cpp - writes of what changes alone --------------------===//

#include "NarrowWrites.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Rearrange.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {
struct NarrowDiagonal : OpRewritePattern<OverwriteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OverwriteOp op, PatternRewriter &rewriter) const override {
    auto fill = op.getValue().getDefiningOp<aten::FillDiagonalOp>();
    TensorInfo self(op.getSelf());
    if (!fill || fill.getSelf() != op.getSelf() || fill->getNextNode() != op || !self.hasRank() ||
        self.rank() != 2 || BoolInfo(fill.getWrap()).known != false)
      return rewriter.notifyMatchFailure(op, "expected a matrix whose diagonal is filled");
    GraphBuilder build{rewriter, op.getLoc()};
    Tensor diagonal = build.op<aten::DiagonalOp>(Tensor(build, op.getSelf()), 0, 0, 1);
    Tensor filled = build.op<aten::FillScalarOp>(diagonal, Any(build, fill.getFillValue()));
    auto narrow =
        OverwriteOp::create(rewriter, op.getLoc(), diagonal.v.getType(), diagonal.v, filled.v);
    narrow->setAttrs(op->getAttrs());
    rewriter.replaceOp(op, op.getSelf());
    return success();
  }
};
} // namespace

void populateNarrowWritePatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowDiagonal>(patterns.getContext());
}

} // namespace jit
