//===- Polynomials.h - builders for the rules of Polynomials.td -*- C++ -*-===//
//
// By their recurrences, in the type that the operator computes in. The order counts as far as it is
// whole; below 0 there is nothing.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POLYNOMIALS_H
#define JIT_LIB_DIALECT_ATEN_RULES_POLYNOMIALS_H

#include "Rules/PowerSeries.h"

namespace jit {

/// `first` is the polynomial of order 1, which tells the four kinds apart.
Element chebyshev(Element x, Element order, Element first);
/// The physicist's with a scale of 2, the probabilist's with 1.
Element hermite(Element x, Element order, double scale);
Element laguerre(Element x, Element order);
Element legendre(Element x, Element order);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_POLYNOMIALS_H
