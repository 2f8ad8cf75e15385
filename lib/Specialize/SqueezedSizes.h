//===- SqueezedSizes.h - open sizes that are not 1 --------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_SQUEEZEDSIZES_H
#define JIT_LIB_SPECIALIZE_SQUEEZEDSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Guards each squeeze of dimensions whose sizes data or the call tell: its result has a rank if
/// these are not 1.
void guardSqueezedSizes(mlir::func::FuncOp func);

/// Whether a size that is not known decides if `op`, a squeeze of a tensor of type `self` with
/// known dimensions to drop, drops one.
bool dropsByData(mlir::Operation *op, mlir::Type self);

/// Puts branches on these sizes behind a squeeze of a tensor of this rank, and in its place: a
/// dimension of size 1 is its one element, else the tensor is kept. The squeeze stays, of no use.
void branchOnSizes(mlir::Operation *op, int64_t rank);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_SQUEEZEDSIZES_H
