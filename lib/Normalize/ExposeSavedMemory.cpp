//===- ExposeSavedMemory.cpp - the memory that slots were saved in --------===//

#include "SlotMemories.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Normalize/Passes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_EXPOSESAVEDMEMORYPASS
#include "jit/Normalize/Passes.h.inc"

static TensorType typeOf(SlotOp slot) { return cast<TensorType>(slot.getType()); }

namespace {

/// The slots that were saved in one record of the archive.
struct Record {
  SmallVector<SlotOp> slots;
  /// Whether each of them may be a view of one tensor of state.
  bool canBeOne = true;

  /// How many elements it has. A slot that does not say so is all of it.
  int64_t elements() const {
    for (SlotOp slot : slots)
      if (auto number = slot->getAttrOfType<IntegerAttr>(recordAttr))
        return number.getInt();
    return ShapedType::getNumElements(typeOf(slots[0]).getSizes());
  }
  /// Whether all elements that its slots show lie in it, which a text need not be right about.
  bool holdsAll() const {
    return llvm::all_of(slots, [&](SlotOp slot) {
      ArrayRef<int64_t> sizes = typeOf(slot).getSizes();
      auto storage = cast<StorageAttr>(slot.getValue());
      auto number = slot->getAttrOfType<IntegerAttr>(recordAttr);
      uint64_t last = storage.getOffset();
      for (auto [size, stride] : llvm::zip_equal(sizes, storage.getStrides()))
        last = llvm::SaturatingMultiplyAdd<uint64_t>(size - 1, stride, last);
      int64_t count = number ? number.getInt() : ShapedType::getNumElements(sizes);
      return count == elements() && last < uint64_t(count);
    });
  }
  bool hasParts() const {
    return llvm::any_of(slots, [](SlotOp slot) { return slot->hasAttr(recordAttr); });
  }
  /// The slot that shows all of it; null if there is none.
  SlotOp whole() const {
    for (SlotOp slot : slots) {
      auto storage = cast<StorageAttr>(slot.getValue());
      ArrayRef<int64_t> sizes = typeOf(slot).getSizes();
      if (!slot->hasAttr(recordAttr) && storage.getOffset() == 0 &&
          isDense(sizes, storage.getStrides()))
        return slot;
    }
    return {};
  }
};

struct ExposeSavedMemoryPass : impl::ExposeSavedMemoryPassBase<ExposeSavedMemoryPass> {
  void runOnOperation() override {
    auto records = findRecords();
    records.remove_if([](auto &entry) {
      const Record &record = entry.second;
      bool isAlone = record.slots.size() == 1 && !record.hasParts();
      return !record.canBeOne || isAlone || !record.holdsAll();
    });
    if (records.empty())
      return;
    SlotMemories memories(getOperation());
    for (auto &[name, record] : records)
      if (isShared(record, memories))
        expose(name, record);
  }

private:
  /// A parameter has gradients of its own, complex numbers are pairs, whose places count otherwise,
  /// and what a list holds is not state by itself.
  static bool canBePart(SlotOp slot, const llvm::DenseSet<StringAttr> &held) {
    TensorType type = typeOf(slot);
    size_t rank = cast<StorageAttr>(slot.getValue()).getStrides().size();
    return type.isStatic() && type.getSizes().size() == rank &&
           ShapedType::getNumElements(type.getSizes()) > 0 && !isa<ComplexType>(type.getDtype()) &&
           !slot.getParameter() && !held.contains(slot.getSymNameAttr());
  }

  llvm::MapVector<StringRef, Record> findRecords() {
    llvm::DenseSet<StringAttr> held;
    for (auto slot : getOperation().getOps<SlotOp>())
      slot.getValue().walk([&](FlatSymbolRefAttr part) { held.insert(part.getAttr()); });
    llvm::MapVector<StringRef, Record> records;
    for (auto slot : getOperation().getOps<SlotOp>()) {
      auto storage = dyn_cast<StorageAttr>(slot.getValue());
      if (!storage)
        continue;
      Record &record = records[storage.getMember()];
      record.slots.push_back(slot);
      bool canBe = record.canBeOne && isa<TensorType>(slot.getType()) && canBePart(slot, held);
      record.canBeOne = canBe && typeOf(record.slots[0]).getDtype() == typeOf(slot).getDtype();
    }
    return records;
  }

  /// Whether calls may see that the slots are parts of one memory: a write to one of several, or to
  /// whatever part of the memory as_strided shows.
  static bool isShared(const Record &record, const SlotMemories &memories) {
    bool isAlone = record.slots.size() == 1;
    return llvm::any_of(record.slots, [&](SlotOp slot) {
      return isAlone ? memories.isStrided(slot) : memories.isWritten(slot);
    });
  }

  /// A slot of which all slots of the record are parts, one of them or a new one.
  void expose(StringRef member, const Record &record) {
    SlotOp whole = record.whole();
    if (!whole)
      whole = makeWhole(member, record);
    for (SlotOp slot : record.slots)
      slot->setAttr(partOfAttr, whole.getSymNameAttr());
    whole->setAttr(partOfAttr, whole.getSymNameAttr());
  }

  /// No path of a module's state has a slash.
  static SlotOp makeWhole(StringRef member, const Record &record) {
    SlotOp first = record.slots.front();
    OpBuilder b(record.slots.back());
    b.setInsertionPointAfter(record.slots.back());
    Type type = TensorType::get(b.getContext(), {record.elements()}, typeOf(first).getDtype());
    auto name = b.getStringAttr(first.getSymName() + "/memory");
    return SlotOp::create(b, first.getLoc(), name, TypeAttr::get(type),
                          StorageAttr::get(b.getContext(), member, 0, {1}), UnitAttr());
  }
};

} // namespace

} // namespace jit
