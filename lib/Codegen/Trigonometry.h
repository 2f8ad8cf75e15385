//===- Trigonometry.h - sin and cos as polynomials ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_TRIGONOMETRY_H
#define JIT_CODEGEN_TRIGONOMETRY_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// Patterns for math.sin and math.cos on scalar f32, within 2 ulp up to arguments of 1e6.
void populateTrigonometry(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_CODEGEN_TRIGONOMETRY_H
