//===- Canonicalizer.h - MLIR's canonicalizer on linalg ---------*- C++ -*-===//
#ifndef JIT_CANONICALIZER_H
#define JIT_CANONICALIZER_H

#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"

namespace jit {

/// For programs on builtin tensors. That an open size has to be a known one is what a guard says:
/// before it nothing may count on it, which upstream's pattern does that casts operands to the
/// sizes of others. It would read elements that are not there.
inline std::unique_ptr<mlir::Pass>
createCanonicalizer(const mlir::GreedyRewriteConfig &config = {}) {
  return mlir::createCanonicalizerPass(config,
                                       {"(anonymous namespace)::InferStaticShapeOfOperands"});
}

} // namespace jit

#endif // JIT_CANONICALIZER_H
