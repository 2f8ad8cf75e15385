//===- CpuProfile.h - what the emitter of products knows of a CPU -*- C++ -*-===//
//
// Tiles are derived from these few numbers; nothing in the emitter asks which CPU it is.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_PRODUCTS_CPUPROFILE_H
#define JIT_CODEGEN_PRODUCTS_CPUPROFILE_H

#include <cstdint>

namespace jit {

/// The vector unit and the private caches of one core.
struct CpuProfile {
  int64_t lanes = 8;            ///< f32 elements in one vector register
  int64_t registers = 16;       ///< architectural vector registers
  int64_t l1Bytes = 32 * 1024;  ///< first-level data cache
  int64_t l2Bytes = 512 * 1024; ///< second-level cache
  bool convertsF16 = true;      ///< has instructions from f16 to f32 and back
  bool roundsToBf16 = true;     ///< has an instruction from f32 to bf16
  bool multipliesPairs = false; ///< one instruction adds products of pairs of bf16 to an f32
  /// Has an instruction that adds products of bytes, four at a time, to each int32 of a vector.
  bool multipliesBytes = false;
};

} // namespace jit

#endif // JIT_CODEGEN_PRODUCTS_CPUPROFILE_H
