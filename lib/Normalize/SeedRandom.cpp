//===- SeedRandom.cpp - random operators draw from the module's state -----===//

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Random.h"
#include "jit/Normalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_SEEDRANDOMPASS
#include "jit/Normalize/Passes.h.inc"

/// How many draws there have been. A float: state that is one needs no variant for each value.
static constexpr StringLiteral slotName = "random.draws";

/// The value of the only argument that says whether an operator trains; null where there is none or
/// where it is a constant.
static Value openTraining(Operation *op) {
  Value train;
  if (isa<aten::DropoutOp, aten::FeatureDropoutOp, aten::AlphaDropoutOp,
          aten::FeatureAlphaDropoutOp>(op))
    train = op->getOperand(2);
  return train && !BoolInfo(train).known ? train : Value();
}

/// dropout(x, p, train) becomes a branch on `train`; gives the operator that is left, which trains.
static Operation *branchOnTraining(Operation *op, Value train) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto branch = scf::IfOp::create(b, loc, op->getResultTypes(), train, /*withElseRegion=*/true);
  op->getResult(0).replaceAllUsesWith(branch.getResult(0));
  b.setInsertionPointToStart(branch.elseBlock());
  Value same = castTo(b, loc, op->getOperand(0), op->getResult(0).getType());
  scf::YieldOp::create(b, loc, same);
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  b.setInsertionPoint(op);
  op->setOperand(2, GraphBuilder{b, loc}.flag(true).v);
  b.setInsertionPointAfter(op);
  scf::YieldOp::create(b, loc, op->getResults());
  return op;
}

/// Replaces the operator by what it is made of; false where too little is known for that.
static bool takeApart(Operation *op) {
  OpBuilder b(op);
  FailureOr<SmallVector<Value>> values = cast<DecomposableOpInterface>(op).decompose(b);
  if (failed(values))
    return false;
  for (auto [result, value] : llvm::zip(op->getResults(), *values))
    result.replaceAllUsesWith(castTo(b, op->getLoc(), value, result.getType()));
  op->erase();
  return true;
}

namespace {

struct SeedRandomPass : impl::SeedRandomPassBase<SeedRandomPass> {
  void runOnOperation() override {
    bool draws = false;
    // Each round takes the compositions of the round before apart.
    for (SmallVector<Operation *> found = drawing(); !found.empty(); found = drawing())
      for (Operation *op : found)
        draws |= seed(op);
    if (draws)
      addSlot();
    settled.clear();
  }

private:
  /// The operators that draw and have not been looked at.
  SmallVector<Operation *> drawing() {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (op->hasTrait<DrawsNumbers>() && !settled.contains(op))
        found.push_back(op);
    });
    return found;
  }

  /// True if the operator itself draws now.
  bool seed(Operation *op) {
    if (auto rand = dyn_cast<aten::RandGeneratorOp>(op)) {
      settled.insert(op);
      OpBuilder b(op);
      rand.getGeneratorMutable().assign(nextDraw(b, op->getLoc()));
      return true;
    }
    if (Value train = openTraining(op))
      op = branchOnTraining(op, train);
    if (!takeApart(op))
      settled.insert(op);
    return false;
  }

  static Value nextDraw(OpBuilder &b, Location loc) {
    auto slot = FlatSymbolRefAttr::get(b.getContext(), slotName);
    Value draw = SlotGetOp::create(b, loc, b.getF64Type(), slot);
    Value one = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(1));
    SlotSetOp::create(b, loc, slot, arith::AddFOp::create(b, loc, draw, one));
    return draw;
  }

  void addSlot() {
    if (SymbolTable::lookupSymbolIn(getOperation(), slotName))
      return;
    OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
    SlotOp::create(b, getOperation().getLoc(), slotName, b.getF64Type(), b.getF64FloatAttr(0),
                   /*parameter=*/false);
  }

  DenseSet<Operation *> settled;
};

} // namespace

} // namespace jit
