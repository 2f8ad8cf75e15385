//===- Numbers.h - values element by element --------------------*- C++ -*-===//
#ifndef JIT_LIB_DIFF_NUMBERS_H
#define JIT_LIB_DIFF_NUMBERS_H

#include "jit/Runtime/Value.h"

#include <cstdint>
#include <functional>

namespace jit {

/// The elements of a tensor or number as f64, those of a complex one as two.
class Numbers {
public:
  explicit Numbers(const runtime::Value &value);

  int64_t size() const { return count; }
  double operator[](int64_t i) const { return read(i); }
  /// Of integers alone: no f64 has all of them.
  int64_t integer(int64_t i) const;
  ScalarType type() const { return scalarType; }
  bool isFloat() const;
  const std::vector<int64_t> &sizes() const { return extents; }
  std::string typeString() const;

private:
  double read(int64_t i) const;

  ScalarType scalarType = ScalarType::Long;
  std::vector<int64_t> extents;
  int64_t count = 1;
  const void *data = nullptr;
  double number = 0; // where it is no tensor
  int64_t whole = 0;
};

/// Half the distance from 1 to the next number: what rounding to the type may do to a number.
double unitRoundoff(ScalarType type);
/// The largest number of a floating type, and its smallest normal one.
double largest(ScalarType type);
double smallestNormal(ScalarType type);

/// A tensor of floats as one of f64, each element as `change` has it; any other value as it is.
Result<runtime::Value> widened(const runtime::Value &value,
                               const std::function<double(double, int64_t)> &change = {});

} // namespace jit

#endif // JIT_LIB_DIFF_NUMBERS_H
