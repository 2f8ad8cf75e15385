//===- OpenBuffers.cpp - buffers whose sizes a call tells -----------------===//
#include "OpenBuffers.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

Value jit::createOpenBuffer(OpBuilder &b, Location loc, MemRefType type, ValueRange sizes,
                            StringRef attr, int64_t number) {
  auto cast = UnrealizedConversionCastOp::create(b, loc, TypeRange(type), sizes);
  cast->setAttr(attr, b.getI64IntegerAttr(number));
  return cast.getResult(0);
}

bool jit::isOpenBuffer(Operation *op, StringRef attr) {
  return isa_and_nonnull<UnrealizedConversionCastOp>(op) && op->hasAttr(attr);
}
