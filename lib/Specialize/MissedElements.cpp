//===- MissedElements.cpp - elements that a container has not -------------===//

#include "MissedElements.h"
#include "Evaluator.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Lists.h"

using namespace mlir;

namespace jit {

/// `x.split([1, 1])` of a dimension that has not two elements.
static std::optional<MissedElement> missesParts(Value tensor, Value sizes, Value dim) {
  auto type = dyn_cast<TensorType>(tensor.getType());
  auto parts = ListInfo(sizes).ints();
  std::optional<int64_t> at = IntInfo(dim).known;
  if (!type || !type.hasRank() || !parts || !at || *at >= type.getRank() || *at < -type.getRank())
    return std::nullopt;
  int64_t size = type.getSizes()[*at < 0 ? *at + type.getRank() : *at], sum = 0;
  for (int64_t part : *parts) {
    if (part < 0 || size < 0 || part > size) // unknown, or no parts of this one
      return std::nullopt;
    sum += part;
  }
  if (sum == size)
    return std::nullopt;
  return MissedElement{
      ("expected sizes of parts that add up to " + Twine(size) + ", got " + Twine(sum)).str(),
      "builtins.RuntimeError"};
}

static std::optional<MissedElement> missesKey(DictOp dict, Value key) {
  Attribute asked = constantOf(key);
  if (!isa_and_present<StringAttr, IntegerAttr>(asked))
    return std::nullopt;
  for (Value known : dict.getKeys()) {
    Attribute constant = constantOf(known);
    if (!constant || constant.getTypeID() != asked.getTypeID() || constant == asked)
      return std::nullopt;
  }
  return MissedElement{"expected a key that the dict has", "builtins.KeyError"};
}

std::optional<MissedElement> missedElement(Operation &op, const IRMapping &map) {
  auto operand = [&](unsigned i) { return withoutDerefine(map.lookup(op.getOperand(i))); };
  StringRef name = op.getName().getStringRef();
  // In whichever of its forms; those that take the size of a part have no list, and text no tensor.
  if (name.starts_with("aten.split") && op.getNumOperands() == 3)
    return missesParts(operand(0), operand(1), operand(2));
  if (name.starts_with("aten.__getitem__.Dict_"))
    if (auto dict = operand(0).getDefiningOp<DictOp>())
      return missesKey(dict, operand(1));
  if (!isa<aten::GetItemTOp, ListUnpackOp>(op))
    return std::nullopt;
  auto elements = ListInfo(operand(0)).elements;
  if (!elements)
    return std::nullopt;
  int64_t count = elements->size();
  if (isa<ListUnpackOp>(op) && count != op.getNumResults())
    return MissedElement{
        ("expected a list of " + Twine(op.getNumResults()) + " elements, got " + Twine(count))
            .str(),
        "builtins.RuntimeError"};
  auto place = isa<ListUnpackOp>(op) ? std::nullopt : IntInfo(operand(1)).known;
  if (place && (*place >= count || *place < -count))
    return MissedElement{"list index out of range", "builtins.IndexError"};
  return std::nullopt;
}

} // namespace jit
