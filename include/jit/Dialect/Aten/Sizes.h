//===- Sizes.h - arithmetic on sizes ----------------------------*- C++ -*-===//
//
// Sizes follow from numbers in the program, and those are whatever somebody wrote there.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_SIZES_H
#define JIT_DIALECT_ATEN_SIZES_H

#include "jit/Dialect/Jit/Jit.h"
#include "llvm/Support/MathExtras.h"

namespace jit {

/// More elements than any machine has memory for. A tensor has no more, so that sizes times the
/// bytes of an element, and a few such products summed, stay within an int64.
constexpr int64_t maxElements = int64_t(1) << 40;

/// A size, or a number that sizes are computed from. A result is not known where an operand is not,
/// or where no int64 holds it.
struct Size {
  int64_t value; // TensorType::kDynamic where it is not known

  Size(int64_t value) : value(value) {}
  bool isKnown() const { return value != TensorType::kDynamic; }
};

/// The result of `overflows`, one of llvm::AddOverflow and the like.
inline Size sizeBy(int64_t (*overflows)(int64_t, int64_t, int64_t &), Size a, Size b) {
  int64_t result;
  bool known = a.isKnown() && b.isKnown() && !overflows(a.value, b.value, result);
  return known ? result : TensorType::kDynamic;
}
inline Size operator+(Size a, Size b) { return sizeBy(llvm::AddOverflow<int64_t>, a, b); }
inline Size operator-(Size a, Size b) { return sizeBy(llvm::SubOverflow<int64_t>, a, b); }
inline Size operator*(Size a, Size b) { return sizeBy(llvm::MulOverflow<int64_t>, a, b); }

/// How many elements there are.
inline Size product(llvm::ArrayRef<int64_t> sizes) {
  Size result = 1;
  for (int64_t size : sizes)
    result = result * size;
  return result;
}

} // namespace jit

#endif // JIT_DIALECT_ATEN_SIZES_H
