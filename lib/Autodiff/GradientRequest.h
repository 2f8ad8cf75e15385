//===- GradientRequest.h - what a program asks the gradients of -*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_GRADIENTREQUEST_H
#define JIT_LIB_AUTODIFF_GRADIENTREQUEST_H

#include "RequiresGrad.h"
#include "jit/Dialect/Aten/Gradient.h"

namespace jit {

/// One call of torch.autograd.grad: the `aten._gradient`s of one set of outputs, inputs and
/// weights.
struct GradientRequest {
  llvm::SmallVector<aten::GradientOp> gradients;
  llvm::SmallVector<mlir::Value> outputs, inputs, weights;
  bool createGraph = false, allowUnused = false;

  mlir::Operation *first() const { return gradients.front(); }
  /// The value that a gradient by input `i` is that of.
  mlir::Value variable(unsigned i) const;
  unsigned indexOf(aten::GradientOp gradient) const;
};

/// The request that `op` belongs to, with what else of it stands in the same block.
mlir::FailureOr<GradientRequest> requestOf(aten::GradientOp op);

/// Stops the call with PyTorch's error where it would, and refuses what is not known while the
/// program is compiled. `isRefused` says that a call never gets beyond.
llvm::LogicalResult checkRequest(const GradientRequest &request, RequiresGrad &requiresGrad,
                                 bool &isRefused);

/// The gradient that the backward pass begins with at output `i`; null after an error.
mlir::Value weightOf(mlir::OpBuilder &b, const GradientRequest &request, unsigned i);

/// A guard that stops every call which gets to it.
void raise(mlir::OpBuilder &b, mlir::Location loc, const llvm::Twine &message);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_GRADIENTREQUEST_H
