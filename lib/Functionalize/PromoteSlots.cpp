//===- PromoteSlots.cpp - module state as arguments and results -----------===//

#include "TrailingValues.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Functionalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_PROMOTESLOTSPASS
#include "jit/Functionalize/Passes.h.inc"

/// `type` without what is known of the tensors in it: the next value may be another one.
static Type forgetTensors(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<TensorType>(type))
    return TensorType::get(context);
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(forgetTensors(optional.getElementType()));
  if (auto list = dyn_cast<ListType>(type))
    return ListType::get(forgetTensors(list.getElementType()));
  if (auto tuple = dyn_cast<TupleType>(type))
    return TupleType::get(context, llvm::map_to_vector(tuple.getTypes(), forgetTensors));
  if (auto dict = dyn_cast<DictType>(type))
    return DictType::get(context, dict.getKeyType(), forgetTensors(dict.getValueType()));
  return type;
}

namespace {

/// The slots of one function as cells.
class SlotPromoter : CellThreading {
public:
  SlotPromoter(func::FuncOp func, const SymbolTable &symbols) : func(func), symbols(symbols) {}

  LogicalResult run() {
    llvm::SmallSetVector<StringAttr, 8> written;
    func.walk([&](Operation *op) {
      if (auto get = dyn_cast<SlotGetOp>(op)) {
        addSlot(get.getSlotAttr().getAttr());
        if (isWrittenInPlace(get))
          written.insert(get.getSlotAttr().getAttr());
      } else if (auto set = dyn_cast<SlotSetOp>(op)) {
        addSlot(set.getSlotAttr().getAttr());
        written.insert(set.getSlotAttr().getAttr());
      }
    });
    addShown(written);
    addSharers(written);
    if (failed(thread(func.getBody().front())))
      return failure();
    eraseNow();
    for (auto [slot, cell] : cells)
      if (written.contains(slot))
        addTrailingResult(func, get(cell), slotAttr, slot);
    return success();
  }

private:
  /// as_strided shows any part of the memory that a slot was saved in.
  void addShown(llvm::SmallSetVector<StringAttr, 8> &written) {
    bool isStrided =
        func.walk([](aten::AsStridedOp) { return WalkResult::interrupt(); }).wasInterrupted();
    for (auto &[name, cell] : cells)
      if (isStrided && symbols.lookup<SlotOp>(name)->hasAttr(partOfAttr))
        written.insert(name);
  }

  /// A write to one of several slots that may be in one memory is a write to all of them.
  void addSharers(llvm::SmallSetVector<StringAttr, 8> &written) {
    llvm::SmallDenseSet<Attribute> shared;
    for (StringAttr name : written)
      if (auto slot = symbols.lookup<SlotOp>(name); slot && slot->hasAttr(sharesAttr))
        shared.insert(slot->getAttr(sharesAttr));
    for (auto slot : func->getParentOfType<ModuleOp>().getOps<SlotOp>())
      if (shared.contains(slot->getAttr(sharesAttr))) {
        addSlot(slot.getSymNameAttr());
        written.insert(slot.getSymNameAttr());
      }
  }

  void addSlot(StringAttr name) {
    auto slot = symbols.lookup<SlotOp>(name);
    if (cells.contains(name) || !slot || !slot->hasAttr(mutableAttr))
      return;
    Cell cell = cells[name] = addCell(forgetTensors(slot.getType()));
    set(cell, addTrailingArgument(func, typeOf(cell), slot.getLoc(), slotAttr, name));
  }

  std::optional<Cell> cellOf(FlatSymbolRefAttr slot) {
    auto cell = cells.find(slot.getAttr());
    return cell == cells.end() ? std::nullopt : std::optional(cell->second);
  }

  LogicalResult visit(Operation *op) override {
    OpBuilder builder(op);
    if (auto slotGet = dyn_cast<SlotGetOp>(op)) {
      if (auto cell = cellOf(slotGet.getSlotAttr())) {
        op->getResult(0).replaceAllUsesWith(
            castTo(builder, op->getLoc(), get(*cell), slotGet.getType()));
        eraseLater(op);
      }
    } else if (auto slotSet = dyn_cast<SlotSetOp>(op)) {
      if (auto cell = cellOf(slotSet.getSlotAttr())) {
        set(*cell, castTo(builder, op->getLoc(), slotSet.getValue(), typeOf(*cell)));
        eraseLater(op);
      }
    }
    return success();
  }

  void collectAssigned(Operation *op, Cells &assigned) override {
    if (auto slotSet = dyn_cast<SlotSetOp>(op))
      if (auto cell = cellOf(slotSet.getSlotAttr()))
        assigned.insert(*cell);
  }

  func::FuncOp func;
  const SymbolTable &symbols;
  llvm::MapVector<StringAttr, Cell> cells;
};

struct PromoteSlotsPass : impl::PromoteSlotsPassBase<PromoteSlotsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(SlotPromoter(func, symbols).run()))
        return signalPassFailure();
  }
};

} // namespace

} // namespace jit
