//===- Exponential.h - exp, exp2 and logarithms of all floats ---*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_EXPONENTIAL_H
#define JIT_CODEGEN_MATH_EXPONENTIAL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace jit::codegen {
struct VectorMath;

/// Patterns for math.exp and math.exp2 on f32 and vectors of it, and math.expm1 on f64. With
/// `ldexp` powers of two are multiplied by LLVM's intrinsic, which has to be an instruction. With
/// `approximatesExp2` an exp2 that may be approximated (afn) stays.
void populateExponential(mlir::RewritePatternSet &patterns, bool ldexp, bool approximatesExp2);

/// e^x - 1 of an f32 x from -30 to 0.
mlir::Value emitExpMinusOne(VectorMath &f, mlir::Value x);

/// Lets math.log and math.log2 on f32 see normal numbers alone, for polynomials that take the
/// exponent from the bits.
void scaleLogarithms(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_EXPONENTIAL_H
