//===- Sort.cpp - lowering of operators that order elements ---------------===//
//
// The place of an element is the number of elements that come before it. Counting is quadratic in
// the length of the dimension, but it is two plain reductions: parallel, without control flow, and
// stable.
//
//===----------------------------------------------------------------------===//

#include "FrontDim.h"
#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Index.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

/// True where element `a` at place `i` comes before `c` at `j`. NaN is greater than any number.
static Value comesBefore(OpBuilder &b, Location loc, Type dtype, Value a, Value i, Value c, Value j,
                         bool descending) {
  Value earlier = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, i, j);
  Value less, same;
  Value first = descending ? c : a, second = descending ? a : c;
  if (isa<FloatType>(dtype)) {
    auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpFOp::create(b, loc, predicate, x, y);
    };
    using P = arith::CmpFPredicate;
    // Not (second <= first), but for a NaN that is first.
    Value secondIsNan = compare(P::UNO, second, second), firstIsNan = compare(P::UNO, first, first);
    Value ordered = compare(P::OLT, first, second);
    Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value firstIsNumber = arith::XOrIOp::create(b, loc, firstIsNan, one);
    Value nanLast = arith::AndIOp::create(b, loc, secondIsNan, firstIsNumber);
    less = arith::OrIOp::create(b, loc, ordered, nanLast);
    Value bothNan = arith::AndIOp::create(b, loc, firstIsNan, secondIsNan);
    same = arith::OrIOp::create(b, loc, compare(P::OEQ, first, second), bothNan);
  } else {
    bool isUnsigned = dtype.isUnsignedInteger() || dtype.isInteger(1);
    auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    less = arith::CmpIOp::create(b, loc, predicate, first, second);
    same = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, first, second);
  }
  Value tie = arith::AndIOp::create(b, loc, same, earlier);
  return arith::OrIOp::create(b, loc, less, tie);
}

/// Sums over one loop more than the result has dimensions.
static Value countOver(OpBuilder &b, Location loc, RankedTensorType type, const Sizes &sizes,
                       ValueRange inputs, ArrayRef<AffineMap> maps, ElementBody body) {
  int64_t loops = type.getRank() + 1;
  SmallVector<AffineMap> all(maps);
  all.push_back(AffineMap::getMultiDimIdentityMap(loops, b.getContext()).dropResult(loops - 1));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  Value none = constantOf(b, loc, type.getElementType(), 0);
  Value start = filled(b, loc, type, sizes, none);
  return linalg::GenericOp::create(b, loc, type, inputs, start, all, iterators,
                                   [&](OpBuilder &b, Location loc, ValueRange args) {
                                     linalg::YieldOp::create(b, loc, body(b, loc, args));
                                   })
      .getResult(0);
}

static Value counter(OpBuilder &b, Location loc, int64_t loop) {
  Value index = linalg::IndexOp::create(b, loc, loop);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

/// Where the first `count` elements of each row along `dim` are, in order.
static Value orderOf(OpBuilder &b, Location loc, Value tensor, Type dtype, int64_t dim,
                     OpFoldResult count, bool descending) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t rank = type.getRank();
  auto identity = AffineMap::getMultiDimIdentityMap(rank + 1, b.getContext()).dropResult(rank);
  SmallVector<AffineExpr> other(identity.getResults());
  other[dim] = b.getAffineDimExpr(rank);
  AffineMap replaced = AffineMap::get(rank + 1, 0, other, b.getContext());
  Sizes sizes = sizesOf(b, loc, tensor);
  Value places =
      countOver(b, loc, type.clone(b.getI64Type()), sizes, {tensor, tensor}, {identity, replaced},
                [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                  Value before = comesBefore(b, loc, dtype, args[1], counter(b, loc, rank), args[0],
                                             counter(b, loc, dim), descending);
                  Value one = arith::ExtUIOp::create(b, loc, b.getI64Type(), before);
                  return arith::AddIOp::create(b, loc, args[2], one);
                });
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = getConstantIntValue(count).value_or(ShapedType::kDynamic);
  sizes[dim] = count;
  return countOver(b, loc, RankedTensorType::get(shape, b.getI64Type()), sizes, places, replaced,
                   [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                     Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, args[0],
                                                        counter(b, loc, dim));
                     Value zero = constantOf(b, loc, b.getI64Type(), 0);
                     Value found =
                         arith::SelectOp::create(b, loc, here, counter(b, loc, rank), zero);
                     return arith::AddIOp::create(b, loc, args[1], found);
                   });
}

/// The elements at the places along `dim` that `order` names.
static Value pick(OpBuilder &b, Location loc, Value tensor, Value order, int64_t dim) {
  auto type = cast<RankedTensorType>(order.getType())
                  .clone(cast<RankedTensorType>(tensor.getType()).getElementType());
  return elementwise(
      b, loc, type, order, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        SmallVector<Value> place;
        for (int64_t i = 0; i < type.getRank(); ++i)
          place.push_back(i == dim
                              ? Value(arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]))
                              : Value(linalg::IndexOp::create(b, loc, i)));
        return tensor::ExtractOp::create(b, loc, tensor, place);
      });
}

/// Ends the call unless there are `count` elements along a dimension; nothing where types say so.
static OpFoldResult guardCount(OpBuilder &b, Location loc, Value count, Value tensor, int64_t dim) {
  OpFoldResult size = tensor::getMixedSize(b, loc, tensor, dim);
  std::optional<int64_t> known = IntInfo(count).known;
  if (known && getConstantIntValue(size))
    return b.getIndexAttr(*known);
  Value most = arith::IndexCastOp::create(b, loc, b.getI64Type(), asIndex(b, loc, size));
  // As a number without sign one below 0 is above all sizes.
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, count, most);
  GuardOp::create(b, loc, fits, "builtins.RuntimeError",
                  "expected at most {} elements to take, got {}", ValueRange{most, count});
  if (known)
    return b.getIndexAttr(*known);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), count).getResult();
}

/// All elements, or as many as `count` says.
static LogicalResult lowerOrder(Operation *op, Value self, Value tensor, Value dimValue,
                                Value count, std::optional<bool> descending,
                                ConversionPatternRewriter &rewriter) {
  auto type = loweredType(op->getResult(1));
  auto dim = frontDim(dimValue, std::max<int64_t>(type.getRank(), 1));
  if (!dim || !descending || !dtypeOf(self).isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "expected a constant dimension and direction");
  if (type.getRank() == 0) {
    Value zero = filled(rewriter, op->getLoc(), type, 0.0);
    rewriter.replaceOp(op, {tensor, zero});
    return success();
  }
  OpFoldResult taken = count ? guardCount(rewriter, op->getLoc(), count, tensor, *dim)
                             : tensor::getMixedSize(rewriter, op->getLoc(), tensor, *dim);
  Value order = orderOf(rewriter, op->getLoc(), tensor, dtypeOf(self), *dim, taken, *descending);
  rewriter.replaceOp(op, {pick(rewriter, op->getLoc(), tensor, order, *dim), order});
  return success();
}

namespace {

struct LowerSort : OpConversionPattern<aten::SortOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::SortOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerOrder(op, op.getSelf(), adaptor.getSelf(), op.getDim(), /*count=*/Value(),
                      BoolInfo(op.getDescending()).known, rewriter);
  }
};

struct LowerTopk : OpConversionPattern<aten::TopkOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::TopkOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerOrder(op, op.getSelf(), adaptor.getSelf(), op.getDim(), op.getK(),
                      BoolInfo(op.getLargest()).known, rewriter);
  }
};

} // namespace

void populateSortLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerSort, LowerTopk>(types, patterns.getContext());
}

} // namespace jit
