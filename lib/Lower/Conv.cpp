//===- Conv.cpp - lowering of convolutions and their windows --------------===//

#include "jit/Dialect/Aten/Conv.h"
#include "Convolution.h"
#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

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

Value Convolution::buildForward(OpBuilder &b, Location loc) const {
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
  if (llvm::all_of(windows, [](const Window &window) { return window.stride == 1; }))
    return input;
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  Sizes own = sizesOf(b, loc, input), sizes = own;
  Sizes offsets(own.size(), b.getIndexAttr(0)), strides(own.size(), b.getIndexAttr(1));
  for (auto [i, window] : llvm::enumerate(windows)) {
    OpFoldResult step = b.getIndexAttr(window.stride), &size = sizes[2 + i];
    strides[2 + i] = step;
    // (size - 1) * stride + 1
    size = productOf(b, loc, {size, step});
    size = sumOf(b, loc, size, b.getIndexAttr(1 - window.stride));
    shape[2 + i] = getConstantIntValue(size).value_or(ShapedType::kDynamic);
  }
  Value zero = constantOf(b, loc, type.getElementType(), 0);
  Value zeros = filled(b, loc, type.clone(shape), sizes, zero);
  return tensor::InsertSliceOp::create(b, loc, input, zeros, offsets, own, strides);
}

Convolution Convolution::asForward(OpBuilder &b, Location loc) const {
  Convolution forward = *this;
  forward.weight = flippedWeight(b, loc, weight, groups);
  forward.input = dilatedInput(b, loc, input, windows);
  for (auto [window, extra] : llvm::zip(forward.windows, outputPadding)) {
    int64_t reach = window.extent() - 1;
    window.before = reach - window.before;
    window.after = reach - window.after + extra;
    window.stride = 1;
  }
  return forward;
}

Value Convolution::build(OpBuilder &b, Location loc, bool isTransposed) const {
  return isTransposed ? asForward(b, loc).buildForward(b, loc) : buildForward(b, loc);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// One image as a batch of one.
static Value withBatch(OpBuilder &b, Location loc, Value image) {
  SmallVector<int64_t> shape(shapeOf(image));
  Sizes sizes = sizesOf(b, loc, image);
  shape.insert(shape.begin(), 1);
  sizes.insert(sizes.begin(), b.getIndexAttr(1));
  return reshaped(b, loc, image, shape, sizes);
}

static Value withoutBatch(OpBuilder &b, Location loc, Value images) {
  Sizes sizes = sizesOf(b, loc, images);
  return reshaped(b, loc, images, shapeOf(images).drop_front(), ArrayRef(sizes).drop_front());
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
  bool isOpen = !type.hasStaticShape() || ShapedType::isDynamicShape(shapeOf(input)) ||
                ShapedType::isDynamicShape(shapeOf(weight));
  SmallVector<int64_t> sizes(type.getShape());
  bool isOne = shapeOf(input).size() == windows->size() + 1; // one image, not a batch
  if (isOne) {
    sizes.insert(sizes.begin(), 1);
    input = withBatch(rewriter, loc, input);
  }
  if (!isa<RankedTensorType>(bias.getType()))
    bias = {};
  Convolution convolution{input,          weight,  bias,  *windows,
                          *outputPadding, *groups, dtype, type.clone(sizes)};
  Value result = isOpen ? buildOpen(rewriter, op, convolution, *isTransposed)
                        : convolution.build(rewriter, loc, *isTransposed);
  if (!result)
    return failure();
  rewriter.replaceOp(op, isOne ? withoutBatch(rewriter, loc, result) : result);
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
