//===- Activity.h - which values depend on what is differentiated -*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_ACTIVITY_H
#define JIT_LIB_AUTODIFF_ACTIVITY_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace jit {

/// Values whose gradient somebody may ask for.
using ActiveValues = llvm::DenseSet<mlir::Value>;

/// Adds every value of `block` that depends on an active one and can have a gradient, through
/// branches and loops.
void propagateActivity(mlir::Block &block, ActiveValues &active);

/// The same for one operation and all within it.
void propagateActivity(mlir::Operation &op, ActiveValues &active);

/// True if an operand, or a tensor in a list that is one, is active.
bool hasActiveOperand(mlir::Operation *op, const ActiveValues &active);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_ACTIVITY_H
