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

/// The operand of a transposition by the sizes that its result is known to have: the verifier asks
/// for both to know as much.
static Value asKnownOf(PatternRewriter &rewriter, linalg::TransposeOp op, Value input,
                       Type result) {
  auto from = cast<RankedTensorType>(input.getType()), to = cast<RankedTensorType>(result);
  SmallVector<int64_t> sizes(from.getShape());
  for (auto [size, dim] : llvm::zip_equal(to.getShape(), op.getPermutation()))
    if (ShapedType::isDynamic(sizes[dim]))
      sizes[dim] = size;
  if (ArrayRef(sizes) == from.getShape())
    return input;
  return tensor::CastOp::create(rewriter, op.getLoc(), from.clone(sizes), input);
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
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op.getOperation()))
      operands[0] = asKnownOf(rewriter, transpose, operands[0], types.front());
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

/// Gives the result of a transposition the sizes of what it takes: upstream folds two of them that
/// are none together to what the first takes, whatever the type of the result.
struct KnowTransposed : OpRewritePattern<linalg::TransposeOp> {
  /// Before upstream's.
  explicit KnowTransposed(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(linalg::TransposeOp op, PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto type = dyn_cast<RankedTensorType>(op.getInit().getType());
    if (!from || !type)
      return failure();
    SmallVector<int64_t> sizes(type.getShape());
    for (auto [size, dim] : llvm::zip_equal(sizes, op.getPermutation()))
      if (ShapedType::isDynamic(size))
        size = from.getDimSize(dim);
    RankedTensorType known = type.clone(sizes);
    if (known == type)
      return failure();
    Value init = tensor::CastOp::create(rewriter, op.getLoc(), known, op.getInit());
    auto transposed = linalg::TransposeOp::create(rewriter, op.getLoc(), op.getInput(), init,
                                                  op.getPermutation());
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, transposed.getResult());
    return success();
  }
};

/// What is cast by way of open sizes from one size to another one is never there: a check before it
/// ends the call. Patterns that look through casts would put the one in the other's place.
struct DropContradiction : OpRewritePattern<tensor::CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CastOp op, PatternRewriter &rewriter) const override {
    auto open = op.getSource().getDefiningOp<tensor::CastOp>();
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!open || !type || !isa<RankedTensorType>(op.getSource().getType()) ||
        tensor::CastOp::areCastCompatible(open.getSource().getType(), op.getType()))
      return failure();
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, op.getLoc(), op.getSource());
    for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
      if (!ShapedType::isDynamic(known))
        size = rewriter.getIndexAttr(known);
    Value nothing = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes, type.getElementType());
    rewriter.replaceOp(op, nothing.getType() == type
                               ? nothing
                               : tensor::CastOp::create(rewriter, op.getLoc(), type, nothing));
    return success();
  }
};
} // namespace

void jit::JitDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<FoldCasts, KnowTransposed, DropContradiction>(getContext());
  populateFoldSlices(patterns);
}
