//===- Peephole.h - patterns of jit-peephole --------------------*- C++ -*-===//
#ifndef JIT_LIB_SIMPLIFY_PEEPHOLE_H
#define JIT_LIB_SIMPLIFY_PEEPHOLE_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// Neutral factors and terms, and numbers that combine exactly.
void populateArithmeticPeepholes(mlir::RewritePatternSet &patterns);
/// Views of views, transposes of products, conversions there and back, slices just written.
void populateViewPeepholes(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_SIMPLIFY_PEEPHOLE_H
