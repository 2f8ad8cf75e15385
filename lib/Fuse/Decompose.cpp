//===- Decompose.cpp - operators in terms of simpler ones -----------------===//

#include "jit/Dialect/Jit/Contract.h"
#include "jit/Fuse/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITDECOMPOSE
#include "jit/Fuse/Passes.h.inc"

namespace {
struct DecomposePass : impl::JitDecomposeBase<DecomposePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecompositionPatterns(patterns);
    populateScalarExpansionPatterns(patterns);
    if (succeeded(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return;
    getOperation()->emitError("expected decompositions to come to an end");
    signalPassFailure();
  }
};
} // namespace

LogicalResult verifyFused(ModuleOp module) {
  ConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *op) { return !decomposes(op); });
  return verifyContract(module, target, "no operator that is made of simpler ones after Fuse");
}

} // namespace jit
