//===- Gpu.h - kernels for NVIDIA's GPUs -------------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_GPU_H
#define JIT_CODEGEN_GPU_H

#include "jit/Codegen/Target.h"

namespace jit::codegen {

/// The target "cuda".
const Target &cudaTarget();

/// The target "cuda-emulation": the same kernels, run by this CPU.
const Target &emulatedCudaTarget();

/// Lowers `module`, entries as Lower leaves them, and gives the PTX of their kernels. Errors are
/// diagnostics.
llvm::FailureOr<std::string> compileToPtx(mlir::ModuleOp module, const CodegenOptions &options);

} // namespace jit::codegen

#endif // JIT_CODEGEN_GPU_H
