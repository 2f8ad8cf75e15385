//===- RebaseStrided.h - strides count from the start of memory -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_REBASESTRIDED_H
#define JIT_FUNCTIONALIZE_REBASESTRIDED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// as_strided says places in the memory of its operand, whatever part of it the operand shows: each
/// becomes one of the tensor at the end of the operand's views. Fails, after an error, where the
/// order of that memory or the place of the operand in it is not known; `unknown` is that operand.
llvm::LogicalResult rebaseStrided(mlir::func::FuncOp func, mlir::Value &unknown);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_REBASESTRIDED_H
