//===- Toolkit.h - where CUDA's tools are ------------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_NVVM_TOOLKIT_H
#define JIT_CODEGEN_NVVM_TOOLKIT_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace jit::codegen {

/// The path of a file of the CUDA toolkit, e.g. "nvvm/libdevice/libdevice.10.bc". Looked for in the
/// folder that CUDA_HOME names, in /usr/local/cuda, and in the nvidia-cuda-nvcc package of the
/// Python environment that VIRTUAL_ENV names; nothing else is asked.
std::optional<std::string> findInToolkit(llvm::StringRef file);

/// Where findInToolkit looks, for messages.
std::string toolkitPlaces();

} // namespace jit::codegen

#endif // JIT_CODEGEN_NVVM_TOOLKIT_H
