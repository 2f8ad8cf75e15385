//===- BoxPool.cpp - lowering of what is pooled of boxes in images --------===//

#include "BoundsChecks.h"
#include "Regions.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Vision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

template <typename OpTy>
static constexpr bool hasOwnChannels =
    llvm::is_one_of<OpTy, aten::PsRoiAlignOp, aten::PsRoiPoolOp, aten::PsRoiAlignBackwardOp,
                    aten::PsRoiPoolBackwardOp>::value;
template <typename OpTy>
static constexpr bool readsPixels =
    llvm::is_one_of<OpTy, aten::RoiPoolOp, aten::PsRoiPoolOp, aten::PsRoiPoolBackwardOp>::value;

/// How the operator divides boxes; nullopt where the number of bins is not constant.
template <typename OpTy>
static std::optional<Bins> binsOf(OpTy op, typename OpTy::Adaptor adaptor, OpFoldResult height,
                                  OpFoldResult width) {
  IntInfo rows(op.getPooledHeight()), columns(op.getPooledWidth());
  Type dtype = dtypeOf(op.getRois());
  if (!rows.known || !columns.known || !(dtype.isF32() || dtype.isF64()))
    return std::nullopt;
  Bins bins{adaptor.getRois(),
            adaptor.getSpatialScale(),
            dtype,
            *rows.known,
            *columns.known,
            height,
            width,
            readsPixels<OpTy>};
  if constexpr (requires { op.getSamplingRatio(); })
    bins.samples = adaptor.getSamplingRatio();
  if constexpr (requires { op.getAligned(); })
    bins.isAligned = adaptor.getAligned();
  bins.includesEnd = bins.readsPixels && !hasOwnChannels<OpTy>;
  // Backwards the last row and column have their share all the same.
  bins.stopsBeforeLast = std::is_same_v<OpTy, aten::PsRoiPoolOp>;
  bins.countsNone = !bins.readsPixels && hasOwnChannels<OpTy>;
  return bins;
}

/// The same of an operator that reads images, in a call that has an image for each box.
template <typename OpTy>
static std::optional<Bins> binsIn(OpBuilder &b, OpTy op, typename OpTy::Adaptor adaptor) {
  auto sizeOf = [&](int64_t dim) {
    return tensor::getMixedSize(b, op.getLoc(), adaptor.getInput(), dim);
  };
  auto bins = binsOf(op, adaptor, sizeOf(2), sizeOf(3));
  if (bins)
    guardImages(b, op.getLoc(), adaptor.getRois(), sizeOf(0));
  return bins;
}

/// The channel of the images that a bin of its own is taken from.
static Value ownChannel(OpBuilder &b, Location loc, const Bins &bins, ValueRange place) {
  auto times = [&](Value x, int64_t n, Value plus) -> Value {
    Value count = arith::ConstantIndexOp::create(b, loc, n);
    return arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, x, count), plus);
  };
  return times(times(place[1], bins.rows, place[2]), bins.columns, place[3]);
}

static SmallVector<Value> loopPlace(OpBuilder &b, Location loc) {
  SmallVector<Value> place;
  for (int64_t i = 0; i < 4; ++i)
    place.push_back(linalg::IndexOp::create(b, loc, i));
  return place;
}

/// The sizes of what is pooled: of the channels those of the images, or each bin's share of them.
static Sizes pooledSizes(OpBuilder &b, Location loc, const Bins &bins, Value images,
                         bool isShared) {
  OpFoldResult channels = tensor::getMixedSize(b, loc, images, 1);
  if (auto known = getConstantIntValue(channels); known && !isShared) {
    channels = b.getIndexAttr(*known / (bins.rows * bins.columns));
  } else if (!isShared) {
    Value each = arith::ConstantIndexOp::create(b, loc, bins.rows * bins.columns);
    Value count = asIndex(b, loc, channels);
    channels = arith::DivUIOp::create(b, loc, count, each).getResult();
    Value all = arith::MulIOp::create(b, loc, cast<Value>(channels), each);
    guardEqual(b, loc, all, count);
  }
  return {tensor::getMixedSize(b, loc, bins.boxes, 0), channels, b.getIndexAttr(bins.rows),
          b.getIndexAttr(bins.columns)};
}

namespace {

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

/// The mean of what each bin reads.
template <typename OpTy> struct LowerMeans : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value images = adaptor.getInput();
    auto bins = binsIn(rewriter, op, adaptor);
    if (!bins)
      return rewriter.notifyMatchFailure(op, "expected a constant number of bins of f32 or f64");
    Sizes sizes = pooledSizes(rewriter, loc, *bins, images, !hasOwnChannels<OpTy>);
    auto mean = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      SmallVector<Value> place = loopPlace(b, loc);
      Value channel = hasOwnChannels<OpTy> ? ownChannel(b, loc, *bins, place) : place[1];
      return meanOf(b, loc, *bins, images, place, channel);
    };
    auto type = loweredType(op->getResult(0));
    SmallVector<Value> results = {elementwise(rewriter, loc, type, sizes, ValueRange(), mean)};
    if constexpr (hasOwnChannels<OpTy>)
      results.push_back(elementwise(rewriter, loc, loweredType(op->getResult(1)), sizes,
                                    ValueRange(), [&](OpBuilder &b, Location loc, ValueRange) {
                                      Value at = ownChannel(b, loc, *bins, loopPlace(b, loc));
                                      return Value(
                                          arith::IndexCastOp::create(b, loc, b.getI32Type(), at));
                                    }));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value meanOf(OpBuilder &b, Location loc, const Bins &bins, Value images, ValueRange place,
                      Value channel) {
    Value image = imageOf(b, loc, bins.boxes, place[0]);
    Bin bin(b, loc, bins, place);
    Value none = constantOf(b, loc, bins.dtype, 0);
    auto add = [&](OpBuilder &b, Location loc, Value row, Value column, Value weight,
                   ValueRange sum) {
      Value pixel =
          tensor::ExtractOp::create(b, loc, images, ValueRange{image, channel, row, column});
      Value part = arith::MulFOp::create(b, loc, pixel, weight);
      return SmallVector<Value>{arith::AddFOp::create(b, loc, sum[0], part)};
    };
    return bin.mean(b, loc, bin.walk(b, loc, none, add)[0]);
  }
};

/// The largest pixel. It is looked for twice, for its value and for its place: the place is asked
/// for by gradients alone.
struct LowerMaxima : OpConversionPattern<aten::RoiPoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::RoiPoolOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value images = adaptor.getInput();
    auto bins = binsIn(rewriter, op, adaptor);
    if (!bins)
      return rewriter.notifyMatchFailure(op, "expected a constant number of bins of f32 or f64");
    Sizes sizes = pooledSizes(rewriter, loc, *bins, images, /*isShared=*/true);
    SmallVector<Value> results;
    for (auto [number, result] : llvm::enumerate(op->getResults()))
      results.push_back(elementwise(rewriter, loc, loweredType(result), sizes, ValueRange(),
                                    [&](OpBuilder &b, Location loc, ValueRange) {
                                      return largest(b, loc, *bins, images)[number];
                                    }));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// No pixel is found that is not above the lowest float of 32 bits, of f64 neither.
  static constexpr double lowest = -3.4028234663852886e38;

  /// Its value and its place in the image.
  static SmallVector<Value> largest(OpBuilder &b, Location loc, const Bins &bins, Value images) {
    SmallVector<Value> place = loopPlace(b, loc);
    Value image = imageOf(b, loc, bins.boxes, place[0]), channel = place[1];
    Bin bin(b, loc, bins, place);
    Value none = constantOf(b, loc, bins.dtype, 0), least = constantOf(b, loc, bins.dtype, lowest);
    SmallVector<Value> start = {arith::SelectOp::create(b, loc, bin.isEmpty(b, loc), none, least),
                                arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(-1))};
    return bin.walk(
        b, loc, start,
        [&](OpBuilder &b, Location loc, Value row, Value column, Value, ValueRange so) {
          Value pixel =
              tensor::ExtractOp::create(b, loc, images, ValueRange{image, channel, row, column});
          Value at = arith::MulIOp::create(b, loc, row, asIndex(b, loc, bins.width));
          at = arith::AddIOp::create(b, loc, at, column);
          at = arith::IndexCastOp::create(b, loc, b.getI32Type(), at);
          Value isLarger = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, pixel, so[0]);
          return SmallVector<Value>{arith::SelectOp::create(b, loc, isLarger, pixel, so[0]),
                                    arith::SelectOp::create(b, loc, isLarger, at, so[1])};
        });
  }
};

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

/// The sizes of the images, which the operator has as numbers. Those that are not constants are
/// compared in the call with what memory there may be.
template <typename OpTy>
Sizes imageSizes(OpBuilder &b, Location loc, OpTy op, typename OpTy::Adaptor adaptor) {
  Sizes sizes;
  for (auto [given, value] : {std::pair(op.getBatchSize(), adaptor.getBatchSize()),
                              std::pair(op.getChannels(), adaptor.getChannels()),
                              std::pair(op.getHeight(), adaptor.getHeight()),
                              std::pair(op.getWidth(), adaptor.getWidth())}) {
    if (auto known = IntInfo(given).known) {
      sizes.push_back(b.getIndexAttr(*known));
      continue;
    }
    Value least = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    Value isSize = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, value, least);
    GuardOp::create(b, loc, isSize, "builtins.RuntimeError", "expected a size of 0 or more, got {}",
                    ValueRange{value});
    sizes.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), value).getResult());
  }
  return sizes;
}

/// One bin after the other adds to what its pixels have: two may read the same one.
template <typename OpTy> struct LowerBackward : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  static constexpr bool isOfMaxima = std::is_same_v<OpTy, aten::RoiPoolBackwardOp>;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value grad = adaptor.getGrad(), places = placesOf(adaptor);
    Sizes images = imageSizes(rewriter, loc, op, adaptor);
    auto bins = binsOf(op, adaptor, images[2], images[3]);
    auto type = cast<RankedTensorType>(grad.getType());
    if (!bins || type.getElementType() != bins->dtype || type.getRank() != 4)
      return rewriter.notifyMatchFailure(op, "expected a constant number of bins of f32 or f64");
    if (places && (cast<RankedTensorType>(places.getType()).getRank() != 4 ||
                   !cast<RankedTensorType>(places.getType()).getElementType().isInteger(32)))
      return rewriter.notifyMatchFailure(op, "expected places of int32, one for each bin");
    guardImages(rewriter, loc, bins->boxes, images[0]);
    Sizes sizes = sizesOf(rewriter, loc, grad);
    guardFits(rewriter, loc, *bins, sizes, images);
    guardPlaces(rewriter, loc, places, sizes, images);
    Value none = constantOf(rewriter, loc, bins->dtype, 0);
    Value result = filled(rewriter, loc, loweredType(op.getResult()), images, none);
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    SmallVector<Value> lower(4, zero), step(4, one), upper;
    for (OpFoldResult size : sizes)
      upper.push_back(asIndex(rewriter, loc, size));
    auto body = [&](OpBuilder &b, Location loc, ValueRange place, ValueRange so) {
      return added(b, loc, *bins, grad, places, place, so);
    };
    rewriter.replaceOp(op,
                       scf::buildLoopNest(rewriter, loc, lower, upper, step, result, body).results);
    return success();
  }

private:
  static Value placesOf(typename OpTy::Adaptor adaptor) {
    if constexpr (isOfMaxima)
      return adaptor.getArgmax();
    else if constexpr (hasOwnChannels<OpTy>)
      return adaptor.getChannelMapping();
    else
      return {};
  }

  static void guardFits(OpBuilder &b, Location loc, const Bins &bins, const Sizes &grad,
                        const Sizes &images) {
    guardEqual(b, loc, grad[0], tensor::getMixedSize(b, loc, bins.boxes, 0));
    guardEqual(b, loc, grad[2], b.getIndexAttr(bins.rows));
    guardEqual(b, loc, grad[3], b.getIndexAttr(bins.columns));
    if constexpr (!hasOwnChannels<OpTy>)
      guardEqual(b, loc, grad[1], images[1]);
  }

  /// A place is a pixel of the image, from -1 on, or a channel.
  static void guardPlaces(OpBuilder &b, Location loc, Value places, const Sizes &grad,
                          const Sizes &images) {
    if (!places)
      return;
    for (auto [own, size] : llvm::zip(sizesOf(b, loc, places), grad))
      guardEqual(b, loc, own, size);
    OpFoldResult count = isOfMaxima ? productOf(b, loc, {images[2], images[3]}) : images[1];
    checkPlaces(b, loc, places, count, /*negative=*/isOfMaxima);
  }

  static Value plus(OpBuilder &b, Location loc, Value images, ValueRange place, Value share) {
    Value old = tensor::ExtractOp::create(b, loc, images, place);
    Value sum = arith::AddFOp::create(b, loc, old, share);
    return tensor::InsertOp::create(b, loc, sum, images, place);
  }

  static SmallVector<Value> added(OpBuilder &b, Location loc, const Bins &bins, Value grad,
                                  Value places, ValueRange place, ValueRange images) {
    Value image = imageOf(b, loc, bins.boxes, place[0]), channel = place[1];
    Value flow = tensor::ExtractOp::create(b, loc, grad, place), at;
    if (places)
      at = tensor::ExtractOp::create(b, loc, places, place);
    if constexpr (isOfMaxima)
      return {addedAt(b, loc, bins, flow, at, image, channel, images[0])};
    if constexpr (hasOwnChannels<OpTy>)
      channel = arith::IndexCastOp::create(b, loc, b.getIndexType(), at);
    Bin bin(b, loc, bins, place);
    Value each = bin.mean(b, loc, flow);
    return bin.walk(
        b, loc, images,
        [&](OpBuilder &b, Location loc, Value row, Value column, Value weight, ValueRange so) {
          Value share = arith::MulFOp::create(b, loc, each, weight);
          return SmallVector<Value>{
              plus(b, loc, so[0], ValueRange{image, channel, row, column}, share)};
        });
  }

  /// To the pixel with the number `at`; to none for a number below 0.
  static Value addedAt(OpBuilder &b, Location loc, const Bins &bins, Value flow, Value at,
                       Value image, Value channel, Value images) {
    Value least = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at, least);
    auto add = [&](OpBuilder &b, Location loc) {
      Value number = arith::IndexCastOp::create(b, loc, b.getIndexType(), at);
      Value width = asIndex(b, loc, bins.width);
      Value row = arith::DivUIOp::create(b, loc, number, width);
      Value column = arith::RemUIOp::create(b, loc, number, width);
      scf::YieldOp::create(b, loc,
                           plus(b, loc, images, ValueRange{image, channel, row, column}, flow));
    };
    auto leave = [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, images); };
    return scf::IfOp::create(b, loc, isThere, add, leave).getResult(0);
  }
};

} // namespace

void populateBoxPoolLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerMeans<aten::RoiAlignOp>, LowerMeans<aten::PsRoiAlignOp>,
               LowerMeans<aten::PsRoiPoolOp>, LowerMaxima, LowerBackward<aten::RoiAlignBackwardOp>,
               LowerBackward<aten::PsRoiAlignBackwardOp>, LowerBackward<aten::RoiPoolBackwardOp>,
               LowerBackward<aten::PsRoiPoolBackwardOp>>(types, patterns.getContext());
}

} // namespace jit
