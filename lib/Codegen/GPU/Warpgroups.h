//===- Warpgroups.h - what four warps do together ----------------*- C++ -*-===//
#ifndef JIT_CODEGEN_GPU_WARPGROUPS_H
#define JIT_CODEGEN_GPU_WARPGROUPS_H

#include "mlir/IR/Operation.h"

namespace jit {

/// Writes calls of the runtime's emulation for an op of nvvm, of the thread that `thread` points
/// to, and erases it; false for other ops, and for those that jit-gpu-map-kernels does not write.
bool emulateWarpgroupOp(mlir::Operation *op, mlir::Value thread);

} // namespace jit

#endif // JIT_CODEGEN_GPU_WARPGROUPS_H
