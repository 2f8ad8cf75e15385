//===- Gradients.h - one gradient for each input ----------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_GRADIENTS_H
#define JIT_LIB_SPECIALIZE_GRADIENTS_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// `aten.grad` as a list of `aten._gradient`, once its lists and flags are known. An input that no
/// output depends on has None where it may be unused.
void populateGradientPatterns(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_GRADIENTS_H
