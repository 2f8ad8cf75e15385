//===- SettledValue.h - values that are the same on every way --*- C++ -*-===//
#ifndef JIT_LIB_NORMALIZE_SETTLEDVALUE_H
#define JIT_LIB_NORMALIZE_SETTLEDVALUE_H

#include "jit/Dialect/Aten/Aliasing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
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

/// Puts constants at the begin of `func` in the place of those of `values` that are the same on
/// every way, so that branches and loops need not hand them on; gives the constants by value.
inline llvm::MapVector<mlir::Value, mlir::Value>
replaceSettled(mlir::func::FuncOp func, const llvm::SetVector<mlir::Value> &values) {
  llvm::MapVector<mlir::Value, mlir::Value> constants;
  auto b = mlir::OpBuilder::atBlockBegin(&func.front());
  for (mlir::Value value : values)
    if (mlir::IntegerAttr known = settledInteger(value))
      constants[value] = mlir::arith::ConstantOp::create(b, func.getLoc(), known);
  for (auto [value, known] : constants)
    value.replaceAllUsesWith(known);
  return constants;
}

} // namespace jit

#endif // JIT_LIB_NORMALIZE_SETTLEDVALUE_H
