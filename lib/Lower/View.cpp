//===- View.cpp - lowering of operators that rearrange --------------------===//

#include "jit/Dialect/Aten/View.h"
#include "BoundsChecks.h"
#include "FrontDim.h"
#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Reshaping, reordering, repeating
//===----------------------------------------------------------------------===//

/// The sizes of `type`, the open ones from a list of ints that ends with the last size.
static Sizes listedSizes(OpBuilder &b, Location loc, RankedTensorType type,
                         ArrayRef<Value> elements) {
  Sizes sizes = staticSizes(type);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      size = arith::IndexCastOp::create(b, loc, b.getIndexType(), elements[dim]).getResult();
  return sizes;
}

namespace {

struct LowerView : OpConversionPattern<aten::ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = loweredType(op.getResult());
    if (type.hasStaticShape() && loweredType(op.getSelf()).hasStaticShape()) {
      rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), adaptor.getSelf(), type.getShape()));
      return success();
    }
    auto sizes = sizesFrom(rewriter, op, type, adaptor.getSelf());
    if (!sizes)
      return rewriter.notifyMatchFailure(op, "expected a list of sizes");
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), adaptor.getSelf(), type.getShape(), *sizes));
    return success();
  }

private:
  /// What the list says; the size that it leaves to the rest (-1) from the number of elements.
  static std::optional<Sizes> sizesFrom(OpBuilder &b, aten::ViewOp op, RankedTensorType type,
                                        Value self) {
    auto elements = ListInfo(op.getSize()).elements;
    if (!elements)
      return std::nullopt;
    Sizes sizes = listedSizes(b, op.getLoc(), type, *elements);
    Sizes others;
    std::optional<size_t> rest;
    for (auto [dim, element] : llvm::enumerate(*elements)) {
      if (type.isDynamicDim(dim) && IntInfo(element).known == -1)
        rest = dim;
      else
        others.push_back(sizes[dim]);
    }
    if (rest) {
      Value all = asIndex(b, op.getLoc(), productOf(b, op.getLoc(), sizesOf(b, op.getLoc(), self)));
      Value known = asIndex(b, op.getLoc(), productOf(b, op.getLoc(), others));
      Value one = arith::ConstantIndexOp::create(b, op.getLoc(), 1);
      known = arith::MaxSIOp::create(b, op.getLoc(), known, one);
      sizes[*rest] = arith::DivSIOp::create(b, op.getLoc(), all, known).getResult();
    }
    return sizes;
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
    // What the result's type alone knows holds for the operand: linalg.transpose has the sizes of
    // one in those of the other.
    SmallVector<int64_t> known(cast<RankedTensorType>(adaptor.getSelf().getType()).getShape());
    for (auto [place, dim] : llvm::enumerate(order))
      if (ShapedType::isDynamic(known[dim]))
        known[dim] = type.getDimSize(place);
    Value self = guardedCast(rewriter, op.getLoc(), adaptor.getSelf(), type.clone(known));
    Sizes from = sizesOf(rewriter, op.getLoc(), self), sizes;
    for (int64_t dim : order)
      sizes.push_back(from[dim]);
    Value empty = emptyOf(rewriter, op.getLoc(), type, sizes);
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, self, empty, order);
    return success();
  }
};

struct LowerExpand : OpConversionPattern<aten::ExpandOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ExpandOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = loweredType(op.getResult());
    auto element = [](OpBuilder &, Location, ValueRange args) { return args[0]; };
    if (type.hasStaticShape()) {
      rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), type, adaptor.getSelf(), element));
      return success();
    }
    auto sizes = sizesFrom(rewriter, op, type, adaptor.getSelf());
    if (!sizes)
      return rewriter.notifyMatchFailure(op, "expected a list of sizes");
    rewriter.replaceOp(
        op, elementwise(rewriter, op.getLoc(), type, *sizes, adaptor.getSelf(), element));
    return success();
  }

private:
  /// What the list says; -1, and what the tensor has already, from the tensor.
  static std::optional<Sizes> sizesFrom(OpBuilder &b, aten::ExpandOp op, RankedTensorType type,
                                        Value self) {
    auto elements = ListInfo(op.getSize()).elements;
    if (!elements)
      return std::nullopt;
    Sizes from = sizesOf(b, op.getLoc(), self);
    auto own = cast<RankedTensorType>(self.getType());
    int64_t missing = type.getRank() - own.getRank();
    Sizes sizes = listedSizes(b, op.getLoc(), type, *elements);
    for (int64_t dim = missing; dim < type.getRank(); ++dim) {
      if (own.getDimSize(dim - missing) == 1 || !type.isDynamicDim(dim))
        continue;
      if (IntInfo((*elements)[dim]).known != -1)
        guardEqual(b, op.getLoc(), sizes[dim], from[dim - missing]);
      sizes[dim] = from[dim - missing];
    }
    return sizes;
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

static Part wholeOf(OpBuilder &b, Location loc, Value tensor) {
  Part part;
  part.sizes = sizesOf(b, loc, tensor);
  part.offsets.assign(part.sizes.size(), b.getIndexAttr(0));
  part.strides.assign(part.sizes.size(), b.getIndexAttr(1));
  return part;
}

/// The part that select picks; nullopt where the dimension is not known.
static std::optional<Part> selectedPart(OpBuilder &b, Operation *op, Value self, Value dim,
                                        Value index) {
  auto type = cast<RankedTensorType>(self.getType());
  auto at = frontDim(dim, type.getRank());
  if (!at)
    return std::nullopt;
  Part part = wholeOf(b, op->getLoc(), self);
  part.offsets[*at] = type.isDynamicDim(*at)
                          ? checkedPlace(b, op, index, cast<Value>(part.sizes[*at]))
                          : checkedPlace(b, op, index, type.getDimSize(*at));
  part.sizes[*at] = b.getIndexAttr(1);
  return part;
}

/// A bound of a slice as Python takes it, from 0 to `size`; `otherwise` where it is left out.
static Value clampedBound(OpBuilder &b, Location loc, Value bound, Value size, Value otherwise) {
  if (IntInfo(bound).isNone())
    return otherwise;
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value isFromEnd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, bound, zero);
  Value fromEnd = arith::AddIOp::create(b, loc, bound, size);
  Value place = arith::SelectOp::create(b, loc, isFromEnd, fromEnd, bound);
  place = arith::MaxSIOp::create(b, loc, place, zero);
  return arith::MinSIOp::create(b, loc, place, size);
}

/// Where a slice begins and how long it is, if only the call knows.
static std::pair<Value, Value> openExtent(OpBuilder &b, Location loc, Value size, Value start,
                                          Value end, int64_t step) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  size = arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  Value first = clampedBound(b, loc, start, size, number(0));
  Value last = clampedBound(b, loc, end, size, size);
  // The last place and those a step before each other, down to the first.
  Value span = arith::SubIOp::create(b, loc, last, first);
  span = arith::MaxSIOp::create(b, loc, span, number(0));
  Value steps =
      arith::DivUIOp::create(b, loc, arith::SubIOp::create(b, loc, span, number(1)), number(step));
  Value isEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, span, number(0));
  Value length = arith::SelectOp::create(b, loc, isEmpty, number(0),
                                         arith::AddIOp::create(b, loc, steps, number(1)));
  auto index = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
  };
  return {index(first), index(length)};
}

/// The part that slice picks; nullopt where its bounds are not known to be numbers.
static std::optional<Part> slicedPart(OpBuilder &b, Operation *op, Value self, Value dim,
                                      Value start, Value end, Value step) {
  auto type = cast<RankedTensorType>(self.getType());
  auto at = frontDim(dim, type.getRank());
  bool areNumbers = !isa<OptionalType>(start.getType()) && !isa<OptionalType>(end.getType());
  if (!at || !areNumbers || IntInfo(step).valueOr(0) <= 0)
    return std::nullopt;
  Part part = wholeOf(b, op->getLoc(), self);
  part.strides[*at] = b.getIndexAttr(*IntInfo(step).known);
  SliceExtent extent = sliceExtent(type.getDimSize(*at), start, end, step);
  if (auto inside = op->getAttrOfType<IntegerAttr>(insideAttr)) {
    part.offsets[*at] =
        arith::IndexCastOp::create(b, op->getLoc(), b.getIndexType(), start).getResult();
    part.sizes[*at] = b.getIndexAttr(inside.getInt());
  } else if (extent.at) {
    part.offsets[*at] = b.getIndexAttr(*extent.at);
    part.sizes[*at] = b.getIndexAttr(extent.length);
  } else if (extent.length == TensorType::kDynamic) {
    Value size = asIndex(b, op->getLoc(), part.sizes[*at]);
    std::tie(part.offsets[*at], part.sizes[*at]) =
        openExtent(b, op->getLoc(), size, start, end, *IntInfo(step).known);
  } else {
    return std::nullopt;
  }
  // A buffer of one element along several dimensions loses one of them by its stride, which has to
  // be no larger than those before it.
  if (isConstantIntValue(part.sizes[*at], 1))
    part.strides[*at] = b.getIndexAttr(1);
  return part;
}

/// The sizes of a part, of which `type` may know less: a bound may be a constant only since.
static RankedTensorType typeOf(const Part &part, RankedTensorType type,
                               std::optional<int64_t> dropped) {
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(part.sizes))
    if (dropped != int64_t(dim))
      sizes.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return type.clone(sizes);
}

/// Sizes that are constants as attributes: to an operation a constant's result is an open size.
static Part withConstantSizes(Part part, OpBuilder &b) {
  for (OpFoldResult &size : part.sizes)
    if (auto constant = getConstantIntValue(size))
      size = b.getIndexAttr(*constant);
  return part;
}

/// The part of `self` as a tensor of `type`, which may lack the dimension `dropped`. One without
/// elements is new: tensor.extract_slice has no place in a dimension of size 0.
static Value takenPart(OpBuilder &b, Location loc, RankedTensorType type, Value self,
                       const Part &open, std::optional<int64_t> dropped = std::nullopt) {
  Part part = withConstantSizes(open, b);
  RankedTensorType own = typeOf(part, type, dropped);
  if (!llvm::is_contained(own.getShape(), 0) && !llvm::is_contained(type.getShape(), 0))
    return guardedCast(
        b, loc,
        tensor::ExtractSliceOp::create(b, loc, own, self, part.offsets, part.sizes, part.strides),
        type);
  Sizes sizes(part.sizes);
  if (dropped)
    sizes.erase(sizes.begin() + *dropped);
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  return tensor::CastOp::create(b, loc, type, empty);
}

namespace {

struct LowerSelect : OpConversionPattern<aten::SelectIntOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::SelectIntOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto part = selectedPart(rewriter, op, adaptor.getSelf(), op.getDim(), adaptor.getIndex());
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected a constant dimension");
    rewriter.replaceOp(op, takenPart(rewriter, op.getLoc(), loweredType(op.getResult()),
                                     adaptor.getSelf(), *part,
                                     frontDim(op.getDim(), int64_t(part->sizes.size()))));
    return success();
  }
};

struct LowerSlice : OpConversionPattern<aten::SliceTensorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::SliceTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto part = slicedPart(rewriter, op, adaptor.getSelf(), op.getDim(), adaptor.getStart(),
                           adaptor.getEnd(), adaptor.getStep());
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected bounds and a step that are numbers");
    rewriter.replaceOp(op, takenPart(rewriter, op.getLoc(), loweredType(op.getResult()),
                                     adaptor.getSelf(), *part));
    return success();
  }
};

/// `self` with `src`, converted to its element type, in the place of a part.
template <typename OpTy> struct LowerScatter : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType from = loweredType(op.getSrc());
    if (llvm::is_contained(from.getShape(), 0)) {
      rewriter.replaceOp(op, adaptor.getSelf());
      return success();
    }
    auto part = partOf(op, adaptor, rewriter);
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected a place that is known");
    Value source = convertedTensor(rewriter, op.getLoc(), adaptor.getSrc(), dtypeOf(op.getSrc()),
                                   dtypeOf(op.getSelf()));
    if (from.getRank() == int64_t(part->sizes.size()))
      takeSizesOf(source, *part, rewriter);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, source, adaptor.getSelf(), part->offsets,
                                                       part->sizes, part->strides);
    return success();
  }

private:
  /// The part has the sizes of what is put there.
  static void takeSizesOf(Value source, Part &part, OpBuilder &b) {
    Sizes sizes = sizesOf(b, source.getLoc(), source);
    for (auto [own, given] : llvm::zip(part.sizes, sizes))
      guardEqual(b, source.getLoc(), own, given);
    part.sizes = std::move(sizes);
  }

  static std::optional<Part> partOf(aten::SelectScatterOp op,
                                    aten::SelectScatterOp::Adaptor adaptor, OpBuilder &b) {
    return selectedPart(b, op, adaptor.getSelf(), op.getDim(), adaptor.getIndex());
  }
  static std::optional<Part> partOf(aten::SliceScatterOp op, aten::SliceScatterOp::Adaptor adaptor,
                                    OpBuilder &b) {
    return slicedPart(b, op, adaptor.getSelf(), op.getDim(), adaptor.getStart(), adaptor.getEnd(),
                      adaptor.getStep());
  }
};

} // namespace

void populateViewLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerView, LowerPermute, LowerExpand, LowerSelect, LowerSlice,
               LowerScatter<aten::SelectScatterOp>, LowerScatter<aten::SliceScatterOp>>(
      types, patterns.getContext());
}

} // namespace jit
