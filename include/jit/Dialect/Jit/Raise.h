//===- Raise.h - calls that end with an exception ----------------*- C++ -*-===//

#ifndef JIT_DIALECT_JIT_RAISE_H
#define JIT_DIALECT_JIT_RAISE_H

#include "mlir/IR/Builders.h"

namespace jit {

/// A guard that never holds: calls that get here end with an exception of this Python class and
/// text.
mlir::Operation *raise(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef message,
                       llvm::StringRef pythonClass = "builtins.RuntimeError");

/// Whether data choose if a call gets to `op`.
bool isBehindBranch(mlir::Operation *op);

/// Ends the calls that get to `op`, at the builder, which does what is not supported. Where sizes
/// are open another function may serve such a call.
void refuseCalls(mlir::OpBuilder &b, mlir::Operation *op, llvm::StringRef why);

/// Ends the calls that get to an operator that is not supported, and erases it. Fails, and leaves
/// it, where all calls do, or where it gives what is no number or tensor of known rank and
/// elements.
llvm::LogicalResult refuseBehindBranch(mlir::Operation *op, llvm::StringRef why);

} // namespace jit

#endif // JIT_DIALECT_JIT_RAISE_H
