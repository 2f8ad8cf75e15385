//===- SelectionPatterns.h - branches that stay branches --------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_SELECTIONPATTERNS_H
#define JIT_DIALECT_JIT_SELECTIONPATTERNS_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace jit {

/// Upstream's patterns of scf.if that make selections of branches, by the names under which a
/// rewrite leaves them out. Until writes in place are gone a selection among tensors or containers
/// would be a second form of branch for every pass.
llvm::ArrayRef<std::string> selectionPatterns();

} // namespace jit

#endif // JIT_DIALECT_JIT_SELECTIONPATTERNS_H
