//===- GpuLibraries.h - whose products a GPU computes ------------*- C++ -*-===//
#ifndef JIT_GPULIBRARIES_H
#define JIT_GPULIBRARIES_H

namespace jit {

/// Whether plain products on a GPU are left to NVIDIA's cublasLt.
enum class GpuLibraries {
  Off,
  Auto, ///< where this process finds it
  On,   ///< an error where it is missing
};

} // namespace jit

#endif // JIT_GPULIBRARIES_H
