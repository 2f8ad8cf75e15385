//===- VectorAccess.h - elements that a thread accesses together -*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_VECTORACCESS_H
#define JIT_CODEGEN_KERNELS_VECTORACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// Bytes of the widest access.
inline constexpr int64_t accessBytes = 16;

/// How the neighbours of one thread find their elements of an operand.
enum class Access {
  Vector, ///< side by side, aligned: one access for all
  Once,   ///< all read the same element
  Each,   ///< one access for each
};

/// How `width` neighbours along `dim` find theirs, the first of them at a multiple of `width`.
Access accessAlong(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned dim,
                   int64_t width);

/// How much an element takes in memory.
int64_t elementBytes(mlir::OpOperand &operand);

/// True if fewer elements of the operand are read than there are points.
bool isBroadcast(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// The mark of a load whose element other threads load too.
void markBroadcast(mlir::Operation *load);

/// `width` elements of `operand` from this place on, in one access.
mlir::Value loadVector(mlir::OpBuilder &b, mlir::Location loc, mlir::OpOperand &operand,
                       mlir::ValueRange indices, int64_t width);
void storeVector(mlir::OpBuilder &b, mlir::Location loc, mlir::OpOperand &operand,
                 mlir::ValueRange indices, mlir::ValueRange elements);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_VECTORACCESS_H
