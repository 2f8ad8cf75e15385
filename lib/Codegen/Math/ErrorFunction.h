//===- ErrorFunction.h - erf by two polynomials -----------------*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_ERRORFUNCTION_H
#define JIT_CODEGEN_MATH_ERRORFUNCTION_H

#include "mlir/IR/PatternMatch.h"

namespace jit::codegen {

/// A pattern for math.erf on f32 and vectors of it.
void populateErrorFunction(mlir::RewritePatternSet &patterns);

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_ERRORFUNCTION_H
