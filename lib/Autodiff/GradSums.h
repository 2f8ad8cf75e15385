//===- GradSums.h - sums over what was broadcast ----------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_GRADSUMS_H
#define JIT_LIB_AUTODIFF_GRADSUMS_H

#include "mlir/IR/Region.h"

namespace jit {

/// Settles which sums of gradients there are in `region`, by the types of what is summed, and takes
/// out the others. What is kept for a backward pass is planned after it. Fails, after an error, if
/// that comes to no end.
llvm::LogicalResult settleGradSums(mlir::Region &region);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_GRADSUMS_H
