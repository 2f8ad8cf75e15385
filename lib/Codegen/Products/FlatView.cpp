//===- FlatView.cpp - buffers as one run of elements ----------------------===//

#include "Products/FlatView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace jit::codegen {

/// Elements from the first to the last of a buffer.
static OpFoldResult spanOf(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t span = 1;
  if (type.hasStaticShape()) {
    for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
      span += (size - 1) * stride;
    return builder.getIndexAttr(span);
  }
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1), total = one;
  for (auto [size, stride] : llvm::zip_equal(parts.getSizes(), parts.getStrides())) {
    Value steps = arith::SubIOp::create(builder, loc, size, one);
    Value reach = arith::MulIOp::create(builder, loc, steps, stride);
    total = arith::AddIOp::create(builder, loc, total, reach);
  }
  return total;
}

Value flatten(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  OpFoldResult span = spanOf(builder, loc, buffer);
  auto layout = StridedLayoutAttr::get(builder.getContext(), offset, {1});
  auto flat = MemRefType::get({getConstantIntValue(span).value_or(ShapedType::kDynamic)},
                              type.getElementType(), layout, type.getMemorySpace());
  SmallVector<OpFoldResult> sizes = {span}, steps = {builder.getIndexAttr(1)};
  if (!ShapedType::isDynamic(offset))
    return memref::ReinterpretCastOp::create(builder, loc, flat, buffer,
                                             builder.getIndexAttr(offset), sizes, steps);
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  return memref::ReinterpretCastOp::create(builder, loc, flat, parts.getBaseBuffer(),
                                           OpFoldResult(parts.getOffset()), sizes, steps);
}

Value laneMask(OpBuilder &builder, Location loc, int64_t lanes, int64_t valid) {
  SmallVector<bool> bits(lanes, false);
  std::fill_n(bits.begin(), valid, true);
  auto type = VectorType::get({lanes}, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, bits));
}

Value loadLanes(OpBuilder &builder, Location loc, Value flat, Value position, int64_t lanes,
                int64_t valid) {
  auto type = VectorType::get({lanes}, cast<MemRefType>(flat.getType()).getElementType());
  if (valid >= lanes)
    return vector::LoadOp::create(builder, loc, type, flat, position);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, flat, position,
                                      laneMask(builder, loc, lanes, valid), zero);
}

void storeLanes(OpBuilder &builder, Location loc, Value value, Value flat, Value position,
                int64_t valid) {
  int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  if (valid >= lanes)
    vector::StoreOp::create(builder, loc, value, flat, position);
  else
    vector::MaskedStoreOp::create(builder, loc, flat, position,
                                  laneMask(builder, loc, lanes, valid), value);
}

} // namespace jit::codegen
