//===- CopiedMemory.h - copies of memory, with what views show twice -*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_COPIEDMEMORY_H
#define JIT_LIB_FUNCTIONALIZE_COPIEDMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Whether `op` puts elements into a copy of all of the memory of its first operand, seen as that
/// sees it (select_scatter).
bool putsIntoCopy(mlir::Operation *op);

/// Fails, after an error, where such a copy may show an element in two places, as overlapping
/// windows do: what is put into one is then seen in the other, where a value has each element once.
llvm::LogicalResult checkCopiedMemory(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_COPIEDMEMORY_H
