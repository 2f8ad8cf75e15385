//===- Numbers.h - floats of all widths -------------------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_NUMBERS_H
#define JIT_UNITTESTS_PTX_NUMBERS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ptx {

/// A float of 16 bits, with this many of exponent and mantissa.
template <int exponentBits, int mantissaBits> struct Narrow {
  uint16_t bits = 0;

  Narrow() = default;
  /// Rounds to nearest even.
  explicit Narrow(double value) : bits(round(value)) {}
  explicit operator double() const;
  static uint16_t round(double value, bool towardZero = false);
};
using Half = Narrow<5, 10>;
using Brain = Narrow<8, 7>;

template <int e, int m> Narrow<e, m>::operator double() const {
  constexpr int bias = (1 << (e - 1)) - 1;
  int exponent = bits >> m & ((1 << e) - 1), mantissa = bits & ((1 << m) - 1);
  // Of a double, whose exponents are these and more.
  auto made = static_cast<uint64_t>(exponent - bias + 1023) << 52 | static_cast<uint64_t>(mantissa)
                                                                        << (52 - m);
  double value = exponent == (1 << e) - 1 ? (mantissa ? NAN : INFINITY)
                 : exponent == 0          ? std::ldexp(mantissa, 1 - bias - m)
                                          : std::bit_cast<double>(made);
  return bits >> 15 ? -value : value;
}

template <int e, int m> uint16_t Narrow<e, m>::round(double value, bool towardZero) {
  constexpr int bias = (1 << (e - 1)) - 1, largest = (1 << e) - 1;
  auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value))
    return 0x7fff;
  double size = std::fabs(value);
  if (std::isinf(size))
    return static_cast<uint16_t>(sign | largest << m);
  if (size == 0)
    return sign;
  int exponent = std::max(std::ilogb(size), 1 - bias);
  // A whole number of the last place's units.
  double units = std::ldexp(size, m - exponent);
  double whole = towardZero ? std::trunc(units) : std::nearbyint(units);
  auto result = static_cast<int64_t>(whole) + (static_cast<int64_t>(exponent + bias - 1) << m);
  int64_t infinity = static_cast<int64_t>(largest) << m;
  result = std::min(result, towardZero ? infinity - 1 : infinity);
  return static_cast<uint16_t>(sign | result);
}

/// x * y + z, to be rounded to 16 bits: so that rounding twice does not show, the last bit says
/// whether something was lost.
inline double fuseForNarrow(double x, double y, double z) {
  double product = x * y, sum = product + z;
  double back = sum - product, lost = (product - (sum - back)) + (z - back);
  auto bits = std::bit_cast<uint64_t>(sum);
  if (!std::isfinite(sum) || lost == 0 || (bits & 1))
    return sum;
  // Towards what was lost, or back where that is nearer zero.
  bool isAway = (lost > 0) == (sum > 0);
  return std::bit_cast<double>(isAway ? bits | 1 : bits - 1);
}

/// The low bits of a slot as a value, and back.
template <typename T> T valueOf(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else if constexpr (std::is_class_v<T>)
    return std::bit_cast<T>(static_cast<uint16_t>(bits));
  else
    return static_cast<T>(bits);
}
template <typename T> uint64_t bitsOf(T value) {
  if constexpr (std::is_same_v<T, float>)
    // The machine makes one NaN only.
    return std::isnan(value) ? 0x7fffffff : std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_class_v<T>)
    return std::bit_cast<uint16_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

inline float flushDenormal(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_NUMBERS_H
