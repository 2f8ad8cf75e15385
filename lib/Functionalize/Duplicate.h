//===- Duplicate.h - copies of code in which a name is one memory -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_DUPLICATE_H
#define JIT_FUNCTIONALIZE_DUPLICATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Numbers the branches, loops and writes of `func`, so that they are known again in a copy of it.
/// A write keeps the number that it has.
void numberOperations(mlir::func::FuncOp func);
std::optional<int64_t> numberOf(mlir::Operation *op);
/// Gives a write another number: ~`number` of its own.
void invertNumber(mlir::Operation *op);
void dropNumbers(mlir::func::FuncOp func);

/// The numbers of the branches and loops because of which `value` may be one of several things, the
/// nearest first.
llvm::SmallVector<int64_t> choicesBehind(mlir::Value value);

/// Writes out what has this number in `func`: the trips of a loop one by one, what follows a branch
/// in both of its arms. False where that cannot be done, changes nothing, or would make the
/// function longer than this.
bool duplicate(mlir::func::FuncOp func, int64_t number, int64_t maxOperations);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_DUPLICATE_H
