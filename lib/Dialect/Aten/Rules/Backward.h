//===- Backward.h - builders for the rules of Backward.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_BACKWARD_H
#define JIT_LIB_DIALECT_ATEN_RULES_BACKWARD_H

#include "Rules/Loss.h"
#include "Rules/Pointwise.h"
#include "Rules/Reduction.h"
#include "Rules/Search.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Rearrange.h"
#include "jit/Dialect/Aten/View.h"

namespace jit {

/// A gradient as the body of an operator.
Decomposition asBody(const Gradient &gradient);
/// Zeros of these sizes, of the element type of \p like.
Tensor zerosOf(Tensor like, IntList sizes);

// ---- Activations ----
struct EluNumbers {
  Scalar alpha, scale, inputScale;
};
Decomposition eluBackward(Tensor grad, EluNumbers numbers, Bool isResult, Tensor selfOrResult);
Decomposition gluBackward(Tensor grad, Tensor self, Int dim);

// ---- Norms ----
/// The mean and the reciprocal deviation that a norm used.
struct NormStatistics {
  Tensor mean, rstd;
};
Decomposition layerNormBackward(Tensor grad, Tensor input, IntList shape, NormStatistics used,
                                OptTensor weight);
Decomposition groupNormBackward(Tensor grad, Tensor input, Int groups, NormStatistics used,
                                OptTensor weight);
struct BatchStatistics {
  OptTensor runningMean, runningVariance, mean, rstd;
};
Decomposition batchNormBackward(Tensor grad, Tensor input, OptTensor weight, BatchStatistics of,
                                Bool isTraining, Float eps);

// ---- Losses ----
/// \p each, of which a mean has its share.
Decomposition ofReduction(Tensor each, Tensor self, Int reduction);
/// What smoothDistance gains for each step away from 0.
Tensor slopeOfDistance(Tensor difference, Float limit, bool isHuber);
Decomposition binaryCrossEntropyBackward(Tensor grad, Tensor self, Tensor target, OptTensor weight,
                                         Int reduction);
Decomposition nllForward(Tensor self, ClassTargets targets, Int reduction);
Decomposition nllBackward(Tensor grad, Tensor self, ClassTargets targets, Int reduction,
                          Tensor total);

// ---- Parts ----
Decomposition selectedBackward(Tensor grad, Int dim, Tensor indices, IntList sizes, Bool keepdim);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_BACKWARD_H
