//===- ConvolutionShape.h - products that are convolutions -------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_CONVOLUTIONSHAPE_H
#define JIT_CODEGEN_ANALYSIS_CONVOLUTIONSHAPE_H

#include "Analysis/ProductShape.h"
#include "jit/Runtime/DevicePlan.h"

namespace jit::codegen {

/// A sum of products as the convolution that it is.
struct ConvolutionShape {
  /// Sizes, and strides of the memory as the op has it: without padding.
  runtime::PlanConvolution convolution;
  /// The op's operands that are images and filters.
  mlir::OpOperand *images = nullptr, *filters = nullptr;
  /// The dimensions of the images along which windows move.
  llvm::SmallVector<unsigned> windowDims;

  /// Nothing for products of matrices, and where filters do not lie in memory as a plan has them.
  static std::optional<ConvolutionShape> of(mlir::linalg::LinalgOp op, const ProductShape &shape);
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_CONVOLUTIONSHAPE_H
