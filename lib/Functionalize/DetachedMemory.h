//===- DetachedMemory.h - detached names of repeated elements ---*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_DETACHEDMEMORY_H
#define JIT_LIB_FUNCTIONALIZE_DETACHEDMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// A detached name has elements of its own, which a write passes on to its memory. One of a view
/// that shows elements more than once becomes such a view of a detached name of what that shows.
void detachMemory(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_DETACHEDMEMORY_H
