//===- KernelEmitters.h - one kernel for one linalg op -----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_KERNELEMITTERS_H
#define JIT_CODEGEN_KERNELS_KERNELEMITTERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit {

/// What an emitter has to know of the device.
struct GpuProfile {
  /// How many blocks run side by side at least.
  int64_t multiprocessors = 108;
  /// Whether groups of four warps multiply, and the device copies boxes of tensors by itself.
  bool hasWarpgroupProducts = false;
  /// Whether products of f32 may round their factors to tf32.
  bool allowsTf32 = false;
  /// Whether plain products are left to a library, and convolutions.
  bool hasLibraryProducts = false;
  bool hasLibraryConvolutions = false;
};

// Each writes a gpu.launch in front of `op`, which is on buffers of static, non-zero sizes, and
// leaves `op` to the caller. The first three return false where `op` is of another kind.

/// Ops without reductions: neighbours in 128-bit accesses.
bool emitPointwise(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuProfile &profile);
/// Long reductions to few numbers: pieces, then what they reduce to.
bool emitSplitReduction(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuProfile &profile);
/// Reductions along contiguous memory: a group of threads for each output.
bool emitRowReduction(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuProfile &profile);
/// Anything: a thread for each output.
void emitElements(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuProfile &profile);

} // namespace jit

#endif // JIT_CODEGEN_KERNELS_KERNELEMITTERS_H
