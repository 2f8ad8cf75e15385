//===- BroadcastByData.h - sizes of data beside known ones ------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_BROADCASTBYDATA_H
#define JIT_LIB_SPECIALIZE_BROADCASTBYDATA_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Has each pointwise operator take operands that are broadcast where data make their size 1 and
/// another operand's is known: `x[x > 0] + y` where one element is read. For a function whose sizes
/// the call leaves open, does nothing: an exact one serves such calls.
void broadcastByData(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_BROADCASTBYDATA_H
