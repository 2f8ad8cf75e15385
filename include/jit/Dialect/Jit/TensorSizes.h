//===- TensorSizes.h - sizes that no memory holds ---------------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_TENSORSIZES_H
#define JIT_DIALECT_JIT_TENSORSIZES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/TypeRange.h"

namespace jit {

/// Fails, with an error, where a tensor among the types has more sizes or elements than
/// jit/TensorLimits.h allows.
llvm::LogicalResult checkSizes(mlir::Location loc, mlir::TypeRange types);

} // namespace jit

#endif // JIT_DIALECT_JIT_TENSORSIZES_H
