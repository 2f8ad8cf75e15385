//===- LowerExceptions.cpp - exceptions become guards ---------------------===//

#include "ExceptionMessage.h"
#include "jit/Normalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_LOWEREXCEPTIONSPASS
#include "jit/Normalize/Passes.h.inc"

static Value createFlag(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Erases everything in `block` after `op` but its terminator, which hands on values that are never
/// used.
static void cutAfter(Operation *op) {
  Block *block = op->getBlock();
  Operation *terminator = block->getTerminator();
  OpBuilder builder(terminator);
  for (OpOperand &operand : terminator->getOpOperands()) {
    Type type = operand.get().getType();
    bool isCondition = isa<scf::ConditionOp>(terminator) && operand.getOperandNumber() == 0;
    operand.set(isCondition ? createFlag(builder, terminator->getLoc(), false)
                            : PoisonOp::create(builder, terminator->getLoc(), type));
  }
  // The new operands were put right before the terminator: dead code ends where they begin.
  SmallVector<Operation *> dead;
  for (Operation *next = op->getNextNode(); next != terminator; next = next->getNextNode())
    if (!llvm::is_contained(next->getUsers(), terminator))
      dead.push_back(next);
  for (Operation *next : llvm::reverse(dead)) {
    next->dropAllUses();
    next->erase();
  }
}

/// True if `op` may as well be computed when no exception is raised.
static bool isMessagePart(Operation &op) {
  return isa<ConstantOp, arith::ConstantOp, FormatOp, ListOp, DerefineOp>(op);
}

namespace {

struct LowerExceptionsPass : impl::LowerExceptionsPassBase<LowerExceptionsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      for (Block &block : func.getBody())
        lower(block);
  }

  /// Lowers all exceptions in `block`. True if it raises one whenever it is run.
  bool lower(Block &block) {
    for (Operation *op = &block.front(), *next; op; op = next) {
      next = op->getNextNode();
      bool raises = false;
      if (auto raise = dyn_cast<RaiseOp>(op))
        op = lowerRaise(raise), raises = true;
      else if (auto ifOp = dyn_cast<scf::IfOp>(op))
        raises = lowerIf(ifOp);
      else
        for (Region &region : op->getRegions())
          for (Block &inner : region)
            lower(inner);
      if (raises) {
        cutAfter(op);
        return true;
      }
    }
    return false;
  }

  Operation *lowerRaise(RaiseOp raise) {
    OpBuilder builder(raise);
    Message message = takeApart(raise.getMessage());
    auto guard = GuardOp::create(
        builder, raise.getLoc(), createFlag(builder, raise.getLoc(), false),
        raise.getPythonClassAttr(), builder.getStringAttr(message.text), message.args);
    raise.erase();
    return guard;
  }

  /// Lowers a branch. True if both of its ways raise. Where one does, the other follows after it.
  bool lowerIf(scf::IfOp op) {
    bool thenRaises = lower(*op.thenBlock());
    bool elseRaises = !op.getElseRegion().empty() && lower(*op.elseBlock());
    if (!thenRaises && !elseRaises)
      return false;
    if (thenRaises && elseRaises)
      return true;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Block &raising = thenRaises ? *op.thenBlock() : *op.elseBlock();
    Value raised = op.getCondition();
    if (!thenRaises)
      raised = arith::XOrIOp::create(builder, loc, raised, createFlag(builder, loc, true));
    emitRaisingWay(builder, loc, raising, raised);

    // Nothing but the other way is left after the guard.
    Block *other = thenRaises ? op.elseBlock() : op.thenBlock();
    if (!other) {
      op.erase();
      return false;
    }
    Operation *yield = other->getTerminator();
    for (auto [result, value] : llvm::zip(op.getResults(), yield->getOperands()))
      result.replaceAllUsesWith(value);
    yield->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), other->getOperations());
    op.erase();
    return false;
  }

  /// Puts `block`, which ends in a guard that never holds, before the branch: as one guard of the
  /// condition if it does nothing else, or as a branch of its own.
  void emitRaisingWay(OpBuilder &builder, Location loc, Block &block, Value raised) {
    GuardOp guard;
    for (auto found : block.getOps<GuardOp>())
      guard = found;
    bool isPlain = llvm::all_of(block.without_terminator(), [&](Operation &op) {
      return &op == guard || isMessagePart(op) || isa<PoisonOp>(op);
    });
    if (!isPlain) {
      auto ifOp = scf::IfOp::create(builder, loc, raised, /*withElseRegion=*/false);
      Block *body = ifOp.thenBlock();
      body->getOperations().splice(body->begin(), block.getOperations(), block.begin(),
                                   block.getTerminator()->getIterator());
      return;
    }
    Value holds = arith::XOrIOp::create(builder, loc, raised, createFlag(builder, loc, true));
    guard.getConditionMutable().assign(holds);
    Block *parent = builder.getInsertionBlock();
    parent->getOperations().splice(builder.getInsertionPoint(), block.getOperations(),
                                   block.begin(), block.getTerminator()->getIterator());
  }
};

} // namespace

} // namespace jit
