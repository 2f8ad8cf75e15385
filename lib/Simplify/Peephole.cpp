//===- Peephole.cpp - operators that need not be --------------------------===//

#include "Peephole.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Simplify/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITPEEPHOLE
#include "jit/Simplify/Passes.h.inc"

namespace {
struct PeepholePass : impl::JitPeepholeBase<PeepholePass> {
  using JitPeepholeBase::JitPeepholeBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateArithmeticPeepholes(patterns);
    populateViewPeepholes(patterns);
    populateScalarExpansionPatterns(patterns);
    populateValueDecompositionPatterns(patterns);
    // What their loops need not do is seen by the passes that come next.
    populateDecompositionPatterns(patterns, [&](Operation *op) {
      return op->hasTrait<OverSequence>() || (afterGradients && op->hasTrait<OfGradientsAlone>());
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace jit
