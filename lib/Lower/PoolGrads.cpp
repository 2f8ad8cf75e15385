//===- PoolGrads.cpp - lowering of what flows back from windows -----------===//

#include "BoundsChecks.h"
#include "Pool.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Conv.h"
#include "jit/Dialect/Aten/Pool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

/// The windows of pooling `input`, over the last dimensions; ends the call unless there are as many
/// as `pooled` has elements.
static SmallVector<WindowsAlong> overLast(OpBuilder &b, Location loc, ArrayRef<Window> windows,
                                          Value input, Value pooled, bool isCeil) {
  SmallVector<WindowsAlong> along;
  auto type = cast<RankedTensorType>(pooled.getType());
  int64_t first = type.getRank() - int64_t(windows.size());
  Sizes counts = pooledSizes(b, loc, type, input, windows, isCeil);
  for (auto [i, window] : llvm::enumerate(windows)) {
    OpFoldResult count = tensor::getMixedSize(b, loc, pooled, first + i);
    guardEqual(b, loc, count, counts[first + i]);
    along.push_back({window, first + int64_t(i), count});
  }
  return along;
}

/// The element of a pooled tensor, of graph element type `dtype`, for a window at `loops`.
static Value ofWindow(ScalarBuilder &build, Value pooled, ArrayRef<Value> loops,
                      const WindowRead &read) {
  auto place = llvm::to_vector(loops.drop_back(read.windows.size()));
  llvm::append_range(place, read.windows);
  return tensor::ExtractOp::create(build.builder, build.loc, pooled, place);
}

namespace {

template <typename OpTy, unsigned dimensions> struct LowerMaxPoolGrad : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto windows = windowsOf(dimensions, op.getKernelSize(), op.getStride(), op.getPadding(),
                             op.getDilation());
    auto type = loweredType(op.getResult());
    auto pooled = loweredType(op.getGradOutput());
    Type dtype = dtypeOf(op.getGradOutput());
    std::optional<bool> isCeil = BoolInfo(op.getCeilMode()).known;
    if (!windows || !isCeil || !isa<FloatType>(dtype) || !isPlaceType(dtypeOf(op.getIndices())) ||
        pooled.getRank() != type.getRank() || type.getRank() < int64_t(dimensions) ||
        loweredType(op.getIndices()).getShape() != pooled.getShape())
      return rewriter.notifyMatchFailure(op, "expected constants, and an index for each gradient");
    guardLeading(rewriter, op.getLoc(), adaptor.getGradOutput(), adaptor.getSelf(), dimensions);
    guardLeading(rewriter, op.getLoc(), adaptor.getIndices(), adaptor.getGradOutput(), 0);
    Sizes sizes = sizesLike(rewriter, op.getLoc(), type, adaptor.getSelf());
    auto term = [&](ScalarBuilder &build, ArrayRef<Value> loops, const WindowRead &read) {
      Value index = ofWindow(build, adaptor.getIndices(), loops, read);
      Value isHere = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::eq,
                                           index, positionOf(build, sizes, loops));
      Element grad(build, ofWindow(build, adaptor.getGradOutput(), loops, read), dtype);
      return select(Element::raw(build, isHere), grad, constant(build, 0));
    };
    reachTheEnd(*windows, *isCeil, type.getShape(), pooled.getShape());
    auto along = overLast(rewriter, op.getLoc(), *windows, adaptor.getSelf(),
                          adaptor.getGradOutput(), *isCeil);
    rewriter.replaceOp(op, sumOverWindows(rewriter, op.getLoc(), type, sizes, dtype, along, term));
    return success();
  }

private:
  /// The place in the pooled dimensions, counted row by row.
  static Value positionOf(ScalarBuilder &build, ArrayRef<OpFoldResult> sizes,
                          ArrayRef<Value> loops) {
    OpBuilder &b = build.builder;
    Value position;
    for (unsigned dim = sizes.size() - dimensions; dim < sizes.size(); ++dim) {
      if (!position) {
        position = loops[dim];
        continue;
      }
      position = arith::MulIOp::create(b, build.loc, position, asIndex(b, build.loc, sizes[dim]));
      position = arith::AddIOp::create(b, build.loc, position, loops[dim]);
    }
    return arith::IndexCastOp::create(b, build.loc, b.getI64Type(), position);
  }
};

template <typename OpTy, unsigned dimensions> struct LowerAvgPoolGrad : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    auto pooled = loweredType(op.getGradOutput());
    Type dtype = dtypeOf(op.getGradOutput());
    if (type.getRank() < int64_t(dimensions) || pooled.getRank() != type.getRank())
      return rewriter.notifyMatchFailure(op, "expected tensors of as many dimensions as windows");
    auto counts = poolCounts(rewriter, op, dimensions, adaptor.getSelf(), pooled);
    if (!counts || !isa<FloatType>(dtype))
      return rewriter.notifyMatchFailure(op, "expected constants for all but real tensors");
    guardLeading(rewriter, op.getLoc(), adaptor.getGradOutput(), adaptor.getSelf(), dimensions);
    Type accumulator = accumulatorOf(dtype);
    auto share = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, accumulator};
      return (Element(build, args[0], dtype) / windowCount(build, pooled.getRank(), *counts)).v;
    };
    Value shares = elementwise(rewriter, op.getLoc(), pooled.clone(accumulator),
                               adaptor.getGradOutput(), share);
    auto term = [&](ScalarBuilder &build, ArrayRef<Value> loops, const WindowRead &read) {
      return Element::raw(build, ofWindow(build, shares, loops, read));
    };
    Sizes sizes = sizesLike(rewriter, op.getLoc(), type, adaptor.getSelf());
    auto along = overLast(rewriter, op.getLoc(), counts->windows, adaptor.getSelf(),
                          adaptor.getGradOutput(), counts->isCeil);
    rewriter.replaceOp(op, sumOverWindows(rewriter, op.getLoc(), type, sizes, dtype, along, term));
    return success();
  }
};

struct LowerUnfoldBackward : OpConversionPattern<aten::UnfoldBackwardOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::UnfoldBackwardOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult()), windows = loweredType(op.getGradIn());
    Type dtype = dtypeOf(op.getGradIn());
    IntInfo dim(op.getDim()), size(op.getSize()), step(op.getStep());
    if (!dim.known || !size.known || !step.known || !dtype.isIntOrFloat() ||
        windows.getRank() != type.getRank() + 1)
      return rewriter.notifyMatchFailure(op, "expected constants for all but a real tensor");
    int64_t at = *dim.known < 0 ? *dim.known + type.getRank() : *dim.known;
    if (at < 0 || at >= type.getRank() || *step.known < 1 || *size.known < 1 ||
        windows.getShape().back() != *size.known)
      return rewriter.notifyMatchFailure(op, "expected windows of the given size and step");
    WindowsAlong along{
        {}, at, tensor::getMixedSize(rewriter, op.getLoc(), adaptor.getGradIn(), at)};
    along.window.size = *size.known;
    along.window.stride = *step.known;
    auto term = [&](ScalarBuilder &build, ArrayRef<Value> loops, const WindowRead &read) {
      auto place = llvm::to_vector(loops);
      place[at] = read.windows.front();
      place.push_back(read.taps.front());
      Value element =
          tensor::ExtractOp::create(build.builder, build.loc, adaptor.getGradIn(), place);
      return Element(build, element, dtype);
    };
    rewriter.replaceOp(
        op, sumOverWindows(rewriter, op.getLoc(), type, staticSizes(type), dtype, along, term));
    return success();
  }
};

struct LowerCol2im : OpConversionPattern<aten::Col2imOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::Col2imOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto windows =
        windowsOf(2, op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation());
    auto type = loweredType(op.getResult());
    Type dtype = dtypeOf(op.getSelf());
    if (!windows || !dtype.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected constants for all but real columns");
    // [batch or none, channels, taps, positions]
    int64_t leading = type.getRank() - 2;
    SmallVector<int64_t> sizes(type.getShape().take_front(leading));
    SmallVector<WindowsAlong> along;
    for (const Window &window : *windows)
      sizes.push_back(window.size);
    for (auto [i, window] : llvm::enumerate(*windows)) {
      sizes.push_back(window.count(type.getDimSize(leading + i)));
      along.push_back({window, leading + int64_t(i), rewriter.getIndexAttr(sizes.back())});
    }
    if (ShapedType::getNumElements(sizes) != loweredType(op.getSelf()).getNumElements())
      return rewriter.notifyMatchFailure(op, "expected a column for each window");
    Value columns = reshaped(rewriter, op.getLoc(), adaptor.getSelf(), sizes);
    auto term = [&](ScalarBuilder &build, ArrayRef<Value> loops, const WindowRead &read) {
      auto place = llvm::to_vector(loops.take_front(leading));
      llvm::append_range(place, read.taps);
      llvm::append_range(place, read.windows);
      Value element = tensor::ExtractOp::create(build.builder, build.loc, columns, place);
      return Element(build, element, dtype);
    };
    rewriter.replaceOp(
        op, sumOverWindows(rewriter, op.getLoc(), type, staticSizes(type), dtype, along, term));
    return success();
  }
};

} // namespace

void populatePoolGradLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerMaxPoolGrad<aten::MaxPool2dWithIndicesBackwardOp, 2>,
               LowerMaxPoolGrad<aten::MaxPool3dWithIndicesBackwardOp, 3>,
               LowerAvgPoolGrad<aten::AvgPool2dBackwardOp, 2>,
               LowerAvgPoolGrad<aten::AvgPool3dBackwardOp, 3>, LowerUnfoldBackward, LowerCol2im>(
      types, patterns.getContext());
}

} // namespace jit
