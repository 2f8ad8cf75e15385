//===- Jit.h - the jit dialect ----------------------------------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_JIT_H
#define JIT_DIALECT_JIT_JIT_H

#include "jit/ScalarType.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "jit/Dialect/Jit/JitDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "jit/Dialect/Jit/JitTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "jit/Dialect/Jit/JitAttrs.h.inc"

#define GET_OP_CLASSES
#include "jit/Dialect/Jit/JitOps.h.inc"

namespace jit {

/// The builtin element type of a PyTorch dtype number, and back. Null or nullopt where there is
/// none.
mlir::Type dtypeToType(ScalarType dtype, mlir::MLIRContext *context);
std::optional<ScalarType> typeToDtype(mlir::Type type);
/// One of the floats of eight bits, which are stored, and computed with in f32.
bool isFloat8(mlir::Type type);

/// True if every value of type `narrow` is one of type `wide`: tensors by what is known of them, T
/// and None under Optional[T], numbers under Scalar, anything under Any; containers element by
/// element.
bool isSubtype(mlir::Type narrow, mlir::Type wide);

/// The narrowest type that holds values of both; null where there is none.
mlir::Type joinTypes(mlir::Type a, mlir::Type b);

/// The type that says what both say of one value; null where they contradict each other.
mlir::Type meetTypes(mlir::Type a, mlir::Type b);

/// `value` under another type: derefined to a wider one, cast to a narrower one, itself under its
/// own.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                   mlir::Type type);

} // namespace jit

#endif // JIT_DIALECT_JIT_JIT_H
