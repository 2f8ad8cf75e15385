//===- Peephole.cpp - operators that need not be --------------------------===//

#include "Peephole.h"
#include "jit/Dialect/Aten/Recurrent.h"
#include "jit/Simplify/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITPEEPHOLE
#include "jit/Simplify/Passes.h.inc"

/// Operators over sequences, which become loops.
static bool isSequence(Operation *op) {
  return isa<aten::LstmInputOp, aten::GruInputOp, aten::RnnTanhInputOp, aten::RnnReluInputOp>(op);
}

namespace {
struct PeepholePass : impl::JitPeepholeBase<PeepholePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateArithmeticPeepholes(patterns);
    populateViewPeepholes(patterns);
    populateScalarExpansionPatterns(patterns);
    populateValueDecompositionPatterns(patterns);
    // What their loops need not do is seen by the passes that come next.
    populateDecompositionPatterns(patterns, isSequence);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace jit
