//===- LibraryConvolution.cpp - convolutions that a library computes ------===//
#include "Kernels/LibraryConvolution.h"
#include "Analysis/BufferRoots.h"
#include "Analysis/ConvolutionShape.h"
#include "Kernels/LibraryCall.h"
#include "Kernels/LibraryProduct.h"
#include "Kernels/Padding.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using jit::codegen::ConvolutionShape, jit::codegen::Padding, jit::runtime::PlanConvolution,
    jit::runtime::PlanWindow, jit::codegen::ProductGroup;

/// Of sizes and strides, which the library has in 32 bits.
static constexpr int64_t largestNumber = std::numeric_limits<int32_t>::max();
/// Windows with more taps in one dimension are the gradients of filters, whose filters are as large
/// as images: the library has other ways for these.
static constexpr int64_t mostTaps = 16;
/// Where a buffer begins, in bytes.
static constexpr int64_t alignment = 16;

static bool isAligned(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isProgramConstant = jit::codegen::viewedBuffer(buffer).getDefiningOp<memref::GetGlobalOp>();
  return !isProgramConstant && succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         offset * type.getElementTypeBitWidth() / 8 % alignment == 0;
}

/// True if the library has the sizes and strides: none that is negative, or 0 between neighbours.
static bool isInRange(const PlanConvolution &convolution) {
  auto isSize = [](int64_t number) { return number > 0 && number <= largestNumber; };
  auto isStride = [&](int64_t stride, int64_t size) {
    return isSize(stride) || (size == 1 && stride == 0);
  };
  auto isWindow = [&](const PlanWindow &window) {
    return isSize(window.image) && window.taps <= mostTaps && isSize(window.step) &&
           isSize(window.dilation) && isStride(window.imageStride, window.image) &&
           isStride(window.resultStride, window.places);
  };
  return isSize(convolution.batches) && isSize(convolution.channels) &&
         isSize(convolution.filters) &&
         isStride(convolution.images.batchStride, convolution.batches) &&
         isStride(convolution.images.channelStride, convolution.channels) &&
         isStride(convolution.result.batchStride, convolution.batches) &&
         isStride(convolution.result.channelStride, convolution.filters) &&
         llvm::all_of(convolution.windows, isWindow);
}

/// In the order of the struct.
static SmallVector<int64_t> numbersOf(const PlanConvolution &convolution) {
  SmallVector<int64_t> numbers = {int64_t(convolution.type),
                                  convolution.batches,
                                  convolution.channels,
                                  convolution.filters,
                                  convolution.groups,
                                  convolution.images.batchStride,
                                  convolution.images.channelStride,
                                  convolution.result.batchStride,
                                  convolution.result.channelStride,
                                  int64_t(convolution.adds),
                                  int64_t(convolution.allowsTf32)};
  for (const PlanWindow &window : convolution.windows)
    llvm::append_values(numbers, window.image, window.taps, window.places, window.step,
                        window.dilation, window.padding, window.imageStride, window.resultStride);
  return numbers;
}

PlanConvolution jit::codegen::libraryConvolutionOf(Operation *op) {
  LibraryNumbers numbers(op, libraryConvolutionAttrName);
  PlanConvolution convolution;
  convolution.type = ScalarType(numbers.next());
  for (int64_t *number :
       {&convolution.batches, &convolution.channels, &convolution.filters, &convolution.groups,
        &convolution.images.batchStride, &convolution.images.channelStride,
        &convolution.result.batchStride, &convolution.result.channelStride})
    *number = numbers.next();
  convolution.adds = numbers.next() != 0;
  convolution.allowsTf32 = numbers.next() != 0;
  while (!numbers.isEmpty()) {
    PlanWindow window;
    for (int64_t *number :
         {&window.image, &window.taps, &window.places, &window.step, &window.dilation,
          &window.padding, &window.imageStride, &window.resultStride})
      *number = numbers.next();
    convolution.windows.push_back(window);
  }
  return convolution;
}

namespace {
/// Writes one call.
class ConvolutionEmitter {
public:
  ConvolutionEmitter(ProductGroup &group, ConvolutionShape shape, IRRewriter &rewriter)
      : group(group), shape(std::move(shape)), op(group.product), rewriter(rewriter) {}

  bool emit(bool allowsTf32);

private:
  bool startsFromZero() {
    return group.start && matchPattern(group.start.getInputs().front(), m_AnyZeroFloat());
  }
  /// Has the library see the images without the zeros around them.
  void leaveOutPadding();
  bool usePadding(const Padding &padding);
  /// Adds what the library has made to the sums, or makes it the sums.
  void widen(Value from);

  ProductGroup &group;
  ConvolutionShape shape;
  linalg::LinalgOp op;
  IRRewriter &rewriter;
  Value images;
  /// The op that makes halves of the sums, and nothing else goes on with these.
  linalg::LinalgOp conversion;
};
} // namespace

/// False where the library would find other places than the op has.
bool ConvolutionEmitter::usePadding(const Padding &padding) {
  PlanConvolution padded = shape.convolution;
  auto source = cast<MemRefType>(padding.source.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  size_t windows = padded.windows.size(), rank = size_t(source.getRank());
  // Groups may be a dimension of their own in what the op reads, but not in the source.
  auto read = cast<MemRefType>(shape.images->get().getType());
  bool areLast = true;
  for (auto [i, dim] : llvm::enumerate(shape.windowDims))
    areLast &= dim + windows == i + size_t(read.getRank());
  if (!areLast || rank != windows + 2 || padding.before[0] != 0 || padding.before[1] != 0 ||
      source.getDimSize(0) != padded.batches || source.getDimSize(1) != padded.channels ||
      !isAligned(padding.source) || failed(source.getStridesAndOffset(strides, offset)))
    return false;
  padded.images = {strides[0], strides[1]};
  for (auto [i, window] : llvm::enumerate(padded.windows)) {
    window.image = source.getDimSize(i + 2);
    window.padding = padding.before[i + 2];
    window.imageStride = strides[i + 2];
    int64_t reach = window.image + 2 * window.padding - (window.taps - 1) * window.dilation - 1;
    if (reach < 0 || reach / window.step + 1 != window.places)
      return false;
  }
  if (!isInRange(padded))
    return false;
  shape.convolution = padded;
  return true;
}

void ConvolutionEmitter::leaveOutPadding() {
  Operation *end = conversion ? conversion : op;
  std::optional<Padding> padding = jit::codegen::findPadding(images, op, end);
  if (!padding || !usePadding(*padding))
    return;
  images = padding->source;
  for (Operation *made : padding->ops)
    rewriter.eraseOp(made);
}

void ConvolutionEmitter::widen(Value from) {
  Value sums = op.getDpsInits()[0];
  auto type = cast<MemRefType>(sums.getType());
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> kinds(type.getRank(), utils::IteratorType::parallel);
  bool adds = !startsFromZero();
  linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(), from, sums, {map, map}, kinds,
                            [&](OpBuilder &b, Location loc, ValueRange elements) {
                              Value sum =
                                  arith::ExtFOp::create(b, loc, type.getElementType(), elements[0]);
                              if (adds)
                                sum = arith::AddFOp::create(b, loc, elements[1], sum);
                              linalg::YieldOp::create(b, loc, sum);
                            });
}

bool ConvolutionEmitter::emit(bool allowsTf32) {
  PlanConvolution &convolution = shape.convolution;
  Value filters = shape.filters->get(), result = op.getDpsInits()[0];
  auto sums = cast<MemRefType>(result.getType());
  Type factor = getElementTypeOrSelf(filters);
  bool areHalves = !factor.isF32();
  convolution.type = *jit::typeToDtype(factor);
  convolution.allowsTf32 = allowsTf32 && !areHalves;
  convolution.adds = !areHalves && !startsFromZero();
  images = shape.images->get();
  if (!isInRange(convolution) || !isAligned(filters) || !isAligned(result) ||
      (areHalves && !sums.getLayout().isIdentity()))
    return false;
  if (areHalves && startsFromZero())
    conversion = jit::codegen::conversionOf(group);
  leaveOutPadding();
  if (!isAligned(images))
    return false;
  rewriter.setInsertionPoint(conversion ? conversion : op);
  if (conversion)
    result = conversion.getDpsInits()[0];
  else if (areHalves)
    result =
        memref::AllocOp::create(rewriter, op.getLoc(), MemRefType::get(sums.getShape(), factor));
  jit::codegen::makeLibraryCall(rewriter, op.getLoc(), {images, filters}, result,
                                jit::codegen::libraryConvolutionAttrName, numbersOf(convolution));
  if (areHalves && !conversion)
    widen(result);
  if (startsFromZero())
    rewriter.eraseOp(group.start);
  rewriter.eraseOp(op);
  if (conversion)
    rewriter.eraseOp(conversion);
  return true;
}

bool jit::codegen::emitLibraryConvolution(ProductGroup &group, IRRewriter &rewriter,
                                          bool allowsTf32) {
  bool isOfKind = isProductOfHalves(group.product) || isProductOfFloats(group.product);
  if (!isOfKind)
    return false;
  std::optional<ConvolutionShape> shape = ConvolutionShape::of(group.product, group.shape);
  return shape && ConvolutionEmitter(group, std::move(*shape), rewriter).emit(allowsTf32);
}
