//===- ElementTypes.h - how element types compare ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_ELEMENTTYPES_H
#define JIT_LIB_DIALECT_ATEN_ELEMENTTYPES_H

#include "mlir/IR/Types.h"

namespace jit {

/// Kinds of numbers, each of which holds those before it.
enum class Category { Bool, Int, Float, Complex };
Category categoryOf(mlir::Type type);

/// The element type of what tensors of these two, both with dimensions, give together; of a null
/// and another the other. Within a category wider wins, and f16 with bf16 gives f32.
mlir::Type promotePair(mlir::Type a, mlir::Type b);

/// The element type that PyTorch takes for a Python number of this type where no tensor says
/// another.
mlir::Type defaultOfCategory(mlir::Type number);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_ELEMENTTYPES_H
