//===- WholeNumbers.h - elements that every type has exactly ----*- C++ -*-===//
#ifndef JIT_UNITTESTS_CUDA_WHOLENUMBERS_H
#define JIT_UNITTESTS_CUDA_WHOLENUMBERS_H

#include "jit/Runtime/Tensor.h"

#include <cstring>
#include <vector>

/// `count` whole numbers from -most to most, of f32 or bf16; another seed gives others.
inline jit::runtime::Tensor wholeNumbers(jit::ScalarType type, int64_t count, int seed, int most) {
  std::vector<float> values;
  std::vector<uint16_t> halves;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(float((i * 7 + seed) % (2 * most + 1)) - float(most));
    uint32_t bits;
    std::memcpy(&bits, &values.back(), sizeof bits);
    halves.push_back(uint16_t(bits >> 16));
  }
  return type == jit::ScalarType::Float
             ? *jit::runtime::Tensor::from<float>(type, {count}, values)
             : *jit::runtime::Tensor::from<uint16_t>(type, {count}, halves);
}

#endif // JIT_UNITTESTS_CUDA_WHOLENUMBERS_H
