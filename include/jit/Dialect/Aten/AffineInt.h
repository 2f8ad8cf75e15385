//===- AffineInt.h - an int as a linear function of another -----*- C++ -*-===//
//
// Enough of arithmetic on ints to see that x[:, i*512 : i*512+512] in a loop has 512 columns and
// stays inside of x.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_AFFINEINT_H
#define JIT_DIALECT_ATEN_AFFINEINT_H

#include "mlir/IR/Value.h"

#include <optional>
#include <utility>

namespace jit {

/// `scale * variable + offset`; `variable` is null for a constant.
struct AffineInt {
  mlir::Value variable;
  int64_t scale = 0;
  int64_t offset = 0;

  /// Follows additions, subtractions and multiplications by constants.
  explicit AffineInt(mlir::Value value);

  /// Least and greatest value, where it is a constant or made from the counter of a loop with
  /// constant bounds.
  std::optional<std::pair<int64_t, int64_t>> range() const;
  /// True if both differ by the constant `offset - other.offset`.
  bool isParallel(const AffineInt &other) const {
    return variable == other.variable && scale == other.scale;
  }
};

/// The number of elements of x[start:end:step] in a dimension of `size`, and the place of the
/// first. Bounds are ints or None.
struct SliceExtent {
  int64_t length;            // kDynamic: not known
  std::optional<int64_t> at; // nullopt: at the value of `start`, which is inside
};
SliceExtent sliceExtent(int64_t size, mlir::Value start, mlir::Value end, mlir::Value step);

} // namespace jit

#endif // JIT_DIALECT_ATEN_AFFINEINT_H
