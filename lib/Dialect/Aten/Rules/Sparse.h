//===- Sparse.h - builders for the rules of Sparse.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SPARSE_H
#define JIT_LIB_DIALECT_ATEN_RULES_SPARSE_H

#include "Rules/Creation.h"
#include "jit/Dialect/Aten/SparseProducts.h"

namespace jit {

/// How many elements there are before each row, and their columns.
struct RowsOfSparse {
  Tensor before, columns, values;
  IntList size;
};
Decomposition sparseByRows(const RowsOfSparse &rows, OptInt dtype);
/// The matrix itself, which has to be sparse.
Decomposition ifSparse(Tensor self);
Decomposition sparseProduct(Tensor sparse, Tensor dense);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SPARSE_H
