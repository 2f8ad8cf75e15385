//===- Canonicalizer.h - MLIR's canonicalizer on linalg ---------*- C++ -*-===//
#ifndef JIT_CANONICALIZER_H
#define JIT_CANONICALIZER_H

#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"

namespace jit {

/// For programs on builtin tensors and buffers, without those of upstream's patterns that do not
/// hold here:
///  - InferStaticShapeOfOperands: that an open size has to be a known one is what a guard says;
///    before it nothing may count on it, or elements are read that are not there.
///  - FoldEmptyCopy, EraseDeadLinalgOp: what stores no elements into a result of open sizes is the
///    use by which the result is asked for.
inline std::unique_ptr<mlir::Pass>
createCanonicalizer(const mlir::GreedyRewriteConfig &config = {}) {
  return mlir::createCanonicalizerPass(config, {"(anonymous namespace)::InferStaticShapeOfOperands",
                                                "(anonymous namespace)::FoldEmptyCopy",
                                                "(anonymous namespace)::EraseDeadLinalgOp"});
}

} // namespace jit

#endif // JIT_CANONICALIZER_H
