//===- Index.cpp - lowering of operators that join and pick ---------------===//

#include "jit/Dialect/Aten/Index.h"
#include "BoundsChecks.h"
#include "FrontDim.h"
#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Lists.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

/// The place of the present iteration in each dimension.
static SmallVector<Value> currentPlace(OpBuilder &b, Location loc, int64_t rank) {
  SmallVector<Value> place;
  for (int64_t i = 0; i < rank; ++i)
    place.push_back(linalg::IndexOp::create(b, loc, i));
  return place;
}

/// `source` in the place of a part of `into` that begins at `offsets`.
static Value insertAt(OpBuilder &b, Location loc, Value source, Value into, const Sizes &offsets) {
  Sizes strides(offsets.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, loc, source, into, offsets, sizesOf(b, loc, source),
                                       strides);
}

namespace {

struct LowerCat : OpConversionPattern<aten::CatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::CatOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    auto all = loweredElements(rewriter, op.getTensors());
    auto dim = frontDim(op.getDim(), type.getRank());
    if (!all || !dim)
      return rewriter.notifyMatchFailure(op, "expected a jit.list and a constant dimension");
    Location loc = op.getLoc();
    auto list = op.getTensors().getDefiningOp<ListOp>();
    SmallVector<Value> parts;
    for (auto [part, element] : llvm::zip(*all, list.getElements())) {
      // An empty vector is left out, whatever rank the others have.
      if (auto from = loweredType(element); from.getRank() == 1 && from.getDimSize(0) == 0)
        continue;
      parts.push_back(
          convertedTensor(rewriter, loc, part, dtypeOf(element), dtypeOf(op.getResult())));
    }
    Value result = emptyOf(rewriter, loc, type, joinedSizes(rewriter, loc, type, parts, *dim));
    Sizes offsets(type.getRank(), rewriter.getIndexAttr(0));
    for (Value part : parts) {
      // Without elements it has a size along `dim`, and nothing to insert.
      if (!llvm::is_contained(cast<RankedTensorType>(part.getType()).getShape(), 0))
        result = insertAt(rewriter, loc, part, result, offsets);
      offsets[*dim] =
          sumOf(rewriter, loc, offsets[*dim], tensor::getMixedSize(rewriter, loc, part, *dim));
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// The sizes of the parts side by side, guarded.
  static Sizes joinedSizes(OpBuilder &b, Location loc, RankedTensorType type, ValueRange parts,
                           int64_t dim) {
    Sizes sizes = staticSizes(type);
    for (int64_t i = 0; i < type.getRank(); ++i) {
      OpFoldResult size;
      for (Value part : parts) {
        OpFoldResult own = tensor::getMixedSize(b, loc, part, i);
        if (!size)
          size = own;
        else if (i == dim)
          size = sumOf(b, loc, size, own);
        else
          guardEqual(b, loc, size, own);
      }
      if (!size)
        continue;
      if (type.isDynamicDim(i))
        sizes[i] = size;
      else
        guardEqual(b, loc, sizes[i], size);
    }
    return sizes;
  }
};

struct LowerPad : OpConversionPattern<aten::ConstantPadNdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ConstantPadNdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    auto pad = ListInfo(op.getPad()).ints();
    Type dtype = dtypeOf(op.getResult()), from = adaptor.getValue().getType();
    if (!pad || llvm::is_contained(*pad, ShapedType::kDynamic) || !from.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected constant paddings and a real value");
    Location loc = op.getLoc();
    auto self = loweredType(op.getSelf());
    auto sizes = llvm::to_vector(self.getShape());
    Sizes whole = sizesOf(rewriter, loc, adaptor.getSelf());
    Sizes offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<int64_t> cut(type.getRank(), 0);
    for (size_t i = 0; i < pad->size() / 2; ++i) {
      int64_t dim = type.getRank() - 1 - i, before = (*pad)[2 * i], after = (*pad)[2 * i + 1];
      offsets[dim] = rewriter.getIndexAttr(std::max<int64_t>(before, 0));
      cut[dim] = std::max<int64_t>(-before, 0);
      if (self.isDynamicDim(dim) && (before < 0 || after < 0))
        return rewriter.notifyMatchFailure(op, "expected nothing cut off from an open size");
      if (!self.isDynamicDim(dim))
        sizes[dim] -= cut[dim] + std::max<int64_t>(-after, 0);
      whole[dim] = sumOf(rewriter, loc, whole[dim], rewriter.getIndexAttr(before + after));
    }
    Value source = adaptor.getSelf();
    if (llvm::any_of(sizes, [](int64_t size) { return size < 0 && !ShapedType::isDynamic(size); }))
      return rewriter.notifyMatchFailure(op, "expected padding that leaves some elements");
    Value element = convertScalar(rewriter, loc, adaptor.getValue(), from, dtype);
    Value result = filled(rewriter, loc, type, whole, element);
    if (llvm::is_contained(sizes, 0)) {
      rewriter.replaceOp(op, result);
      return success();
    }
    if (ArrayRef<int64_t>(sizes) != self.getShape())
      source = cutOut(rewriter, loc, source, cut, sizes);
    rewriter.replaceOp(op, insertAt(rewriter, loc, source, result, offsets));
    return success();
  }

private:
  static Value cutOut(OpBuilder &b, Location loc, Value source, ArrayRef<int64_t> offsets,
                      ArrayRef<int64_t> known) {
    Sizes sizes = sizesOf(b, loc, source), ones(known.size(), b.getIndexAttr(1));
    for (auto [size, left] : llvm::zip(sizes, known))
      if (!ShapedType::isDynamic(left))
        size = b.getIndexAttr(left);
    return tensor::ExtractSliceOp::create(
        b, loc, source, getAsIndexOpFoldResult(b.getContext(), offsets), sizes, ones);
  }
};

struct LowerFlip : OpConversionPattern<aten::FlipOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::FlipOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    // A number may be flipped along the one dimension that it has not got.
    int64_t rank = std::max<int64_t>(type.getRank(), 1);
    SmallVector<bool> flipped(rank, false);
    ListInfo list(op.getDims());
    if (!list.elements)
      return rewriter.notifyMatchFailure(op, "expected constant dimensions");
    for (Value element : *list.elements) {
      auto dim = frontDim(element, rank);
      if (!dim)
        return rewriter.notifyMatchFailure(op, "expected constant dimensions in range");
      flipped[*dim] = true;
    }
    Sizes sizes = sizesOf(rewriter, op.getLoc(), adaptor.getSelf());
    auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      SmallVector<Value> place = currentPlace(b, loc, type.getRank());
      for (auto [i, index] : llvm::enumerate(place))
        if (flipped[i]) {
          Value last = asIndex(b, loc, sumOf(b, loc, sizes[i], b.getIndexAttr(-1)));
          index = arith::SubIOp::create(b, loc, last, index);
        }
      return tensor::ExtractOp::create(b, loc, adaptor.getSelf(), place);
    };
    rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), type, sizes, ValueRange(), body));
    return success();
  }
};

/// The elements on one side of a diagonal, zeros on the other.
template <typename OpTy> struct LowerTriangle : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    int64_t rank = type.getRank();
    if (rank < 2)
      return rewriter.notifyMatchFailure(op, "expected at least two dimensions");
    auto keeps =
        std::is_same_v<OpTy, aten::TrilOp> ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge;
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      auto counter = [&](int64_t dim) -> Value {
        Value index = linalg::IndexOp::create(b, loc, dim);
        return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
      };
      Value along = arith::SubIOp::create(b, loc, counter(rank - 1), counter(rank - 2));
      Value kept = arith::CmpIOp::create(b, loc, keeps, along, adaptor.getDiagonal());
      Value zero = constantOf(b, loc, type.getElementType(), 0);
      return arith::SelectOp::create(b, loc, kept, args[0], zero);
    };
    rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), type, adaptor.getSelf(), body));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Picking by index tensors
//===----------------------------------------------------------------------===//

struct LowerGather : OpConversionPattern<aten::GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::GatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = atLeastVector(rewriter, loc, adaptor.getSelf());
    Value indices = atLeastVector(rewriter, loc, adaptor.getIndex());
    auto self = cast<RankedTensorType>(source.getType());
    auto type = self.clone(cast<RankedTensorType>(indices.getType()).getShape());
    auto dim = frontDim(op.getDim(), type.getRank());
    Type places = cast<RankedTensorType>(indices.getType()).getElementType();
    if (!dim || self.getRank() != type.getRank() || !isPlaceType(places))
      return rewriter.notifyMatchFailure(op, "expected a dimension, equal ranks and int indices");
    if (!checkNoLarger(rewriter, loc, indices, source, *dim))
      return rewriter.notifyMatchFailure(op, "expected an index no larger than the tensor");
    OpFoldResult size = tensor::getMixedSize(rewriter, loc, source, *dim);
    checkPlaces(rewriter, loc, indices, size, /*negative=*/false);
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      SmallVector<Value> place = currentPlace(b, loc, type.getRank());
      place[*dim] = placeOf(b, loc, args[0], size);
      return tensor::ExtractOp::create(b, loc, source, place);
    };
    Value result = elementwise(rewriter, loc, type, indices, body);
    auto shape = loweredType(op.getResult()).getShape();
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shape,
                                    shape.empty() ? Sizes() : sizesOf(rewriter, loc, result)));
    return success();
  }
};

struct LowerIndex : OpConversionPattern<aten::IndexTensorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::IndexTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult()), self = loweredType(op.getSelf());
    std::string problem;
    auto plan = planIndex(self.getRank(), op.getIndices(), problem);
    if (!plan)
      return rewriter.notifyMatchFailure(op, "expected a list of integer indices");
    Location loc = op.getLoc();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    Sizes sizes, extents = sizesOf(rewriter, loc, adaptor.getSelf());
    for (auto [extent, index] : llvm::zip_equal(extents, plan->indices))
      if (!index)
        sizes.push_back(extent);
    for (auto [dim, index] : llvm::enumerate(plan->indices)) {
      if (!index)
        continue;
      inputs.push_back(rewriter.getRemappedValue(index));
      checkPlaces(rewriter, loc, inputs.back(), extents[dim],
                  /*negative=*/!op->hasAttr(fromFrontAttr), sizes);
      maps.push_back(broadcastMap(rewriter.getContext(), loweredType(index).getShape(), plan->sizes)
                         .shiftDims(plan->place));
      maps.back() = AffineMap::get(type.getRank(), 0, maps.back().getResults(), op.getContext());
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    auto common = RankedTensorType::get(plan->sizes, rewriter.getI64Type());
    Sizes chosen = broadcastSizes(rewriter, loc, common, inputs);
    sizes.insert(sizes.begin() + plan->place, chosen.begin(), chosen.end());
    Value empty = emptyOf(rewriter, loc, type, sizes);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, inputs, empty, maps, iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
          Value element = tensor::ExtractOp::create(b, loc, adaptor.getSelf(),
                                                    placeIn(b, loc, *plan, extents, args));
          linalg::YieldOp::create(b, loc, element);
        });
    return success();
  }

private:
  /// Indexed dimensions from the index elements, the others from the iteration.
  static SmallVector<Value> placeIn(OpBuilder &b, Location loc, const IndexPlan &plan,
                                    ArrayRef<OpFoldResult> extents, ValueRange elements) {
    SmallVector<Value> place;
    int64_t next = 0;
    for (auto [dim, index] : llvm::enumerate(plan.indices)) {
      if (index) {
        place.push_back(placeOf(b, loc, elements.front(), extents[dim]));
        elements = elements.drop_front();
        continue;
      }
      int64_t counter = next < plan.place ? next : next + int64_t(plan.sizes.size());
      place.push_back(linalg::IndexOp::create(b, loc, counter));
      ++next;
    }
    return place;
  }
};

} // namespace

void populateIndexLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerCat, LowerPad, LowerFlip, LowerTriangle<aten::TrilOp>,
               LowerTriangle<aten::TriuOp>, LowerGather, LowerIndex>(types, patterns.getContext());
  populateScatterLowering(types, patterns);
  populateSortLowering(types, patterns);
  populateNonzeroLowering(types, patterns);
}

} // namespace jit
