//===- Bessel.h - builders for the rules of Bessel.td -----------*- C++ -*-===//
//
// Each computes in double precision: by power series near 0 and by asymptotic ones far away (NIST
// Handbook of Mathematical Functions, chapters 9 and 10).
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_BESSEL_H
#define JIT_LIB_DIALECT_ATEN_RULES_BESSEL_H

#include "Rules/PowerSeries.h"

namespace jit {

/// Of the first and second kind, and modified, of order 0 or 1. Scaled: without the exponential
/// factor of their growth.
Element besselJ(int order, Element x);
Element besselY(int order, Element x);
Element besselI(int order, Element x, bool isScaled);
Element besselK(int order, Element x, bool isScaled);
/// sin x / x
Element sphericalBessel(Element x);
/// Airy's function of the first kind.
Element airy(Element x);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_BESSEL_H
