//===- Conv.cpp - lowering of convolutions and their windows --------------===//

#include "jit/Dialect/Aten/Conv.h"
#include "Sizes.h"
#include "Windows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

namespace {

/// A convolution whose operands are read: what is left is to build it.
struct Convolution {
  Value input;  // [batch, channels, sizes...]
  Value weight; // forward: [outputs, channels / groups, taps...]
  Value bias;   // [outputs] or null
  SmallVector<Window> windows;
  SmallVector<int64_t> outputPadding;
  int64_t groups = 1;
  Type dtype;
  RankedTensorType type;

  Value build(OpBuilder &b, Location loc) const;
  Value buildTransposed(OpBuilder &b, Location loc) const;

private:
  Value start(OpBuilder &b, Location loc) const;
  Value buildGrouped(OpBuilder &b, Location loc, Value input) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// The bias of each output channel, in all of the output; null without one.
Value Convolution::start(OpBuilder &b, Location loc) const {
  if (!bias)
    return {};
  SmallVector<int64_t> sizes(windows.size() + 1, 1);
  sizes[0] = type.getDimSize(1);
  return broadcasted(b, loc, reshaped(b, loc, bias, sizes), type);
}

Value Convolution::build(OpBuilder &b, Location loc) const {
  Value zero = constantOf(b, loc, storageType(dtype), 0);
  Value input = paddedFor(b, loc, this->input, windows, zero);
  if (groups != 1)
    return buildGrouped(b, loc, input);
  // Loops: batch, outputs, positions..., channels, taps...
  MLIRContext *context = b.getContext();
  unsigned dimensions = windows.size(), loops = 3 + 2 * dimensions;
  auto loop = [&](unsigned i) { return getAffineDimExpr(i, context); };
  unsigned channel = 2 + dimensions;
  SmallVector<AffineExpr> reads = {loop(0), loop(channel)}, taps = {loop(1), loop(channel)};
  llvm::append_range(reads, windowReads(context, windows, 2, channel + 1));
  for (unsigned i = 0; i < dimensions; ++i)
    taps.push_back(loop(channel + 1 + i));
  return product(b, loc, {input, AffineMap::get(loops, 0, reads, context)},
                 {weight, AffineMap::get(loops, 0, taps, context)}, type,
                 leadingLoops(context, loops, 2 + dimensions), dtype, start(b, loc));
}

/// Channels as groups of channels: the groups are one more loop.
Value Convolution::buildGrouped(OpBuilder &b, Location loc, Value input) const {
  MLIRContext *context = b.getContext();
  auto split = [&](Value tensor, unsigned dim) {
    SmallVector<int64_t> sizes(shapeOf(tensor));
    sizes[dim] /= groups;
    sizes.insert(sizes.begin() + dim, groups);
    return reshaped(b, loc, tensor, sizes);
  };
  // Loops: batch, groups, outputs, positions..., channels, taps...
  unsigned dimensions = windows.size(), loops = 4 + 2 * dimensions;
  auto loop = [&](unsigned i) { return getAffineDimExpr(i, context); };
  unsigned channel = 3 + dimensions;
  SmallVector<AffineExpr> reads = {loop(0), loop(1), loop(channel)};
  SmallVector<AffineExpr> taps = {loop(1), loop(2), loop(channel)};
  llvm::append_range(reads, windowReads(context, windows, 3, channel + 1));
  for (unsigned i = 0; i < dimensions; ++i)
    taps.push_back(loop(channel + 1 + i));
  Value start = this->start(b, loc);
  SmallVector<int64_t> sizes(type.getShape());
  sizes[1] /= groups;
  sizes.insert(sizes.begin() + 1, groups);
  Value sum = product(b, loc, {split(input, 1), AffineMap::get(loops, 0, reads, context)},
                      {split(weight, 0), AffineMap::get(loops, 0, taps, context)},
                      type.clone(sizes), leadingLoops(context, loops, 3 + dimensions), dtype,
                      start ? split(start, 1) : Value());
  return reshaped(b, loc, sum, type.getShape());
}

//===----------------------------------------------------------------------===//
// Transposed
//===----------------------------------------------------------------------===//

/// [inputs, outputs / groups, taps...] as [outputs, inputs / groups, taps backwards...].
static Value flippedWeight(OpBuilder &b, Location loc, Value weight, int64_t groups) {
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t> split = {groups, type.getDimSize(0) / groups, type.getDimSize(1)};
  llvm::append_range(split, type.getShape().drop_front(2));
  weight = reshaped(b, loc, weight, split);
  std::swap(split[1], split[2]);
  SmallVector<AffineExpr> reads;
  for (auto [i, size] : llvm::enumerate(split)) {
    AffineExpr loop = b.getAffineDimExpr(i == 1 ? 2 : i == 2 ? 1 : i);
    reads.push_back(i < 3 ? loop : size - 1 - loop);
  }
  Value flipped = gathered(b, loc, weight, type.clone(split), reads);
  SmallVector<int64_t> joined = {split[0] * split[1], split[2]};
  llvm::append_range(joined, ArrayRef(split).drop_front(3));
  return reshaped(b, loc, flipped, joined);
}

/// The input with `stride - 1` zeros between its elements.
static Value dilatedInput(OpBuilder &b, Location loc, Value input, ArrayRef<Window> windows) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> sizes(type.getShape()), strides(type.getRank(), 1);
  for (auto [i, window] : llvm::enumerate(windows)) {
    strides[2 + i] = window.stride;
    sizes[2 + i] = (sizes[2 + i] - 1) * window.stride + 1;
  }
  if (ArrayRef(sizes) == type.getShape())
    return input;
  Value zeros = filled(b, loc, type.clone(sizes), 0);
  SmallVector<int64_t> offsets(type.getRank(), 0);
  return tensor::InsertSliceOp::create(b, loc, input, zeros, ValueRange(), ValueRange(),
                                       ValueRange(), offsets, type.getShape(), strides);
}

Value Convolution::buildTransposed(OpBuilder &b, Location loc) const {
  Convolution forward = *this;
  forward.weight = flippedWeight(b, loc, weight, groups);
  forward.input = dilatedInput(b, loc, input, windows);
  for (auto [window, extra] : llvm::zip(forward.windows, outputPadding)) {
    int64_t reach = window.extent() - 1;
    window.before = reach - window.before;
    window.after = reach - window.after + extra;
    window.stride = 1;
  }
  return forward.build(b, loc);
}

static Value buildKnown(OpBuilder &b, Location loc, const Convolution &convolution,
                        bool isTransposed) {
  return isTransposed ? convolution.buildTransposed(b, loc) : convolution.build(b, loc);
}

//===----------------------------------------------------------------------===//
// As many images as the call tells
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
    Value result = buildKnown(b, loc, image, isTransposed);
    Value all =
        tensor::InsertSliceOp::create(b, loc, result, done[0], to.offsets, to.sizes, to.strides);
    scf::YieldOp::create(b, loc, all);
  };
  return scf::ForOp::create(b, loc, zero, asIndex(b, loc, sizes[0]), one,
                            emptyOf(b, loc, convolution.type, sizes), body)
      .getResult(0);
}

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
    Value own = convertedTensor(b, loc, channel.build(b, loc), convolution.dtype, sum);
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
// Patterns
//===----------------------------------------------------------------------===//

/// Whether all sizes are known but that of one dimension.
static bool isOpenIn(ArrayRef<int64_t> shape, size_t dim) {
  auto sizes = llvm::to_vector(shape);
  sizes[dim] = 0;
  return !ShapedType::isDynamicShape(sizes);
}

/// Whether all sizes are known but how many images there are.
static bool isOpenInBatchAlone(const Convolution &convolution) {
  return cast<RankedTensorType>(convolution.weight.getType()).hasStaticShape() &&
         shapeOf(convolution.input).size() == convolution.windows.size() + 2 &&
         isOpenIn(shapeOf(convolution.input), 0) && isOpenIn(convolution.type.getShape(), 0);
}

/// Whether all sizes are known but how many channels a forward convolution sums over.
static bool isOpenInChannelsAlone(const Convolution &convolution) {
  return !convolution.bias && convolution.type.hasStaticShape() &&
         ShapedType::isDynamic(shapeOf(convolution.weight)[1]) &&
         isOpenIn(shapeOf(convolution.weight), 1) && isOpenIn(shapeOf(convolution.input), 1);
}

/// A convolution of which the call tells a size; null, after an error, where it is not one of those
/// that there are loops for.
static Value buildOpen(OpBuilder &b, Operation *op, const Convolution &convolution,
                       bool isTransposed) {
  if (isOpenInBatchAlone(convolution))
    return eachImage(b, op->getLoc(), convolution, isTransposed);
  if (!isTransposed && isOpenInChannelsAlone(convolution))
    return eachChannel(b, op->getLoc(), convolution);
  op->emitError("expected a static size in aten.convolution, but for the batch, got ")
      << op->getOperand(0).getType();
  return {};
}

static LogicalResult lowerConvolution(Operation *op, const ConvOperands &operands,
                                      std::optional<bool> isTransposed, Value input, Value weight,
                                      Value bias, ConversionPatternRewriter &rewriter) {
  auto windows = windowsOf(operands);
  std::optional<int64_t> groups = IntInfo(operands.groups).known;
  auto outputPadding = perDimension(operands.outputPadding, windows ? windows->size() : 0, 0);
  Type dtype = dtypeOf(op->getResult(0));
  if (!windows || !groups || !outputPadding || !isTransposed || *groups < 1)
    return rewriter.notifyMatchFailure(op, "expected constants for all but the tensors");
  if (!dtype.isIntOrFloat() || dtype.isInteger(1))
    return rewriter.notifyMatchFailure(op, "expected numbers as elements");
  Location loc = op->getLoc();
  auto type = loweredType(op->getResult(0));
  SmallVector<int64_t> sizes(type.getShape()), inputSizes(shapeOf(input));
  bool isOpen = !type.hasStaticShape() || ShapedType::isDynamicShape(inputSizes) ||
                ShapedType::isDynamicShape(shapeOf(weight));
  if (!isOpen && inputSizes.size() == windows->size() + 1) { // one image, not a batch
    sizes.insert(sizes.begin(), 1);
    inputSizes.insert(inputSizes.begin(), 1);
    input = reshaped(rewriter, loc, input, inputSizes);
  }
  if (!isa<RankedTensorType>(bias.getType()))
    bias = {};
  Convolution convolution{input,          weight,  bias,  *windows,
                          *outputPadding, *groups, dtype, type.clone(sizes)};
  Value result = isOpen ? buildOpen(rewriter, op, convolution, *isTransposed)
                        : buildKnown(rewriter, loc, convolution, *isTransposed);
  if (!result)
    return failure();
  rewriter.replaceOp(op, isOpen ? result : reshaped(rewriter, loc, result, type.getShape()));
  return success();
}

namespace {

struct LowerConvolution : OpConversionPattern<aten::ConvolutionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ConvOperands operands{op.getInput(),    op.getWeight(),        op.getStride(), op.getPadding(),
                          op.getDilation(), op.getOutputPadding(), op.getGroups()};
    return lowerConvolution(op, operands, BoolInfo(op.getTransposed()).known, adaptor.getInput(),
                            adaptor.getWeight(), adaptor.getBias(), rewriter);
  }
};

/// A loop over channels, taps and positions that only moves elements.
struct LowerIm2col : OpConversionPattern<aten::Im2colOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::Im2colOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto windows =
        windowsOf(2, op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation());
    if (!windows)
      return rewriter.notifyMatchFailure(op, "expected constants for all but the image");
    Location loc = op.getLoc();
    Value image = adaptor.getSelf();
    Value zero = constantOf(rewriter, loc, loweredType(op.getSelf()).getElementType(), 0);
    // [batch or none, channels, taps, positions]
    SmallVector<int64_t> sizes(shapeOf(image).drop_back(2));
    unsigned leading = sizes.size();
    for (const Window &window : *windows)
      sizes.push_back(window.size);
    for (auto [window, input] : llvm::zip(*windows, shapeOf(image).take_back(2)))
      sizes.push_back(window.count(input));
    image = paddedFor(rewriter, loc, image, *windows, zero);
    MLIRContext *context = op.getContext();
    SmallVector<AffineExpr> reads;
    for (unsigned i = 0; i < leading; ++i)
      reads.push_back(getAffineDimExpr(i, context));
    llvm::append_range(reads, windowReads(context, *windows, leading + 2, leading));
    auto type = loweredType(op.getResult());
    Value columns = gathered(rewriter, loc, image, type.clone(sizes), reads);
    rewriter.replaceOp(op, reshaped(rewriter, loc, columns, type.getShape()));
    return success();
  }
};

} // namespace

void populateConvLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerConvolution, LowerIm2col>(types, patterns.getContext());
}

} // namespace jit
