//===- EmitTransposes.h - permutations of dimensions by vectors -*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_EMITTRANSPOSES_H
#define JIT_CODEGEN_PRODUCTS_EMITTRANSPOSES_H

#include "jit/Codegen/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// Replaces a transpose of f32 or f64 buffers by loops over vectors, transposed in registers where
/// the innermost dimension changes. Leaves those whose strides do not allow vectors.
void emitTranspose(mlir::linalg::TransposeOp op, const Machine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_EMITTRANSPOSES_H
