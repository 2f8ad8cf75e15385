//===- CallStrides.h - strides that come into a call and go out of it -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_CALLSTRIDES_H
#define JIT_FUNCTIONALIZE_CALLSTRIDES_H

#include "TensorMemory.h"

namespace jit {

/// Says of each slot's new value how PyTorch would have it in memory.
void recordStateStrides(mlir::func::FuncOp func);

/// Whether, with arguments of any strides and state of those that it has, something else might be a
/// view or a copy of what is written, or module state have other strides.
bool dependsOnStrides(mlir::func::FuncOp func, const MemoryClasses &classes);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_CALLSTRIDES_H
