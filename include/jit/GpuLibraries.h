//===- GpuLibraries.h - what libraries compute on a GPU -----------*- C++ -*-===//
#ifndef JIT_GPULIBRARIES_H
#define JIT_GPULIBRARIES_H

namespace jit {

/// Whether plain products and convolutions on a GPU are left to NVIDIA's libraries: cublasLt and
/// cuDNN.
enum class GpuLibraries {
  Off,
  Auto, ///< where this process finds them
  On,   ///< an error where one that is needed is missing
};

} // namespace jit

#endif // JIT_GPULIBRARIES_H
