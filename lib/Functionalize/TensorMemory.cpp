//===- TensorMemory.cpp - which values of a function share memory ---------===//

#include "TensorMemory.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

ViewOf::Kind kindOf(Layouts &layouts, Operation *view) {
  ViewOf::Kind kind = cast<ViewOpInterface>(view).viewOf(Layout::unknown()).kind;
  return kind == ViewOf::Kind::Unknown ? layouts.viewOf(view).kind : kind;
}

bool mayCopyOrShare(Operation *op) {
  Layouts layouts;
  return isa_and_present<ViewOpInterface>(op) && kindOf(layouts, op) == ViewOf::Kind::Unknown;
}

unsigned MemoryClasses::numberOf(Value value) {
  auto [known, isNew] = numbers.try_emplace(value, count);
  if (isNew)
    classes.grow(++count);
  return known->second;
}

std::optional<unsigned> MemoryClasses::classOf(Value value) const {
  auto known = numbers.find(value);
  return known == numbers.end() ? std::nullopt : std::optional(classes.findLeader(known->second));
}

void MemoryClasses::unite(Value a, Value b) {
  unsigned one = classes.findLeader(numberOf(a)), other = classes.findLeader(numberOf(b));
  if (one == other)
    return;
  unsigned leader = classes.join(one, other), last = leader == one ? other : one;
  SmallVector<Operation *> behind = writes.lookup(last);
  writes.erase(last);
  if (!behind.empty())
    llvm::append_range(writes[leader], behind);
}

MemoryClasses::MemoryClasses(func::FuncOp func) {
  SmallVector<OverwriteOp> overwrites;
  Layouts layouts;
  func.walk([&](Operation *op) {
    if (auto overwrite = dyn_cast<OverwriteOp>(op))
      overwrites.push_back(overwrite);
    // A view that is known to copy has memory of its own.
    if (isa<ViewOpInterface>(op) && kindOf(layouts, op) == ViewOf::Kind::Copies)
      return;
    for (OpOperand &use : op->getOpOperands())
      forEachSharer(use, [&](Value sharer) { unite(use.get(), sharer); });
  });
  for (OverwriteOp op : overwrites)
    writes[classes.findLeader(numberOf(op.getSelf()))].push_back(op);
}

bool MemoryClasses::isWritten(Value value) const {
  auto leader = classOf(value);
  return leader && writes.contains(*leader);
}

ArrayRef<Operation *> MemoryClasses::writesTo(Value value) const {
  auto leader = classOf(value);
  auto known = leader ? writes.find(*leader) : writes.end();
  return known == writes.end() ? ArrayRef<Operation *>() : ArrayRef(known->second);
}

/// The loops around `op`, outside of which `value` does not exist, that may hand its memory on to
/// the next trip as one of their variables.
SmallVector<Operation *> MemoryClasses::handingOn(Value value, Operation *op) const {
  SmallVector<Operation *> loops;
  auto isOfClass = [&](BlockArgument variable) { return classOf(variable) == classOf(value); };
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isAncestor(value.getParentRegion()->getParentOp()) &&
        llvm::any_of(loop->getRegions(), [&](Region &region) {
          return llvm::any_of(region.getArguments(), isOfClass);
        }))
      loops.push_back(loop);
  return loops;
}

Operation *MemoryClasses::writeBehind(Value value, Operation *op) const {
  auto all = writesTo(value);
  if (all.empty())
    return nullptr;
  Followers after(op, value);
  SmallVector<Operation *> loops = handingOn(value, op);
  const auto *write = llvm::find_if(all, [&](Operation *write) {
    return (after.contains(write) && !op->isProperAncestor(write)) ||
           llvm::any_of(loops, [&](Operation *loop) { return loop->isProperAncestor(write); });
  });
  return write == all.end() ? nullptr : *write;
}

Operation *MemoryClasses::writeAfter(Value value, Operation *op) const {
  auto all = writesTo(value);
  const auto *inside =
      llvm::find_if(all, [&](Operation *write) { return op->isProperAncestor(write); });
  return inside == all.end() ? writeBehind(value, op) : *inside;
}

void MemoryClasses::add(Value known, Value other) {
  if (numbers.contains(known))
    unite(known, other);
}

void MemoryClasses::replace(Value from, Value to) {
  add(from, to);
  numbers.erase(from);
}

/// True if a use reads no more than sizes and the like, or only makes a view whose own uses count.
static bool isHarmless(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<OverwriteOp>(op))
    return false;
  if (op->getNumResults() == 1 && viewedValue(op->getResult(0)) == use.get())
    return true;
  return isa<DecomposableOpInterface>(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrFloat(); });
}

/// Where `user` makes what it uses come out of `op`: a way of a branch, or the loop, whose trips
/// follow each other; null where it does something else.
static Operation *wayOut(Operation *user, Operation *op) {
  bool isGiven = user->getParentOp() == op && isa<scf::YieldOp, scf::ConditionOp>(user);
  if (user != op && !isGiven)
    return nullptr;
  return isa<scf::IfOp>(op) ? user : op;
}

/// Whether a later trip of a loop around `op` takes the memory `root`, of outside of it, again.
static bool isTakenAgain(Value root, Operation *op) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  return loop && !loop->isAncestor(root.getParentRegion()->getParentOp());
}

bool isSeenBeside(Value value, Operation *op) {
  Value root = viewRoot(value);
  // The caller's, or a loop's variable, which may be what the loop started with.
  if (isa<BlockArgument>(root))
    return true;
  llvm::SetVector<Value> names;
  names.insert(root);
  DenseMap<Operation *, unsigned> comingOut;
  Layouts layouts;
  for (size_t next = 0; next < names.size(); ++next)
    for (OpOperand &use : names[next].getUses()) {
      Operation *owner = use.getOwner();
      if (Operation *way = wayOut(owner, op)) {
        if (++comingOut[way] > 1 || isTakenAgain(root, op))
          return true;
        continue;
      }
      // A loop around `op` that begins with it has it as a variable.
      if (!isHarmless(use) && (op->isProperAncestor(owner) || owner->isProperAncestor(op) ||
                               mayFollow(owner, op, root)))
        return true;
      if (!isa<ViewOpInterface>(owner) || kindOf(layouts, owner) != ViewOf::Kind::Copies)
        forEachSharer(use, [&](Value sharer) { names.insert(sharer); });
    }
  return false;
}

} // namespace jit
