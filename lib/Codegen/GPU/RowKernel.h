//===- RowKernel.h - one kernel for a group of rows --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_GPU_ROWKERNEL_H
#define JIT_CODEGEN_GPU_ROWKERNEL_H

#include "GPU/KernelEmitters.h"
#include "GPU/RowChains.h"

namespace jit {

/// Writes a gpu.launch that does what the group's ops do, in front of the last of them, and leaves
/// them to the caller. False where rows do not fit into the registers of a block.
bool emitRowChain(const RowChain &group, mlir::OpBuilder &b);

} // namespace jit

#endif // JIT_CODEGEN_GPU_ROWKERNEL_H
