//===- LinearOperand.h - places in memory as sums by loops -------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_LINEAROPERAND_H
#define JIT_CODEGEN_KERNELS_LINEAROPERAND_H

#include "Analysis/ProductShape.h"

namespace jit::codegen {

/// Where the elements of an operand are, by a number for each loop: element number `first` of its
/// buffer at the beginning of all of them, and `strides` further with each step of a loop.
struct LinearOperand {
  int64_t first = 0;
  llvm::SmallVector<int64_t> strides;

  /// Nothing where an index divides, and where the call tells a stride.
  static std::optional<LinearOperand> of(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);
  /// The same of memory that has `before` elements less in front, dimension by dimension.
  static std::optional<LinearOperand> of(mlir::AffineMap map, mlir::MemRefType type,
                                         llvm::ArrayRef<int64_t> before);
};

/// True for sums of loops by constants.
bool isLinear(mlir::AffineMap map);
/// What such a sum is at the beginning of all loops, and what a step of each loop adds to it.
int64_t firstOf(mlir::AffineExpr expr, unsigned loops);
llvm::SmallVector<int64_t> stepsOf(mlir::AffineExpr expr, unsigned loops);

/// A side of a product in an operand's memory: dimensions that are walked as one are one.
struct LinearSide {
  llvm::SmallVector<int64_t> sizes, strides;

  LinearSide() = default;
  LinearSide(const Side &side, llvm::ArrayRef<int64_t> strides);

  /// How far two neighbours are apart, if all neighbours are, and each is behind the one before.
  std::optional<int64_t> stride() const;
  /// True if groups of `width` neighbours lie side by side, from a multiple of `width` on.
  bool isOfVectors(int64_t width) const;
  /// True if a step along any dimension leads from one multiple of `width` to another.
  bool isWhole(int64_t width) const;
  /// How far the place that is first in memory is from number 0: no further than that.
  int64_t lowest() const;
  /// How far place number `at` is from the place that is first in memory.
  mlir::Value offsetOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value at) const;
};

/// The elements of `buffer` from number `first` on, `count` of them that are `stride` apart. What
/// is read there may be further on, too. The stride is not negative.
mlir::Value viewFrom(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer, mlir::Value first,
                     int64_t count, int64_t stride);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_LINEAROPERAND_H
