//===- FoldSlices.cpp - constants in the places of slices -----------------===//
//
// Upstream's patterns for this take the result of a slice that drops dimensions to be without the
// first dimensions of size 1, whichever it drops: of 1 x ? x 1 a result of 1 x ? becomes one of
// ? x 1, of which a cast then shows a single element.
//
//===----------------------------------------------------------------------===//

#include "FoldSlices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace {
/// Where a slice is, with what is constant in it as attributes.
struct Place {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  explicit Place(OffsetSizeAndStrideOpInterface op)
      : offsets(op.getMixedOffsets()), sizes(op.getMixedSizes()), strides(op.getMixedStrides()) {}

  /// Fails where nothing is, or where the slice would lie outside of `whole`.
  LogicalResult fold(ArrayRef<int64_t> whole) {
    bool changes = succeeded(foldDynamicIndexList(offsets, /*onlyNonNegative=*/true));
    changes |= succeeded(foldDynamicIndexList(sizes, /*onlyNonNegative=*/true));
    changes |= succeeded(foldDynamicStrideList(strides));
    return success(changes && verifyInBoundsSlice(whole, offsets, sizes, strides).isValid);
  }

  /// The type of the slice without the dimensions that are dropped.
  RankedTensorType typeWithout(const llvm::SmallBitVector &dropped, RankedTensorType like) const {
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!dropped.test(dim))
        shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    return like.clone(shape);
  }
};

struct FoldExtractSlice : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    Place place(op);
    if (failed(place.fold(op.getSourceType().getShape())))
      return rewriter.notifyMatchFailure(op,
                                         "expected constants, and a slice inside of its tensor");
    RankedTensorType type = place.typeWithout(op.getDroppedDims(), op.getType());
    Value slice = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), type, op.getSource(),
                                                 place.offsets, place.sizes, place.strides);
    if (type != op.getType())
      slice = tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), slice);
    rewriter.replaceOp(op, slice);
    return success();
  }
};

struct FoldInsertSlice : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    Place place(op);
    if (failed(place.fold(op.getDestType().getShape())))
      return rewriter.notifyMatchFailure(op,
                                         "expected constants, and a slice inside of its tensor");
    RankedTensorType type = place.typeWithout(op.getDroppedDims(), op.getSourceType());
    Value source = op.getSource();
    if (type != source.getType())
      source = tensor::CastOp::create(rewriter, op.getLoc(), type, source);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, source, op.getDest(), place.offsets,
                                                       place.sizes, place.strides);
    return success();
  }
};
} // namespace

void jit::populateFoldSlices(RewritePatternSet &patterns) {
  patterns.add<FoldExtractSlice, FoldInsertSlice>(patterns.getContext());
}
