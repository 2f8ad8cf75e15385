//===- ProductGroup.h - a product and what goes on with its sums -*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_PRODUCTGROUP_H
#define JIT_CODEGEN_ANALYSIS_PRODUCTGROUP_H

#include "Analysis/ProductShape.h"

#include <vector>

namespace jit::codegen {

/// A product, the fill before it, and the elementwise ops that follow on its output: all of it is
/// one kernel, in which the threads that have a sum go on with it.
struct ProductGroup {
  mlir::linalg::LinalgOp product;
  ProductShape shape;
  /// What sums start from, and the op that says so; null where that is in memory.
  mlir::linalg::FillOp start;
  /// The same where it is no constant: what writes it, a bias perhaps, to what the product adds to.
  mlir::linalg::LinalgOp spread;
  llvm::SmallVector<mlir::linalg::LinalgOp> epilogue;
  /// True where factors of f32 are rounded to tf32 in memory.
  bool isRounded = false;

  /// Of what the product adds to.
  llvm::ArrayRef<int64_t> outputSizes() const;
  /// All ops, in order.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops() const;
};

/// The groups of `block`'s products that have at least `smallSide` rows and columns, each to be
/// done where its last op stands.
std::vector<ProductGroup> findProductGroups(mlir::Block &block, int64_t smallSide);

/// Takes what writes a start that is no constant into the group, where its operands stay the same
/// until the group is done.
void takeSpread(ProductGroup &group);

/// True for products of f16 or of bf16 that add up in f32.
bool isProductOfHalves(mlir::linalg::LinalgOp product);
/// True for products of f32 that add up in f32.
bool isProductOfFloats(mlir::linalg::LinalgOp product);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_PRODUCTGROUP_H
