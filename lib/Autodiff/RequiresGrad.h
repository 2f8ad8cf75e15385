//===- RequiresGrad.h - what requires a gradient ----------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_REQUIRESGRAD_H
#define JIT_LIB_AUTODIFF_REQUIRESGRAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace jit {

/// Answers `tensor.requires_grad` for values of a function that writes nothing in place and takes
/// no gradients: an argument of which the call says so, a parameter, a leaf, and what is computed
/// from such by operators through which a gradient flows back. Or, given a value, whether a
/// gradient flows back to that one.
class RequiresGrad {
public:
  explicit RequiresGrad(mlir::Value only = {}) : only(only) {}

  /// nullopt where that is decided while the program runs.
  std::optional<bool> operator()(mlir::Value value);

private:
  using Answer = std::optional<bool>;
  Answer ofArgument(mlir::BlockArgument argument);
  Answer ofCarried(mlir::Value value, mlir::Value init, mlir::Value yielded);
  Answer ofLoop(mlir::scf::ForOp loop, unsigned index);
  Answer ofResult(mlir::OpResult result);
  Answer ofAnyOf(llvm::ArrayRef<mlir::Value> values);
  Answer ofElement(mlir::Operation *op);
  Answer ofOperator(mlir::Operation *op);
  Answer ofBody(mlir::Operation *op, unsigned result);

  mlir::Value only;
  llvm::DenseMap<mlir::Value, Answer> known;
  /// What loops carry: taken to be as it begins while the loop is looked at; and what turned out
  /// not to stay so.
  llvm::DenseMap<mlir::Value, Answer> assumed;
  llvm::DenseSet<mlir::Value> changing;
};

} // namespace jit

#endif // JIT_LIB_AUTODIFF_REQUIRESGRAD_H
