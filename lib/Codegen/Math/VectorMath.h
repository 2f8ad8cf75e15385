//===- VectorMath.h - short names for the ops of an expansion ------*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_VECTORMATH_H
#define JIT_CODEGEN_MATH_VECTORMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace jit::codegen {

/// True for f32 and for vectors of it.
inline bool isSingle(mlir::Type type) {
  return mlir::isa<mlir::FloatType, mlir::VectorType>(type) &&
         mlir::getElementTypeOrSelf(type).isF32();
}

/// True for f64 and for vectors of it.
inline bool isDouble(mlir::Type type) {
  return mlir::isa<mlir::FloatType, mlir::VectorType>(type) &&
         mlir::getElementTypeOrSelf(type).isF64();
}

/// Writes arithmetic on floats, or on vectors of them, where its rewriter stands.
struct VectorMath {
  mlir::PatternRewriter &b;
  mlir::Location loc;
  /// The type of what is computed.
  mlir::Type like;

  using Value = mlir::Value;

  /// `element` as a scalar, or a vector as long as those computed with.
  mlir::Type of(mlir::Type element) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(like);
    return vector ? vector.clone(element) : element;
  }
  Value f32(float value) { return constant(b.getF32FloatAttr(value)); }
  Value f64(double value) { return constant(b.getF64FloatAttr(value)); }
  Value i32(int value) { return constant(b.getI32IntegerAttr(value)); }
  Value constant(mlir::TypedAttr value) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(of(value.getType())))
      value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
    return mlir::arith::ConstantOp::create(b, loc, value);
  }
  Value add(Value x, Value y) { return mlir::arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return mlir::arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return mlir::arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return mlir::arith::DivFOp::create(b, loc, x, y); }
  Value neg(Value x) { return mlir::arith::NegFOp::create(b, loc, x); }
  Value abs(Value x) { return mlir::math::AbsFOp::create(b, loc, x); }
  Value fma(Value x, Value y, Value z) { return mlir::math::FmaOp::create(b, loc, x, y, z); }
  Value extend(Value x, mlir::Type element) {
    return mlir::arith::ExtFOp::create(b, loc, of(element), x);
  }
  Value truncate(Value x, mlir::Type element) {
    return mlir::arith::TruncFOp::create(b, loc, of(element), x);
  }
  Value equals(Value x, Value y) { return compare(mlir::arith::CmpFPredicate::OEQ, x, y); }
  Value atLeast(Value x, Value y) { return compare(mlir::arith::CmpFPredicate::OGE, x, y); }
  Value compare(mlir::arith::CmpFPredicate how, Value x, Value y) {
    return mlir::arith::CmpFOp::create(b, loc, how, x, y);
  }
  Value either(Value x, Value y) { return mlir::arith::OrIOp::create(b, loc, x, y); }
  /// x, or `bound` where x is larger; NaN stays NaN.
  Value atMost(Value x, float bound) {
    return select(compare(mlir::arith::CmpFPredicate::OGT, x, f32(bound)), f32(bound), x);
  }
  Value select(Value c, Value x, Value y) { return mlir::arith::SelectOp::create(b, loc, c, x, y); }
  /// The polynomial with these coefficients, the highest power's first.
  Value polynomial(Value x, llvm::ArrayRef<float> coefficients) {
    Value sum = f32(coefficients.front());
    for (float coefficient : coefficients.drop_front())
      sum = fma(x, sum, f32(coefficient));
    return sum;
  }
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_VECTORMATH_H
