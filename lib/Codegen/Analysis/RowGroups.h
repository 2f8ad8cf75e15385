//===- RowGroups.h - ops that can share their outer loops -------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_ROWGROUPS_H
#define JIT_CODEGEN_ANALYSIS_ROWGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// One op of a group; `loops` are those of its dimensions that it shares, in the group's order.
struct RowMember {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<unsigned> loops;
};

/// Ops that can run row by row: what they touch in one iteration of the shared loops, a row, no
/// other iteration touches, unless all only read it.
struct RowGroup {
  llvm::SmallVector<RowMember> members; ///< in program order
  llvm::SmallVector<int64_t> trips;     ///< of the shared loops

  int64_t rows() const;
};

/// The groups of two and more ops in a block. All members of one may stand where its last one does.
llvm::SmallVector<RowGroup> findRowGroups(mlir::Block &block);

/// The groups that begin with a product and hold a second one, which reads what became of the
/// first one's results: attention.
llvm::SmallVector<RowGroup> findProductChains(mlir::Block &block);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_ROWGROUPS_H
