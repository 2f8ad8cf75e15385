//===- SidePlaces.h - places on the sides of a product ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_SIDEPLACES_H
#define JIT_CODEGEN_KERNELS_SIDEPLACES_H

#include "Analysis/ProductShape.h"

namespace jit::codegen {

/// Sets the coordinates of `point` that place number `at` of `side` has.
void setPlace(mlir::OpBuilder &b, mlir::Location loc, const Side &side,
              llvm::MutableArrayRef<mlir::Value> point, mlir::Value at);

/// Whether `at` is a place of `side`; null where that is certain, as it is if tiles of `tile`
/// places divide the side.
mlir::Value isInside(mlir::OpBuilder &b, mlir::Location loc, const Side &side, mlir::Value at,
                     int64_t tile);

/// A place of a side that tiles of `tile` places walk.
struct SidePlace {
  const Side &side;
  mlir::Value at;
  int64_t tile;
};

/// The same of several places at once.
mlir::Value isInside(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<SidePlace> places);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_SIDEPLACES_H
