//===- ProductGroup.h - a product and what goes on with its sums -*- C++ -*-===//
#ifndef JIT_CODEGEN_GPU_PRODUCTGROUP_H
#define JIT_CODEGEN_GPU_PRODUCTGROUP_H

#include "GPU/ProductShape.h"

#include <vector>

namespace jit {

/// A product, the fill before it, and the elementwise ops that follow on its output: all of it is
/// one kernel, in which the threads that have a sum go on with it.
struct ProductGroup {
  mlir::linalg::LinalgOp product;
  ProductShape shape;
  /// What sums start from, and the op that says so; null where that is in memory.
  mlir::linalg::FillOp start;
  llvm::SmallVector<mlir::linalg::LinalgOp> epilogue;

  /// All ops, in order.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops() const;
};

/// The groups of `block`'s products that have at least `smallSide` rows and columns, each to be
/// done where its last op stands.
std::vector<ProductGroup> findProductGroups(mlir::Block &block, int64_t smallSide);

/// True for products of f16 or of bf16 that add up in f32.
bool isProductOfHalves(mlir::linalg::LinalgOp product);
/// True for products of f32 that add up in f32.
bool isProductOfFloats(mlir::linalg::LinalgOp product);

/// Where a sum is, by its number in each of the product's sides.
struct SumPlace {
  mlir::Value batch, row, column;
};

/// Writes what becomes of one sum, `point` in the product's dimensions. The sum began with zero.
void finishSum(ProductGroup &group, mlir::OpBuilder &b, mlir::Value sum, mlir::ValueRange point);
/// What `buffer`, which the product or its epilogue writes, would have at each of some points of
/// the product's; nothing is stored.
llvm::SmallVector<mlir::Value> continueSums(ProductGroup &group, mlir::OpBuilder &b,
                                            mlir::ValueRange sums,
                                            llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
                                            mlir::Value buffer);
/// The same as finishSum for two sums side by side, the first of them at `place`, an even column:
/// tiles of these sizes may go beyond the product's rows and columns.
void finishSumsInside(ProductGroup &group, mlir::OpBuilder &b, mlir::ValueRange pair,
                      const SumPlace &place, int64_t rowTile, int64_t columnTile);

} // namespace jit

#endif // JIT_CODEGEN_GPU_PRODUCTGROUP_H
