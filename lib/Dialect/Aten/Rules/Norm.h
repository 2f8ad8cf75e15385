//===- Norm.h - builders for the rules of Norm.td ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_NORM_H
#define JIT_LIB_DIALECT_ATEN_RULES_NORM_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// What a normalized value is scaled and shifted by; either may be None.
struct Affine {
  OptTensor weight, bias;
};

/// Whether it is a float of less than 32 bits.
bool isHalf(mlir::Type dtype);

/// The input, whose last sizes are `normalizedShape`.
mlir::Type normalizedOver(TypeRules &infer, TensorInfo input, ListInfo normalizedShape);
/// The input, whose channels come in so many groups.
mlir::Type normalizedInGroups(TypeRules &infer, TensorInfo input, IntInfo groups);
/// The sizes of the mean that a layer norm subtracts.
mlir::Type normStatistics(TypeRules &infer, TensorInfo input, ListInfo normalizedShape);
/// One number per channel, in f32 for halves.
mlir::Type channelStatistics(TypeRules &infer, TensorInfo input, TensorInfo running);
/// The type of an operand of cosine_similarity: a float's own, also without dimensions.
mlir::Type comparedType(mlir::Value operand, mlir::Type common);
mlir::Type similarity(TypeRules &infer, mlir::ValueRange operands, IntInfo dim);

/// What flows back through `value`, (x - mean) / deviation, times `factor`, of size 1 along `dims`,
/// along which mean and deviation were taken of x.
Tensor throughNorm(Tensor grad, Tensor value, Tensor factor, llvm::ArrayRef<int64_t> dims);

// ---- What batches are normalized by ----
mlir::Type statisticsAlong(TypeRules &infer, TensorInfo self, ListInfo dims);
/// With the mean, the variance and the reciprocal deviation along `dims`, each of size 1 there.
Decomposition normalizedBatch(Tensor self, Affine affine, IntList dims, Float eps);
/// A normalized batch, and the gradients of its results.
struct NormalizedBatch {
  Tensor self, mean, rstd;
  IntList dims;
};
struct NormalizedBatchGradients {
  Tensor result, mean, variance, rstd;
};
Gradient normalizedBatchGrad(const NormalizedBatch &of, OptTensor weight,
                             const NormalizedBatchGradients &gradients);

Decomposition batchNorm(Tensor input, Affine affine, OptTensor mean, OptTensor variance,
                        bool isTraining, Float eps);
/// The numbers of a batch norm.
struct BatchNormNumbers {
  Float momentum, eps;
};
/// With the mean and reciprocal deviation used, and the running statistics after it.
Decomposition batchNormWithStatistics(Tensor input, Affine affine, Tensor mean, Tensor variance,
                                      bool isTraining, BatchNormNumbers numbers);
/// By the running statistics, with empty tensors in place of those that training would use.
Decomposition batchNormWithoutTraining(Tensor input, Affine affine, Tensor mean, Tensor variance,
                                       Float eps);
/// By the input's own mean and reciprocal deviation, with those beside it.
Decomposition batchNormWithoutRunning(Tensor input, Affine affine, Float eps);
/// One of the two above, or failure where running statistics would be written.
Decomposition nativeBatchNorm(Tensor input, Affine affine, OptTensor mean, OptTensor variance,
                              Bool training, Float eps);
/// With the memory that a device would keep for the backward pass: none.
Decomposition withReserve(Decomposition norm, GraphBuilder &build);
Decomposition instanceNorm(Tensor input, Affine affine, OptTensor mean, OptTensor variance,
                           bool useInput, Float eps);
/// Over the last dimensions, whose sizes are `shape`; with the mean and the reciprocal deviation if
/// asked for.
Decomposition layerNorm(Tensor input, IntList shape, Affine affine, Float eps,
                        bool withStatistics = false);
Decomposition rmsNorm(Tensor input, IntList shape, OptTensor weight, OptFloat eps);
/// With the mean and the reciprocal deviation of each group if asked for.
Decomposition groupNorm(Tensor input, int64_t groups, Affine affine, Float eps,
                        bool withStatistics = false);
/// The rows that the indices name, if they are longer than `most`, scaled to that length.
Decomposition rowsShortened(Tensor self, Tensor indices, Float most, Float order);
Decomposition weightNorm(Tensor v, Tensor g, Int dim);
Decomposition cosineSimilarity(Tensor a, Tensor b, Int dim, Float eps);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_NORM_H
