//===- Tf32.cpp - floats as tensor cores multiply them --------------------===//
#include "Kernels/Tf32.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

Value jit::codegen::roundToTf32(OpBuilder &b, Location loc, Value value) {
  Value bits =
      NVVM::ConvertFloatToTF32Op::create(b, loc, b.getI32Type(), value, NVVM::FPRoundingMode::RNA);
  return arith::BitcastOp::create(b, loc, b.getF32Type(), bits);
}
