//===- KernelEmitters.h - one kernel for one linalg op -----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_KERNELEMITTERS_H
#define JIT_CODEGEN_KERNELS_KERNELEMITTERS_H

#include "jit/Codegen/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

// Each writes a gpu.launch in front of `op`, which is on buffers of static, non-zero sizes, and
// leaves `op` to the caller. The first three return false where `op` is of another kind.

/// Ops without reductions: neighbours in 128-bit accesses.
bool emitPointwise(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuMachine &machine);
/// Long reductions to few numbers: pieces, then what they reduce to.
bool emitSplitReduction(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuMachine &machine);
/// Reductions along contiguous memory: a group of threads for each output.
bool emitRowReduction(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuMachine &machine);
/// Anything: a thread for each output.
void emitElements(mlir::linalg::LinalgOp op, mlir::OpBuilder &b, const GpuMachine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_KERNELEMITTERS_H
