//===- Counts.h - builders for rules whose sizes are in elements -*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_COUNTS_H
#define JIT_LIB_DIALECT_ATEN_RULES_COUNTS_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// One more than the largest of some whole numbers, of known sizes and at least one. A call with a
/// negative one ends with an error.
Int boundOf(Tensor numbers);

/// How often each number from 0 on occurs, or the sum of the weights where it does; at least for
/// `least` numbers.
Decomposition occurrences(Tensor numbers, OptTensor weights, Int least);

/// Each place of a row as often as the row says.
Decomposition placesRepeated(Tensor counts, OptInt total);
/// Each slice along a dimension, or each element if it is None, as often as `counts` says.
Decomposition slicesRepeated(Tensor self, Tensor counts, OptInt dim, OptInt total);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_COUNTS_H
