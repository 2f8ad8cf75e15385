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
    SmallVector<scf::WhileOp> loops;
    func.walk([&](scf::WhileOp loop) {
      // A loop that only counts has active results too, which nobody uses.
      if (llvm::any_of(loop.getResults(),
                       [&](Value v) { return active.contains(v) && !v.use_empty(); }))
        loops.push_back(loop);
    });
    llvm::for_each(loops, countWhileLoop);
    changed |= !loops.empty();
  }
}

} // namespace jit
