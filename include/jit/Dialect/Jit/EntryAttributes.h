//===- EntryAttributes.h - what a specialised entry says of itself -*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_ENTRYATTRIBUTES_H
#define JIT_DIALECT_JIT_ENTRYATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace jit {

/// On an argument: where it comes from, the number of the call's argument and of the elements in it
/// (an i64 array), or the path of a slot.
inline constexpr llvm::StringLiteral argPathAttr = "jit.arg";
inline constexpr llvm::StringLiteral slotAttr = "jit.slot";
/// On a tensor argument: gradients with respect to it are wanted.
inline constexpr llvm::StringLiteral requiresGradAttr = "jit.requires_grad";
/// On an argument: it is the gradient of the result of this number.
inline constexpr llvm::StringLiteral gradOfAttr = "jit.grad_of";
/// On the function: one dictionary for each value that it gives, `value` made of flat results, and
/// what it is where it is not the call's result: `slot`, `mutates` or `grad`.
inline constexpr llvm::StringLiteral outputsAttr = "jit.outputs";

} // namespace jit

#endif // JIT_DIALECT_JIT_ENTRYATTRIBUTES_H
