//===- TensorMaps.cpp - matrices that the device copies by itself ---------===//
#include "Kernels/TensorMaps.h"
#include "Analysis/BufferRoots.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/Launch.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using jit::codegen::FactorMatrix, jit::codegen::Side;

/// Elements of 16 bytes, of which all strides of a map are multiples; of the last one's sizes.
static constexpr int64_t piece = 8, largestSize = int64_t(1) << 31;

/// The kernels' own constants have no address that the host knows.
static bool isProgramConstant(Value buffer) {
  return jit::codegen::viewedBuffer(buffer).getDefiningOp<memref::GetGlobalOp>() != nullptr;
}

/// The batches without their innermost dimension, which it gives.
static std::pair<Side, unsigned> splitBatches(const Side &batch) {
  Side rest;
  unsigned last = 0;
  for (size_t i = 0; i < batch.dims.size(); ++i)
    if (batch.sizes[i] != 1)
      last = static_cast<unsigned>(i);
  for (size_t i = 0; i < batch.dims.size(); ++i)
    if (i != last)
      rest.add(batch.dims[i], batch.sizes[i]);
  return {rest, last};
}

std::optional<FactorMatrix> FactorMatrix::of(linalg::LinalgOp op, OpOperand &operand,
                                             const ProductShape &shape, const Side &other,
                                             bool allowsTogether) {
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  FactorMatrix matrix;
  if (!op.getMatchingIndexingMap(&operand).isProjectedPermutation() ||
      isProgramConstant(operand.get()) ||
      failed(type.getStridesAndOffset(strides, matrix.offset)) ||
      ShapedType::isDynamic(matrix.offset) || matrix.offset % piece != 0)
    return std::nullopt;
  auto batch = strideOf(op, operand, shape.batch), rows = strideOf(op, operand, other);
  auto depth = strideOf(op, operand, shape.depth);
  matrix.batches = shape.batch.count;
  if (!batch && allowsTogether) {
    auto [rest, last] = splitBatches(shape.batch);
    batch = strideOf(op, operand, rest);
    matrix.batches = rest.count;
    matrix.together = shape.batch.sizes[last];
    matrix.togetherStride = strideAlong(op, operand, shape.batch.dims[last]);
  }
  if (!batch || !rows || !depth || (*depth != 1 && *rows != 1))
    return std::nullopt;
  matrix.isAlongDepth = *depth == 1;
  matrix.inner = matrix.isAlongDepth ? shape.depth.count : other.count;
  matrix.outer = matrix.isAlongDepth ? other.count : shape.depth.count;
  matrix.outerStride = matrix.isAlongDepth ? *rows : *depth;
  if (*batch == 0)
    matrix.batches = 1;
  // The one batch has any stride.
  matrix.batchStride = matrix.batches == 1 ? matrix.outerStride * matrix.outer : *batch;
  auto fits = [](int64_t stride) { return stride > 0 && stride % piece == 0; };
  if (!fits(matrix.outerStride) || !fits(matrix.batchStride) ||
      matrix.batchStride * matrix.batches >= largestSize || matrix.inner >= largestSize)
    return std::nullopt;
  // Each row has a part of all of them.
  if (matrix.together > 1 && (matrix.togetherStride < matrix.inner ||
                              matrix.togetherStride * matrix.together > matrix.outerStride))
    return std::nullopt;
  return matrix;
}

Value jit::codegen::createTensorMap(OpBuilder &b, Location loc, Value buffer,
                                    const FactorMatrix &matrix, int64_t outer, int64_t inner) {
  MLIRContext *context = b.getContext();
  auto type = cast<MemRefType>(buffer.getType());
  int64_t row = (matrix.together - 1) * matrix.togetherStride + matrix.inner;
  SmallVector<int64_t> sizes = {matrix.batches, matrix.outer, row};
  SmallVector<int64_t> strides = {matrix.batchStride, matrix.outerStride, 1};
  auto layout = StridedLayoutAttr::get(context, matrix.offset, strides);
  auto shaped = MemRefType::get(sizes, type.getElementType(), layout, type.getMemorySpace());
  Value whole =
      memref::ReinterpretCastOp::create(b, loc, shaped, buffer, matrix.offset, sizes, strides);
  auto unranked = UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace());
  Value any = memref::CastOp::create(b, loc, unranked, whole);
  SmallVector<Value> box;
  for (int64_t size : {int64_t(1), outer, inner})
    box.push_back(constantIndex(b, loc, size));
  auto shared = gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto boxType = MemRefType::get({1, outer, inner}, type.getElementType(),
                                 MemRefLayoutAttrInterface(), shared);
  auto mapType = nvgpu::TensorMapDescriptorType::get(
      context, boxType, nvgpu::TensorMapSwizzleKind::SWIZZLE_128B,
      nvgpu::TensorMapL2PromoKind::L2PROMO_256B, nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  Value map = nvgpu::TmaCreateDescriptorOp::create(b, loc, mapType, any, box);
  return UnrealizedConversionCastOp::create(b, loc, LLVM::LLVMPointerType::get(context), map)
      .getResult(0);
}

static nvgpu::TmaCreateDescriptorOp mapOf(Value address) {
  auto cast = address.getDefiningOp<UnrealizedConversionCastOp>();
  return cast && cast.getNumOperands() == 1
             ? cast.getOperand(0).getDefiningOp<nvgpu::TmaCreateDescriptorOp>()
             : nullptr;
}

void jit::codegen::hoistTensorMaps(gpu::LaunchOp launch) {
  SmallVector<Operation *> addresses;
  launch.walk([&](UnrealizedConversionCastOp cast) {
    if (mapOf(cast.getResult(0)))
      addresses.push_back(cast);
  });
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return launch->isProperAncestor(op); };
  for (Operation *address : addresses) {
    llvm::SetVector<Operation *> needed;
    [[maybe_unused]] LogicalResult found = getBackwardSlice(address, &needed, options);
    for (Operation *op : needed)
      op->moveBefore(launch);
  }
}

std::optional<std::pair<Value, jit::runtime::TensorMap>>
jit::codegen::describeTensorMap(Value address) {
  nvgpu::TmaCreateDescriptorOp map = mapOf(address);
  if (!map)
    return std::nullopt;
  Value whole = map.getTensor().getDefiningOp<memref::CastOp>().getSource();
  auto type = cast<MemRefType>(whole.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] LogicalResult known = type.getStridesAndOffset(strides, offset);
  auto bytes = static_cast<int64_t>(type.getElementTypeBitWidth() / 8);
  jit::runtime::TensorMap result;
  result.type = typeToDtype(type.getElementType()).value_or(ScalarType::Half);
  for (size_t i = 0; i < result.sizes.size(); ++i) {
    size_t dim = result.sizes.size() - 1 - i;
    result.sizes[i] = static_cast<uint64_t>(type.getShape()[dim]);
    result.box[i] = static_cast<uint32_t>(*getConstantIntValue(map.getBoxDimensions()[dim]));
    if (i > 0)
      result.strides[i - 1] = static_cast<uint64_t>(strides[dim] * bytes);
  }
  return std::pair(whole, result);
}
