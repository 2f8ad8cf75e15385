//===- Algebra.h - builders for the rules of Algebra.td ---------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_ALGEBRA_H
#define JIT_LIB_DIALECT_ATEN_RULES_ALGEBRA_H

#include "Rules/Matmul.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Reduction.h"

namespace jit {

/// Summed over pairs of dimensions, one of each tensor; the rest of both, in order.
/// Each factor with a dimension of size 1 at each of its places, multiplied and summed.
Decomposition trilinear(llvm::ArrayRef<Tensor> factors, llvm::ArrayRef<IntList> places,
                        IntList sumDims, Int unrolled);
Decomposition tensordot(Tensor self, Tensor other, IntList selfDims, IntList otherDims);
/// A letter for each dimension: those that the result does not name are summed over.
Decomposition einsum(Str equation, TensorList tensors);
Decomposition kronecker(Tensor self, Tensor other);
Decomposition crossProduct(Tensor self, Tensor other, Int dim);
/// Along the first dimension of size 3.
Decomposition crossProductAlongThree(Tensor self, Tensor other);
/// beta * a + alpha * c, without `a` where beta is 0.
Tensor weightedSum(Tensor a, Any beta, Tensor c, Any alpha);
/// The outer product of two vectors, added as by weightedSum in the type of all; of bools by "or",
/// where a weight is 0 or not.
Decomposition outerProductAdded(Tensor self, Any beta, std::pair<Tensor, Tensor> vectors,
                                Any alpha);
/// The product of all matrices, in the order that takes the fewest multiplications; the first and
/// the last may be vectors.
Decomposition chained(TensorList matrices);
Decomposition matrixPower(Tensor self, Int exponent);
Decomposition bilinear(Tensor a, Tensor c, Tensor weight, OptTensor bias);

/// The sum of the singular values over two dimensions, the last ones if `dims` is None.
Decomposition nuclearNorm(Tensor self, Any dims, Bool keepdim, Any dtype);
Decomposition matrixNorm(Tensor self, Any order, IntList dims, Bool keepdim, Any dtype);
Decomposition anyNorm(Tensor self, OptScalar order, OptIntList dims, Bool keepdim, Any dtype);
/// Each slice along `dim` shrunk to a norm of at most `limit`.
Decomposition renormalized(Tensor self, Any order, Int dim, Any limit);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_ALGEBRA_H
