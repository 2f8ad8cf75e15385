//===- HostBlocks.h - blocks outside of kernels ------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_HOSTBLOCKS_H
#define JIT_CODEGEN_KERNELS_HOSTBLOCKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit::codegen {

/// The blocks of `func` that hold its computations, inner ones first: not the bodies of linalg ops,
/// and not those of kernels that are there already.
llvm::SmallVector<mlir::Block *> hostBlocks(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_HOSTBLOCKS_H
