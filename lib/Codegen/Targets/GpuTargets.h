//===- GpuTargets.h - what a build has for GPUs, if anything ------*- C++ -*-===//
#ifndef JIT_CODEGEN_TARGETS_GPUTARGETS_H
#define JIT_CODEGEN_TARGETS_GPUTARGETS_H

#include "llvm/ADT/ArrayRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace jit::codegen {
class Target;

/// None in a build without the part `gpu`.
llvm::ArrayRef<const Target *> gpuTargets();

/// The dialects and interfaces that their passes rely on.
void registerGpu(mlir::DialectRegistry &registry);

/// Their passes, and the pipeline `jit-to-nvptx`.
void registerGpuPasses();

} // namespace jit::codegen

#endif // JIT_CODEGEN_TARGETS_GPUTARGETS_H
