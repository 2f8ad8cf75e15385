//===- SeedRandom.cpp - random operators draw from the module's state -----===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Attention.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Random.h"
#include "jit/Normalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_SEEDRANDOMPASS
#include "jit/Normalize/Passes.h.inc"

/// How many draws there have been. A float: state that is one needs no variant for each value.
static constexpr StringLiteral slotName = "random.draws";

namespace {
/// The arguments of an operator that say whether it drops anything out.
struct DropoutArguments {
  unsigned probability;
  std::optional<unsigned> training = std::nullopt;
  /// Whether it does more than to drop out.
  bool computes = false;
  /// How many layers there are, where only what is between them is dropped out.
  std::optional<unsigned> layers = std::nullopt;
};
} // namespace

static std::optional<DropoutArguments> dropoutOf(Operation *op) {
  auto dropout = dyn_cast<DropoutOpInterface>(op);
  auto attention = dyn_cast<aten::ScaledDotProductAttentionMathOp>(op);
  bool hasDrawn = attention && !isa<NoneType>(attention.getDropoutMask().getType());
  if (!dropout || hasDrawn)
    return std::nullopt;
  SmallVector<unsigned, 3> numbers = dropout.getDropoutOperands();
  DropoutArguments found{numbers.front()};
  if (numbers.size() > 1)
    found.training = numbers[1];
  if (numbers.size() > 2)
    found.layers = numbers[2];
  found.computes = op->getNumOperands() > 1 + numbers.size();
  return found;
}

static bool isOff(Operation *op, DropoutArguments dropout) {
  return FloatInfo(op->getOperand(dropout.probability)).known == 0.0 ||
         (dropout.training && BoolInfo(op->getOperand(*dropout.training)).known == false) ||
         (dropout.layers && IntInfo(op->getOperand(*dropout.layers)).known == 1);
}

/// The number of the argument that turns drawing off by false or 0, where only the call tells it.
static std::optional<unsigned> openSwitch(Operation *op, DropoutArguments dropout) {
  unsigned number = dropout.training.value_or(dropout.probability);
  if (isOff(op, dropout) || matchPattern(op->getOperand(number), m_Constant()))
    return std::nullopt;
  return number;
}

/// An operator that may draw becomes a branch, in which it draws, and one with drawing turned off.
/// Gives the first.
static Operation *branchOnDrawing(Operation *op, unsigned number) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value given = op->getOperand(number), draws = given;
  bool isFlag = given.getType().isInteger(1);
  Value off = arith::ConstantOp::create(b, loc, b.getZeroAttr(given.getType()));
  if (!isFlag)
    draws = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, given, off);
  auto branch = scf::IfOp::create(b, loc, op->getResultTypes(), draws, /*withElseRegion=*/true);
  op->replaceAllUsesWith(branch);
  b.setInsertionPointToStart(branch.elseBlock());
  Operation *still = b.clone(*op);
  still->setOperand(number, off);
  scf::YieldOp::create(b, loc, still->getResults());
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  b.setInsertionPoint(op);
  if (isFlag)
    op->setOperand(number, GraphBuilder{b, loc}.flag(true).v);
  b.setInsertionPointAfter(op);
  scf::YieldOp::create(b, loc, op->getResults());
  return op;
}

/// Replaces the operator by what it is made of; false where too little is known for that.
static bool takeApart(Operation *op) {
  OpBuilder b(op);
  FailureOr<SmallVector<Value>> values = cast<DecomposableOpInterface>(op).decompose(b).values;
  if (failed(values))
    return false;
  copyOperands(b, op, *values);
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
    std::optional<DropoutArguments> dropout = dropoutOf(op);
    if (dropout)
      if (std::optional<unsigned> number = openSwitch(op, *dropout))
        op = branchOnDrawing(op, *number);
    // What computes without drawing waits for the types of its operands.
    bool waits = dropout && dropout->computes && isOff(op, *dropout);
    if (waits || !takeApart(op))
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
