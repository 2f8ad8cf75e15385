//===- RowKernel.h - one kernel for a group of rows --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_ROWKERNEL_H
#define JIT_CODEGEN_KERNELS_ROWKERNEL_H

#include "Analysis/RowChains.h"
#include "Kernels/KernelEmitters.h"

namespace jit::codegen {

/// False where other kernels are better than one for all of the group's ops.
bool paysAsRows(const RowChain &group, mlir::OpBuilder &b, const GpuMachine &machine);
/// Writes a gpu.launch that does what the group's ops do, in front of the last of them, and leaves
/// them to the caller: rows in registers where they fit.
void emitRowChain(const RowChain &group, mlir::OpBuilder &b, const GpuMachine &machine);

/// The same for rows of any length, which are gone through for each number of theirs. Where the
/// builder stands.
bool paysAsRowLoops(const RowChain &group, const GpuMachine &machine);
void emitRowLoops(const RowChain &group, mlir::OpBuilder &b, const GpuMachine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_ROWKERNEL_H
