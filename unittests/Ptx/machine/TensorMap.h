//===- TensorMap.h - what is in a map's 128 bytes ---------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_TENSORMAP_H
#define JIT_UNITTESTS_PTX_TENSORMAP_H

#include <cstdint>

namespace ptx {

/// The stand-in driver's own encoding of what cuTensorMapEncodeTiled was given: tensors of three
/// dimensions and elements of 16 bits, rows of 128 bytes that are swizzled, zeros outside.
struct TensorMap {
  static constexpr uint64_t expectedMagic = 0x70616d726f736e74;

  uint64_t address, type;
  struct {
    uint64_t size;
    /// In bytes, between two of the next dimension.
    uint64_t stride, box;
  } dims[3];
  uint64_t unused[4], magic;
};
static_assert(sizeof(TensorMap) == 128);

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_TENSORMAP_H
