//===- ProductEpilogue.h - what becomes of the sums of a product -*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_PRODUCTEPILOGUE_H
#define JIT_CODEGEN_KERNELS_PRODUCTEPILOGUE_H

#include "Analysis/ProductGroup.h"

namespace jit::codegen {

/// Where a sum is, by its number in each of the product's sides.
struct SumPlace {
  mlir::Value batch, row, column;

  /// The place so many columns on.
  SumPlace neighbour(mlir::OpBuilder &b, int64_t columns) const;
};

/// A place in the product's dimensions.
llvm::SmallVector<mlir::Value> pointOf(const ProductGroup &group, mlir::OpBuilder &b,
                                       const SumPlace &place);
/// Moves the builder to where it is certain that a place of tiles of these sizes is one of the
/// product's.
void enterInside(ProductGroup &group, mlir::OpBuilder &b, const SumPlace &place, int64_t rowTile,
                 int64_t columnTile);

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

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_PRODUCTEPILOGUE_H
