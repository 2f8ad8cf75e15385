//===- Pipelines.h - passes of CPUs and of several targets -------*- C++ -*-===//
#ifndef JIT_CODEGEN_TARGETS_PIPELINES_H
#define JIT_CODEGEN_TARGETS_PIPELINES_H

#include "jit/Codegen/Target.h"

namespace jit::codegen {

/// From tensors to buffers, and what follows it.
void addBufferization(mlir::OpPassManager &pm);
void addBufferCleanup(mlir::OpPassManager &pm);

/// From functions of scf, memref, arith, math and vector ops to the LLVM dialect.
void addLowerToLLVM(mlir::OpPassManager &pm);

void addCleanup(mlir::OpPassManager &pm);

/// From entries on tensors to the LLVM dialect for `options.machine`.
void addCpuPipeline(mlir::OpPassManager &pm, const CodegenOptions &options);

} // namespace jit::codegen

#endif // JIT_CODEGEN_TARGETS_PIPELINES_H
