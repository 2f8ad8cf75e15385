//===- Pipelines.h - the passes of GPUs, in order -----------------*- C++ -*-===//
#ifndef JIT_CODEGEN_TARGETS_GPU_PIPELINES_H
#define JIT_CODEGEN_TARGETS_GPU_PIPELINES_H

#include "jit/Codegen/Target.h"

namespace jit::codegen {

/// From entries on tensors to launches of outlined kernels.
void addKernelPipeline(mlir::OpPassManager &pm, const CodegenOptions &options);

/// A part of it: from linalg on buffers to launches.
void addMapKernels(mlir::OpPassManager &entry, const GpuMachine &machine, bool tf32,
                   bool libraryProducts, bool libraryConvolutions);

/// From outlined kernels to the LLVM and NVVM dialects.
void addNvvmPipeline(mlir::OpPassManager &pm);

/// From outlined kernels to functions for the host, in the LLVM dialect.
void addEmulationPipeline(mlir::OpPassManager &pm, const CodegenOptions &options);

} // namespace jit::codegen

#endif // JIT_CODEGEN_TARGETS_GPU_PIPELINES_H
