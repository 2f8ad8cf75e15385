//===- AgainstRecorded.h - operators against what PyTorch made --*- C++ -*-===//
#ifndef JIT_LIB_DIFF_AGAINSTRECORDED_H
#define JIT_LIB_DIFF_AGAINSTRECORDED_H

#include "jit/Diff/Diff.h"
#include "jit/Diff/Recorded.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace jit {

/// Which recorded value an operator of the entry's own block has to have made. One in a branch or
/// loop has none, nor has one of a line that has made more or fewer of its kind there than here.
class AgainstRecorded {
public:
  AgainstRecorded(mlir::func::FuncOp entry, const RecordedValues &recorded);

  /// Whether the operator's first result is something else.
  std::optional<Mismatch> judge(mlir::Operation *op, const runtime::Value &got) const;
  /// The same for a result of the whole program, of which there have to be as many.
  std::optional<Mismatch> judgeResult(size_t number, size_t count, const runtime::Value &got) const;

private:
  const RecordedValues &recorded;
  llvm::DenseMap<mlir::Operation *, const runtime::Tensor *> expected;
};

} // namespace jit

#endif // JIT_LIB_DIFF_AGAINSTRECORDED_H
