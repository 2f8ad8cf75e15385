//===- AttentionKernel.h - products with a softmax between ------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_ATTENTIONKERNEL_H
#define JIT_CODEGEN_KERNELS_ATTENTIONKERNEL_H

#include "Analysis/Attention.h"
#include "Kernels/KernelEmitters.h"

namespace jit::codegen {

/// Writes a gpu.launch where the builder stands, of which no score leaves the registers; leaves the
/// ops to the caller. False for heads whose sums do not fit into registers, and where few blocks
/// would go along very many keys.
bool emitAttention(Attention &attention, mlir::OpBuilder &b, const GpuMachine &machine);

/// The same by groups of four warps, whose operands the device copies by itself. False where it
/// has no such instructions, where it cannot copy the operands so, and for few queries or keys.
bool emitWarpgroupAttention(Attention &attention, mlir::OpBuilder &b, const GpuMachine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_ATTENTIONKERNEL_H
