//===- StateParts.h - state that a call leaves in one memory ----*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_STATEPARTS_H
#define JIT_LIB_FUNCTIONALIZE_STATEPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// The new value of a slot, a tensor in the memory of some root.
struct StateName {
  llvm::StringRef slot;
  mlir::Value tensor;
};

/// Notes in `jit.outputs` that these slots lie in the memory of `root`, and where: a call that
/// finds them so sees writes to one in the others. Fails, without an error, where one of them has
/// all of that memory is not seen.
llvm::LogicalResult recordStateParts(mlir::func::FuncOp func, mlir::Value root,
                                     llvm::ArrayRef<StateName> names);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_STATEPARTS_H
