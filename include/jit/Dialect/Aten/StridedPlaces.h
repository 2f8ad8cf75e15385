//===- StridedPlaces.h - as_strided of memory with gaps ---------*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_STRIDEDPLACES_H
#define JIT_DIALECT_ATEN_STRIDEDPLACES_H

#include "llvm/ADT/StringRef.h"

namespace jit {

/// On an as_strided whose strides count elements of its operand instead of places in its memory:
/// the strides that they stand for, and the place of the first element behind that of the operand's
/// (an i64 array).
inline constexpr llvm::StringLiteral placesAttr = "jit.places";

} // namespace jit

#endif // JIT_DIALECT_ATEN_STRIDEDPLACES_H
