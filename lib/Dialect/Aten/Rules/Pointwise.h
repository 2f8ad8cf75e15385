//===- Pointwise.h - builders for the rules of Pointwise.td -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POINTWISE_H
#define JIT_LIB_DIALECT_ATEN_RULES_POINTWISE_H

#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/ScalarRules.h"

namespace jit {

/// A square is a power with an int exponent, which makes ints of bools.
mlir::Type squared(TypeRules &infer, TensorInfo self);
/// A tensor of integers or bools; an error for any other.
mlir::Type integral(TypeRules &infer, mlir::Type type);
/// The type of a division with a rounding mode; of a where between two numbers.
mlir::Type divided(TypeRules &infer, llvm::ArrayRef<mlir::Value> operands, StrInfo mode);
mlir::Type selectedScalars(TypeRules &infer, TensorInfo condition,
                           llvm::ArrayRef<mlir::Value> numbers);

mlir::Type gated(TypeRules &infer, TensorInfo self, IntInfo dim);
Decomposition gated(Tensor self, Int dim);
Decomposition prelu(Tensor self, Tensor weight);

// ---- Gradients ----
/// Of a power with a number as exponent: nothing flows where that is 0.
Tensor powerGrad(Tensor base, Any exponent, Tensor grad);
/// Of a power of a number.
Tensor powerGradOfExponent(Any base, Tensor exponent, Tensor result, Tensor grad);
/// `gradient` where a division has no rounding mode, and none where it has one.
Gradient unlessRounded(Str mode, Tensor gradient);
/// a / c, rounded by "floor" or "trunc".
Tensor quotient(Tensor a, Tensor c, llvm::StringRef mode);
/// Half of the gradient where the two are equal.
Tensor sharedByEquals(Tensor self, Tensor other, Tensor grad);
/// Of clamp: all of the gradient on the bounds themselves.
Tensor clampGrad(Tensor self, OptScalar min, OptScalar max, Tensor grad);
Tensor clampGrad(Tensor self, OptTensor min, OptTensor max, Tensor grad);
/// The upper bound has the last word where the bounds are the wrong way round.
Tensor clampGradOfMin(Tensor self, Tensor min, OptTensor max, Tensor grad);
Tensor clampGradOfMax(Tensor self, OptTensor min, Tensor max, Tensor grad);
/// What flows through an angle, of a point (other, self), by which `part` of its coordinates it is
/// not. None where the point is so near to zero that PyTorch gives none.
Tensor turned(Tensor grad, Tensor part, Tensor self, Tensor other);
Tensor sincGrad(Tensor self, Tensor grad);
Tensor logitGrad(Tensor self, OptFloat eps, Tensor grad);
Tensor mishGrad(Tensor self, Tensor grad);
Gradient geluGrad(Tensor self, Str approximate, Tensor grad);

Element divided(Element a, Element c, StrElement mode);
/// Exact products for small constant exponents, roots for halves.
Element power(Element base, Element exponent);
Element lerp(Element start, Element end, Element weight);

Element isInf(Element a);
Element isFinite(Element a);
Element isPosInf(Element a);
Element isNegInf(Element a);
Element signBit(Element a);
Element copySign(Element a, Element sign);

/// A shift by more than the width, or by a negative number, shifts everything out.
Element shiftLeft(Element a, Element by);
Element shiftRight(Element a, Element by);

/// `a` within bounds, and where it is equal to one: a zero keeps its sign. NaN gives NaN.
Element atLeast(Element a, Element low);
Element atMost(Element a, Element high);
Element clamped(Element a, OptElement low, OptElement high);
inline Element atLeast(Element a, double low) { return atLeast(a, constant(*a.b, low)); }
inline Element atMost(Element a, double high) { return atMost(a, constant(*a.b, high)); }
/// Of a number and NaN, the number.
Element maxNumber(Element a, Element c);
Element minNumber(Element a, Element c);
/// `from` is the graph type of `a`: its largest number stands for infinity.
Element nanToNum(Element a, OptRaw nan, OptRaw posinf, OptRaw neginf, mlir::Type from);

Element exp2(Element a);
Element asinh(Element a);
Element acosh(Element a);
Element atanh(Element a);
Element erfc(Element a);
Element hypot(Element a, Element c);
Element sinc(Element a);
Element logAddExp(Element a, Element c);
Element xLogY(Element x, Element y);
Element logit(Element a, OptRaw eps);
Element selu(Element a);
Element gelu(Element a, bool isTanh);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_POINTWISE_H
