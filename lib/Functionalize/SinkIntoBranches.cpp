//===- SinkIntoBranches.cpp - what was taken out goes back ----------------===//

#include "SinkIntoBranches.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

static constexpr llvm::StringLiteral takenOutAttr = "jit.taken_out";

void noteTakenOut(Operation *op) {
  op->setDiscardableAttr(takenOutAttr, UnitAttr::get(op->getContext()));
}

/// The arm of a branch beside `op` that a use of it is in; null where it is in none.
static Region *armOf(Operation *op, OpOperand &use) {
  Operation *beside = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
  if (!isa<scf::IfOp>(beside) || beside == use.getOwner())
    return nullptr;
  Region *arm = use.getOwner()->getParentRegion();
  while (arm->getParentOp() != beside)
    arm = arm->getParentRegion();
  return arm;
}

static void sink(Operation *op) {
  llvm::MapVector<Region *, SmallVector<OpOperand *>> uses;
  for (OpOperand &use : op->getUses())
    if (Region *arm = armOf(op, use))
      uses[arm].push_back(&use);
  for (auto &[arm, inside] : uses) {
    Operation *copy = OpBuilder::atBlockBegin(&arm->front()).clone(*op);
    for (OpOperand *use : inside)
      use->set(copy->getResult(cast<OpResult>(use->get()).getResultNumber()));
    sink(copy);
  }
  if (op->use_empty())
    op->erase();
}

void sinkIntoBranches(func::FuncOp func) {
  SmallVector<Operation *> taken;
  func.walk([&](Operation *op) {
    if (op->removeDiscardableAttr(takenOutAttr))
      taken.push_back(op);
  });
  // What uses another one goes first.
  for (Operation *op : llvm::reverse(taken))
    sink(op);
}

} // namespace jit
