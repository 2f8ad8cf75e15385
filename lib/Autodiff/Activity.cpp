//===- Activity.cpp - which values depend on what is differentiated -------===//

#include "Activity.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

static bool isActive(Value value, const ActiveValues &active) {
  if (!isa<ListType>(value.getType()))
    return active.contains(value);
  auto pieces = listPieces(value);
  return pieces && llvm::any_of(*pieces, [&](const ListPiece &piece) {
           return active.contains(piece.tensor);
         });
}

bool hasActiveOperand(Operation *op, const ActiveValues &active) {
  return llvm::any_of(op->getOperands(), [&](Value v) { return isActive(v, active); });
}

/// `to` depends on `from`, pair by pair. True if that made another value active.
static bool flow(ValueRange from, ValueRange to, ActiveValues &active) {
  bool changed = false;
  for (auto [source, target] : llvm::zip(from, to))
    if (isDifferentiable(target.getType()) && active.contains(source))
      changed |= active.insert(target).second;
  return changed;
}

static void propagateFor(scf::ForOp op, ActiveValues &active) {
  flow(op.getInitArgs(), op.getRegionIterArgs(), active);
  do
    propagateActivity(*op.getBody(), active);
  while (flow(op.getYieldedValues(), op.getRegionIterArgs(), active));
  flow(op.getYieldedValues(), op.getResults(), active);
  flow(op.getInitArgs(), op.getResults(), active);
}

static void propagateWhile(scf::WhileOp op, ActiveValues &active) {
  flow(op.getInits(), op.getBeforeArguments(), active);
  do {
    propagateActivity(op.getBefore().front(), active);
    flow(op.getConditionOp().getArgs(), op.getAfterArguments(), active);
    propagateActivity(op.getAfter().front(), active);
  } while (flow(op.getYieldOp().getOperands(), op.getBeforeArguments(), active));
  flow(op.getConditionOp().getArgs(), op.getResults(), active);
}

static void propagateIf(scf::IfOp op, ActiveValues &active) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    propagateActivity(region.front(), active);
    flow(region.front().getTerminator()->getOperands(), op.getResults(), active);
  }
}

void propagateActivity(Operation &op, ActiveValues &active) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    propagateFor(loop, active);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    propagateWhile(loop, active);
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    propagateIf(branch, active);
  else if (hasActiveOperand(&op, active))
    for (Value result : op.getResults())
      if (isDifferentiable(result.getType()))
        active.insert(result);
}

void propagateActivity(Block &block, ActiveValues &active) {
  for (Operation &op : block)
    propagateActivity(op, active);
}

} // namespace jit
