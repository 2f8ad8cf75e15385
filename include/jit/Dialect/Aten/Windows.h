//===- Windows.h - the geometry of convolutions and pooling -----*- C++ -*-===//
//
// What the type rules and the lowerings of both families read off the operands.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_WINDOWS_H
#define JIT_DIALECT_ATEN_WINDOWS_H

#include "jit/Dialect/Aten/TypeRules.h"

namespace jit {

/// A list operand as one number per dimension: one element stands for all of them, none for
/// `otherwise`. Nullopt where it is not a list of constants of a fitting length.
std::optional<llvm::SmallVector<int64_t>> perDimension(mlir::Value list, unsigned dimensions,
                                                       int64_t otherwise);

/// A window along one dimension.
struct Window {
  int64_t size = 1, stride = 1, dilation = 1;
  /// Elements added before and after the input.
  int64_t before = 0, after = 0;

  /// From the first element of a window to its last.
  int64_t extent() const { return dilation * (size - 1) + 1; }
  /// How many windows there are over `input` elements. With `isCeil` the last may reach over the
  /// end, but starts within the input or the padding before it.
  int64_t count(int64_t input, bool isCeil = false) const;
  /// The elements that a transposed convolution makes of `input`.
  int64_t spread(int64_t input, int64_t outputPadding) const;
};

/// The operands of any convolution; `outputPadding` may be null.
struct ConvOperands {
  mlir::Value input, weight, stride, padding, dilation, outputPadding, groups;
};

/// The windows of a convolution: sizes from the weight, padding as numbers or by name ("same",
/// "valid"). Nullopt where something is not known, or is no window of a tensor.
std::optional<llvm::SmallVector<Window>> windowsOf(const ConvOperands &operands);

/// The windows of pooling or im2col; `stride` empty means the size.
std::optional<llvm::SmallVector<Window>> windowsOf(unsigned dimensions, mlir::Value size,
                                                   mlir::Value stride, mlir::Value padding,
                                                   mlir::Value dilation);

} // namespace jit

#endif // JIT_DIALECT_ATEN_WINDOWS_H
