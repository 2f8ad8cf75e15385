//===- Optimizers.h - the arithmetic of optimizers --------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_OPTIMIZERS_H
#define JIT_LIB_AUTODIFF_OPTIMIZERS_H

#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// The names of what an optimizer keeps for each parameter; nullopt for one that is not known.
std::optional<llvm::SmallVector<llvm::StringRef>> optimizerState(llvm::StringRef optimizer,
                                                                 bool hasMomentum);

/// The updated parameter and then the next state, for the gradient of the loss.
llvm::SmallVector<mlir::Value> buildOptimizerStep(mlir::OpBuilder &b, OptimizerStepOp step,
                                                  mlir::Value gradient);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_OPTIMIZERS_H
