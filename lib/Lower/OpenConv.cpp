//===- OpenConv.cpp - convolutions of which the call tells sizes ----------===//
//
// Of known height and width, one image after the other is one of known sizes. Where these are open,
// a convolution is a product of rows: what the window of a position reads is a row, gathered for as
// many positions at once as caches hold, and the weights, all of whose sizes are known, are packed.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Conv.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

static RankedTensorType typeOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()); }
static ArrayRef<int64_t> shapeOf(Value tensor) { return typeOf(tensor).getShape(); }

//===----------------------------------------------------------------------===//
// As many images
//===----------------------------------------------------------------------===//

namespace {
/// Where one of several images stands among them.
struct Image {
  Image(OpBuilder &b, RankedTensorType all, Value number)
      : type(all.clone(shapeOfOne(all))), offsets(all.getRank(), b.getIndexAttr(0)),
        sizes(staticSizes(type)), strides(all.getRank(), b.getIndexAttr(1)) {
    offsets[0] = number;
  }

  RankedTensorType type;
  Sizes offsets, sizes, strides;

private:
  static SmallVector<int64_t> shapeOfOne(RankedTensorType all) {
    SmallVector<int64_t> shape(all.getShape());
    shape[0] = 1;
    return shape;
  }
};
} // namespace

/// One image after the other: all sizes of one are known.
static Value eachImage(OpBuilder &b, Location loc, const Convolution &convolution,
                       bool isTransposed) {
  Sizes sizes;
  for (int64_t size : convolution.type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  sizes[0] = tensor::getMixedSize(b, loc, convolution.input, 0);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto body = [&](OpBuilder &b, Location loc, Value number, ValueRange done) {
    Image from(b, cast<RankedTensorType>(convolution.input.getType()), number);
    Image to(b, convolution.type, number);
    Convolution image = convolution;
    image.input = tensor::ExtractSliceOp::create(b, loc, from.type, convolution.input, from.offsets,
                                                 from.sizes, from.strides);
    image.type = to.type;
    Value result = image.build(b, loc, isTransposed);
    Value all =
        tensor::InsertSliceOp::create(b, loc, result, done[0], to.offsets, to.sizes, to.strides);
    scf::YieldOp::create(b, loc, all);
  };
  return scf::ForOp::create(b, loc, zero, asIndex(b, loc, sizes[0]), one,
                            emptyOf(b, loc, convolution.type, sizes), body)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// As many channels
//===----------------------------------------------------------------------===//

/// The channel `number` of each of `groups` groups of `count` channels: all other sizes are known.
static Value channelOfGroups(OpBuilder &b, Location loc, Value tensor, Value number, Value count,
                             int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[1] = groups;
  Sizes sizes = staticSizes(type.clone(shape)), offsets(shape.size(), b.getIndexAttr(0)),
        strides(shape.size(), b.getIndexAttr(1));
  offsets[1] = number;
  if (groups != 1)
    strides[1] = count;
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, strides);
}

/// A convolution over as many channels in each group as the call tells, one after the other: the
/// gradient of a weight, whose channels are images.
static Value eachChannel(OpBuilder &b, Location loc, const Convolution &convolution) {
  Type sum = accumulatorOf(convolution.dtype);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = asIndex(b, loc, tensor::getMixedSize(b, loc, convolution.weight, 1));
  guardEqual(b, loc, tensor::getMixedSize(b, loc, convolution.input, 1),
             productOf(b, loc, {count, b.getIndexAttr(convolution.groups)}));
  auto body = [&](OpBuilder &b, Location loc, Value number, ValueRange done) {
    Convolution channel = convolution;
    channel.input = channelOfGroups(b, loc, convolution.input, number, count, convolution.groups);
    channel.weight = channelOfGroups(b, loc, convolution.weight, number, count, 1);
    Value own = convertedTensor(b, loc, channel.build(b, loc, /*isTransposed=*/false),
                                convolution.dtype, sum);
    auto add = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, sum};
      return (Element::raw(build, args[0]) + Element::raw(build, args[1])).v;
    };
    auto type = cast<RankedTensorType>(own.getType());
    scf::YieldOp::create(b, loc, elementwise(b, loc, type, ValueRange{done[0], own}, add));
  };
  RankedTensorType type = convolution.type;
  Value start = filled(b, loc, type.clone(storageType(sum)), 0);
  Value all = scf::ForOp::create(b, loc, zero, count, one, start, body).getResult(0);
  return convertedTensor(b, loc, all, sum, convolution.dtype);
}

//===----------------------------------------------------------------------===//
// Height and width
//===----------------------------------------------------------------------===//

/// About so many rows are multiplied at once: enough for a product's tiles, and few enough for what
/// they gather to stay in a cache.
static constexpr int64_t rowsAtOnce = 512;

namespace {

/// A forward convolution of open sizes as products of rows.
struct RowProducts {
  OpBuilder &b;
  Location loc;
  const Convolution &convolution;
  int64_t groups, channels, outputs; // the last two of each group
  Value image = {};                  // padded
  Sizes positions = {};              // along each window

  RowProducts(OpBuilder &b, Location loc, const Convolution &convolution);

  Value build();
  Value buildOfChannels();

private:
  unsigned dimensions() const { return convolution.windows.size(); }
  Value number(int64_t n) { return arith::ConstantIndexOp::create(b, loc, n); }
  Value gatheredRows(Value images, Value ofImage, Value first, Value count);
  Value channelsLast();
  Value channelsLastWeight();
  Value products(Value columns, Value weight);
  Value inserted(Value rows, Value into, Value ofImage, Value first);
  Sizes resultSizes();
};

} // namespace

RowProducts::RowProducts(OpBuilder &b, Location loc, const Convolution &convolution)
    : b(b), loc(loc), convolution(convolution), groups(convolution.groups),
      channels(shapeOf(convolution.weight)[1]),
      outputs(shapeOf(convolution.weight)[0] / convolution.groups) {
  for (auto [i, window] : llvm::enumerate(convolution.windows)) {
    OpFoldResult size = tensor::getMixedSize(b, loc, convolution.input, 2 + i);
    positions.push_back(countWindows(b, loc, window, size));
    if (int64_t known = convolution.type.getDimSize(2 + i); !ShapedType::isDynamic(known))
      guardEqual(b, loc, positions.back(), b.getIndexAttr(known));
  }
  Value zero = constantOf(b, loc, storageType(convolution.dtype), 0);
  image = paddedFor(b, loc, convolution.input, convolution.windows, zero);
}

Sizes RowProducts::resultSizes() {
  Sizes sizes = {tensor::getMixedSize(b, loc, convolution.input, 0),
                 b.getIndexAttr(groups * outputs)};
  llvm::append_range(sizes, positions);
  return sizes;
}

/// [count, positions..., groups, taps..., channels]: what the windows from `first` on read of an
/// image whose channels are last.
Value RowProducts::gatheredRows(Value images, Value ofImage, Value first, Value count) {
  const Window &window = convolution.windows.front();
  Sizes offsets(2 + dimensions(), b.getIndexAttr(0)), strides(offsets.size(), b.getIndexAttr(1));
  Sizes sizes = sizesOf(b, loc, images);
  offsets[0] = ofImage;
  sizes[0] = b.getIndexAttr(1);
  offsets[1] = arith::MulIOp::create(b, loc, first, number(window.stride)).getResult();
  Value last = arith::SubIOp::create(b, loc, count, number(1));
  Value reach = arith::MulIOp::create(b, loc, last, number(window.stride));
  sizes[1] = arith::AddIOp::create(b, loc, reach, number(window.extent())).getResult();
  auto part = tensor::ExtractSliceOp::inferCanonicalRankReducedResultType(offsets.size() - 1,
                                                                          typeOf(images), sizes);
  Value slice = tensor::ExtractSliceOp::create(b, loc, part, images, offsets, sizes, strides);
  Sizes rows = {count};
  llvm::append_range(rows, ArrayRef(positions).drop_front());
  rows.push_back(b.getIndexAttr(groups));
  for (const Window &each : convolution.windows)
    rows.push_back(b.getIndexAttr(each.size));
  rows.push_back(b.getIndexAttr(channels));
  SmallVector<int64_t> shape;
  for (OpFoldResult size : rows)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  AffineExpr group = b.getAffineDimExpr(dimensions()),
             channel = b.getAffineDimExpr(2 * dimensions() + 1);
  auto reads = windowReads(b.getContext(), convolution.windows, 0, dimensions() + 1);
  reads.push_back(group * channels + channel);
  return gathered(b, loc, slice, convolution.type.clone(shape), rows, reads);
}

/// The weights as [groups, outputs, taps..., channels].
Value RowProducts::channelsLastWeight() {
  SmallVector<int64_t> split = {groups, outputs, channels}, moved = {groups, outputs};
  for (const Window &window : convolution.windows) {
    split.push_back(window.size);
    moved.push_back(window.size);
  }
  moved.push_back(channels);
  Value weight = reshaped(b, loc, convolution.weight, split);
  SmallVector<AffineExpr> reads = {b.getAffineDimExpr(0), b.getAffineDimExpr(1),
                                   b.getAffineDimExpr(moved.size() - 1)};
  for (unsigned i = 0; i < dimensions(); ++i)
    reads.push_back(b.getAffineDimExpr(2 + i));
  return gathered(b, loc, weight, typeOf(weight).clone(moved), reads);
}

/// [count, positions..., groups, outputs] of the rows and the weights.
Value RowProducts::products(Value columns, Value weight) {
  MLIRContext *context = b.getContext();
  // Loops: positions..., groups, outputs, taps..., channels
  unsigned loops = 2 * dimensions() + 3, group = dimensions(), output = group + 1;
  SmallVector<AffineExpr> reads, taps;
  for (unsigned loop = 0; loop < loops; ++loop) {
    if (loop != output)
      reads.push_back(getAffineDimExpr(loop, context));
    if (loop >= group)
      taps.push_back(getAffineDimExpr(loop, context));
  }
  Value bias = convolution.bias ? reshaped(b, loc, convolution.bias, {groups, outputs}) : Value();
  SmallVector<int64_t> result(shapeOf(columns).take_front(dimensions()));
  result.append({groups, outputs});
  return product(b, loc, {columns, AffineMap::get(loops, 0, reads, context)},
                 {weight, AffineMap::get(loops, 0, taps, context)}, convolution.type.clone(result),
                 leadingLoops(context, loops, dimensions() + 2), convolution.dtype, bias);
}

/// `into` with the results of some positions of one image, channels in front of positions.
Value RowProducts::inserted(Value rows, Value into, Value ofImage, Value first) {
  SmallVector<ReassociationIndices> joined;
  for (int64_t i = 0; i < dimensions(); ++i)
    joined.push_back({i});
  joined.push_back({dimensions(), dimensions() + 1});
  Value flat = tensor::CollapseShapeOp::create(b, loc, rows, joined);
  Sizes sizes = sizesOf(b, loc, flat);
  SmallVector<int64_t> order = {dimensions()}, shape = {shapeOf(flat).back()};
  for (int64_t i = 0; i < dimensions(); ++i) {
    order.push_back(i);
    shape.push_back(shapeOf(flat)[i]);
  }
  std::rotate(sizes.begin(), sizes.end() - 1, sizes.end());
  Value empty = emptyOf(b, loc, typeOf(flat).clone(shape), sizes);
  Value moved = linalg::TransposeOp::create(b, loc, flat, empty, order)->getResult(0);
  sizes.insert(sizes.begin(), b.getIndexAttr(1));
  Sizes offsets(sizes.size(), b.getIndexAttr(0)), strides(sizes.size(), b.getIndexAttr(1));
  offsets[0] = ofImage;
  offsets[2] = first;
  return tensor::InsertSliceOp::create(b, loc, moved, into, offsets, sizes, strides);
}

/// The images with their channels last: what a tap reads lies side by side.
Value RowProducts::channelsLast() {
  SmallVector<int64_t> order = {0}, shape = {shapeOf(image).front()};
  Sizes own = sizesOf(b, loc, image), sizes = {own[0]};
  for (unsigned i = 0; i <= dimensions(); ++i)
    order.push_back(i < dimensions() ? 2 + i : 1);
  for (int64_t dim : ArrayRef(order).drop_front()) {
    shape.push_back(shapeOf(image)[dim]);
    sizes.push_back(own[dim]);
  }
  Value empty = emptyOf(b, loc, typeOf(image).clone(shape), sizes);
  return linalg::TransposeOp::create(b, loc, image, empty, order)->getResult(0);
}

Value RowProducts::build() {
  Value zero = number(0), one = number(1), images = channelsLast(), weight = channelsLastWeight();
  Sizes sizes = resultSizes();
  Value all = asIndex(b, loc, positions.front());
  Value inner = asIndex(b, loc, productOf(b, loc, ArrayRef(positions).drop_front()));
  inner = arith::MaxSIOp::create(b, loc, inner, one);
  Value step = arith::DivUIOp::create(b, loc, number(rowsAtOnce), inner);
  step = arith::MaxSIOp::create(b, loc, step, one);
  auto eachBlock = [&](Value ofImage) {
    return [&, ofImage](OpBuilder &b, Location loc, Value first, ValueRange done) {
      Value count = arith::MinSIOp::create(b, loc, step, arith::SubIOp::create(b, loc, all, first));
      Value rows = products(gatheredRows(images, ofImage, first, count), weight);
      scf::YieldOp::create(b, loc, inserted(rows, done[0], ofImage, first));
    };
  };
  auto eachImage = [&](OpBuilder &b, Location loc, Value ofImage, ValueRange done) {
    auto blocks = scf::ForOp::create(b, loc, zero, all, step, done, eachBlock(ofImage));
    scf::YieldOp::create(b, loc, blocks.getResults());
  };
  return scf::ForOp::create(b, loc, zero, asIndex(b, loc, sizes[0]), one,
                            emptyOf(b, loc, convolution.type, sizes), eachImage)
      .getResult(0);
}

/// Each group has one channel: plain loops, for there is little to multiply.
Value RowProducts::buildOfChannels() {
  MLIRContext *context = b.getContext();
  // Loops: batch, groups, outputs, positions..., taps...
  unsigned loops = 3 + 2 * dimensions(), tap = 3 + dimensions();
  auto loop = [&](unsigned i) { return getAffineDimExpr(i, context); };
  SmallVector<AffineExpr> reads = {loop(0), loop(1)}, taps = {loop(1), loop(2)};
  llvm::append_range(reads, windowReads(context, convolution.windows, 3, tap));
  SmallVector<int64_t> split = {groups, outputs};
  for (auto [i, window] : llvm::enumerate(convolution.windows)) {
    taps.push_back(loop(tap + i));
    split.push_back(window.size);
  }
  Value weight = reshaped(b, loc, convolution.weight, split);
  Sizes all = resultSizes(), sizes = all;
  sizes[1] = b.getIndexAttr(outputs);
  sizes.insert(sizes.begin() + 1, b.getIndexAttr(groups));
  SmallVector<int64_t> shape(convolution.type.getShape());
  shape[1] = outputs;
  shape.insert(shape.begin() + 1, groups);
  SmallVector<int64_t> perChannel(dimensions() + 2, 1);
  perChannel[0] = groups, perChannel[1] = outputs;
  Value bias = convolution.bias ? reshaped(b, loc, convolution.bias, perChannel) : Value();
  Value sums =
      product(b, loc, {image, AffineMap::get(loops, 0, reads, context)},
              {weight, AffineMap::get(loops, 0, taps, context)}, convolution.type.clone(shape),
              sizes, leadingLoops(context, loops, tap), convolution.dtype, bias);
  return reshaped(b, loc, sums, convolution.type.getShape(), all);
}

//===----------------------------------------------------------------------===//
// Which sizes are open
//===----------------------------------------------------------------------===//

/// Whether all sizes are known but that of one dimension.
static bool isOpenIn(ArrayRef<int64_t> shape, size_t dim) {
  auto sizes = llvm::to_vector(shape);
  sizes[dim] = 0;
  return !ShapedType::isDynamicShape(sizes);
}

/// Whether all sizes are known but how many images there are.
static bool isOpenInBatchAlone(const Convolution &convolution) {
  return typeOf(convolution.weight).hasStaticShape() && isOpenIn(shapeOf(convolution.input), 0) &&
         isOpenIn(convolution.type.getShape(), 0);
}

/// Whether all sizes are known but how many channels a forward convolution sums over.
static bool isOpenInChannelsAlone(const Convolution &convolution) {
  return !convolution.bias && convolution.type.hasStaticShape() &&
         ShapedType::isDynamic(shapeOf(convolution.weight)[1]) &&
         isOpenIn(shapeOf(convolution.weight), 1) && isOpenIn(shapeOf(convolution.input), 1);
}

Value buildOpen(OpBuilder &b, Operation *op, const Convolution &convolution, bool isTransposed) {
  Location loc = op->getLoc();
  if (isOpenInBatchAlone(convolution))
    return eachImage(b, loc, convolution, isTransposed);
  if (!isTransposed && isOpenInChannelsAlone(convolution))
    return eachChannel(b, loc, convolution);
  if (!typeOf(convolution.weight).hasStaticShape() ||
      ShapedType::isDynamic(shapeOf(convolution.input)[1])) {
    op->emitError("expected a static number of channels and weights of known sizes in "
                  "aten.convolution, got ")
        << op->getOperand(0).getType() << " and " << op->getOperand(1).getType();
    return {};
  }
  Convolution forward = isTransposed ? convolution.asForward(b, loc) : convolution;
  RowProducts rows(b, loc, forward);
  return rows.groups > 1 && rows.channels == 1 ? rows.buildOfChannels() : rows.build();
}

} // namespace jit
