//===- AffineReads.cpp - lowering of windows and diagonals ----------------===//

#include "FrontDim.h"
#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

struct LowerUnfold : OpConversionPattern<aten::UnfoldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::UnfoldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    int64_t rank = type.getRank() - 1;
    if (rank == 0 && !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "expected a known size of the window of a number");
    if (rank == 0) {
      rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), adaptor.getSelf(), type.getShape()));
      return success();
    }
    auto dim = frontDim(op.getDimension(), rank);
    IntInfo step(op.getStep());
    if (!dim || !step.known)
      return rewriter.notifyMatchFailure(op, "expected a constant dimension and step");
    SmallVector<AffineExpr> place;
    for (int64_t i = 0; i < rank; ++i)
      place.push_back(rewriter.getAffineDimExpr(i));
    place[*dim] = place[*dim] * *step.known + rewriter.getAffineDimExpr(rank);
    Sizes sizes = sizesOf(rewriter, op.getLoc(), adaptor.getSelf());
    sizes.push_back(windowSize(rewriter, op, type));
    sizes[*dim] = type.isDynamicDim(*dim)
                      ? openCount(rewriter, op, sizes[*dim], sizes[rank], *step.known)
                      : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(*dim)));
    rewriter.replaceOp(op, gathered(rewriter, op.getLoc(), adaptor.getSelf(), type, sizes, place));
    return success();
  }

private:
  static OpFoldResult windowSize(OpBuilder &b, aten::UnfoldOp op, RankedTensorType type) {
    int64_t last = type.getRank() - 1;
    if (!type.isDynamicDim(last))
      return b.getIndexAttr(type.getDimSize(last));
    return arith::IndexCastOp::create(b, op.getLoc(), b.getIndexType(), op.getSize()).getResult();
  }

  /// How many windows a dimension has; a call in which it is shorter than one of them ends.
  static OpFoldResult openCount(OpBuilder &b, aten::UnfoldOp op, OpFoldResult size,
                                OpFoldResult window, int64_t step) {
    Location loc = op.getLoc();
    Value all = asIndex(b, loc, size), own = asIndex(b, loc, window);
    auto number = [&](Value index) -> Value {
      return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    };
    Value isWithin = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, own, all);
    GuardOp::create(b, loc, isWithin, "builtins.RuntimeError",
                    "expected a window of at most {} elements, got {}",
                    ValueRange{number(all), number(own)});
    Value left = arith::SubIOp::create(b, loc, all, own);
    Value steps =
        arith::DivSIOp::create(b, loc, left, arith::ConstantIndexOp::create(b, loc, step));
    return arith::AddIOp::create(b, loc, steps, arith::ConstantIndexOp::create(b, loc, 1))
        .getResult();
  }
};

struct LowerDiagonal : OpConversionPattern<aten::DiagonalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::DiagonalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    int64_t rank = type.getRank() + 1;
    auto dim1 = frontDim(op.getDim1(), rank), dim2 = frontDim(op.getDim2(), rank);
    IntInfo offset(op.getOffset());
    if (!dim1 || !dim2 || !offset.known)
      return rewriter.notifyMatchFailure(op, "expected constant dimensions and offset");
    // The square that the diagonal goes through, then its elements with equal places.
    int64_t below = std::max<int64_t>(-*offset.known, 0),
            above = std::max<int64_t>(*offset.known, 0);
    Sizes sizes = sizesOf(rewriter, op.getLoc(), adaptor.getSelf());
    OpFoldResult length = rewriter.getIndexAttr(type.getDimSize(rank - 2));
    if (type.isDynamicDim(rank - 2))
      length = openLength(rewriter, op.getLoc(), {sizes[*dim1], below}, {sizes[*dim2], above});
    SmallVector<AffineExpr> place;
    Sizes shown;
    for (int64_t i = 0; i < rank; ++i) {
      bool isOfSquare = i == *dim1 || i == *dim2;
      place.push_back(rewriter.getAffineDimExpr(isOfSquare ? rank - 2 : int64_t(shown.size())));
      if (!isOfSquare)
        shown.push_back(sizes[i]);
    }
    shown.push_back(length);
    if (getConstantIntValue(length) == 0) { // which has no place among the rows
      Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shown, type.getElementType());
      rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, empty);
      return success();
    }
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
        ones(rank, rewriter.getIndexAttr(1));
    offsets[*dim1] = beginWithin(rewriter, op.getLoc(), sizes[*dim1], below);
    offsets[*dim2] = beginWithin(rewriter, op.getLoc(), sizes[*dim2], above);
    sizes[*dim1] = sizes[*dim2] = length;
    Value square = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), adaptor.getSelf(), offsets,
                                                  sizes, ones);
    rewriter.replaceOp(op, gathered(rewriter, op.getLoc(), square, type, shown, place));
    return success();
  }

private:
  /// Where a diagonal that has no element begins there may be no row or column.
  static OpFoldResult beginWithin(OpBuilder &b, Location loc, OpFoldResult size, int64_t begin) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return b.getIndexAttr(std::min(*known, begin));
    if (begin == 0)
      return b.getIndexAttr(0);
    Value at = arith::ConstantIndexOp::create(b, loc, begin);
    return arith::MinSIOp::create(b, loc, asIndex(b, loc, size), at).getResult();
  }

  /// How many elements a diagonal has that begins so far from the first row and column.
  static OpFoldResult openLength(OpBuilder &b, Location loc, std::pair<OpFoldResult, int64_t> rows,
                                 std::pair<OpFoldResult, int64_t> columns) {
    auto left = [&](std::pair<OpFoldResult, int64_t> side) -> Value {
      Value begin = arith::ConstantIndexOp::create(b, loc, side.second);
      return arith::SubIOp::create(b, loc, asIndex(b, loc, side.first), begin);
    };
    Value least = arith::MinSIOp::create(b, loc, left(rows), left(columns));
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    return arith::MaxSIOp::create(b, loc, least, none).getResult();
  }
};

} // namespace

void populateAffineReadLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerUnfold, LowerDiagonal>(types, patterns.getContext());
}

} // namespace jit
