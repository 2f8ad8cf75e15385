//===- KernelPasses.h - from tensors to kernels, wherever they run -*- C++ -*-===//
#ifndef JIT_CODEGEN_GPU_KERNELPASSES_H
#define JIT_CODEGEN_GPU_KERNELPASSES_H

#include "jit/Codegen/Target.h"

namespace jit {

/// Appends the passes from entries on tensors to launches of outlined kernels.
void addKernelPasses(mlir::OpPassManager &pm, const CodegenOptions &options);

/// Runs these passes and gives the artifact, complete but for the kernels' code: that goes to
/// `code`, which the artifact holds, once `module` has been lowered further.
llvm::FailureOr<std::shared_ptr<runtime::Artifact>>
lowerToKernels(mlir::ModuleOp module, const CodegenOptions &options,
               std::shared_ptr<runtime::DeviceCode> code);

} // namespace jit

#endif // JIT_CODEGEN_GPU_KERNELPASSES_H
