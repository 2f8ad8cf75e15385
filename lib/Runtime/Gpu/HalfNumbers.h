//===- HalfNumbers.h - numbers of 16 bits ------------------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_HALFNUMBERS_H
#define JIT_LIB_RUNTIME_GPU_HALFNUMBERS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace jit::runtime {

/// The value of an f16.
inline float fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  float size = exponent == 0    ? std::ldexp(float(fraction), -24)
               : exponent == 31 ? (fraction ? std::numeric_limits<float>::quiet_NaN()
                                            : std::numeric_limits<float>::infinity())
                                : std::ldexp(float(fraction + 1024), exponent - 25);
  return bits >> 15 ? -size : size;
}

/// The value of a bf16.
inline float fromBrain(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// The nearest f16, even ones where there are two.
inline uint16_t toHalf(float value) {
  constexpr int smallest = -24, digits = 11;
  constexpr float beyondLargest = 65520;
  auto sign = uint16_t(std::signbit(value) ? 0x8000 : 0);
  float size = std::fabs(value);
  if (std::isnan(value))
    return uint16_t(sign | 0x7e00);
  if (size >= beyondLargest)
    return uint16_t(sign | 0x7c00);
  if (size == 0)
    return sign;
  int exponent = 0;
  (void)std::frexp(size, &exponent);
  int unit = std::max(exponent - digits, smallest);
  auto units = int(std::nearbyint(std::ldexp(size, -unit)));
  return uint16_t(sign | (((unit - smallest) << 10) + units));
}

/// The nearest bf16, even ones where there are two.
inline uint16_t toBrain(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value))
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_HALFNUMBERS_H
