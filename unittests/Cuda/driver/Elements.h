//===- Elements.h - numbers of the libraries' types -------------*- C++ -*-===//
//
// By NVIDIA's numbers, of which the first two are the same for all libraries: f32, f16, else bf16.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_UNITTESTS_CUDA_DRIVER_ELEMENTS_H
#define JIT_UNITTESTS_CUDA_DRIVER_ELEMENTS_H

#include "Numbers.h"

#include <algorithm>

namespace fake {

constexpr int typeFloat = 0, typeHalf = 2;

inline float readElement(int type, const void *data, int64_t index) {
  if (type == typeFloat)
    return static_cast<const float *>(data)[index];
  uint16_t bits = static_cast<const uint16_t *>(data)[index];
  return static_cast<float>(type == typeHalf ? double(ptx::valueOf<ptx::Half>(bits))
                                             : double(ptx::valueOf<ptx::Brain>(bits)));
}

inline void writeElement(int type, void *data, int64_t index, float value) {
  if (type == typeFloat)
    static_cast<float *>(data)[index] = value;
  else
    static_cast<uint16_t *>(data)[index] =
        type == typeHalf ? ptx::Half::round(value) : ptx::Brain::round(value);
}

} // namespace fake

#endif // JIT_UNITTESTS_CUDA_DRIVER_ELEMENTS_H
