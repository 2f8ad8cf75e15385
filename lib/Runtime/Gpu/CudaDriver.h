//===- CudaDriver.h - the CUDA driver of a session ---------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_CUDADRIVER_H
#define JIT_LIB_RUNTIME_GPU_CUDADRIVER_H

#include "Cuda.h"
#include "jit/Result.h"

namespace jit::runtime {

/// The driver of this machine, initialised once. Unsupported where there is none, or no device.
Result<const jit_cuda *> cudaDriver();

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_CUDADRIVER_H
