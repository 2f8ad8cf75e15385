//===- Liveness.h - which variables a statement's successors read -*- C++ -*-===//
//
// An if or a loop gives as results only the variables that are read after it: the rest may have
// any type, or none, on its paths.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_IMPORT_LIVENESS_H
#define JIT_LIB_IMPORT_LIVENESS_H

#include "jit/Archive/TorchScriptAst.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"

namespace jit {

using NameSet = llvm::DenseSet<llvm::StringRef>;

class Liveness {
public:
  /// Of a whole function body.
  explicit Liveness(torchscript::Block body) { before(body, {}, /*record=*/true); }

  /// Variables read after an if, or after or by a later trip of a loop.
  const NameSet &liveAfter(const torchscript::Stmt *stmt) const { return after.find(stmt)->second; }

private:
  NameSet before(torchscript::Block block, NameSet live, bool record);
  void step(const torchscript::Stmt *stmt, NameSet &live, bool record);
  void loop(const torchscript::Stmt *stmt, NameSet &live, bool record);
  const NameSet &readByLoop(const torchscript::Stmt *stmt);

  llvm::DenseMap<const torchscript::Stmt *, NameSet> after;
  llvm::DenseMap<const torchscript::Stmt *, NameSet> loopReads;
};

/// The variables that a block assigns, in order.
llvm::SetVector<llvm::StringRef> assignedNames(torchscript::Block block);

} // namespace jit

#endif // JIT_LIB_IMPORT_LIVENESS_H
