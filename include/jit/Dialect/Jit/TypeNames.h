//===- TypeNames.h - types in messages to users -----------------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_TYPENAMES_H
#define JIT_DIALECT_JIT_TYPENAMES_H

#include "mlir/IR/Types.h"

#include <string>

namespace jit {

/// A type as Python spells it: "Optional[Tensor]", "Tuple[int, str]". Null is "?".
std::string spell(mlir::Type type);

/// The same, with what is known of a tensor written as arguments are: "f32[?,8]".
std::string spellWithSizes(mlir::Type type);

} // namespace jit

#endif // JIT_DIALECT_JIT_TYPENAMES_H
