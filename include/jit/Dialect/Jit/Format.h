//===- Format.h - two ways of templates -------------------------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_FORMAT_H
#define JIT_DIALECT_JIT_FORMAT_H

#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// On a jit.format whose template has conversions as in C (`%d`), where others have `{}`.
inline constexpr llvm::StringLiteral percentAttr = "percent";

inline bool isPercent(FormatOp op) { return op->hasAttr(percentAttr); }

} // namespace jit

#endif // JIT_DIALECT_JIT_FORMAT_H
