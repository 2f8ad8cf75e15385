//===- Float8.h - floats of eight bits, in integer arithmetic ---*- C++ -*-===//
//
// No machine computes with them, so they are integers of eight bits from the first loop on.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIALECT_ATEN_FLOAT8_H
#define JIT_LIB_DIALECT_ATEN_FLOAT8_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace jit {

/// The f32 that the bits of an i8 stand for in the format `type`.
mlir::Value decodeFloat8(mlir::OpBuilder &b, mlir::Location loc, mlir::Value bits,
                         mlir::FloatType type);

/// An f32 as the bits, an i8, of the nearest number of the format `type`, of two the even one. As
/// PyTorch has it, what is beyond the greatest is an infinity of e5m2, the greatest number of
/// e4m3fn, and NaN of the others.
mlir::Value encodeFloat8(mlir::OpBuilder &b, mlir::Location loc, mlir::Value number,
                         mlir::FloatType type);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_FLOAT8_H
