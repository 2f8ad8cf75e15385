//===- Decomposed.h - what an operator is in simpler ones -------*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_DECOMPOSED_H
#define JIT_DIALECT_ATEN_DECOMPOSED_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace jit {

/// What an operator's `decompose` rule gives.
struct Decomposed {
  /// What replaces the results; a failure where too little is known, or the operands do not go
  /// together.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> values;
  /// Where too little is known, what the operator needs: "the rank of self". Empty where its
  /// operands do not go together, which is an error that was reported.
  llvm::StringRef needs;
};

/// The end of an error about an operator that needs something: "; it needs the rank of self"; empty
/// where `needs` is.
inline std::string needsClause(llvm::StringRef needs) {
  return needs.empty() ? "" : ("; it needs " + needs).str();
}

} // namespace jit

#endif // JIT_DIALECT_ATEN_DECOMPOSED_H
