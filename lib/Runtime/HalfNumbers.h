//===- HalfNumbers.h - numbers of 16 bits ------------------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_HALFNUMBERS_H
#define JIT_LIB_RUNTIME_HALFNUMBERS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace jit {

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

} // namespace jit

#endif // JIT_LIB_RUNTIME_HALFNUMBERS_H
