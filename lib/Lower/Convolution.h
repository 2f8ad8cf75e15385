//===- Convolution.h - convolutions whose operands are read -----*- C++ -*-===//
#ifndef JIT_LIB_LOWER_CONVOLUTION_H
#define JIT_LIB_LOWER_CONVOLUTION_H

#include "Windows.h"

namespace jit {

/// A convolution whose operands are read: what is left is to build it.
struct Convolution {
  mlir::Value input;  // [batch, channels, sizes...]
  mlir::Value weight; // forward: [outputs, channels / groups, taps...]
  mlir::Value bias;   // [outputs] or null
  llvm::SmallVector<Window> windows;
  llvm::SmallVector<int64_t> outputPadding;
  int64_t groups = 1;
  mlir::Type dtype;
  mlir::RankedTensorType type;

  /// Of known sizes.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc, bool isTransposed) const;

  /// A transposed convolution as a forward one, of an input with zeros between its elements.
  Convolution asForward(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  mlir::Value start(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::Value buildForward(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::Value buildGrouped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input) const;
};

/// A convolution of which the call tells sizes: how many images there are, their height and width,
/// or the channels that a gradient sums over. Null, after an error, for other open sizes.
mlir::Value buildOpen(mlir::OpBuilder &builder, mlir::Operation *op, const Convolution &convolution,
                      bool isTransposed);

} // namespace jit

#endif // JIT_LIB_LOWER_CONVOLUTION_H
