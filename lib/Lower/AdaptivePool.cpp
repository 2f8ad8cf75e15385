//===- AdaptivePool.cpp - lowering of pooling to a given size -------------===//

#include "Sizes.h"
#include "Windows.h"
#include "jit/Dialect/Aten/Pool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// Builds index arithmetic.
struct IndexBuilder {
  OpBuilder &b;
  Location loc;

  Value number(int64_t n) { return arith::ConstantIndexOp::create(b, loc, n); }
  Value loop(unsigned i) { return linalg::IndexOp::create(b, loc, i); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value times(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
  Value over(Value x, int64_t n) { return arith::DivUIOp::create(b, loc, x, number(n)); }
};

/// One dimension: window i is from floor(i * input / output) to ceil((i + 1) * input / output).
struct Adaptive {
  OpFoldResult input; // a constant, or a size that the call tells
  int64_t output;

  std::optional<int64_t> known() const { return getConstantIntValue(input); }
  bool isEven() const { return known() && *known() % output == 0; }

  /// A window that starts in the middle of an element and ends in the middle of another has both.
  OpFoldResult longest(IndexBuilder index) const {
    if (output == 1)
      return input;
    if (!known())
      return index.add(index.over(size(index), output), index.number(2));
    int64_t rest = *known() % output, whole = *known() / output;
    return index.b.getIndexAttr(rest == 0 ? whole : whole + (output % rest == 0 ? 1 : 2));
  }

  Value size(IndexBuilder index) const { return asIndex(index.b, index.loc, input); }
  Value begin(IndexBuilder index, Value i) const {
    return index.over(index.times(i, size(index)), output);
  }
  Value end(IndexBuilder index, Value i) const {
    Value most = index.add(size(index), index.number(output - 1));
    return index.over(index.add(index.times(i, size(index)), most), output);
  }
};

/// The element that the loops (result, then taps) stand at, and whether it is in its window.
struct Read {
  Value element, isInside, position;
};

} // namespace

static Read readElement(OpBuilder &b, Location loc, Value input, ArrayRef<Adaptive> dims) {
  IndexBuilder index{b, loc};
  unsigned rank = cast<RankedTensorType>(input.getType()).getRank();
  unsigned leading = rank - dims.size();
  SmallVector<Value> at;
  for (unsigned i = 0; i < leading; ++i)
    at.push_back(index.loop(i));
  Value isInside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  Value position = index.number(0);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value output = index.loop(leading + i);
    Value here = index.add(dim.begin(index, output), index.loop(rank + i));
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, here, dim.end(index, output));
    isInside = arith::AndIOp::create(b, loc, isInside, inside);
    // Windows are of different lengths: a tap outside reads something and drops it.
    Value last = index.add(dim.size(index), index.number(-1));
    here = arith::MinUIOp::create(b, loc, here, last);
    at.push_back(here);
    position = index.add(index.times(position, dim.size(index)), here);
  }
  Value element = tensor::ExtractOp::create(b, loc, input, at);
  return {element, isInside, arith::IndexCastOp::create(b, loc, b.getI64Type(), position)};
}

/// Loops over the result and the taps of its longest windows; `starts` says where they begin.
static linalg::GenericOp overWindows(OpBuilder &b, Location loc, ArrayRef<Adaptive> dims,
                                     Type element, ValueRange starts,
                                     function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  MLIRContext *context = b.getContext();
  unsigned rank = cast<RankedTensorType>(starts[0].getType()).getRank();
  unsigned loops = rank + dims.size();
  Sizes sizes;
  SmallVector<AffineExpr> taps;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    sizes.push_back(dim.longest({b, loc}));
    taps.push_back(getAffineDimExpr(rank + i, context));
  }
  Value extents = tensor::EmptyOp::create(b, loc, sizes, element);
  SmallVector<AffineMap> maps = {AffineMap::get(loops, 0, taps, context)};
  maps.append(starts.size(), leadingLoops(context, loops, rank));
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.append(dims.size(), utils::IteratorType::reduction);
  return linalg::GenericOp::create(b, loc, starts.getTypes(), extents, starts, maps, kinds, body);
}

/// Nullopt where the call tells how many windows there are.
static std::optional<SmallVector<Adaptive>> adaptiveDims(OpBuilder &b, Location loc, Value input,
                                                         RankedTensorType output,
                                                         unsigned dimensions) {
  SmallVector<Adaptive> dims;
  for (int64_t dim = output.getRank() - dimensions; dim < output.getRank(); ++dim) {
    if (output.isDynamicDim(dim))
      return std::nullopt;
    dims.push_back({tensor::getMixedSize(b, loc, input, dim), output.getDimSize(dim)});
    // A tap beyond its window reads the last element, which has to be there.
    guardNotEmpty(b, loc, dims.back().input);
  }
  return dims;
}

namespace {

template <typename OpTy, unsigned dimensions> struct LowerAdaptiveAvg : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getResult());
    if (!isa<FloatType>(dtype))
      return rewriter.notifyMatchFailure(op, "expected floats as elements");
    Value self = adaptor.getSelf();
    auto type = loweredType(op.getResult());
    auto found = adaptiveDims(rewriter, op.getLoc(), self, type, dimensions);
    if (!found)
      return rewriter.notifyMatchFailure(op, "expected known sizes of the result");
    ArrayRef<Adaptive> dims = *found;
    if (llvm::all_of(dims, [](const Adaptive &dim) { return dim.known() == dim.output; })) {
      rewriter.replaceOp(op, self);
      return success();
    }
    Type accumulator = accumulatorOf(dtype);
    Value start = filled(rewriter, op.getLoc(), type.clone(accumulator),
                         sizesLike(rewriter, op.getLoc(), type, self),
                         constantOf(rewriter, op.getLoc(), accumulator, 0));
    auto add = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, accumulator};
      Read read = readElement(b, loc, self, dims);
      Element element(build, read.element, dtype);
      Element term = select(Element::raw(build, read.isInside), element, constant(build, 0));
      linalg::YieldOp::create(b, loc, (Element::raw(build, args[1]) + term).v);
    };
    Value sums =
        overWindows(rewriter, op.getLoc(), dims, type.getElementType(), start, add).getResult(0);
    auto mean = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, accumulator};
      Element count = countOf(build, type.getRank() - dimensions, dims);
      Element result = Element::raw(build, args[0]) / count;
      return convertScalar(b, loc, result.v, accumulator, dtype);
    };
    rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), type, sums, mean));
    return success();
  }

private:
  static Element countOf(ScalarBuilder &build, unsigned leading, ArrayRef<Adaptive> dims) {
    IndexBuilder index{build.builder, build.loc};
    int64_t fixed = 1;
    Value count;
    for (auto [i, dim] : llvm::enumerate(dims)) {
      if (dim.isEven()) {
        fixed *= *dim.known() / dim.output;
        continue;
      }
      Value output = index.loop(leading + i);
      Value length = arith::SubIOp::create(build.builder, build.loc, dim.end(index, output),
                                           dim.begin(index, output));
      count = count ? arith::MulIOp::create(build.builder, build.loc, count, length) : length;
    }
    Element result = constant(build, double(fixed));
    if (!count)
      return result;
    Type i64 = build.builder.getI64Type();
    count = arith::IndexCastOp::create(build.builder, build.loc, i64, count);
    return result * Element(build, count, i64);
  }
};

template <typename OpTy, unsigned dimensions> struct LowerAdaptiveMax : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getValues());
    if (!isa<FloatType>(dtype))
      return rewriter.notifyMatchFailure(op, "expected floats as elements");
    Location loc = op.getLoc();
    Value self = adaptor.getSelf();
    auto type = loweredType(op.getValues());
    auto found = adaptiveDims(rewriter, loc, self, type, dimensions);
    if (!found)
      return rewriter.notifyMatchFailure(op, "expected known sizes of the result");
    ArrayRef<Adaptive> dims = *found;
    Type i64 = rewriter.getI64Type();
    Sizes sizes = sizesLike(rewriter, loc, type, self);
    Value starts[] = {
        filled(rewriter, loc, type, sizes, extremeOf(rewriter, loc, dtype, true)),
        filled(rewriter, loc, type.clone(i64), sizes, constantOf(rewriter, loc, i64, -1))};
    auto choose = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, dtype};
      Read read = readElement(b, loc, self, dims);
      Element next = Element::raw(build, read.element), best = Element::raw(build, args[1]);
      Element isBetter = logicalOr(next > best, isNan(next));
      Element isFirst =
          Element::raw(build, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, args[2],
                                                    constantOf(b, loc, b.getI64Type(), 0)));
      Value take = logicalAnd(logicalOr(isBetter, isFirst), Element::raw(build, read.isInside)).v;
      Value value = arith::SelectOp::create(b, loc, take, read.element, args[1]);
      Value index = arith::SelectOp::create(b, loc, take, read.position, args[2]);
      linalg::YieldOp::create(b, loc, ValueRange{value, index});
    };
    auto generic = overWindows(rewriter, loc, dims, type.getElementType(), starts, choose);
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }
};

} // namespace

void populateAdaptivePoolLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerAdaptiveAvg<aten::AdaptiveAvgPool1dOp, 1>,
               LowerAdaptiveAvg<aten::AdaptiveAvgPool2dOp, 2>,
               LowerAdaptiveAvg<aten::AdaptiveAvgPool3dOp, 3>,
               LowerAdaptiveMax<aten::AdaptiveMaxPool1dOp, 1>,
               LowerAdaptiveMax<aten::AdaptiveMaxPool2dOp, 2>,
               LowerAdaptiveMax<aten::AdaptiveMaxPool3dOp, 3>>(types, patterns.getContext());
}

} // namespace jit
