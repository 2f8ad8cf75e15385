//===- GpuRegistration.h - what the passes for GPUs rely on ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_TARGETS_GPUREGISTRATION_H
#define JIT_CODEGEN_TARGETS_GPUREGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace jit::codegen {

void registerGpu(mlir::DialectRegistry &registry);

/// The passes, and the pipeline `jit-to-nvptx`.
void registerGpuPasses();

} // namespace jit::codegen

#endif // JIT_CODEGEN_TARGETS_GPUREGISTRATION_H
