//===- Gradient.h - builders for the rules of Gradient.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_GRADIENT_H
#define JIT_LIB_DIALECT_ATEN_RULES_GRADIENT_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// The type of the input that a gradient is of, as far as it is known which one that is.
mlir::Type gradientType(TypeRules &infer, ListInfo inputs, IntInfo index);

/// False where nothing that the tensor is computed from can require a gradient. Of parameters
/// alone that is said too: modules choose between two ways of computing the same by it, before
/// anything is known of gradients.
Decomposition requiresNoGrad(Tensor a, mlir::Operation *question);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_GRADIENT_H
