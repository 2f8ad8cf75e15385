//===- ElementType.h - builders for the rules of ElementType.td -*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_ELEMENTTYPE_H
#define JIT_LIB_DIALECT_ATEN_RULES_ELEMENTTYPE_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// The number of the dtype that two dtypes are promoted to.
Decomposition promotedTypes(GraphBuilder &build, OptInt a, OptInt b);
/// Whether a result of one dtype may be written to a tensor of another.
Decomposition canCast(GraphBuilder &build, OptInt from, OptInt to);
/// The number of the dtype of a result of two operands, tensors or numbers.
Decomposition typeOfResult(GraphBuilder &build, Any a, Any b);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_ELEMENTTYPE_H
