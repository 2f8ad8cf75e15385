//===- ProductShape.h - the loops of sums of products ------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_PRODUCTSHAPE_H
#define JIT_CODEGEN_ANALYSIS_PRODUCTSHAPE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// One of the four kinds of dimensions of a product, walked as one.
struct Side {
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> sizes;
  int64_t count = 1;

  void add(unsigned dim, int64_t size);
};

/// How far apart two neighbours of a side are in the memory of an operand, which walks the side's
/// dimensions as one; 0 where it does not walk them.
std::optional<int64_t> strideOf(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                                const Side &side);

/// A sum of products of one element of each of two operands: products of matrices, and
/// convolutions, whose rows are places of the image and whose columns are channels.
struct ProductShape {
  /// Dimensions of both operands, of the first alone, of the second alone, and those summed over.
  Side batch, rows, columns, depth;

  /// Nothing for other ops.
  static std::optional<ProductShape> of(mlir::linalg::LinalgOp op);
};

/// True for a product of matrices with a size that only the call tells: tiles are of known sizes.
bool isOpenProduct(mlir::linalg::LinalgOp op);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_PRODUCTSHAPE_H
