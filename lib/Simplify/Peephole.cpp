//===- Peephole.cpp - operators that need not be --------------------------===//

#include "Peephole.h"
#include "jit/Dialect/Aten/Recurrent.h"
#include "jit/Dialect/Aten/View.h"
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

/// Operators that say something of gradients alone.
static bool isHistory(Operation *op) {
  return isa<aten::DetachOp, aten::DetachCopyOp, aten::WithElementsOp>(op);
}

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
      return isSequence(op) || (afterGradients && isHistory(op));
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace jit
