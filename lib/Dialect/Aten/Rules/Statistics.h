//===- Statistics.h - builders for the rules of Statistics.td ---*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_STATISTICS_H
#define JIT_LIB_DIALECT_ATEN_RULES_STATISTICS_H

#include "Rules/Index.h"
#include "Rules/Reduction.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

namespace jit {

/// Of rows of observations; with weights, how often each counts and how much it is trusted.
Decomposition covariance(Tensor self, Int correction, OptTensor counts, OptTensor trust);
Decomposition correlation(Tensor self);

/// The element with `rank` - 1 smaller ones along a dimension, and where it is.
Decomposition orderStatistic(Tensor self, Int dim, Bool keepdim, Int rank);
/// What median takes along a dimension: the lower of the two elements in the middle, or the first
/// NaN.
struct MedianRank {
  Int rank;
};

MedianRank medianRank(Tensor self, Int dim);
Decomposition orderStatistic(Tensor self, Int dim, Bool keepdim, MedianRank median);
Decomposition wholeMedian(Tensor all);
Decomposition quantile(Tensor self, Float q, OptInt dim, Bool keepdim, Str interpolation);

/// What lies between two elements, and whether NaN counts as none.
struct QuantileOptions {
  Str interpolation;
  bool skipsNan;
};
/// The same for a number or a vector of them, which becomes the first dimension.
Decomposition quantiles(Tensor self, Any q, OptInt dim, Bool keepdim, QuantileOptions options);

/// Slopes by the neighbours along each dimension, and at the ends by one (`order` 1) or two more.
/// Steps are numbers or vectors of places, one for all dimensions or one for each.
Decomposition gradients(Tensor self, std::optional<AnyList> dims, llvm::ArrayRef<Any> steps,
                        Int order);
Decomposition gradients(Tensor self, OptInt dim, Any step, Int order);
Decomposition gradients(Tensor self, OptInt dim, AnyList steps, Int order);
Decomposition gradients(Tensor self, AnyList dims, AnyList steps, Int order);

Decomposition differences(Tensor self, Int order, Int dim, OptTensor before, OptTensor after);
/// `step` is a number, or a tensor of places.
Decomposition areaOfTrapezoids(Tensor y, Any step, Int dim);
Decomposition runningAreaOfTrapezoids(Tensor y, Any step, Int dim);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_STATISTICS_H
