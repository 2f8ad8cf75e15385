//===- RegisterTranspose.h - transpose rows held in vectors -----*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_REGISTERTRANSPOSE_H
#define JIT_CODEGEN_PRODUCTS_REGISTERTRANSPOSE_H

#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// `rows` are at most as many vectors as each has elements, a power of two. Result `j` holds
/// element `j` of every row in order; its elements past the last row are undefined.
llvm::SmallVector<mlir::Value> transposeRows(mlir::OpBuilder &builder, mlir::Location loc,
                                             llvm::ArrayRef<mlir::Value> rows);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_REGISTERTRANSPOSE_H
