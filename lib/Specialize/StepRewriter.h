//===- StepRewriter.h - one operation after another is rewritten -*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_STEPREWRITER_H
#define JIT_LIB_SPECIALIZE_STEPREWRITER_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"

#include "llvm/ADT/SetVector.h"

namespace jit {

/// Does what applyOpPatternsGreedily does with one operation and what it becomes, over and over.
/// That one collects and sorts all patterns at each call, most of its time where operations are
/// many and what becomes of each is little.
class StepRewriter : private mlir::RewriterBase::Listener {
public:
  explicit StepRewriter(mlir::RewritePatternSet patterns);

  /// Folds and rewrites `op` and new operations until nothing more follows.
  void simplify(mlir::Operation *op);

private:
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override;
  void notifyOperationModified(mlir::Operation *op) override;
  using Listener::notifyOperationReplaced;
  void notifyOperationReplaced(mlir::Operation *op, mlir::ValueRange) override;
  void notifyOperationErased(mlir::Operation *op) override;

  void visit(mlir::Operation *op);
  bool fold(mlir::Operation *op);
  void push(mlir::Operation *op);

  mlir::PatternRewriter rewriter;
  mlir::FrozenRewritePatternSet patterns;
  mlir::PatternApplicator applicator;
  /// The operation that was given and those that were made since. No other is touched.
  llvm::DenseSet<mlir::Operation *> own;
  llvm::SetVector<mlir::Operation *> next;
};

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_STEPREWRITER_H
