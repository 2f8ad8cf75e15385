//===- ResolveLeaves.cpp - what comes to require a gradient ---------------===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_RESOLVELEAVESPASS
#include "jit/Functionalize/Passes.h.inc"

/// The values that may be the same tensor as `value`: what control flow hands on, other reads of a
/// slot.
static SmallVector<Value> otherNames(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<DerefineOp, UncheckedCastOp>(op))
    return {op->getOperand(0)};
  auto get = dyn_cast_or_null<SlotGetOp>(op);
  if (!get)
    return waysTo(value);
  SmallVector<Value> reads;
  get->getParentOfType<func::FuncOp>().walk([&](SlotGetOp other) {
    if (other != get && other.getSlot() == get.getSlot())
      reads.push_back(other);
  });
  return reads;
}

/// Whether what `mark` marks is used after it under another name.
static bool isSeenByOtherName(aten::RequiresGradInPlaceOp mark) {
  Operation *made = mark.getSelf().getDefiningOp();
  if (made && (isa<ListUnpackOp, TupleIndexOp>(made) ||
               made->getName().getStringRef().starts_with("aten.__getitem__")))
    return true;
  SmallVector<Value> todo = otherNames(mark.getSelf());
  DenseSet<Value> seen = {mark.getSelf()};
  while (!todo.empty()) {
    Value name = todo.pop_back_val();
    if (!seen.insert(name).second)
      continue;
    for (Operation *user : name.getUsers()) {
      bool handsOn = isa<scf::YieldOp, scf::ConditionOp, LoopLikeOpInterface>(user);
      if (!handsOn && mayFollow(user, mark, name))
        return true;
    }
    llvm::append_range(todo, otherNames(name));
  }
  return false;
}

namespace {

/// Each tensor that is marked somewhere in a function is a cell: its present value is the tensor
/// with the marks that it has.
class LeafThreading : CellThreading {
public:
  explicit LeafThreading(func::FuncOp func) : func(func) {}

  LogicalResult run() {
    WalkResult walk = func.walk([&](aten::RequiresGradInPlaceOp op) {
      if (!isSeenByOtherName(op))
        return WalkResult::advance();
      op.emitOpError("expected a tensor that has one name, got one that a branch, a loop or a list "
                     "hands on and that is used without it too");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return failure();
    func.walk([&](aten::RequiresGradInPlaceOp op) {
      auto known = cells.find(op.getSelf());
      Cell cell = known != cells.end() ? known->second : addCell(op.getSelf().getType());
      cells[op.getSelf()] = cells[op.getResult()] = cell;
    });
    if (cells.empty())
      return success();
    if (failed(thread(func.front())))
      return failure();
    eraseNow();
    return success();
  }

private:
  LogicalResult visit(Operation *op) override {
    for (OpOperand &operand : op->getOpOperands())
      if (auto cell = cells.find(operand.get()); cell != cells.end() && get(cell->second))
        operand.set(get(cell->second));
    if (auto write = dyn_cast<OverwriteOp>(op))
      return checkWrite(write);
    if (auto mark = dyn_cast<aten::RequiresGradInPlaceOp>(op)) {
      set(cells.lookup(mark.getResult()), marked(mark));
      eraseLater(op);
    }
    return success();
  }

  Value marked(aten::RequiresGradInPlaceOp op) {
    OpBuilder b(op);
    APInt flag;
    if (matchPattern(op.getRequiresGrad(), m_ConstantInt(&flag)))
      return marked(b, op, flag.getBoolValue());
    auto branch =
        scf::IfOp::create(b, op.getLoc(), op.getSelf().getType(), op.getRequiresGrad(), true, true);
    for (bool isLeaf : {true, false}) {
      OpBuilder inner = OpBuilder::atBlockEnd(isLeaf ? branch.thenBlock() : branch.elseBlock());
      scf::YieldOp::create(inner, op.getLoc(), marked(inner, op, isLeaf));
    }
    return branch.getResult(0);
  }

  Value marked(OpBuilder &b, aten::RequiresGradInPlaceOp op, bool isLeaf) {
    Type type = op.getSelf().getType();
    Value self = op.getSelf();
    if (isLeaf)
      return aten::LeafOp::create(b, op.getLoc(), type, ValueRange{self});
    return aten::DetachOp::create(b, op.getLoc(), type, ValueRange{self});
  }

  /// Of a tensor that was computed from others the mark says nothing new: only what cannot have a
  /// history is known to be a leaf.
  LogicalResult checkWrite(OverwriteOp op) {
    auto leaf = op.getSelf().getDefiningOp<aten::LeafOp>();
    if (!leaf || op->hasAttr(gradientsOffAttr) ||
        op.getValue().getDefiningOp<aten::WithElementsOp>() ||
        !(isa<BlockArgument>(leaf.getSelf()) || leaf.getSelf().getDefiningOp<aten::DetachOp>()))
      return success();
    return op.emitOpError("expected gradients to be off where a leaf that requires a gradient is "
                          "written in place");
  }

  void collectAssigned(Operation *op, Cells &assigned) override {
    if (auto mark = dyn_cast<aten::RequiresGradInPlaceOp>(op))
      assigned.insert(cells.lookup(mark.getResult()));
  }

  LogicalResult define(ValueRange values) override {
    for (Value value : values)
      if (auto cell = cells.find(value);
          cell != cells.end() && !value.getDefiningOp<aten::RequiresGradInPlaceOp>())
        set(cell->second, value);
    return success();
  }

  void replaced(Value from, Value to) override {
    if (auto cell = cells.find(from); cell != cells.end())
      cells[to] = cell->second;
  }

  func::FuncOp func;
  DenseMap<Value, Cell> cells;
};

struct ResolveLeavesPass : impl::ResolveLeavesPassBase<ResolveLeavesPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && failed(LeafThreading(func).run()))
        return signalPassFailure();
  }
};

} // namespace

} // namespace jit
