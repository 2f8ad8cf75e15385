//===- ExceptionMessage.h - a message as a template over scalars -*- C++ -*-===//
#ifndef JIT_NORMALIZE_EXCEPTIONMESSAGE_H
#define JIT_NORMALIZE_EXCEPTIONMESSAGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace jit {

/// A str.format template, and the integers, floats and bools for its `{}`.
struct Message {
  std::string text;
  llvm::SmallVector<mlir::Value> args;
};

/// What a string is made of, as far as the program shows it; a part that cannot be known before the
/// call stands as its type in angle brackets.
Message takeApart(mlir::Value text);

} // namespace jit

#endif // JIT_NORMALIZE_EXCEPTIONMESSAGE_H
