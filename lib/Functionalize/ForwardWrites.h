//===- ForwardWrites.h - in-place operators give what they wrote -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_FORWARDWRITES_H
#define JIT_FUNCTIONALIZE_FORWARDWRITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Uses of an in-place operator's result become uses of the tensor that it wrote, and loops that
/// carry one tensor all the time no longer carry it.
void forwardWrites(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_FORWARDWRITES_H
