//===- GradSums.h - sums over what was broadcast ----------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_GRADSUMS_H
#define JIT_LIB_AUTODIFF_GRADSUMS_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// `_size_if_not_equal` and `_grad_sum_to_size` fold as far as sizes are known.
void populateEliminateGradSumPatterns(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_GRADSUMS_H
