//===- Reduction.h - builders for the rules of Reduction.td -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_REDUCTION_H
#define JIT_LIB_DIALECT_ATEN_RULES_REDUCTION_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/ReductionDims.h"

namespace jit {

// ---- Types ----
/// `self` without the dimensions of `dims` (an int, a list of ints, or None for all), or with 1 in
/// their place.
mlir::Type reduced(TypeRules &infer, TensorInfo self, AnyInfo dims, BoolInfo keepdim,
                   mlir::Type dtype);
mlir::Type reduced(TypeRules &infer, TensorInfo self, AnyInfo dims, bool keepdim, mlir::Type dtype);
/// Sums of integers and bools are int64.
mlir::Type sumDtype(TypeRules &infer, TensorInfo self, IntInfo dtype);
/// Of a complex tensor that of its parts.
mlir::Type partDtype(TensorInfo self);
mlir::Type floatDtype(TypeRules &infer, TensorInfo self);
/// The bool that any and all give, which for uint8 is uint8.
mlir::Type truthDtype(TypeRules &infer, TensorInfo self);

// ---- Bodies ----
/// How many elements meet in one of the result.
std::optional<Int> reducedCount(Tensor self, Any dims);

struct Spread {
  Decomposition value;
  Decomposition mean;
  Decomposition both() const;
};
/// Variance or its root, and the mean; `correction` is None for 1.
Spread spread(Tensor self, Any dims, Any correction, Any keepdim, bool isRoot);
/// 0 or 1 as a Scalar.
Any toCorrection(Bool unbiased);

Decomposition softmax(Tensor self, Int dim, Any dtype);
Decomposition logSoftmax(Tensor self, Int dim, Any dtype);
Decomposition logSumExp(Tensor self, IntList dims, Bool keepdim);
Decomposition meanAlong(Tensor self, Any dims, Any keepdim, Any dtype);
Decomposition vectorNorm(Tensor self, Any order, Any dims, Any keepdim, Any dtype);

// ---- Gradients ----
/// A reduction that is differentiated; `dims` is as for reducedCount.
struct Reduced {
  Tensor self, result;
  Any dims;
  Bool keepdim;
  /// The result, or a tensor like it, with the reduced dimensions as dimensions of size 1.
  Tensor kept(Tensor t) const { return keepDims(t, self, dims, keepdim); }
};
Tensor prodGrad(const Reduced &op, Tensor grad);
/// Equal elements share the gradient.
Tensor extremeGrad(const Reduced &op, Tensor grad);
/// NaN where that is the gradient, also for an element that was left out, as in PyTorch.
Tensor nansumGrad(const Reduced &op, Tensor grad);
/// As extremeGrad, over all elements, of which those that are NaN are equal.
Tensor wholeExtremeGrad(Tensor self, Tensor result, Tensor grad);
/// To the elements whose indices along one dimension are the result.
Gradient pickedGrad(const Reduced &op, Tensor grad);
Gradient spreadGrad(const Reduced &op, Any correction, Tensor grad, bool isRoot);
Gradient spreadAndMeanGrad(const Reduced &op, Any correction, Tensor grad, Tensor gradMean,
                           bool isRoot);
Tensor softmaxGrad(Tensor result, Int dim, Tensor grad);
Tensor logSoftmaxGrad(Tensor result, Int dim, Tensor grad);
/// 0 where the norm is 0.
Gradient vectorNormGrad(const Reduced &op, Any order, Tensor grad);
/// 2 for None.
Any orderOr2(OptScalar order);
Gradient cumprodGrad(Tensor self, Tensor result, Int dim, Tensor grad);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_REDUCTION_H
