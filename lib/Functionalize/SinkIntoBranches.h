//===- SinkIntoBranches.h - what was taken out goes back ---------*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_SINKINTOBRANCHES_H
#define JIT_FUNCTIONALIZE_SINKINTOBRANCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Notes that `op`, which has no effects, stands before the branch or loop whose it is.
void noteTakenOut(mlir::Operation *op);

/// Puts what is noted so into the arms of branches that use it, as often as there are such, and
/// drops the notes: a call that takes the other arm may not have the places that it asks for.
void sinkIntoBranches(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_SINKINTOBRANCHES_H
