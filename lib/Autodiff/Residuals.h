//===- Residuals.h - what the backward pass keeps of the forward pass -*- C++ -*-===//
//
// A backward region is first built as if it could see every value of its forward region. Then what
// it uses is either kept, as a result of the forward region, or computed again.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_AUTODIFF_RESIDUALS_H
#define JIT_LIB_AUTODIFF_RESIDUALS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace jit {

/// What a backward region needs of its forward region, split by a minimum cut on bytes.
struct ResidualPlan {
  /// Values to keep.
  llvm::SetVector<mlir::Value> kept;
  /// Operations to run again, in their order; together with `kept` they give all that is needed.
  llvm::SetVector<mlir::Operation *> recomputed;
};

/// Plans for the values that `backward` uses of `forward`, after sums whose sizes are known have
/// been folded there. `given` are values of `forward` that the backward region has in another way
/// (a loop's counter); lists of sizes are kept only where `listsCanBeKept`.
ResidualPlan planResiduals(mlir::Block &forward, mlir::Region &backward,
                           llvm::ArrayRef<mlir::Value> given, bool listsCanBeKept);

/// The same where nothing can be kept: all that `backward` uses is computed again from `given`.
ResidualPlan planReplay(mlir::Block &forward, mlir::Region &backward,
                        llvm::ArrayRef<mlir::Value> given);

/// Makes `backward` use what `map` has for each kept value and a copy of each recomputed operation,
/// built at `b`.
void useResiduals(const ResidualPlan &plan, mlir::Region &backward, mlir::OpBuilder &b,
                  mlir::IRMapping map);

/// What the backward branch needs of the forward branch becomes further results of it.
llvm::LogicalResult keepForBranch(mlir::scf::IfOp forward, mlir::scf::IfOp backward);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_RESIDUALS_H
