//===- Creation.h - builders for the rules of Creation.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CREATION_H
#define JIT_LIB_DIALECT_ATEN_RULES_CREATION_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

// ---- Types ----
/// The type of `self` with elements of `source`, whose sizes have to fit.
mlir::Type overwritten(TypeRules &b, TensorInfo self, TensorInfo source);
mlir::Type sized(TypeRules &b, ListInfo sizes, mlir::Type dtype);
/// The element type of a tensor made from a Python number: f32 for a float.
mlir::Type dtypeOfNumber(TypeRules &b, mlir::Type number);
/// The same where a float keeps its width.
mlir::Type wideDtypeOfNumber(TypeRules &b, mlir::Type number);
/// Sizes and element type of nested lists of numbers.
mlir::Type nested(TypeRules &b, ListInfo data, IntInfo dtype);
/// range(start, end, step); 0 and 1 for what is missing.
mlir::Type sequence(TypeRules &b, std::optional<ScalarInfo> start, ScalarInfo end,
                    std::optional<ScalarInfo> step, IntInfo dtype);

// ---- Graphs ----
/// `value` in every element of a tensor of the type of `result`.
Decomposition filled(GraphBuilder &b, Any value, mlir::Value result);
/// `self` broadcast and converted to the type of `result`.
Decomposition withType(Tensor self, mlir::Value result);
/// The same of `self`; where sizes of both are open they are equal, or the call ends.
Decomposition copied(Tensor self, Tensor source, mlir::Value result);
Decomposition meshgrid(TensorList tensors, Str indexing);
Decomposition identity(Int rows, Int columns, mlir::Value result);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_CREATION_H
