//===- Matchers.h - what the operator behind a value is ---------*- C++ -*-===//
#ifndef JIT_LIB_SIMPLIFY_MATCHERS_H
#define JIT_LIB_SIMPLIFY_MATCHERS_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// The type of a tensor of which sizes and element type are known; null otherwise.
TensorType staticType(mlir::Value value);

/// The number of elements of a static type, and the bytes that they take.
int64_t elementsOf(TensorType type);
int64_t bytesOf(TensorType type);

/// True for what a product adds alike to each of its rows: a number, None, or a bias of one row.
bool isSameForRows(mlir::Value bias);

/// The number that all elements of a tensor are, where an operator made it of one.
std::optional<double> splatOf(mlir::Value tensor);

/// The dimensions of its operand in the order of its result, for any view that only reorders them:
/// transpose, t, permute and their like. Nullopt where sizes are not known.
std::optional<llvm::SmallVector<int64_t>> permutationOf(mlir::Operation *op);

/// Whether a view shows an element of its operand in several places, as expand does. False where
/// not enough is known.
bool showsElementsAgain(mlir::Operation *op);

/// The tensor of which this is the transpose, for a matrix; null where it is no transpose.
mlir::Value transposedSource(mlir::Value matrix);

/// The operand of which `value`, a view, has the same elements in the same order under other sizes;
/// null where it is anything else.
mlir::Value reshapedSource(mlir::Value value);

/// The tensor's elements under other sizes of the same product; itself where it has those.
Tensor viewed(Tensor tensor, llvm::ArrayRef<int64_t> sizes);

/// The dimensions reordered; itself where the order stays.
Tensor permuted(Tensor tensor, llvm::ArrayRef<int64_t> order);

} // namespace jit

#endif // JIT_LIB_SIMPLIFY_MATCHERS_H
