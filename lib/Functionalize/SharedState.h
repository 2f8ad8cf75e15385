//===- SharedState.h - state that is other state's memory -------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_SHAREDSTATE_H
#define JIT_LIB_FUNCTIONALIZE_SHAREDSTATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Fails, with an error that names both, if the function writes state in place that was saved in
/// the memory of other state: the write would have to be seen in that.
mlir::LogicalResult checkSavedApart(mlir::func::FuncOp func);

/// Notes which of the state the function leaves in one memory (recordStateParts). Fails, with an
/// error that names both, where two slots may be in one and it is not known how, if a later call
/// may see that.
mlir::LogicalResult settleSharedState(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_SHAREDSTATE_H
