//===- LoopResiduals.h - what a backward loop keeps of its forward loop -*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_LOOPRESIDUALS_H
#define JIT_LIB_AUTODIFF_LOOPRESIDUALS_H

#include "Residuals.h"

namespace jit {

/// The bounds of a loop that runs the trips of another backwards.
struct BackwardTrips {
  /// Builds the number of trips of `forward`, a constant where it is known.
  BackwardTrips(mlir::scf::ForOp forward, mlir::OpBuilder &b);

  mlir::Value count, zero, one;
};

/// What the backward loop needs of the forward loop is stacked, one slice per trip, in buffers that
/// the forward loop carries; where the number of trips is not known, it is computed again from the
/// start of the loop. Refuses, with an error, to stack values of unknown sizes.
llvm::LogicalResult keepForLoop(mlir::scf::ForOp forward, mlir::scf::ForOp backward,
                                const BackwardTrips &trips);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_LOOPRESIDUALS_H
