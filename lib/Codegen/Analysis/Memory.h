//===- Memory.h - which memory an op touches --------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_MEMORY_H
#define JIT_CODEGEN_ANALYSIS_MEMORY_H

#include "mlir/IR/Operation.h"

namespace jit::codegen {

/// The buffer that `buffer` is a view of.
mlir::Value rootOf(mlir::Value buffer);

/// Whether two buffers may be the same memory: not if both are allocated or are distinct
/// arguments'.
bool mayAlias(mlir::Value a, mlir::Value b);

/// Whether an op reads and writes no memory that was there before it.
bool isHarmless(mlir::Operation *op);

bool mayTouch(mlir::Operation *op, mlir::Value buffer);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_MEMORY_H
