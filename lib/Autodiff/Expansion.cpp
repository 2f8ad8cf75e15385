//===- Expansion.cpp - operators in terms of differentiable ones ----------===//

#include "Reverse.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

void expandAndPropagate(func::FuncOp func, ActiveValues &active) {
  ActiveValues seeds = active;
  for (bool changed = true; changed;) {
    active = seeds;
    propagateActivity(func.front(), active);
    RewritePatternSet patterns(func.getContext());
    populateDecompositionPatterns(patterns, [&](Operation *op) {
      return !isa<DifferentiableOpInterface>(op) && hasActiveOperand(op, active);
    });
    GreedyRewriteConfig config;
    config.enableFolding(false);
    config.enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    changed = false;
    (void)applyPatternsGreedily(func, std::move(patterns), config, &changed);
  }
}

} // namespace jit
