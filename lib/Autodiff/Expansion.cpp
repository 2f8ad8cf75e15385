//===- Expansion.cpp - operators in terms of differentiable ones ----------===//

#include "Reverse.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

/// Whether `op`, an operand of which is active, is among the operations of which active results are
/// known; a list is not active by itself.
static bool isReached(Operation *op, const ActiveValues &active) {
  return llvm::any_of(op->getResults(), [&](Value result) {
    return active.contains(result) || !isa<TensorType>(result.getType());
  });
}

/// A write over what has no use for the zeros that are its gradient: it is not differentiated, or
/// is a part, whose whole has a gradient.
static bool needsNoZeros(Operation *op, const ActiveValues &active) {
  if (!isa<aten::CopyOp>(op) && !op->hasTrait<GivesOneNumber>())
    return false;
  Value written = op->getOperand(0);
  return !active.contains(written) || isa_and_nonnull<ViewOpInterface>(written.getDefiningOp());
}

void expandAndPropagate(func::FuncOp func, ActiveValues &active) {
  expandAndPropagate(func, active,
                     [&](ActiveValues &values) { propagateActivity(func.front(), values); });
}

void expandAndPropagate(func::FuncOp func, ActiveValues &active,
                        function_ref<void(ActiveValues &)> propagate) {
  ActiveValues seeds = active;
  for (bool changed = true; changed;) {
    active = seeds;
    propagate(active);
    RewritePatternSet patterns(func.getContext());
    populateDecompositionPatterns(patterns, [&](Operation *op) {
      return (!isa<DifferentiableOpInterface>(op) || needsNoZeros(op, active)) &&
             hasActiveOperand(op, active) && isReached(op, active);
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
