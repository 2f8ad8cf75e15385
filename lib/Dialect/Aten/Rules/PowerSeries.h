//===- PowerSeries.h - what the special functions are summed with *- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POWERSERIES_H
#define JIT_LIB_DIALECT_ATEN_RULES_POWERSERIES_H

#include "Rules/Pointwise.h"

namespace jit {

/// c[0] + c[1] x + c[2] x^2 + ...
Element polynomial(Element x, llvm::ArrayRef<double> coefficients);

/// From the number of a round (from 0, an element like the others) and the values so far to those
/// after it.
using Round =
    llvm::function_ref<llvm::SmallVector<Element>(Element k, llvm::ArrayRef<Element> values)>;

/// The values after `count` rounds: a float of which the whole part counts, none where it is below
/// 1 or not a number, and never more than a million.
llvm::SmallVector<Element> iterated(Element count, llvm::ArrayRef<Element> first, Round round);

/// `function` of double precision numbers, whatever the operator computes in.
template <typename Function, typename... Elements>
Element inDouble(Function function, Element first, Elements... rest) {
  ScalarBuilder wide{first.b->builder, first.b->loc, first.b->builder.getF64Type()};
  auto widened = [&](Element e) { return Element(wide, e.v, e.v.getType()); };
  Element result = function(widened(first), widened(rest)...);
  return Element(*first.b, result.v, wide.compute);
}

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_POWERSERIES_H
