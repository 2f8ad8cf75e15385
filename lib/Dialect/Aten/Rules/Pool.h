//===- Pool.h - words for the rules of Pool.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POOL_H
#define JIT_LIB_DIALECT_ATEN_RULES_POOL_H

#include "jit/Dialect/Aten/Windows.h"

namespace jit {

/// The operands of pooling; `dilation` may be null.
struct PoolOperands {
  mlir::Value size, stride, padding, dilation;
};

/// One element for each window over the last `dimensions`.
mlir::Type pooled(TypeRules &infer, TensorInfo self, unsigned dimensions,
                  const PoolOperands &operands, BoolInfo isCeil, mlir::Type dtype);
/// The last `dimensions` with the given sizes, None for a size as it is.
mlir::Type resized(TypeRules &infer, TensorInfo self, unsigned dimensions, ListInfo sizes,
                   mlir::Type dtype);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_POOL_H
