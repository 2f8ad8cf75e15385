//===- Special.h - builders for the rules of Special.td ---------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SPECIAL_H
#define JIT_LIB_DIALECT_ATEN_RULES_SPECIAL_H

#include "Rules/GraphBuilders.h"
#include "Rules/Integers.h"
#include "Rules/Pointwise.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"

namespace jit {

/// -x log x, 0 at 0.
Element entropy(Element x);
/// The share of a standard normal distribution below x.
Element normalDistribution(Element x);
/// Of a real number: 0, or pi for a negative one.
Element angle(Element x);
Element xLog1pY(Element x, Element y);
Element logAddExp2(Element a, Element c);
/// The number beside `a` on the way to `c`, in the type that both have.
Element nextAfter(Element a, Element c);

Tensor xLog1pGradOfSelf(Tensor self, Any other, Tensor grad);
Tensor inDouble(Tensor t);
/// self = mantissa * 2^exponent with a mantissa of [0.5, 1), but for zero and what is not finite.
Decomposition mantissaAndExponent(Tensor self);
/// self * 2^other in the type that both promote to; exact for whole numbers, whatever that type
/// holds of 2^other.
Decomposition scaledByPower(Tensor self, Tensor other);
Decomposition roundedTo(Tensor self, Int decimals);
/// 0 in rows of nothing but minus infinity.
Decomposition safeSoftmax(Tensor self, Int dim, Any dtype);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SPECIAL_H
