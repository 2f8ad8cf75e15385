//===- TrailingValues.h - more arguments and results of a function -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_TRAILINGVALUES_H
#define JIT_FUNCTIONALIZE_TRAILINGVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// A new last argument of `func`, whose attribute `name` is `attr`.
mlir::Value addTrailingArgument(mlir::func::FuncOp func, mlir::Type type, mlir::Location loc,
                                llvm::StringRef name, mlir::Attribute attr);

/// Makes `value`, which holds at the end of `func`, its last result, whose attribute `name` is
/// `attr`.
void addTrailingResult(mlir::func::FuncOp func, mlir::Value value, llvm::StringRef name,
                       mlir::Attribute attr);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_TRAILINGVALUES_H
