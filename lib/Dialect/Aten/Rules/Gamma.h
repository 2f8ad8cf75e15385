//===- Gamma.h - builders for the rules of Gamma.td -------------*- C++ -*-===//
//
// Each computes in double precision, from the defining series, continued fractions and asymptotic
// expansions (NIST Handbook of Mathematical Functions, chapters 5, 7, 8 and 25).
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_GAMMA_H
#define JIT_LIB_DIALECT_ATEN_RULES_GAMMA_H

#include "Rules/PowerSeries.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Special.h"

namespace jit {

/// log |gamma(x)|
Element logGamma(Element x);
Element gammaOf(Element x);
/// The derivative of logGamma, and that one's derivatives.
Element digamma(Element x);
Element polygamma(Element order, Element x);
/// Hurwitz's: the sum of (q + k)^-s over k = 0, 1, ...
Element zeta(Element s, Element q);
/// The regularised incomplete gamma functions: the shares of the integral below and above x.
Element lowerGamma(Element a, Element x);
Element upperGamma(Element a, Element x);

/// The inverse of erf, the scaled complement exp(x^2) erfc(x), and the normal distribution by them.
Element inverseErf(Element y);
Element scaledErfc(Element x);
Element inverseNormal(Element p);
Element logNormal(Element x);

Decomposition multivariateLogGamma(Tensor self, Int p);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_GAMMA_H
