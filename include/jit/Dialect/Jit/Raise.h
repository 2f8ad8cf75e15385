//===- Raise.h - exceptions that are known before a call --------*- C++ -*-===//

#ifndef JIT_DIALECT_JIT_RAISE_H
#define JIT_DIALECT_JIT_RAISE_H

#include "mlir/IR/Builders.h"

namespace jit {

/// A guard that never holds: calls that get here end with an exception of this Python class and
/// text.
void raise(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef message,
           llvm::StringRef pythonClass = "builtins.RuntimeError");

} // namespace jit

#endif // JIT_DIALECT_JIT_RAISE_H
