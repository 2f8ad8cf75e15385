//===- RowChains.h - ops that work on the same rows --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_ROWCHAINS_H
#define JIT_CODEGEN_ANALYSIS_ROWCHAINS_H

#include "Analysis/Extents.h"

namespace jit::codegen {

/// How many rows there are and how many elements each has.
struct RowSpace {
  const Extents *extents;
  Extent rows, columns;
  /// What ops of the group say that open sizes are.
  llvm::SmallVector<std::pair<unsigned, Extent>, 2> learned = {};

  /// The same size in the terms of `rows` and `columns`.
  Extent canonical(const Extent &size) const;
  /// Of each loop; nothing for ops that have no extents.
  std::optional<llvm::SmallVector<Extent>> loopsOf(mlir::linalg::LinalgOp op) const;
  /// Takes note of which sizes the op says are equal.
  void learnFrom(mlir::linalg::LinalgOp op);

private:
  void learn(const Extent &size, const Extent &other);
};

/// What a point (row, column) of an op finds in a buffer.
enum class Reach {
  Element, ///< element number row * columns + column
  Row,     ///< element number row
  Other,   ///< something else
};

/// Ops of one block, in order, of which each works on all rows or on one number for each of them.
/// What one row needs of another's is never written by the group; so a row can go through all of
/// them in the registers of a few threads. Some may reduce what all rows have, which no other op of
/// the group asks for.
struct RowChain {
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  RowSpace space;
};

/// The groups of `block`'s ops that have a reduction and something before or after it and that
/// `accepts` takes, each to be done where its last op stands. No op is in two of them.
llvm::SmallVector<RowChain> findRowChains(mlir::Block &block, const Extents &extents,
                                          llvm::function_ref<bool(const RowChain &)> accepts);

/// How many of the op's dimensions, from the first, are rows; nothing where they do not divide so.
std::optional<unsigned> rowDims(mlir::linalg::LinalgOp op, const RowSpace &space);

/// True for an op that reduces all rows to one, or to one number: sums of columns are of this kind.
bool isAcrossRows(mlir::linalg::LinalgOp op, const RowSpace &space);

/// True for an op that has a point for each row only.
bool isRowLevel(mlir::linalg::LinalgOp op, const RowSpace &space);

Reach reachOf(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, const RowSpace &space);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_ROWCHAINS_H
