//===- FlatView.h - buffers as one run of elements --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_FLATVIEW_H
#define JIT_CODEGEN_PRODUCTS_FLATVIEW_H

#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// A rank-1 view of unit stride of all that `buffer`, a memref of static shape and strides, reaches
/// from its first element on.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

/// A mask of `lanes` bits of which the first `valid` are set.
mlir::Value laneMask(mlir::OpBuilder &builder, mlir::Location loc, int64_t lanes, int64_t valid);

/// The first `valid` elements from `position` on as a vector of `lanes`; the rest is zero.
mlir::Value loadLanes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value flat,
                      mlir::Value position, int64_t lanes, int64_t valid);

/// Stores the first `valid` elements of `value` from `position` on.
void storeLanes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value flat,
                mlir::Value position, int64_t valid);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_FLATVIEW_H
