//===- Reducer.h - reductions over threads -----------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_REDUCER_H
#define JIT_CODEGEN_KERNELS_REDUCER_H

#include "Kernels/Launch.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// The operations by which a linalg op reduces, one for each of its outputs. What threads have is
/// joined in one order, so that two calls give the same bits.
class Reducer {
public:
  /// Nothing where the op does not reduce by one known operation for each output.
  static std::optional<Reducer> of(mlir::linalg::LinalgOp op);

  /// What changes nothing, for each output.
  llvm::SmallVector<mlir::Value> neutral(mlir::OpBuilder &b);
  llvm::SmallVector<mlir::Value> combine(mlir::OpBuilder &b, mlir::ValueRange left,
                                         mlir::ValueRange right);
  /// What `lanes` neighbouring threads of a warp have together, a power of two; each of them gets
  /// it. All threads of the warp have to come here.
  llvm::SmallVector<mlir::Value> acrossLanes(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Value> values,
                                             int64_t lanes);
  /// What the `threads` threads of the block have together, by shared memory; each of them gets it.
  llvm::SmallVector<mlir::Value> acrossBlock(mlir::OpBuilder &b, Launch &launch,
                                             llvm::ArrayRef<mlir::Value> values, int64_t threads);

private:
  Reducer(mlir::linalg::LinalgOp op, llvm::SmallVector<mlir::Operation *> combiners)
      : op(op), combiners(std::move(combiners)) {}

  mlir::linalg::LinalgOp op;
  llvm::SmallVector<mlir::Operation *> combiners;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_REDUCER_H
