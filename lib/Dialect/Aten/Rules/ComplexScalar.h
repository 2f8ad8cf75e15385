//===- ComplexScalar.h - builders for the rules of ComplexScalar.td -*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_COMPLEXSCALAR_H
#define JIT_LIB_DIALECT_ATEN_RULES_COMPLEXSCALAR_H

#include "jit/Dialect/Aten/ComplexNumbers.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/Special.h"

namespace jit {

// ---- Arithmetic ----
ComplexNumber operator+(ComplexNumber a, ComplexNumber c);
ComplexNumber operator-(ComplexNumber a, ComplexNumber c);
ComplexNumber operator*(ComplexNumber a, ComplexNumber c);
ComplexNumber operator/(ComplexNumber a, ComplexNumber c);
ComplexNumber operator-(ComplexNumber a);
ComplexNumber power(ComplexNumber base, ComplexNumber exponent);
Any areEqual(ComplexNumber a, ComplexNumber c);
Any differ(ComplexNumber a, ComplexNumber c);
Decomposition sumOfComplex(AnyList list);

// ---- By way of tensors ----
template <typename OpTy> ComplexNumber functionOf(ComplexNumber a) {
  return elementOf(a.b->op<OpTy>(asTensor(a)));
}
/// Of a number that is not complex the real logarithm, which a negative one has not.
ComplexNumber logOf(ComplexNumber a);
Any magnitudeOf(ComplexNumber a);
Any angleOf(ComplexNumber a);

// ---- Parts ----
template <typename OpTy> Any eitherPart(ComplexNumber a) {
  return a.b->op<aten::OrBoolOp>(a.b->op<OpTy>(a.re()), a.b->op<OpTy>(a.im()));
}
template <typename OpTy> Any bothParts(ComplexNumber a) {
  return a.b->op<aten::AndBoolOp>(a.b->op<OpTy>(a.re()), a.b->op<OpTy>(a.im()));
}
/// x + y i of two real numbers.
ComplexNumber fromParts(ComplexNumber x, ComplexNumber y);
ComplexNumber fromPolar(ComplexNumber length, ComplexNumber angle);

// ---- Conversion ----
/// Of a number or a tensor of one element.
Decomposition complexFrom(Any number);
/// The same of two real ones.
Decomposition complexFrom(Any x, Any y);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_COMPLEXSCALAR_H
