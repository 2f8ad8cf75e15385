//===- RequiresGrad.h - what requires a gradient ----------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_REQUIRESGRAD_H
#define JIT_LIB_AUTODIFF_REQUIRESGRAD_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace jit {

/// Answers `tensor.requires_grad` for values of a function that writes nothing in place and takes
/// no gradients: an argument of which the call says so, a parameter, a leaf, and what is computed
/// from such by operators through which a gradient flows back.
class RequiresGrad {
public:
  /// nullopt where that is decided while the program runs.
  std::optional<bool> operator()(mlir::Value value);

private:
  using Answer = std::optional<bool>;
  Answer ofArgument(mlir::BlockArgument argument);
  Answer ofCarried(mlir::Value value, mlir::Value init, mlir::Value yielded);
  Answer ofResult(mlir::OpResult result);
  Answer ofOperator(mlir::Operation *op);
  Answer ofBody(mlir::Operation *op, unsigned result);
  Answer both(mlir::Value a, mlir::Value b);

  llvm::DenseMap<mlir::Value, Answer> known;
};

} // namespace jit

#endif // JIT_LIB_AUTODIFF_REQUIRESGRAD_H
