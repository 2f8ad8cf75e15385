//===- StateParts.cpp - state that a call leaves in one memory ------------===//

#include "StateParts.h"
#include "StartsHere.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"

using namespace mlir;

namespace jit {

namespace {
/// A slot's new value, and where it lies in the memory.
struct Part {
  StringRef slot;
  SmallVector<int64_t> sizes, strides;
  int64_t offset;

  int64_t end() const {
    int64_t last = offset;
    for (auto [size, stride] : llvm::zip_equal(sizes, strides))
      last += (size - 1) * stride;
    return last + 1;
  }
};
using Parts = SmallVector<Part>;
} // namespace

/// Whether `part` has each place below `extent` once.
static bool isWhole(const Part &part, int64_t extent) {
  return part.offset == 0 && ShapedType::getNumElements(part.sizes) == extent &&
         isDense(part.sizes, part.strides);
}

/// Complex numbers are pairs from here on, whose places count otherwise; a parameter has gradients.
static bool canBePart(func::FuncOp func, const StateName &name) {
  auto slot = SymbolTable::lookupNearestSymbolFrom<SlotOp>(
      func, StringAttr::get(func.getContext(), name.slot));
  auto type = cast<TensorType>(name.tensor.getType());
  return slot && slot->hasAttr(sharesAttr) && !slot.getParameter() && type.isStatic() &&
         !isa<ComplexType>(type.getDtype()) && ShapedType::getNumElements(type.getSizes()) > 0;
}

/// Where each of them lies, counted from the start of the memory that `root` shows.
static std::optional<Parts> partsOf(func::FuncOp func, Value root, ArrayRef<StateName> names) {
  StartsHere start(func);
  std::optional<int64_t> begin = layoutOf(root).offset();
  Type dtype = cast<TensorType>(root.getType()).getDtype();
  Parts parts;
  for (const StateName &name : names) {
    if (!canBePart(func, name))
      return std::nullopt;
    auto type = cast<TensorType>(name.tensor.getType());
    Layout layout = layoutOf(name.tensor);
    auto strides = layout.strides(type.getSizes());
    if (!strides || !layout.offset() || !begin || type.getDtype() != dtype)
      return std::nullopt;
    parts.push_back({name.slot, SmallVector<int64_t>(type.getSizes()), std::move(*strides),
                     *layout.offset() - *begin});
  }
  return parts;
}

static const Part *partOf(DictionaryAttr output, ArrayRef<Part> parts) {
  auto slot = dyn_cast_or_null<StringAttr>(output.get("slot"));
  if (!slot || !isa<IntegerAttr>(output.get("value")))
    return nullptr;
  const auto *part = llvm::find_if(parts, [&](auto &part) { return part.slot == slot.getValue(); });
  return part == parts.end() ? nullptr : part;
}

LogicalResult recordStateParts(func::FuncOp func, Value root, ArrayRef<StateName> names) {
  auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr);
  std::optional<Parts> parts = partsOf(func, root, names);
  if (!outputs || !parts)
    return failure();
  int64_t begin = parts->front().offset, extent = 0;
  for (const Part &part : *parts)
    begin = std::min(begin, part.offset);
  for (Part &part : *parts) {
    part.offset -= begin;
    extent = std::max(extent, part.end());
  }
  const auto *whole = llvm::find_if(*parts, [&](auto &part) { return isWhole(part, extent); });
  if (whole == parts->end())
    return failure();
  Builder b(func.getContext());
  SmallVector<Attribute> all;
  size_t found = 0;
  for (auto output : outputs.getAsRange<DictionaryAttr>()) {
    NamedAttrList attrs(output);
    if (const Part *part = partOf(output, *parts)) {
      attrs.set("strides", b.getDenseI64ArrayAttr(part->strides));
      attrs.set("whole", b.getStringAttr(whole->slot));
      attrs.set("place", b.getDenseI64ArrayAttr({part->offset, extent}));
      ++found;
    }
    all.push_back(attrs.getDictionary(func.getContext()));
  }
  if (found != parts->size())
    return failure();
  func->setAttr(outputsAttr, b.getArrayAttr(all));
  return success();
}

} // namespace jit
