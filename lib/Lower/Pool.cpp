//===- Pool.cpp - lowering of pooling -------------------------------------===//

#include "Pool.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Pool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

static RankedTensorType typeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()); }

namespace {

/// The loops of pooling: everything of the result, then the taps of the windows.
struct PoolLoops {
  SmallVector<AffineMap> maps; // input, taps, then results
  SmallVector<utils::IteratorType> kinds;
  Value taps; // gives the loops of the taps their extents; never read
};

} // namespace

static PoolLoops poolLoops(OpBuilder &b, Location loc, RankedTensorType result,
                           ArrayRef<Window> windows, unsigned results) {
  MLIRContext *context = b.getContext();
  unsigned rank = result.getRank(), dimensions = windows.size(), loops = rank + dimensions;
  SmallVector<AffineExpr> reads, taps;
  for (unsigned i = 0; i < rank - dimensions; ++i)
    reads.push_back(getAffineDimExpr(i, context));
  llvm::append_range(reads, windowReads(context, windows, rank - dimensions, rank));
  SmallVector<int64_t> sizes;
  for (auto [i, window] : llvm::enumerate(windows)) {
    taps.push_back(getAffineDimExpr(rank + i, context));
    sizes.push_back(window.size);
  }
  PoolLoops pool;
  pool.maps = {AffineMap::get(loops, 0, reads, context), AffineMap::get(loops, 0, taps, context)};
  pool.maps.append(results, leadingLoops(context, loops, rank));
  pool.kinds.assign(rank, utils::IteratorType::parallel);
  pool.kinds.append(dimensions, utils::IteratorType::reduction);
  pool.taps = tensor::EmptyOp::create(b, loc, sizes, result.getElementType());
  return pool;
}

void reachTheEnd(MutableArrayRef<Window> windows, bool isCeil, ArrayRef<int64_t> input,
                 ArrayRef<int64_t> output) {
  if (!isCeil)
    return;
  for (auto [window, have, count] :
       llvm::zip(windows, input.take_back(windows.size()), output.take_back(windows.size()))) {
    if (ShapedType::isDynamic(have)) {
      window.after += window.stride - 1;
      continue;
    }
    int64_t reach = (count - 1) * window.stride + window.extent();
    window.after = std::max(window.after, reach - have - window.before);
  }
}

/// Of `count` windows those that begin before the end of the padded input: of windows that may
/// reach over it, the last one might not.
static OpFoldResult withoutBeyond(OpBuilder &b, Location loc, const Window &window,
                                  OpFoldResult input, OpFoldResult count) {
  auto number = [&](int64_t n) -> Value { return arith::ConstantIndexOp::create(b, loc, n); };
  Value all = asIndex(b, loc, count), less = arith::SubIOp::create(b, loc, all, number(1));
  Value last = arith::MulIOp::create(b, loc, less, number(window.stride));
  Value end = arith::AddIOp::create(b, loc, asIndex(b, loc, input), number(window.before));
  Value isBeyond = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, last, end);
  return arith::SelectOp::create(b, loc, isBeyond, less, all).getResult();
}

Sizes pooledSizes(OpBuilder &b, Location loc, RankedTensorType type, Value input,
                  ArrayRef<Window> windows, bool isCeil) {
  Sizes sizes = sizesLike(b, loc, type, input);
  for (auto [i, window] : llvm::enumerate(windows))
    if (int64_t dim = type.getRank() - windows.size() + i; type.isDynamicDim(dim)) {
      OpFoldResult size = tensor::getMixedSize(b, loc, input, dim);
      guardNotEmpty(b, loc, size);
      sizes[dim] = countWindows(b, loc, window, size);
      if (isCeil)
        sizes[dim] = withoutBeyond(b, loc, window, size, sizes[dim]);
    }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

static Value maximumOf(OpBuilder &b, Location loc, Value input, RankedTensorType type, Type dtype,
                       ArrayRef<Window> windows, bool isCeil) {
  Value lowest = extremeOf(b, loc, dtype, /*isLowest=*/true);
  Value start = filled(b, loc, type, pooledSizes(b, loc, type, input, windows, isCeil), lowest);
  input = paddedFor(b, loc, input, windows, lowest);
  PoolLoops loops = poolLoops(b, loc, type, windows, 1);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ScalarBuilder build{b, loc, dtype};
    Value larger = max(Element::raw(build, args[2]), Element::raw(build, args[0])).v;
    linalg::YieldOp::create(b, loc, larger);
  };
  return linalg::GenericOp::create(b, loc, TypeRange(type), ValueRange{input, loops.taps}, start,
                                   loops.maps, loops.kinds, body)
      .getResult(0);
}

/// Where in the input, counted row by row without padding, the current loops read.
static Value inputPosition(OpBuilder &b, Location loc, ArrayRef<Window> windows,
                           ArrayRef<Value> sizes, unsigned rank, Value &isInside) {
  auto number = [&](int64_t n) { return arith::ConstantIndexOp::create(b, loc, n).getResult(); };
  Value position = number(0);
  isInside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  for (auto [i, window] : llvm::enumerate(windows)) {
    Value output = linalg::IndexOp::create(b, loc, rank - windows.size() + i);
    Value tap = linalg::IndexOp::create(b, loc, rank + i);
    Value at =
        arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, output, number(window.stride)),
                              arith::MulIOp::create(b, loc, tap, number(window.dilation)));
    at = arith::SubIOp::create(b, loc, at, number(window.before));
    // Unsigned: what lies before the input is far beyond its end.
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at, sizes[i]);
    isInside = arith::AndIOp::create(b, loc, isInside, inside);
    position = arith::MulIOp::create(b, loc, position, sizes[i]);
    position = arith::AddIOp::create(b, loc, position, at);
  }
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
}

/// Maxima and where they are: the last NaN, or else the first of equals, never the padding.
static SmallVector<Value> maximumAndIndex(OpBuilder &b, Location loc, Value input,
                                          RankedTensorType type, Type dtype,
                                          ArrayRef<Window> windows, bool isCeil) {
  Value lowest = extremeOf(b, loc, dtype, /*isLowest=*/true);
  SmallVector<Value> sizes;
  for (OpFoldResult size : ArrayRef(sizesOf(b, loc, input)).take_back(windows.size()))
    sizes.push_back(asIndex(b, loc, size));
  Sizes all = pooledSizes(b, loc, type, input, windows, isCeil);
  input = paddedFor(b, loc, input, windows, lowest);
  auto indices = RankedTensorType::get(type.getShape(), b.getI64Type());
  Value starts[] = {filled(b, loc, type, all, lowest),
                    filled(b, loc, indices, all, constantOf(b, loc, b.getI64Type(), -1))};
  PoolLoops loops = poolLoops(b, loc, type, windows, 2);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ScalarBuilder build{b, loc, dtype};
    Element next = Element::raw(build, args[0]), best = Element::raw(build, args[2]);
    Value isInside;
    Value position = inputPosition(b, loc, windows, sizes, type.getRank(), isInside);
    Element isBetter = next > best;
    if (isa<FloatType>(dtype))
      isBetter = logicalOr(isBetter, isNan(next));
    Element isFirst =
        Element::raw(build, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, args[3],
                                                  constantOf(b, loc, b.getI64Type(), 0)));
    Value take = logicalAnd(logicalOr(isBetter, isFirst), Element::raw(build, isInside)).v;
    Value value = arith::SelectOp::create(b, loc, take, args[0], args[2]);
    Value index = arith::SelectOp::create(b, loc, take, position, args[3]);
    linalg::YieldOp::create(b, loc, ValueRange{value, index});
  };
  auto generic =
      linalg::GenericOp::create(b, loc, TypeRange{type, indices}, ValueRange{input, loops.taps},
                                starts, loops.maps, loops.kinds, body);
  return {generic.getResult(0), generic.getResult(1)};
}

namespace {

template <typename OpTy, unsigned dimensions> struct LowerMaxPool : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto windows = windowsOf(dimensions, op.getKernelSize(), op.getStride(), op.getPadding(),
                             op.getDilation());
    auto type = loweredType(op.getValues());
    Type dtype = dtypeOf(op.getValues());
    std::optional<bool> isCeil = BoolInfo(op.getCeilMode()).known;
    if (!windows || !isCeil || !dtype.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected constants for all but a real tensor");
    Value self = adaptor.getSelf();
    reachTheEnd(*windows, *isCeil, typeOf(self).getShape(), type.getShape());
    if (!op.getIndices().use_empty()) {
      rewriter.replaceOp(
          op, maximumAndIndex(rewriter, op.getLoc(), self, type, dtype, *windows, *isCeil));
      return success();
    }
    Value values = maximumOf(rewriter, op.getLoc(), self, type, dtype, *windows, *isCeil);
    auto unread = loweredType(op.getIndices());
    Value zero = constantOf(rewriter, op.getLoc(), unread.getElementType(), 0);
    Sizes sizes = pooledSizes(rewriter, op.getLoc(), unread, self, *windows, *isCeil);
    rewriter.replaceOp(op, {values, filled(rewriter, op.getLoc(), unread, sizes, zero)});
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

/// Sums of windows over the input, already padded with zeros.
static Value sumsOf(OpBuilder &b, Location loc, Value input, RankedTensorType type,
                    ArrayRef<OpFoldResult> sizes, Type accumulator, Type dtype,
                    ArrayRef<Window> windows) {
  PoolLoops loops = poolLoops(b, loc, type, windows, 1);
  Value zero = constantOf(b, loc, type.getElementType(), 0);
  Value start = filled(b, loc, type, sizes, zero);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ScalarBuilder build{b, loc, accumulator};
    linalg::YieldOp::create(b, loc,
                            (Element::raw(build, args[2]) + Element(build, args[0], dtype)).v);
  };
  return linalg::GenericOp::create(b, loc, TypeRange(type), ValueRange{input, loops.taps}, start,
                                   loops.maps, loops.kinds, body)
      .getResult(0);
}

/// How many elements of the input (with `include`, and of its padding) are in the window that the
/// loops stand at, along one dimension.
static Value countAlong(OpBuilder &b, Location loc, const Window &window, OpFoldResult input,
                        int64_t padding, bool include, unsigned loop) {
  auto number = [&](int64_t n) { return arith::ConstantIndexOp::create(b, loc, n).getResult(); };
  Value output = linalg::IndexOp::create(b, loc, loop);
  Value begin = arith::MulIOp::create(b, loc, output, number(window.stride));
  begin = arith::SubIOp::create(b, loc, begin, number(window.before));
  Value end = arith::AddIOp::create(b, loc, begin, number(window.size));
  // Padding beyond what was asked for, which a last window may reach into, never counts.
  OpFoldResult most = sumOf(b, loc, input, b.getIndexAttr(include ? padding : 0));
  end = arith::MinSIOp::create(b, loc, end, asIndex(b, loc, most));
  if (!include)
    begin = arith::MaxSIOp::create(b, loc, begin, number(0));
  return arith::SubIOp::create(b, loc, end, begin);
}

Element windowCount(ScalarBuilder &build, unsigned rank, const PoolCounts &counts) {
  if (counts.divisor)
    return constant(build, double(*counts.divisor));
  // The number that most windows have is a constant; only ragged ones compute it.
  int64_t fixed = 1;
  Value ragged;
  for (auto [i, window] : llvm::enumerate(counts.windows)) {
    bool include = counts.includesPadding;
    bool isWhole = window.after == counts.asked[i].after &&
                   (include || (window.before == 0 && window.after == 0));
    if (isWhole) {
      fixed *= window.size;
      continue;
    }
    Value count = countAlong(build.builder, build.loc, window, counts.input[i],
                             counts.asked[i].after, include, rank - counts.windows.size() + i);
    ragged = ragged ? arith::MulIOp::create(build.builder, build.loc, ragged, count) : count;
  }
  Element result = constant(build, double(fixed));
  if (!ragged)
    return result;
  Type i64 = build.builder.getI64Type();
  ragged = arith::IndexCastOp::create(build.builder, build.loc, i64, ragged);
  return result * Element(build, ragged, i64);
}

namespace {

template <typename OpTy, unsigned dimensions> struct LowerAvgPool : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value self = adaptor.getSelf();
    auto type = loweredType(op.getResult());
    Type dtype = dtypeOf(op.getResult());
    auto counts = poolCounts(rewriter, op, dimensions, self, type);
    if (!counts || !dtype.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected constants for all but a real tensor");
    Location loc = op.getLoc();
    Type accumulator = accumulatorOf(dtype);
    Value zero = constantOf(rewriter, loc, typeOf(self).getElementType(), 0);
    Sizes sizes = pooledSizes(rewriter, loc, type, self, counts->windows, counts->isCeil);
    self = paddedFor(rewriter, loc, self, counts->windows, zero);
    Value sums = sumsOf(rewriter, loc, self, type.clone(storageType(accumulator)), sizes,
                        accumulator, dtype, counts->windows);
    auto mean = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, accumulator};
      Element result =
          divided(Element::raw(build, args[0]), windowCount(build, type.getRank(), *counts));
      return convertScalar(b, loc, result.v, accumulator, dtype);
    };
    rewriter.replaceOp(op, elementwise(rewriter, loc, type, sums, mean));
    return success();
  }

private:
  static Element divided(Element sum, Element count) {
    return isa<FloatType>(sum.v.getType()) ? sum / count : truncDiv(sum, count);
  }
};

} // namespace

void populatePoolLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerMaxPool<aten::MaxPool1dWithIndicesOp, 1>,
               LowerMaxPool<aten::MaxPool2dWithIndicesOp, 2>,
               LowerMaxPool<aten::MaxPool3dWithIndicesOp, 3>, LowerAvgPool<aten::AvgPool1dOp, 1>,
               LowerAvgPool<aten::AvgPool2dOp, 2>, LowerAvgPool<aten::AvgPool3dOp, 3>>(
      types, patterns.getContext());
  populatePoolGradLowering(types, patterns);
  populateAdaptivePoolLowering(types, patterns);
}

} // namespace jit
