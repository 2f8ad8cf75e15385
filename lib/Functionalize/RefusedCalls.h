//===- RefusedCalls.h - what is refused for some calls alone ----*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_REFUSEDCALLS_H
#define JIT_FUNCTIONALIZE_REFUSEDCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace jit {

/// Fails where all calls of `func` come to such an end: what follows a branch may have been put
/// into both of its arms. Gives an error where there is none yet.
llvm::LogicalResult checkServesCalls(mlir::func::FuncOp func,
                                     llvm::ArrayRef<mlir::Diagnostic> errors);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_REFUSEDCALLS_H
