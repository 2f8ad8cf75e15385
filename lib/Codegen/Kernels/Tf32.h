//===- Tf32.h - floats as tensor cores multiply them -------------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_TF32_H
#define JIT_CODEGEN_KERNELS_TF32_H

#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// The f32 with 10 bits behind the point that is nearest to the f32 `value`, of two the one further
/// from zero. Tensor cores look at no more bits than these: what is not rounded they cut off.
mlir::Value roundToTf32(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_TF32_H
