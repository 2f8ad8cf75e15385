//===- Exponential.h - exp, exp2 and logarithms of all floats ---*- C++ -*-===//
#ifndef JIT_CODEGEN_EXPONENTIAL_H
#define JIT_CODEGEN_EXPONENTIAL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace jit {

/// Patterns for math.exp and math.exp2 on scalar f32.
void populateExponential(mlir::RewritePatternSet &patterns);

/// Lets math.log and math.log2 on f32 see normal numbers alone, for polynomials that take the
/// exponent from the bits.
void scaleLogarithms(mlir::func::FuncOp func);

} // namespace jit

#endif // JIT_CODEGEN_EXPONENTIAL_H
