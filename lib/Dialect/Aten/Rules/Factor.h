//===- Factor.h - builders for the rules of Factor.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_FACTOR_H
#define JIT_LIB_DIALECT_ATEN_RULES_FACTOR_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

//===----------------------------------------------------------------------===//
// Parts, for the functions below
//===----------------------------------------------------------------------===//

/// A loop: from the number of a trip and tensors to those after it, of the same types.
using Trip =
    llvm::function_ref<llvm::SmallVector<Tensor>(Int trip, llvm::ArrayRef<Tensor> tensors)>;
llvm::SmallVector<Tensor> looped(Int trips, llvm::ArrayRef<Tensor> first, Trip trip);

/// True for [..., rows, columns] of known rank and floats; sizes may be open.
bool isMatrix(Tensor t);
/// The same with as many rows as columns: where both are open, a guard ends other calls.
bool isSquare(Tensor t);
Int rowCount(Tensor t);
Int columnCount(Tensor t);
/// The smaller one.
Int lesserSize(Tensor t);
/// No longer than `count` along a dimension, which counts from the back.
Tensor first(Tensor t, int64_t dim, Int count);
/// The last two dimensions swapped.
Tensor transposed(Tensor t);
/// Column `i`, [..., rows, 1], and row `i`, [..., 1, columns], of a matrix.
Tensor columnOf(Tensor t, Int i);
Tensor rowOf(Tensor t, Int i);
/// Element (i, i), [..., 1, 1].
Tensor diagonalOf(Tensor t, Int i);
/// 0, 1, ... as a row, [columns], or a column, [rows, 1].
Tensor columnNumbers(Tensor t);
Tensor rowNumbers(Tensor t);
/// The numbers of ones on the diagonal of [..., rows, columns], with the batches of `like`.
Tensor identityLike(Tensor like, Int rows, Int columns);
/// What a tensor's sizes but for the last `inner` are to become.
using Batches = llvm::SmallVector<Int>;
/// Broadcast to these, [batches..., inner sizes].
Tensor withBatches(Tensor t, llvm::ArrayRef<Int> batches, int64_t inner = 2);
/// The batches of two matrices, broadcast together; nullopt where they do not go together. Of open
/// sizes a guard ends calls in which they do not.
std::optional<Batches> commonBatches(Tensor a, Tensor b);
/// Whether `b` has as many rows as `a` has columns, of which a guard makes sure where they are
/// open.
bool haveAsManyRows(Tensor b, Tensor a);
/// x with a x = b for a triangle `a` of a square matrix.
Tensor substituted(Tensor a, Tensor b, bool isUpper, bool isUnit);

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

struct Triangle {
  Bool isUpper, isLeft, isUnit;
};
Decomposition triangularSolution(Tensor a, Tensor b, const Triangle &triangle);
Decomposition oldTriangularSolution(Tensor b, Tensor a, Bool upper, Bool transpose, Bool unit);

/// Of a matrix that is not positive definite: not numbers.
Decomposition cholesky(Tensor self, Bool upper);
Decomposition choleskyWithInfo(Tensor self, Bool upper);
Decomposition choleskySolution(Tensor b, Tensor factor, Bool upper);
Decomposition choleskyInverse(Tensor factor, Bool upper);
/// The sizes of x with a x = b, where a has the batches of a factor [..., n, n].
mlir::Type solutionOf(TypeRules &infer, TensorInfo b, TensorInfo factor);
/// One int32 for each matrix.
mlir::Type infoOf(TypeRules &infer, TensorInfo matrix);
/// By a matrix that is symmetric, of whose halves each has a half.
Gradient choleskyGrad(Tensor factor, Bool upper, Tensor grad);
/// By the factor, as if all of it were read.
Gradient choleskySolutionGrad(Tensor factor, Tensor solution, Bool upper, Tensor grad);
Gradient choleskyInverseGrad(Tensor factor, Tensor inverse, Bool upper, Tensor grad);

/// The factors, the pivots counted from 1, and the first pivot that is 0, of which `count`.
Decomposition luFactors(Tensor a, Bool pivot, int64_t count);
Decomposition luMatrices(Tensor a, Bool pivot);
Decomposition luUnpacked(Tensor lu, Tensor pivots, Bool data, Bool permutation);
Decomposition luSolution(Tensor lu, Tensor pivots, Tensor b, Bool left, Bool adjoint);
/// With, of `count`, the info, or the factors, pivots and info.
Decomposition solution(Tensor a, Tensor b, Bool left, int64_t count);
Decomposition inverse(Tensor a, int64_t count);
Decomposition tensorInverse(Tensor self, Int leading);
Decomposition tensorSolution(Tensor self, Tensor other, OptIntList dims);
/// A number for each matrix, of its element type.
mlir::Type ofEachMatrix(TypeRules &infer, TensorInfo matrix);
Decomposition determinant(Tensor a);
Gradient determinantGrad(Tensor a, Tensor determinant, Tensor grad);
/// Its sign, and the logarithm of its size.
Decomposition logDeterminant(Tensor a);

/// Of symmetric matrices, of which the lower half is read: blocks and what is below them, pivots
/// counted from 1 and negative of blocks of two rows, and, of `count` 3, the first block that is 0.
Decomposition ldlFactors(Tensor a, int64_t count);
Decomposition ldlSolution(Tensor ld, Tensor pivots, Tensor b);

/// Householder's reflections below the diagonal and R above, and their factors.
Decomposition reflections(Tensor a);
Decomposition productOfReflections(Tensor a, Tensor tau);
Decomposition reflected(Tensor a, Tensor tau, Tensor other, Bool left, Bool transpose);
Decomposition qr(Tensor a, Str mode);

Decomposition matrixExponential(Tensor a);

//===----------------------------------------------------------------------===//
// Spectra
//===----------------------------------------------------------------------===//

/// The smaller of the last two sizes as the last one.
mlir::Type valuesOf(TypeRules &infer, TensorInfo matrix);
/// Eigenvalues from the smallest, and of `count` 2 their vectors, by the half of the matrix named.
Decomposition symmetricSpectrum(Tensor self, Str half, int64_t count);
Gradient eigenvaluesGrad(Tensor self, Str half, Tensor grad);
/// From what flows back to eigenvalues, [..., n], and to eigenvectors, [..., n, n].
Gradient spectrumGrad(Tensor values, Tensor vectors, Tensor valuesGrad, Tensor vectorsGrad);
Decomposition bothOf(mlir::Operation *op, GraphBuilder &build);

/// Eigenvalues and, of `count` 2, eigenvectors of any square matrix, complex.
Decomposition spectrum(Tensor a, int64_t count);
/// The same by real and imaginary parts, of which `count`.
Decomposition spectrumParts(Tensor re, Tensor im, int64_t count);
struct SpectrumGrad {
  Tensor valuesRe, valuesIm, vectorsRe, vectorsIm;
  Tensor valuesReGrad, valuesImGrad, vectorsReGrad, vectorsImGrad;
};
Gradient spectrumPartsGrad(const SpectrumGrad &of, bool isImaginary);
Gradient spectrumValuesGrad(Tensor re, Tensor im, Tensor reGrad, Tensor imGrad, bool isImaginary);

/// From the largest.
Decomposition singularValues(Tensor a);
Gradient singularValuesGrad(Tensor a, Tensor grad);
/// With the right vectors as rows, or as columns if `turned`.
Decomposition singularVectors(Tensor a, Bool full, bool turned);

/// Singular values below both bounds (numbers, tensors or None), the second as a share of the
/// largest, count as 0. Of a symmetric matrix the lower half counts.
mlir::Type turnedSizes(TypeRules &infer, TensorInfo matrix);
Decomposition pseudoInverse(Tensor a, Bool isSymmetric, Any atol, Any rtol);
/// As long as the rank stays what it is; of a symmetric matrix as if all of it were read.
Gradient pseudoInverseGrad(Tensor a, Tensor inverse, Tensor grad);
/// The shortest x nearest to a x = b, with the squares of what is left, the rank and the singular
/// values as far as PyTorch's driver of that name gives them.
Decomposition leastSquares(Tensor a, Tensor b, OptFloat rcond, Str driver);
Decomposition matrixRank(Tensor a, Bool isSymmetric, Any atol, Any rtol);
/// The norm of a matrix times that of its inverse; `order` is as for linalg_norm.
Decomposition conditionNumber(Tensor a, Any order);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_FACTOR_H
