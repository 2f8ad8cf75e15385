//===- VectorForms.h - linear forms of vectors, with few sums ---*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_VECTORFORMS_H
#define JIT_CODEGEN_PRODUCTS_VECTORFORMS_H

#include "Products/Winograd.h"

#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// Rows of vectors; null stands for zeros.
using VectorGrid = llvm::SmallVector<llvm::SmallVector<mlir::Value>>;

/// `matrix * grid * transposed(matrix)`. Sums that rows or columns of `matrix` have in common are
/// formed once.
VectorGrid transformGrid(mlir::OpBuilder &builder, mlir::Location loc, const Matrix &matrix,
                         const VectorGrid &grid);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_VECTORFORMS_H
