//===- Integers.h - builders for rules on whole numbers ---------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_INTEGERS_H
#define JIT_LIB_DIALECT_ATEN_RULES_INTEGERS_H

#include "jit/Dialect/Aten/ScalarRules.h"

namespace jit {

/// The largest number that divides both, never negative; 0 of two zeros.
Element greatestDivisor(Element a, Element c);
/// The smallest number that both divide, never negative; 0 where one of them is 0.
Element leastMultiple(Element a, Element c);
/// 1 * 2 * ... * n modulo 2^64; a negative number is an error of the call.
Element factorial(Element n);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_INTEGERS_H
