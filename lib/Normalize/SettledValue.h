//===- SettledValue.h - values that are the same on every way --*- C++ -*-===//
#ifndef JIT_LIB_NORMALIZE_SETTLEDVALUE_H
#define JIT_LIB_NORMALIZE_SETTLEDVALUE_H

#include "jit/Dialect/Aten/Aliasing.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace jit {

/// The integer that `value` is whichever way control came; null where it may be one of several.
inline mlir::IntegerAttr settledInteger(mlir::Value value) {
  mlir::IntegerAttr known;
  llvm::SmallSetVector<mlir::Value, 4> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size(); ++next) {
    llvm::SmallVector<mlir::Value> ways = waysTo(seen[next]);
    seen.insert(ways.begin(), ways.end());
    if (!ways.empty())
      continue;
    mlir::IntegerAttr constant;
    if (!mlir::matchPattern(seen[next], mlir::m_Constant(&constant)) ||
        (known && known != constant))
      return {};
    known = constant;
  }
  return known;
}

} // namespace jit

#endif // JIT_LIB_NORMALIZE_SETTLEDVALUE_H
