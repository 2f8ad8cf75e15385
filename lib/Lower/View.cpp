//===- View.cpp - lowering of operators that rearrange --------------------===//

#include "jit/Dialect/Aten/View.h"
#include "Lower.h"
#include "Places.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

/// The constant `dim` as one counted from the front.
static std::optional<int64_t> frontDim(Value dim, int64_t rank) {
  IntInfo info(dim);
  if (!info.known || *info.known < -rank || *info.known >= rank)
    return std::nullopt;
  return *info.known < 0 ? *info.known + rank : *info.known;
}

//===----------------------------------------------------------------------===//
// Reshaping, reordering, repeating
//===----------------------------------------------------------------------===//

/// Each element of the result from one of `input`, at a place given by affine expressions.
static Value readAt(OpBuilder &b, Location loc, RankedTensorType type, Value input,
                    ArrayRef<AffineExpr> place) {
  SmallVector<AffineMap> maps{AffineMap::get(type.getRank(), 0, place, b.getContext()),
                              b.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return linalg::GenericOp::create(b, loc, type, input, empty, maps, iterators,
                                   [](OpBuilder &b, Location loc, ValueRange args) {
                                     linalg::YieldOp::create(b, loc, args[0]);
                                   })
      .getResult(0);
}

namespace {

struct LowerView : OpConversionPattern<aten::ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), adaptor.getSelf(),
                                    loweredType(op.getResult()).getShape()));
    return success();
  }
};

struct LowerPermute : OpConversionPattern<aten::PermuteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::PermuteOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    ListInfo list(op.getDims());
    SmallVector<int64_t> order;
    for (Value element : list.elements.value_or(SmallVector<Value>()))
      if (auto dim = frontDim(element, type.getRank()))
        order.push_back(*dim);
    if (int64_t(order.size()) != type.getRank())
      return rewriter.notifyMatchFailure(op, "expected constant dimensions");
    // The verifier of linalg.transpose has no answer for rank 0.
    if (order.empty()) {
      rewriter.replaceOp(op, adaptor.getSelf());
      return success();
    }
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, adaptor.getSelf(), empty, order);
    return success();
  }
};

struct LowerExpand : OpConversionPattern<aten::ExpandOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ExpandOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, elementwise(rewriter, op.getLoc(), loweredType(op.getResult()), adaptor.getSelf(),
                        [](OpBuilder &, Location, ValueRange args) { return args[0]; }));
    return success();
  }
};

struct LowerUnfold : OpConversionPattern<aten::UnfoldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::UnfoldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    int64_t rank = type.getRank() - 1;
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
    rewriter.replaceOp(op, readAt(rewriter, op.getLoc(), type, adaptor.getSelf(), place));
    return success();
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
    int64_t length = type.getDimSize(rank - 2);
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
        ones(rank, rewriter.getIndexAttr(1));
    auto sizes = llvm::to_vector(loweredType(op.getSelf()).getShape());
    offsets[*dim1] = rewriter.getIndexAttr(std::max<int64_t>(-*offset.known, 0));
    offsets[*dim2] = rewriter.getIndexAttr(std::max<int64_t>(*offset.known, 0));
    sizes[*dim1] = sizes[*dim2] = length;
    Value square =
        tensor::ExtractSliceOp::create(rewriter, op.getLoc(), adaptor.getSelf(), offsets,
                                       getAsIndexOpFoldResult(rewriter.getContext(), sizes), ones);
    SmallVector<AffineExpr> place;
    int64_t next = 0;
    for (int64_t i = 0; i < rank; ++i)
      place.push_back(rewriter.getAffineDimExpr(i == *dim1 || i == *dim2 ? rank - 2 : next++));
    rewriter.replaceOp(op, readAt(rewriter, op.getLoc(), type, square, place));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Where a part begins, how large it is and its steps.
struct Part {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};

} // namespace

static Part wholeOf(OpBuilder &b, ArrayRef<int64_t> sizes) {
  Part part;
  part.offsets.assign(sizes.size(), b.getIndexAttr(0));
  part.strides.assign(sizes.size(), b.getIndexAttr(1));
  for (int64_t size : sizes)
    part.sizes.push_back(b.getIndexAttr(size));
  return part;
}

/// The part that select picks; nullopt where the dimension is not known.
static std::optional<Part> selectedPart(OpBuilder &b, Operation *op, RankedTensorType self,
                                        Value dim, Value index) {
  auto at = frontDim(dim, self.getRank());
  if (!at)
    return std::nullopt;
  Part part = wholeOf(b, self.getShape());
  part.offsets[*at] = checkedPlace(b, op, index, self.getDimSize(*at));
  part.sizes[*at] = b.getIndexAttr(1);
  return part;
}

/// The part that slice picks; nullopt where its extent is not known.
static std::optional<Part> slicedPart(OpBuilder &b, Operation *op, RankedTensorType self, Value dim,
                                      Value start, Value end, Value step) {
  auto at = frontDim(dim, self.getRank());
  if (!at)
    return std::nullopt;
  Part part = wholeOf(b, self.getShape());
  if (auto inside = op->getAttrOfType<IntegerAttr>(insideAttr)) {
    part.offsets[*at] =
        arith::IndexCastOp::create(b, op->getLoc(), b.getIndexType(), start).getResult();
    part.sizes[*at] = b.getIndexAttr(inside.getInt());
  } else {
    SliceExtent extent = sliceExtent(self.getDimSize(*at), start, end, step);
    if (!extent.at)
      return std::nullopt;
    part.offsets[*at] = b.getIndexAttr(*extent.at);
    part.sizes[*at] = b.getIndexAttr(extent.length);
  }
  part.strides[*at] = b.getIndexAttr(*IntInfo(step).known);
  return part;
}

namespace {

struct LowerSelect : OpConversionPattern<aten::SelectIntOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::SelectIntOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto part =
        selectedPart(rewriter, op, loweredType(op.getSelf()), op.getDim(), adaptor.getIndex());
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected a constant dimension");
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, loweredType(op.getResult()),
                                                        adaptor.getSelf(), part->offsets,
                                                        part->sizes, part->strides);
    return success();
  }
};

struct LowerSlice : OpConversionPattern<aten::SliceTensorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::SliceTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto part = slicedPart(rewriter, op, loweredType(op.getSelf()), op.getDim(), adaptor.getStart(),
                           adaptor.getEnd(), adaptor.getStep());
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected bounds whose distance is known");
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, loweredType(op.getResult()),
                                                        adaptor.getSelf(), part->offsets,
                                                        part->sizes, part->strides);
    return success();
  }
};

/// `self` with `src`, converted to its element type, in the place of a part.
template <typename OpTy> struct LowerScatter : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (loweredType(op.getSrc()).getNumElements() == 0) {
      rewriter.replaceOp(op, adaptor.getSelf());
      return success();
    }
    auto part = partOf(op, adaptor, rewriter);
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected a place that is known");
    Value source = convertedTensor(rewriter, op.getLoc(), adaptor.getSrc(), dtypeOf(op.getSrc()),
                                   dtypeOf(op.getSelf()));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, source, adaptor.getSelf(), part->offsets,
                                                       part->sizes, part->strides);
    return success();
  }

private:
  static std::optional<Part> partOf(aten::SelectScatterOp op,
                                    aten::SelectScatterOp::Adaptor adaptor, OpBuilder &b) {
    return selectedPart(b, op, loweredType(op.getSelf()), op.getDim(), adaptor.getIndex());
  }
  static std::optional<Part> partOf(aten::SliceScatterOp op, aten::SliceScatterOp::Adaptor adaptor,
                                    OpBuilder &b) {
    return slicedPart(b, op, loweredType(op.getSelf()), op.getDim(), adaptor.getStart(),
                      adaptor.getEnd(), adaptor.getStep());
  }
};

} // namespace

void populateViewLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerView, LowerPermute, LowerExpand, LowerUnfold, LowerDiagonal, LowerSelect,
               LowerSlice, LowerScatter<aten::SelectScatterOp>, LowerScatter<aten::SliceScatterOp>>(
      types, patterns.getContext());
}

} // namespace jit
