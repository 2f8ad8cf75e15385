//===- TensorSizes.h - what follows from sizes of tensors -------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_TENSORSIZES_H
#define JIT_DIALECT_JIT_TENSORSIZES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/TypeRange.h"

namespace jit {

class TensorType;

/// Fails, with an error, where a tensor among the types has more sizes or elements than
/// jit/TensorLimits.h allows.
llvm::LogicalResult checkSizes(mlir::Location loc, mlir::TypeRange types);

/// Whether an out= tensor certainly keeps its sizes when it takes a result of type `given`: where
/// some are open, the copy ends a call in which they are not equal, but for a 1 it broadcasts. (Of
/// a tensor without elements that is not to be hoped for.)
bool keepsSizes(TensorType out, TensorType given);

} // namespace jit

#endif // JIT_DIALECT_JIT_TENSORSIZES_H
