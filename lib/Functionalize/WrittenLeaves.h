//===- WrittenLeaves.h - leaves whose memory is written ---------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_WRITTENLEAVES_H
#define JIT_LIB_FUNCTIONALIZE_WRITTENLEAVES_H

#include "TensorMemory.h"

namespace jit {

/// What requires_grad_ is called on is a leaf, or requires a gradient already and is what it was.
/// Where it is written the two differ: those of the second kind are taken away, and an error is
/// reported where it is not known which.
llvm::LogicalResult settleWrittenLeaves(mlir::func::FuncOp func, const MemoryClasses &classes);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_WRITTENLEAVES_H
