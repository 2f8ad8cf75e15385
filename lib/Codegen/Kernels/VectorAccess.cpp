//===- VectorAccess.cpp - elements that a thread accesses together --------===//
#include "Kernels/VectorAccess.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/Launch.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

int64_t jit::codegen::elementBytes(OpOperand &operand) {
  Type type = getElementTypeOrSelf(operand.get());
  return type.isIndex() ? int64_t(sizeof(int64_t))
                        : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

void jit::codegen::markBroadcast(Operation *load) {
  load->setAttr(broadcastAttrName, UnitAttr::get(load->getContext()));
}

/// True if a vector of `width` elements is aligned wherever a thread finds one. Strides that only
/// the call tells are multiples of the last size, which the caller looks at.
static bool isAligned(linalg::LinalgOp op, OpOperand &operand, unsigned inner, int64_t width) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(operand.get().getType());
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
      offset % width != 0 ||
      (llvm::any_of(strides, ShapedType::isDynamic) && !type.getLayout().isIdentity()))
    return false;
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (dim != inner && size != 1 && jit::codegen::strideAlong(op, operand, dim) % width != 0)
      return false;
  return true;
}

jit::codegen::Access jit::codegen::accessAlong(linalg::LinalgOp op, OpOperand &operand,
                                               unsigned dim, int64_t width) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return Access::Each;
  int64_t stride = strideAlong(op, operand, dim);
  if (stride == 0)
    return Access::Once;
  bool isLast = map.getResults().back() == getAffineDimExpr(dim, op.getContext());
  return stride == 1 && isLast && isAligned(op, operand, dim, width) ? Access::Vector
                                                                     : Access::Each;
}

bool jit::codegen::isBroadcast(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (size != 1 && !map.isFunctionOfDim(dim))
      return true;
  return false;
}

static VectorType vectorType(OpOperand &operand, int64_t width) {
  return VectorType::get({width}, getElementTypeOrSelf(operand.get()));
}

static llvm::MaybeAlign alignment(OpOperand &operand, int64_t width) {
  return llvm::Align(
      std::min(jit::codegen::accessBytes, width * jit::codegen::elementBytes(operand)));
}

Value jit::codegen::loadVector(OpBuilder &b, Location loc, OpOperand &operand, ValueRange indices,
                               int64_t width) {
  return vector::LoadOp::create(b, loc, vectorType(operand, width), operand.get(), indices,
                                /*nontemporal=*/false, alignment(operand, width));
}

void jit::codegen::storeVector(OpBuilder &b, Location loc, OpOperand &operand, ValueRange indices,
                               ValueRange elements) {
  auto width = static_cast<int64_t>(elements.size());
  Value all = vector::FromElementsOp::create(b, loc, vectorType(operand, width), elements);
  vector::StoreOp::create(b, loc, all, operand.get(), indices, /*nontemporal=*/false,
                          alignment(operand, width));
}
