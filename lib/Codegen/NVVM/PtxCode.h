//===- PtxCode.h - from the NVVM dialect to PTX ------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_NVVM_PTXCODE_H
#define JIT_CODEGEN_NVVM_PTXCODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/Error.h"

namespace jit::codegen {

/// Translates and optimises kernels for `chip` ("sm_90"). CUDA's libdevice is linked in where they
/// call it; where it is not installed that is an error that names the function.
llvm::Expected<std::string> emitPtx(mlir::gpu::GPUModuleOp kernels, llvm::StringRef chip);

/// Assembles PTX by the toolkit's ptxas; an empty string where that is not installed.
llvm::Expected<std::string> assemblePtx(llvm::StringRef ptx, llvm::StringRef chip);

} // namespace jit::codegen

#endif // JIT_CODEGEN_NVVM_PTXCODE_H
