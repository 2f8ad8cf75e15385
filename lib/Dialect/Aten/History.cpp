//===- History.cpp - what tensors are computed from, as autograd sees it --===//

#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

Value historyOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<aten::WithElementsOp, DerefineOp, UncheckedCastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The terminator of `region`; null where it is not finished.
static Operation *terminatorOf(Region &region) {
  if (region.empty() || region.front().empty())
    return nullptr;
  Operation *last = &region.front().back();
  return last->hasTrait<OpTrait::IsTerminator>() ? last : nullptr;
}

namespace {

/// Goes from a value to all that it may be computed from.
class HistoryWalk {
public:
  /// `seesBodies`: loops around `at` are finished, or what they will write is of no interest.
  HistoryWalk(Operation *at, bool seesBodies) : at(at), seesBodies(seesBodies) {}

  /// False where what comes next is not known.
  bool visit(Value value) {
    auto tensor = dyn_cast<TensorType>(value.getType());
    if (tensor && tensor.hasDtype() && !isDifferentiable(tensor))
      return true;
    if (!visitWrites(value))
      return false;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return visitArgument(argument);
    return visitResult(cast<OpResult>(value));
  }
  bool add(Value value) {
    bool mayHoldTensors = !value.getType().isIntOrFloat() &&
                          !isa<NoneType, StrType, DeviceType, ComplexType>(value.getType());
    if (mayHoldTensors && seen.insert(value).second)
      todo.push_back(value);
    return true;
  }
  SmallVector<Value> todo;

private:
  bool addFrom(Region &region, unsigned index) {
    Operation *end = terminatorOf(region);
    return end && add(end->getOperand(index));
  }

  bool visitArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (auto loop = dyn_cast_or_null<scf::ForOp>(parent))
      return index == 0 ||
             (add(loop.getInitArgs()[index - 1]) && addFrom(loop.getRegion(), index - 1));
    auto loop = dyn_cast_or_null<scf::WhileOp>(parent);
    if (!loop) // of the function, or of what is no part of one yet
      return isa_and_nonnull<func::FuncOp>(parent);
    if (argument.getOwner()->getParent() == &loop.getAfter())
      return addFrom(loop.getBefore(), index + 1);
    return add(loop.getInits()[index]) && addFrom(loop.getAfter(), index);
  }

  bool visitResult(OpResult result) {
    Operation *op = result.getOwner();
    unsigned index = result.getResultNumber();
    if (isa<aten::DetachOp, aten::DetachCopyOp, aten::DataOp, aten::OnesLikeOp, aten::ZerosLikeOp>(
            op))
      return true;
    if (isa<aten::WithElementsOp>(op))
      return add(op->getOperand(0));
    if (isa<scf::IfOp>(op))
      return addFrom(op->getRegion(0), index) && addFrom(op->getRegion(1), index);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return add(loop.getInitArgs()[index]) && addFrom(loop.getRegion(), index);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return addFrom(loop.getBefore(), index + 1);
    return llvm::all_of(op->getOperands(), [&](Value operand) { return add(operand); });
  }

  /// What may have been written to the memory of `value` by then; false where that is not known.
  bool visitWrites(Value value) {
    Value root = value;
    while (Value source = sharedSource(root))
      root = source;
    if (!seesBodies && mayStillBeWritten(root))
      return false;
    if (!isWrittenInPlace(root))
      return true;
    if (!isa<TensorType>(root.getType())) // what a list or dict comes to hold
      return false;
    Operation *top = root.getParentRegion()->getParentOp();
    while (top->getParentOp() && !isa<func::FuncOp>(top))
      top = top->getParentOp();
    top->walk([&](OverwriteOp write) {
      if (mayFollow(at, write, root) || isOfEarlierTrip(write, root))
        add(write.getValue());
    });
    return true;
  }

  /// Whether a loop around `at` that is still being built may come to write memory from before it.
  bool mayStillBeWritten(Value root) const {
    for (Region *region = at->getParentRegion(); region; region = region->getParentRegion()) {
      auto loop = dyn_cast_or_null<LoopLikeOpInterface>(region->getParentOp());
      if (loop && !terminatorOf(*region) && !region->isAncestor(root.getParentRegion()))
        return true;
    }
    return false;
  }

  /// Whether `write` may have been run in an earlier trip of the loop that handed `root` on.
  bool isOfEarlierTrip(Operation *write, Value root) const {
    auto loop = dyn_cast<LoopLikeOpInterface>(root.getParentRegion()->getParentOp());
    return loop && isa<BlockArgument>(root) && loop->isProperAncestor(write) &&
           loop->isProperAncestor(at);
  }

  Operation *at;
  bool seesBodies;
  DenseSet<Value> seen;
};

} // namespace

static bool mayDependOn(Value value, HistoryWalk walk, function_ref<bool(Value)> isSource) {
  walk.add(value);
  while (!walk.todo.empty()) {
    Value next = walk.todo.pop_back_val();
    if (isSource(next) || !walk.visit(next))
      return true;
  }
  return false;
}

bool mayDependOn(Value value, Operation *at, function_ref<bool(Value)> isSource) {
  return mayDependOn(value, HistoryWalk(at, /*seesBodies=*/true), isSource);
}

/// Whether anything in the program requires a gradient, so that a loop may write or mark what
/// depends on it. What is specialised is looked at in full: a loop's marks may be still to come.
static bool hasSource(Operation *at) {
  auto func = at->getParentOfType<func::FuncOp>();
  for (unsigned i = 0; func && i < func.getNumArguments(); ++i)
    if (func.getArgAttr(i, requiresGradAttr))
      return true;
  auto module = at->getParentOfType<ModuleOp>();
  Operation *all = module ? module.getOperation() : func.getOperation();
  return all && all->walk([](Operation *op) {
                     return isa<aten::LeafOp, aten::RequiresGradInPlaceOp>(op)
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   })
                    .wasInterrupted();
}

static bool isParameter(Operation *from, StringAttr name) {
  auto slot = SymbolTable::lookupNearestSymbolFrom<SlotOp>(from, name);
  return slot && slot.getParameter();
}

bool mayRequireGrad(Value value, Operation *at, bool countsParameters) {
  return mayDependOn(value, HistoryWalk(at, !hasSource(at)), [&](Value source) {
    if (source.getDefiningOp<aten::LeafOp>() ||
        llvm::any_of(source.getUsers(), llvm::IsaPred<aten::RequiresGradInPlaceOp>))
      return true;
    if (auto get = source.getDefiningOp<SlotGetOp>())
      return countsParameters && isParameter(get, get.getSlotAttr().getAttr());
    auto argument = dyn_cast<BlockArgument>(source);
    auto func = argument ? dyn_cast_or_null<func::FuncOp>(argument.getOwner()->getParentOp())
                         : func::FuncOp();
    if (!func)
      return false;
    unsigned number = argument.getArgNumber();
    if (auto slot = func.getArgAttrOfType<StringAttr>(number, slotAttr))
      return countsParameters && isParameter(func, slot);
    // Before it is specialised a call may give any.
    return func.getArgAttr(number, requiresGradAttr) || !func.getArgAttr(number, argPathAttr);
  });
}

} // namespace jit
