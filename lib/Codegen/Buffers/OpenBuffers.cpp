//===- OpenBuffers.cpp - buffers whose sizes a call tells -----------------===//
#include "Buffers/OpenBuffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

Value jit::codegen::createOpenBuffer(OpBuilder &b, Location loc, MemRefType type, ValueRange sizes,
                                     StringRef attr, int64_t number) {
  auto cast = UnrealizedConversionCastOp::create(b, loc, TypeRange(type), sizes);
  cast->setAttr(attr, b.getI64IntegerAttr(number));
  return cast.getResult(0);
}

OpFoldResult jit::codegen::multiplySizes(OpBuilder &b, Location loc, OpFoldResult a,
                                         OpFoldResult c) {
  AffineExpr product = b.getAffineSymbolExpr(0) * b.getAffineSymbolExpr(1);
  return affine::makeComposedFoldedAffineApply(b, loc, product, {a, c});
}

Value jit::codegen::shapeOpenBuffer(OpBuilder &b, Location loc, MemRefType type, Value root,
                                    ValueRange open) {
  SmallVector<OpFoldResult> sizes, strides(type.getRank());
  for (int64_t size : type.getShape()) {
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(open.front())
                                                : b.getIndexAttr(size));
    if (ShapedType::isDynamic(size))
      open = open.drop_front();
  }
  OpFoldResult stride = b.getIndexAttr(1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    if (dim > 0)
      stride = multiplySizes(b, loc, stride, sizes[dim]);
  }
  return memref::ReinterpretCastOp::create(b, loc, type, root, b.getIndexAttr(0), sizes, strides);
}

bool jit::codegen::isOpenBuffer(Operation *op, StringRef attr) {
  return isa_and_nonnull<UnrealizedConversionCastOp>(op) && op->hasAttr(attr);
}
