//===- Conv.h - builders for the rules of Conv.td ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CONV_H
#define JIT_LIB_DIALECT_ATEN_RULES_CONV_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Windows.h"

namespace jit {

mlir::Type convolved(TypeRules &infer, const ConvOperands &operands,
                     std::optional<bool> isTransposed);
mlir::Type windowColumns(TypeRules &infer, TensorInfo self, ListInfo size, ListInfo dilation,
                         ListInfo padding, ListInfo stride);
/// The image of the given sizes that columns, one for each of the windows, are added up to.
mlir::Type columnImage(TypeRules &infer, TensorInfo columns, ListInfo sizes,
                       const std::optional<llvm::SmallVector<Window>> &windows);

/// A convolution whose padding has a name: "same" may need one element more at the end than at the
/// start.
Decomposition convolutionByMode(Tensor input, Tensor weight, OptTensor bias, IntList stride,
                                Str padding, IntList dilation, Int groups);

// ---- Gradients ----
/// The operands of a convolution but for its bias.
struct ConvHandles {
  Tensor input, weight;
  IntList stride, padding, dilation;
  Bool transposed;
  IntList outputPadding;
  Int groups;
};
Gradient convolutionGradInput(const ConvHandles &conv, Tensor grad);
Gradient convolutionGradWeight(const ConvHandles &conv, Tensor grad);
Gradient convolutionGradBias(Tensor input, Tensor weight, Tensor grad);
/// All three; what is not asked for is not used.
Decomposition convolutionBackward(const ConvHandles &conv, Tensor grad);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_CONV_H
