//===- Hyperbolic.h - tanh as a polynomial and an exponential ---*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_HYPERBOLIC_H
#define JIT_CODEGEN_MATH_HYPERBOLIC_H

#include "mlir/IR/PatternMatch.h"

namespace jit::codegen {

/// A pattern for math.tanh on f32 and vectors of it.
void populateHyperbolic(mlir::RewritePatternSet &patterns);

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_HYPERBOLIC_H
