//===- LibraryConvolution.h - convolutions that a library computes -*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_LIBRARYCONVOLUTION_H
#define JIT_CODEGEN_KERNELS_LIBRARYCONVOLUTION_H

#include "Analysis/ProductGroup.h"
#include "jit/Runtime/DevicePlan.h"

namespace jit::codegen {

/// Leaves the group's product to a library if it is a convolution of f32 or halves whose filters
/// lie side by side: the call replaces the product, the fill with zeros before it, and what only
/// makes zeros around its images. What goes on with the sums stays. False for other groups, which
/// stay as they are.
bool emitLibraryConvolution(ProductGroup &group, mlir::IRRewriter &rewriter, bool allowsTf32);

/// What the library has to do for `op`, which emitLibraryConvolution made.
runtime::PlanConvolution libraryConvolutionOf(mlir::Operation *op);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_LIBRARYCONVOLUTION_H
