//===- LowerToKernels.h - a plan, and kernels to be compiled -------*- C++ -*-===//
#ifndef JIT_CODEGEN_TARGETS_GPU_LOWERTOKERNELS_H
#define JIT_CODEGEN_TARGETS_GPU_LOWERTOKERNELS_H

#include "jit/Codegen/Target.h"

namespace jit::codegen {

/// Runs the passes from entries on tensors to launches of outlined kernels, and gives the artifact,
/// complete but for the kernels' code: that goes to `code`, which the artifact holds, once `module`
/// has been lowered further.
llvm::FailureOr<std::shared_ptr<runtime::Artifact>>
lowerToKernels(mlir::ModuleOp module, const CodegenOptions &options,
               std::shared_ptr<runtime::DeviceCode> code);

} // namespace jit::codegen

#endif // JIT_CODEGEN_TARGETS_GPU_LOWERTOKERNELS_H
