//===- SharedState.h - state that is other state's memory -------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_SHAREDSTATE_H
#define JIT_LIB_FUNCTIONALIZE_SHAREDSTATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Fails, with an error that names both, if the function writes state in place that was saved in
/// the memory of other state: the write would have to be seen in that.
mlir::LogicalResult checkSavedApart(mlir::func::FuncOp func);

/// Between calls each slot has memory of its own. Fails, with an error that names both, if the
/// function leaves two of them in one memory and the program writes in place: a write of the next
/// call would have to be seen in both.
mlir::LogicalResult checkStateIsApart(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_SHAREDSTATE_H
