//===- SqueezedSizes.h - open sizes that are not 1 --------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_SQUEEZEDSIZES_H
#define JIT_LIB_SPECIALIZE_SQUEEZEDSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Guards each squeeze of dimensions whose sizes data or the call tell: its result has a rank if
/// these are not 1.
void guardSqueezedSizes(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_SQUEEZEDSIZES_H
