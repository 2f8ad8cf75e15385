//===- FoldCasts.cpp - sizes that casts state, in what computes with them --===//

#include "FoldSlices.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// Whether every loop of `op` has one size, if its operands are these. Behind a check that never
/// holds, what is known of a tensor can contradict what is done with it.
static bool agreesWith(linalg::LinalgOp op, ValueRange operands) {
  SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
  for (auto [operand, map] : llvm::zip_equal(operands, op.getIndexingMapsArray())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
      if (!loop || type.isDynamicDim(dim))
        continue;
      int64_t &size = sizes[loop.getPosition()];
      if (!ShapedType::isDynamic(size) && size != type.getDimSize(dim))
        return false;
      size = type.getDimSize(dim);
    }
  }
  return true;
}

namespace {
/// Has an operation on tensors of open sizes compute with the known sizes from which they were
/// cast. Upstream's pattern of this name makes invalid operations where sizes contradict.
struct FoldCasts : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !tensor::hasFoldableTensorCastOperand(op))
      return failure();
    auto inits = cast<DestinationStyleOpInterface>(op.getOperation());
    SmallVector<Type> types(op->getResultTypes());
    SmallVector<Value> operands = tensor::getUpdatedOperandsAfterCastOpFolding(inits, types);
    if (!agreesWith(op, operands))
      return failure();
    Operation *known = clone(rewriter, op, types, operands);
    SmallVector<Value> results;
    for (auto [was, is] : llvm::zip_equal(op->getResults(), known->getResults()))
      results.push_back(was.getType() == is.getType()
                            ? Value(is)
                            : tensor::CastOp::create(rewriter, op.getLoc(), was.getType(), is));
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void jit::JitDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<FoldCasts>(getContext());
  populateFoldSlices(patterns);
}
