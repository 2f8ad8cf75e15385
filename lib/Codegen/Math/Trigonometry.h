//===- Trigonometry.h - sin and cos as polynomials ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_TRIGONOMETRY_H
#define JIT_CODEGEN_MATH_TRIGONOMETRY_H

#include "mlir/IR/PatternMatch.h"

namespace jit::codegen {

/// Patterns for math.sin and math.cos on f32 of any size, and on vectors of it.
void populateTrigonometry(mlir::RewritePatternSet &patterns);

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_TRIGONOMETRY_H
