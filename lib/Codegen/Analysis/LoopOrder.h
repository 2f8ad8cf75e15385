//===- LoopOrder.h - which dimension of an op becomes which loop -*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_LOOPORDER_H
#define JIT_CODEGEN_ANALYSIS_LOOPORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// The loops of one linalg op, outer to inner; dimensions of size 1 have none.
struct LoopOrder {
  /// Parallel dimensions outside of everything else: the candidates for threads.
  llvm::SmallVector<unsigned> outer;
  /// Loops around the innermost one that are not in `outer`.
  llvm::SmallVector<unsigned> middle;
  /// The dimension to vectorise, if there is any.
  std::optional<unsigned> innermost;
  /// True if `middle` and `innermost` are all reductions, so that the outputs stay in registers.
  bool accumulates = false;
};

/// A size that decisions may go by: that of a loop, or a moderate one where only the call tells.
int64_t guessedSize(int64_t size);

/// Chooses by the strides with which the op walks its operands.
LoopOrder chooseLoopOrder(mlir::linalg::LinalgOp op);

/// Groups of adjacent dimensions that every operand walks as one; a group of one is left out.
llvm::SmallVector<mlir::ReassociationIndices> contiguousGroups(mlir::linalg::LinalgOp op);

/// Joins the dimensions of each of these groups. Gives the op to go on with, which replaces `op`.
mlir::linalg::LinalgOp collapseContiguous(mlir::linalg::LinalgOp op, mlir::IRRewriter &rewriter);

/// How many elements apart two neighbours along `dim` are in the memory of `operand`; huge where
/// that is not known. Exact where the operand's map is a projected permutation.
int64_t strideAlong(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned dim);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_LOOPORDER_H
