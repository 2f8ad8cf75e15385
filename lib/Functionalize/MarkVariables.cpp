//===- MarkVariables.cpp - what gradients are taken by --------------------===//

#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_MARKVARIABLESPASS
#include "jit/Functionalize/Passes.h.inc"

/// All reads of one slot, which nothing writes any more, as one at the start of the function.
static Value readOnce(SlotGetOp get) {
  auto func = get->getParentOfType<func::FuncOp>();
  OpBuilder b = OpBuilder::atBlockBegin(&func.front());
  Value value = b.clone(*get)->getResult(0);
  func.walk([&](SlotGetOp other) {
    if (other.getResult() == value || other.getSlot() != get.getSlot() ||
        other.getType() != value.getType())
      return;
    other.replaceAllUsesWith(value);
    if (other != get)
      other.erase();
  });
  get.erase();
  return value;
}

static void mark(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (value.getDefiningOp<aten::VariableOp>() ||
      (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp())))
    return;
  // Whether it is one, or what it was before, is not known yet.
  if (auto leaf = value.getDefiningOp<aten::LeafOp>())
    return mark(historyOf(leaf.getSelf()));
  if (auto get = value.getDefiningOp<SlotGetOp>())
    value = readOnce(get);
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  auto variable = aten::VariableOp::create(b, value.getLoc(), value.getType(), ValueRange{value});
  value.replaceAllUsesExcept(variable, variable);
}

namespace {
struct MarkVariablesPass : impl::MarkVariablesPassBase<MarkVariablesPass> {
  void runOnOperation() override {
    SmallVector<aten::GradientOp> gradients;
    getOperation().walk([&](aten::GradientOp op) { gradients.push_back(op); });
    for (aten::GradientOp op : gradients)
      for (const ListPiece &input : listPieces(op.getInputs()).value_or(SmallVector<ListPiece>()))
        mark(historyOf(input.tensor));
  }
};
} // namespace

} // namespace jit
