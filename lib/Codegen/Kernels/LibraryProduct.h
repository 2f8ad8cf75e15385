//===- LibraryProduct.h - products that a library computes -------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_LIBRARYPRODUCT_H
#define JIT_CODEGEN_KERNELS_LIBRARYPRODUCT_H

#include "Analysis/ProductGroup.h"
#include "jit/Runtime/DevicePlan.h"

namespace jit::codegen {

/// Leaves the group's product to a library, where the builder stands: plain matrices of f32 or
/// halves, and nothing goes on with the sums but a conversion to halves. The group's ops are left
/// to the caller. False for other groups.
bool emitLibraryProduct(ProductGroup &group, mlir::OpBuilder &b, bool allowsTf32);

/// What the library has to do for `op`, which emitLibraryProduct made.
runtime::MatrixProduct libraryProductOf(mlir::Operation *op);

/// The op that makes halves of the group's sums, in memory of their shape, if nothing else follows.
mlir::linalg::LinalgOp conversionOf(ProductGroup &group);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_LIBRARYPRODUCT_H
