//===- Quantize.h - builders for the rules of Quantize.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_QUANTIZE_H
#define JIT_LIB_DIALECT_ATEN_RULES_QUANTIZE_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// The values (n - zero) * step for whole numbers n of a range. `step` and `zero` are numbers, or
/// tensors of one element or of one for each channel along `axis`.
struct Grid {
  Any step, zero;
  std::optional<Int> axis;
  Int least, most;
};

/// Each element moved to the nearest value of the grid; and where that was not beyond its ends.
Decomposition onGrid(Tensor self, const Grid &grid, bool withMask = false);
Gradient gradOnGrid(Tensor self, const Grid &grid, Tensor grad);

/// x @ weight.t() + bias of packed parameters. A weight of bytes is multiplied with bytes that
/// stand for x over the range that it has, with half as many values where the range is reduced.
mlir::Type packedLinear(TypeRules &infer, TensorInfo x, AnyInfo params);
Decomposition packedLinear(Tensor x, Any params, Bool isReduced, bool hasRelu);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_QUANTIZE_H
