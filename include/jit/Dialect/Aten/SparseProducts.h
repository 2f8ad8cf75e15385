//===- SparseProducts.h - products of sparse matrices in terms of their elements -*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_SPARSEPRODUCTS_H
#define JIT_DIALECT_ATEN_SPARSEPRODUCTS_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// A matrix whose elements are given with their places; what is in one place is added.
struct SparseMatrix {
  Tensor rows, columns, values;
  Int rowCount, columnCount;
};

/// The matrix that a value is, which may be transposed. Nullopt where it is none, or with other
/// ranks or element types than those that there are products of.
std::optional<SparseMatrix> sparseMatrix(GraphBuilder &build, mlir::Value value);
/// Whether sparse_coo_tensor made it, transposed or not.
bool isSparse(mlir::Value value);
/// Whether an operator gives the transpose of a matrix.
bool isTranspose(mlir::Operation *op);

/// The matrix by a dense one, or by a vector, of its element type.
Tensor product(const SparseMatrix &matrix, Tensor dense);
/// With zeros in the other places.
Tensor dense(const SparseMatrix &matrix);
SparseMatrix transposed(const SparseMatrix &matrix);

} // namespace jit

#endif // JIT_DIALECT_ATEN_SPARSEPRODUCTS_H
