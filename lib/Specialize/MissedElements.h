//===- MissedElements.h - elements that a container has not -----*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_MISSEDELEMENTS_H
#define JIT_LIB_SPECIALIZE_MISSEDELEMENTS_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

namespace jit {

/// The exception of an operation that asks a container for an element which it certainly has not.
struct MissedElement {
  std::string message;
  llvm::StringRef pythonClass;
};

/// What becomes of `op`, of the program before specialisation, with the operands that it has now;
/// nullopt where it has its elements, or may have them.
std::optional<MissedElement> missedElement(mlir::Operation &op, const mlir::IRMapping &map);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_MISSEDELEMENTS_H
