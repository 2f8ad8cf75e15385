//===- ChosenStrings.h - strings that data choose ---------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_CHOSENSTRINGS_H
#define JIT_LIB_SPECIALIZE_CHOSENSTRINGS_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// A question about a string that a branch on data gives, of two constants, becomes one about each.
void populateChosenStringPatterns(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_CHOSENSTRINGS_H
