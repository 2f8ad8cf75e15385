//===- Aliasing.cpp - which values share memory ---------------------------===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace jit {

Value sharedSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<ViewOpInterface, DerefineOp, UncheckedCastOp, OverwriteOp>(op))
    return {};
  return op->getOperand(0);
}

static bool isContainer(Type type) { return isa<ListType, TupleType, DictType, AnyType>(type); }

/// True if a value of this type is memory that can be written in place, or may hold such.
static bool isWritable(Type type) {
  if (auto optional = dyn_cast<OptionalType>(type))
    return isWritable(optional.getElementType());
  return isa<TensorType>(type) || isContainer(type);
}

bool makesMemory(Operation *op) {
  if (!isa_and_present<AtenOpInterface>(op) || op->hasTrait<PicksElement>() ||
      op->hasTrait<MayGiveOperand>())
    return false;
  return !isa<ViewOpInterface>(op) || viewOf(op).kind == ViewOf::Kind::Copies;
}

SmallVector<Value> waysTo(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    unsigned index = result.getResultNumber();
    if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
      return {branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)};
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      return {loop.getInitArgs()[index], loop.getYieldedValues()[index]};
    if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
      return {loop.getConditionOp().getArgs()[index]};
    return {};
  }
  auto argument = cast<BlockArgument>(value);
  unsigned index = argument.getArgNumber();
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent); loop && index > 0)
    return {loop.getInitArgs()[index - 1], loop.getYieldedValues()[index - 1]};
  if (auto loop = dyn_cast_or_null<scf::WhileOp>(parent)) {
    if (argument.getOwner() == loop.getAfterBody())
      return {loop.getConditionOp().getArgs()[index]};
    return {loop.getInits()[index], loop.getYieldOp().getOperand(index)};
  }
  return {};
}

/// True if the results of `op` may be, or hold, what its operands are or hold. An operator gives
/// new memory unless it gives a container or takes an element out of one.
static bool passesThrough(Operation *op) {
  if (isa_and_nonnull<JitDialect>(op->getDialect()))
    return true;
  return op->hasTrait<PicksElement>() ||
         op->getName().getStringRef().starts_with("aten.__getitem__") ||
         llvm::any_of(op->getResultTypes(), isContainer);
}

/// True if `op` makes a new list of the elements of a list in which none can be written, as all
/// operators do that give a list and no operand.
static bool copiesPlainElements(Operation *op, Value list) {
  auto type = dyn_cast<ListType>(list.getType());
  return type && !isWritable(type.getElementType()) && isa<AtenOpInterface>(op) &&
         !op->hasTrait<MayGiveOperand>() && writtenInPlace(op) != list &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<ListType>);
}

/// The values of this number of an operation with regions, which has fewer results while it is
/// being built.
static void forEachLoopSharer(Operation *op, unsigned index, function_ref<void(Value)> visit) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (index < loop.getNumRegionIterArgs())
      visit(loop.getRegionIterArg(index));
    if (index < op->getNumResults())
      visit(loop.getResult(index));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (index < loop.getBefore().getNumArguments())
      visit(loop.getBeforeArguments()[index]);
  }
}

void forEachSharer(OpOperand &use, function_ref<void(Value)> visit) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    if (!isa<scf::IfOp>(parent))
      return forEachLoopSharer(parent, index, visit);
    if (index < parent->getNumResults())
      visit(parent->getResult(index));
    return;
  }
  if (isa<scf::ConditionOp>(op) && index > 0) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    if (index - 1 < loop.getAfter().getNumArguments())
      visit(loop.getAfterArguments()[index - 1]);
    if (index - 1 < loop->getNumResults())
      visit(loop.getResult(index - 1));
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (index >= loop.getNumControlOperands())
      forEachLoopSharer(op, index - loop.getNumControlOperands(), visit);
    return;
  }
  if (isa<scf::WhileOp>(op))
    return forEachLoopSharer(op, index, visit);
  if (isa<ViewOpInterface>(op)) {
    if (index == 0)
      visit(op->getResult(0));
    return;
  }
  if (auto overwrite = dyn_cast<OverwriteOp>(op)) {
    if (index == 0)
      visit(overwrite.getResult());
    return;
  }
  if (!isWritable(use.get().getType()) || !passesThrough(op) || copiesPlainElements(op, use.get()))
    return;
  // What is put into a container is reached through it.
  if (Value container = writtenInPlace(op); container && container != use.get())
    return visit(container);
  for (Value result : op->getResults())
    if (isWritable(result.getType()))
      visit(result);
}

bool mayBeContainer(Type type) {
  if (auto optional = dyn_cast<OptionalType>(type))
    return mayBeContainer(optional.getElementType());
  return isContainer(type);
}

bool mayHold(Type type, Type memory) {
  if (isa<AnyType>(type) || isa<AnyType>(memory))
    return true;
  if (auto optional = dyn_cast<OptionalType>(memory))
    return mayHold(type, optional.getElementType());
  if (isa<TensorType>(type))
    return isa<TensorType>(memory);
  if (isSubtype(type, memory) || isSubtype(memory, type))
    return true;
  if (auto optional = dyn_cast<OptionalType>(type))
    return mayHold(optional.getElementType(), memory);
  if (auto list = dyn_cast<ListType>(type))
    return mayHold(list.getElementType(), memory);
  if (auto dict = dyn_cast<DictType>(type))
    return mayHold(dict.getValueType(), memory);
  auto tuple = dyn_cast<TupleType>(type);
  return tuple &&
         llvm::any_of(tuple.getTypes(), [&](Type element) { return mayHold(element, memory); });
}

Value writtenInPlace(Operation *op) {
  if (auto overwrite = dyn_cast<OverwriteOp>(op))
    return overwrite.getSelf();
  if (auto become = dyn_cast<BecomeOp>(op))
    return become.getSelf();
  if (auto append = dyn_cast<AppendOp>(op))
    return append.getList();
  if (auto replace = dyn_cast<ReplaceOp>(op))
    return replace.getContainer();
  return {};
}

namespace {
/// Where the memory of a value may go.
struct Reach {
  llvm::SetVector<Value> names;
  SmallVector<Operation *> writes;
  SmallVector<Operation *> handedOn; // the loops whose next trip may have it
};
} // namespace

static Reach reachOf(Value value, bool upToFirstWrite = false) {
  Reach reach;
  reach.names.insert(value);
  for (size_t next = 0; next < reach.names.size(); ++next)
    for (OpOperand &use : reach.names[next].getUses()) {
      Operation *user = use.getOwner();
      // A list that grows changes no tensor in it.
      if (writtenInPlace(user) && use.getOperandNumber() == 0 &&
          mayHold(value.getType(), use.get().getType()))
        reach.writes.push_back(user);
      if (upToFirstWrite && !reach.writes.empty())
        return reach;
      if (isa<scf::YieldOp>(user) && isa<LoopLikeOpInterface>(user->getParentOp()))
        reach.handedOn.push_back(user->getParentOp());
      forEachSharer(use, [&](Value sharer) { reach.names.insert(sharer); });
    }
  return reach;
}

bool changesSizes(Operation *op) {
  return op->walk([](BecomeOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool writesOut(Operation *op) {
  auto isOut = [](OverwriteOp write) {
    return write->hasAttr(outAttr) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op->walk(isOut).wasInterrupted();
}

bool isWrittenInPlace(Value value) {
  return !reachOf(value, /*upToFirstWrite=*/true).writes.empty();
}

static Value rootOf(Value value) {
  while (Value source = sharedSource(value))
    value = source;
  return value;
}

/// Whether `value` is new memory each time that it is defined: no name of anything older.
static bool isMadeAnew(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<ListOp, DictOp>(op))
    return true;
  return isa_and_present<AtenOpInterface>(op) && !passesThrough(op) &&
         !op->hasTrait<MayGiveOperand>();
}

bool isWrittenAfter(Value value, Operation *op) {
  Value root = rootOf(value);
  Reach reach = reachOf(root);
  return llvm::any_of(reach.writes, [&](Operation *write) {
    // What each trip makes anew and writes under its own name is not what an earlier one handed on.
    auto isOwn = [&](Operation *loop) {
      return isMadeAnew(root) && loop->isAncestor(root.getParentRegion()->getParentOp()) &&
             rootOf(writtenInPlace(write)) == root;
    };
    return mayFollow(write, op, root) || llvm::any_of(reach.handedOn, [&](Operation *loop) {
             return loop->isProperAncestor(op) && loop->isProperAncestor(write) && !isOwn(loop);
           });
  });
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

Followers::Followers(Operation *earlier, Value value) : earlier(earlier) {
  Operation *owner = value.getParentRegion()->getParentOp(), *loop = nullptr;
  for (Operation *outer = earlier->getParentOp(); outer; outer = outer->getParentOp())
    if (isLoop(outer) && !outer->isAncestor(owner))
      loop = outer;
  bool isRepeated = loop;
  for (Operation *outer = earlier; outer->getBlock(); outer = outer->getParentOp()) {
    isRepeated &= outer != loop;
    around[outer->getBlock()] = {outer, isRepeated};
  }
}

bool Followers::contains(Operation *later) const {
  for (Operation *beside = later; beside->getBlock(); beside = beside->getParentOp()) {
    auto found = around.find(beside->getBlock());
    if (found == around.end())
      continue;
    auto [outer, isRepeated] = found->second;
    if (isRepeated)
      return true;
    if (beside != outer)
      return outer->isBeforeInBlock(beside);
    // They stand in different ways of a branch, in the two parts of a loop, or one holds the other.
    return isa<scf::WhileOp>(outer) && outer != earlier && outer != later &&
           outer->getRegion(0).isAncestor(earlier->getParentRegion()) &&
           outer->getRegion(1).isAncestor(later->getParentRegion());
  }
  return false;
}

bool mayFollow(Operation *later, Operation *earlier, Value value) {
  return Followers(earlier, value).contains(later);
}

bool mayExistBefore(Value value, Operation *op) {
  if (Operation *definition = value.getDefiningOp())
    return mayFollow(op, definition, value);
  Operation *owner = value.getParentRegion()->getParentOp();
  return owner->isProperAncestor(op) || mayFollow(op, owner, value);
}

} // namespace jit
