//===- CudaChip.h - which GPU this machine has -------------------*- C++ -*-===//
#ifndef JIT_RUNTIME_CUDACHIP_H
#define JIT_RUNTIME_CUDACHIP_H

#include "jit/Result.h"

#include <string>

namespace jit::runtime {

/// NVIDIA's name of the GPU of this number, "sm_90", as far as kernels are compiled for it;
/// empty where there is no GPU or driver.
std::string cudaChip(int number = 0);

/// Whether this process finds the libraries that plans for GPUs may have multiply and convolve:
/// cublasLt and cuDNN. Unsupported says which one is missing.
Result<void> findProductLibrary();
Result<void> findConvolutionLibrary();

} // namespace jit::runtime

#endif // JIT_RUNTIME_CUDACHIP_H
