//===- SharedState.cpp - state that is other state's memory ---------------===//

#include "SharedState.h"
#include "LinkNames.h"
#include "ScatterPlaces.h"
#include "StateParts.h"
#include "TensorMemory.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Dialect/Jit/SavedMemory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

namespace {
using Roots = llvm::SetVector<Value>;

/// The memories that a value may be of.
class RootFinder {
public:
  Roots of(Value value) {
    roots.clear();
    seen.clear();
    repeats = false;
    visit(value);
    return roots;
  }
  /// Whether that value may show elements of a memory more than once.
  bool mayShowTwice() const { return repeats; }

private:
  void visit(Value value) {
    Value root = viewRoot(value);
    repeats |= mayRepeat(value, root);
    value = root;
    // A way that ends the call leaves nothing in any memory.
    if (!seen.insert(value).second || value.getDefiningOp<PoisonOp>())
      return;
    SmallVector<Value> sources = sourcesOf(value);
    if (sources.empty() || mayCopyOrShare(value.getDefiningOp()))
      roots.insert(value);
    for (Value source : sources)
      visit(source);
  }

  static bool runsAtLeastOnce(scf::ForOp loop) {
    std::optional<llvm::APInt> count = loop.getStaticTripCount();
    return count && !count->isZero();
  }

  static SmallVector<Value> sourcesOf(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return sourcesOfVariable(argument);
    unsigned index = cast<OpResult>(value).getResultNumber();
    Operation *op = value.getDefiningOp();
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return {branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)};
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return {runsAtLeastOnce(loop) ? loop.getYieldedValues()[index]
                                    : Value(loop.getRegionIterArg(index))};
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return {loop.getConditionOp().getArgs()[index]};
    if (mayCopyOrShare(op))
      return {op->getOperand(0)};
    return {};
  }

  static SmallVector<Value> sourcesOfVariable(BlockArgument argument) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner); loop && argument != loop.getInductionVar())
      return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
    auto loop = dyn_cast<scf::WhileOp>(owner);
    unsigned index = argument.getArgNumber();
    if (loop && argument.getOwner() == loop.getAfterBody())
      return {loop.getConditionOp().getArgs()[index]};
    return loop ? SmallVector<Value>{loop.getInits()[index], loop.getYieldOp().getOperand(index)}
                : SmallVector<Value>();
  }

  Roots roots;
  llvm::DenseSet<Value> seen;
  bool repeats = false;
};
} // namespace

static void collectLeaves(Attribute tree, func::ReturnOp ret, SmallVectorImpl<Value> &leaves) {
  if (auto leaf = dyn_cast_or_null<IntegerAttr>(tree))
    leaves.push_back(ret.getOperand(leaf.getInt()));
  if (auto parts = dyn_cast_or_null<ArrayAttr>(tree))
    for (Attribute part : parts)
      collectLeaves(part, ret, leaves);
}

/// What each slot is at the end of the function.
static llvm::MapVector<StringRef, SmallVector<Value>> finalState(func::FuncOp func) {
  llvm::MapVector<StringRef, SmallVector<Value>> state;
  for (BlockArgument argument : func.getArguments())
    if (auto slot = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), slotAttr))
      state[slot] = {argument};
  auto ret = cast<func::ReturnOp>(func.front().getTerminator());
  if (auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr))
    for (auto output : outputs.getAsRange<DictionaryAttr>())
      if (auto slot = dyn_cast_or_null<StringAttr>(output.get("slot"))) {
        state[slot].clear();
        collectLeaves(output.get("value"), ret, state[slot]);
      }
  return state;
}

/// One key for all reads of a slot that no method sets.
static const void *keyOf(Value root) {
  auto get = root.getDefiningOp<SlotGetOp>();
  return get ? get.getSlotAttr().getAttr().getAsOpaquePointer() : root.getAsOpaquePointer();
}

/// The state of the call that was saved in the memory of other state, each with that, where it is
/// not known to be a part of that.
static llvm::SmallDenseMap<Value, SlotOp> savedTogether(func::FuncOp func) {
  llvm::SmallDenseMap<Value, SlotOp> shared;
  for (BlockArgument argument : func.getArguments()) {
    auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), slotAttr);
    auto slot = name ? SymbolTable::lookupNearestSymbolFrom<SlotOp>(func, name) : SlotOp();
    bool isKnown = !slot || slot->hasAttr(partOfAttr);
    if (SlotOp other = isKnown ? SlotOp() : slotInMemoryOf(slot))
      shared[argument] = other;
  }
  return shared;
}

LogicalResult checkSavedApart(func::FuncOp func) {
  auto shared = savedTogether(func);
  if (shared.empty())
    return success();
  RootFinder find;
  WalkResult walk = func.walk([&](OverwriteOp write) {
    for (Value root : find.of(write.getSelf()))
      if (auto other = shared.find(root); other != shared.end()) {
        auto own =
            func.getArgAttrOfType<StringAttr>(cast<BlockArgument>(root).getArgNumber(), slotAttr);
        write.emitOpError("expected state that is written in place to be saved in memory of its "
                          "own, got '")
            << other->second.getSymName() << "' in the memory of '" << own.getValue()
            << "': save a clone() of one";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

static SlotOp slotNamed(func::FuncOp func, StringRef name) {
  return SymbolTable::lookupNearestSymbolFrom<SlotOp>(func,
                                                      StringAttr::get(func.getContext(), name));
}

static bool isUnobserved(func::FuncOp func, StringRef name) {
  SlotOp slot = slotNamed(func, name);
  return slot && slot->hasAttr(unobservedAttr);
}

namespace {
/// What lies in one memory when the call ends.
struct Together {
  Value root;
  SmallVector<StateName> names;
  bool isCertain = true; // each of them is in this memory and in no other
};
} // namespace

/// The state that the call leaves in each memory, but for that of which no method sees it.
static llvm::MapVector<const void *, Together> stateByMemory(func::FuncOp func) {
  llvm::MapVector<const void *, Together> memories;
  func.walk([&](SlotGetOp get) {
    memories[keyOf(get)] = {get.getResult(), {{get.getSlot(), get.getResult()}}, false};
  });
  RootFinder find;
  for (auto &[slot, leaves] : finalState(func))
    for (Value leaf : leaves) {
      if (!isa<TensorType>(leaf.getType()) || isUnobserved(func, slot))
        continue;
      Roots roots = find.of(leaf);
      for (Value root : roots) {
        Together &memory = memories[keyOf(root)];
        memory.root = memory.root ? memory.root : root;
        memory.names.push_back({slot, leaf});
        memory.isCertain &= roots.size() == 1;
      }
    }
  return memories;
}

static bool isKnownApart(Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  return type.isStatic() && overlapOf(type.getSizes(), layoutOf(tensor)) == Overlap::No;
}

/// Whether a method may write the slot in place, by its own name or by that of a slot that shares
/// its memory.
static bool mayBeWritten(SlotOp slot) {
  return !slot || slot->hasAttr(writtenAttr) || slot->hasAttr(sharesAttr);
}

/// State is kept with a place for each element: a later call would write one where PyTorch writes
/// all that show it.
static LogicalResult checkPlacesOfState(func::FuncOp func) {
  RootFinder find;
  for (auto &[slot, leaves] : finalState(func)) {
    if (!mayBeWritten(slotNamed(func, slot)))
      continue;
    for (Value leaf : leaves) {
      if (!isa<TensorType>(leaf.getType()))
        continue;
      find.of(leaf);
      if (find.mayShowTwice() && !isKnownApart(leaf))
        return emitError(leaf.getLoc(), "expected state that is written in place to have a place "
                                        "for each element, got '")
               << slot << "', a view that shows elements more than once: set it to a clone()";
    }
  }
  return success();
}

LogicalResult settleSharedState(func::FuncOp func) {
  if (!func->getParentOp()->hasAttr(asksStridesAttr))
    return success();
  for (auto &[key, memory] : stateByMemory(func)) {
    const auto *other = llvm::find_if(memory.names, [&](const StateName &name) {
      return name.slot != memory.names.front().slot;
    });
    if (other == memory.names.end() ||
        (memory.isCertain && succeeded(recordStateParts(func, memory.root, memory.names))))
      continue;
    return emitError(other->tensor.getLoc(),
                     "expected state in memory of its own in a program that writes in place, got '")
           << other->slot << "' in the memory of '" << memory.names.front().slot
           << "': set it to a clone()";
  }
  return checkPlacesOfState(func);
}

} // namespace jit
