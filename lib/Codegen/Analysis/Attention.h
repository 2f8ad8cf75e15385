//===- Attention.h - products with a softmax between them --------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_ATTENTION_H
#define JIT_CODEGEN_ANALYSIS_ATTENTION_H

#include "Analysis/ProductGroup.h"

namespace jit::codegen {

/// Keys behind query i + `bound` have no share.
struct CausalBound {
  int64_t bound = 0;
  /// Whether that is all that the outermost choice of a score says: the keys up to there are not
  /// touched by it.
  bool isExact = false;
};

/// A product whose rows go through a softmax and are the first factor of a second product; nobody
/// else has them. Rows are queries, the columns of the first product and the summands of the second
/// are keys.
struct Attention {
  /// With what is done to a score before the softmax; with what is done to a result.
  ProductGroup scores, output;
  /// The ops of the softmax, and those that fill what they reduce to.
  llvm::SmallVector<mlir::linalg::LinalgOp> rows;
  /// The buffer of the scores that the softmax is of.
  mlir::Value scored;
  /// Whether a row in which all scores are minus infinity gives zeros; else no numbers.
  bool emptyIsZero = false;
  std::optional<CausalBound> causal = std::nullopt;

  /// What the products no longer read since they read the originals.
  llvm::SmallVector<mlir::linalg::LinalgOp> copies;

  /// All ops, in order.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops() const;
};

/// The attentions of `block`, each to be done where its last op stands: of halves, with as many
/// rows and columns as a matrix of a tensor core has at least, in memory that nothing changes
/// between. Products read operands whose dimensions were put in another order where these were.
std::vector<Attention> findAttentions(mlir::Block &block);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_ATTENTION_H
