//===- OneMemory.cpp - tensors that are put into one memory ---------------===//

#include "OneMemory.h"
#include "ScatterPlaces.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// The list of tensors of one type out of which `value` is picked by a number; null for any other
/// value.
static ListOp listBehind(Value value) {
  ListOp list = listPickedFrom(value.getDefiningOp());
  bool isOfOneType = list && llvm::all_of(list.getElements(), [&](Value element) {
                       return element.getType() == value.getType();
                     });
  return isOfOneType ? list : ListOp();
}

/// The values of which `value` is one, or a view of the one; none where it has memory of its own.
static SmallVector<Value> sourcesOf(Value value) {
  if (Value viewed = viewedValue(value))
    return {viewed};
  if (ListOp list = listBehind(value))
    return llvm::to_vector(list.getElements());
  return waysTo(value);
}

/// A value that nothing reads has memory of its own, as any, but for one that nobody knows a size
/// of.
static bool hasOwnMemory(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  bool isNothing = value.getDefiningOp<PoisonOp>() && type && !type.isStatic();
  return sourcesOf(value).empty() && !isNothing;
}

/// What `value` may be, or be a view of, and itself.
static llvm::SetVector<Value> allBehind(Value value) {
  llvm::SetVector<Value> behind;
  behind.insert(value);
  for (size_t next = 0; next < behind.size(); ++next)
    behind.insert_range(sourcesOf(behind[next]));
  return behind;
}

//===----------------------------------------------------------------------===//
// Which tensors
//===----------------------------------------------------------------------===//

/// Whether it is known of `value`, a tensor, what it shows of which memory, in each run of what
/// makes it.
static bool isKnown(Value value) {
  Operation *op = value.getDefiningOp();
  if (!waysTo(value).empty() || listBehind(value))
    return true;
  if (!op)
    return isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  if (isa<OverwriteOp>(op))
    return true;
  if (viewedValue(value)) {
    // Not where an Optional is cast.
    auto from = dyn_cast<TensorType>(op->getOperand(0).getType());
    auto to = cast<TensorType>(value.getType());
    bool keepsElements = from && from.getDtype() == to.getDtype();
    // Of views that count from the start of a memory that is known.
    bool isOfWhole = !isa<aten::AsStridedOp>(op) || hasOwnMemory(op->getOperand(0));
    return keepsElements && isOfWhole && isPure(op) && !op->hasTrait<OfGradientsAlone>();
  }
  if (isa<AbsentOp>(op))
    return false;
  if (isa<ViewOpInterface>(op))
    return !mayCopyOrShare(op); // what shares was seen above
  bool isOperand = false;
  for (OpOperand &use : op->getOpOperands())
    forEachSharer(use, [&](Value sharer) { isOperand |= sharer == value; });
  return !isOperand;
}

/// Whether an element may have several names in `value`.
static bool mayRepeatElements(Value value) {
  return llvm::any_of(allBehind(value), [](Value behind) {
    Operation *op = behind.getDefiningOp();
    return op && mayRepeatElements(op);
  });
}

/// Whether it is a view on the way to `value` that shows an element several times.
static bool repeatsElements(Value value) {
  for (; viewedValue(value); value = viewedValue(value))
    if (mayRepeatElements(value.getDefiningOp()))
      return true;
  return false;
}

/// Whether `value`, of the class of tensors that is put into one memory, can be.
bool OneMemory::add(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  if (!type) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<ListOp, TupleOp, EitherOp>(op))
      return false;
    lists.push_back(op);
    return true;
  }
  bool isOpen =
      !type.hasRank() || !type.hasDtype() || (hasOwnMemory(value) && !sizes.mostElements(value));
  if (isOpen || isa<ComplexType>(type.getDtype()) || (element && element != type.getDtype()) ||
      !isKnown(value))
    return false;
  element = type.getDtype();
  tensors.insert({value, type});
  if (ListOp list = listBehind(value))
    picks.insert({value.getDefiningOp(), llvm::to_vector(list.getElements())});
  else if (viewedValue(value) && !value.getDefiningOp<OverwriteOp>())
    views.insert(value.getDefiningOp());
  return true;
}

/// Whether the write `op` can be one to the memory; notes which arguments it may reach.
bool OneMemory::addWrite(func::FuncOp func, OverwriteOp op) {
  writes.insert(op);
  for (Value behind : allBehind(op.getSelf()))
    if (auto argument = dyn_cast<BlockArgument>(behind);
        argument && hasOwnMemory(behind) && !func.getArgAttr(argument.getArgNumber(), slotAttr))
      written.insert(behind);
  if (!writesOneNumber(op) && mayRepeatElements(op.getSelf())) {
    // PyTorch lets windows that overlap pass, with values that nobody can rely on.
    TensorType type = tensors.lookup(op.getSelf());
    Overlap overlap =
        type.isStatic() ? overlapOf(type.getSizes(), layoutOf(op.getSelf())) : Overlap::Maybe;
    if (overlap == Overlap::Maybe && repeatsElements(op.getSelf()))
      return false;
    if (overlap != Overlap::No)
      doubtful.insert(op);
  }
  auto given = dyn_cast<TensorType>(op.getValue().getType());
  return !op->hasAttr(outAttr) && given && given.hasRank();
}

bool OneMemory::collect(func::FuncOp func, const MemoryClasses &classes, Value name) {
  bool fits = true;
  auto addAll = [&](ValueRange values) {
    for (Value value : values)
      if (classes.share(name, value))
        fits &= fits && add(value);
  };
  addAll(func.getArguments());
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    addAll(op->getResults());
    if (op != func)
      for (Region &region : op->getRegions())
        addAll(region.getArguments());
    auto write = dyn_cast<OverwriteOp>(op);
    if (fits && write && classes.share(name, write.getSelf()))
      fits = addWrite(func, write);
    return fits ? WalkResult::advance() : WalkResult::interrupt();
  });
  return fits && !tensors.empty();
}

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

void OneMemory::addPart(Value value) {
  std::optional<int64_t> most = sizes.mostElements(value);
  hasOpenPart |= !most;
  if (hasOpenPart)
    return;
  parts[value] = {count, *most};
  count += *most;
}

/// What a trip made and hands on to the next one, which makes it anew, is kept apart.
void OneMemory::layOutLoop(LoopLikeOpInterface loop) {
  int64_t begin = count;
  for (Region &region : loop->getRegions())
    layOut(region);
  for (auto [variable, given] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!has(variable))
      continue;
    bool isOfTrip = llvm::any_of(allBehind(given), [&](Value memory) {
      return hasOwnMemory(memory) && loop->isAncestor(memory.getParentRegion()->getParentOp());
    });
    if (isOfTrip)
      addPart(variable);
  }
  inside[loop] = {begin, count - begin};
}

void OneMemory::layOut(Region &region) {
  auto addOwn = [&](ValueRange values) {
    for (Value value : values)
      if (has(value) && hasOwnMemory(value))
        addPart(value);
  };
  addOwn(region.getArguments());
  for (Operation &op : region.getOps()) {
    addOwn(op.getResults());
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      layOutLoop(loop);
    else
      for (Region &inner : op.getRegions())
        layOut(inner);
  }
}

std::optional<OneMemory> OneMemory::of(func::FuncOp func, const MemoryClasses &classes,
                                       Value name) {
  OneMemory memory;
  if (!memory.collect(func, classes, name))
    return std::nullopt;
  memory.layOut(func.getBody());
  bool isPlaced = memory.count > 0 && !memory.hasOpenPart;
  return isPlaced ? std::optional(std::move(memory)) : std::nullopt;
}

} // namespace jit
