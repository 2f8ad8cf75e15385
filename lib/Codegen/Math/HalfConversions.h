//===- HalfConversions.h - f16 without instructions for it ------*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_HALFCONVERSIONS_H
#define JIT_CODEGEN_MATH_HALFCONVERSIONS_H

#include "mlir/IR/PatternMatch.h"

namespace jit::codegen {

/// Patterns for arith.extf from f16 to f32 and arith.truncf back, on scalars and vectors: integer
/// arithmetic in place of calls of a compiler's library, which a package has not.
void populateHalfConversions(mlir::RewritePatternSet &patterns);

/// Patterns for conversions between f64, or integers, and f16 or bf16, either way: two steps, over
/// f32.
void populateWideHalfConversions(mlir::RewritePatternSet &patterns);

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_HALFCONVERSIONS_H
