//===- ProductKernels.h - kernels for sums of products -----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_PRODUCTKERNELS_H
#define JIT_CODEGEN_KERNELS_PRODUCTKERNELS_H

#include "Analysis/ProductGroup.h"
#include "Kernels/KernelEmitters.h"

namespace jit::codegen {

// Each writes a gpu.launch where the builder stands and leaves the group's ops to the caller.

/// Tiles in shared memory, squares of a tile in the registers of each thread; elements of any type.
void emitProduct(ProductGroup &group, mlir::OpBuilder &b, const GpuMachine &machine);

/// Tiles of halves through a pipeline of asynchronous copies to tensor cores, which add up in f32.
/// False for elements of other types.
bool emitTensorProduct(ProductGroup &group, mlir::OpBuilder &b, const GpuMachine &machine,
                       bool allowsTf32);

/// The same by groups of four warps, whose operands the device copies by itself. False where it
/// has no such instructions, where it cannot copy the operands so, and for few rows or columns.
bool emitWarpgroupProduct(ProductGroup &group, mlir::OpBuilder &b, const GpuMachine &machine);

/// The same of factors that no map describes, whose summands lie side by side in whole pieces of 16
/// bytes, halves or floats that are rounded to tf32: the threads copy them. False for other
/// factors.
bool emitCopiedProduct(ProductGroup &group, mlir::OpBuilder &b, const GpuMachine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_PRODUCTKERNELS_H
