//===- StartsHere.h - places counted from a root's own start ----*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_STARTSHERE_H
#define JIT_LIB_FUNCTIONALIZE_STARTSHERE_H

#include "jit/Dialect/Aten/Layout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Counts each argument of a function from its first element on, as long as this exists: where
/// state begins in PyTorch's memory is not always known, where a view of it lies in it is.
class StartsHere {
public:
  explicit StartsHere(mlir::func::FuncOp func) : func(func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      func.setArgAttr(i, startsHereAttr, mlir::UnitAttr::get(func.getContext()));
  }
  ~StartsHere() {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      func.removeArgAttr(i, startsHereAttr);
  }
  StartsHere(const StartsHere &) = delete;
  StartsHere &operator=(const StartsHere &) = delete;

private:
  mlir::func::FuncOp func;
};

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_STARTSHERE_H
