//===- Dicts.cpp - builders for the rules of Container.td: dicts ----------===//

#include "Rules/Container.h"
#include "jit/Dialect/Aten/Lists.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// Position of a constant key among those of a jit.dict: -1 if it is none of them, nullopt where
/// that is not known. Of equal keys the last counts.
static std::optional<int64_t> findKey(ValueRange keys, Value key) {
  int64_t found = -1;
  for (auto [i, candidate] : llvm::enumerate(keys)) {
    if (candidate == key) {
      found = i;
      continue;
    }
    StrInfo text(key), otherText(candidate);
    IntInfo number(key), otherNumber(candidate);
    bool texts = text.known && otherText.known, numbers = number.known && otherNumber.known;
    auto other = knownNumber(key), otherOne = knownNumber(candidate);
    if (!texts && !numbers && (!other || !otherOne))
      return std::nullopt;
    if (texts     ? *text.known == *otherText.known
        : numbers ? *number.known == *otherNumber.known
                  : *other == *otherOne)
      found = i;
  }
  return found;
}

Decomposition dictLength(Any dict) {
  auto op = dict.v.getDefiningOp<DictOp>();
  if (!op)
    return dict.b->notYet("the keys of the dict");
  return dict.b->i(op.getKeys().size());
}

Decomposition dictValue(Any dict, Any key) {
  auto op = dict.v.getDefiningOp<DictOp>();
  auto at = op ? findKey(op.getKeys(), key.v) : std::nullopt;
  if (at.value_or(-1) < 0)
    return dict.b->notYet("the keys of the dict, and the key among them");
  return Any(*dict.b, op.getValues()[*at]);
}

Decomposition dictContains(Any dict, Any key) {
  auto op = dict.v.getDefiningOp<DictOp>();
  auto at = op ? findKey(op.getKeys(), key.v) : std::nullopt;
  if (!at)
    return dict.b->notYet("the keys of the dict");
  return dict.b->flag(*at >= 0);
}

Decomposition dictGetOr(Any dict, Any key, Any otherwise) {
  auto op = dict.v.getDefiningOp<DictOp>();
  auto at = op ? findKey(op.getKeys(), key.v) : std::nullopt;
  if (!at)
    return dict.b->notYet("the keys of the dict");
  return *at < 0 ? otherwise : Any(*dict.b, op.getValues()[*at]);
}

Decomposition dictGet(Any dict, Any key) { return dictGetOr(dict, key, dict.b->none()); }

Decomposition dictItems(Any dict) {
  auto op = dict.v.getDefiningOp<DictOp>();
  if (!op)
    return dict.b->notYet("the keys of the dict");
  GraphBuilder &build = *dict.b;
  auto type = cast<DictType>(dict.v.getType());
  auto pair = TupleType::get(type.getContext(), {type.getKeyType(), type.getValueType()});
  SmallVector<Value> items;
  for (auto [key, value] : llvm::zip(op.getKeys(), op.getValues()))
    items.push_back(TupleOp::create(build.builder, build.loc, pair, ValueRange{key, value}));
  return Any(build, ListOp::create(build.builder, build.loc, ListType::get(pair), items));
}

Decomposition dictCopy(Any dict) {
  auto op = dict.v.getDefiningOp<DictOp>();
  if (!op)
    return dict.b->notYet("the keys of the dict");
  return Any(*dict.b, DictOp::create(dict.b->builder, dict.b->loc, dict.v.getType(), op.getKeys(),
                                     op.getValues()));
}

static Decomposition dictPart(Any dict, bool keys) {
  auto op = dict.v.getDefiningOp<DictOp>();
  if (!op)
    return dict.b->notYet("the keys of the dict");
  auto type = cast<DictType>(dict.v.getType());
  Type element = keys ? type.getKeyType() : type.getValueType();
  return Any(*dict.b, ListOp::create(dict.b->builder, dict.b->loc, ListType::get(element),
                                     keys ? op.getKeys() : op.getValues()));
}

Decomposition dictOfPairs(AnyList pairs) {
  GraphBuilder &build = *pairs.b;
  auto elements = pairs.elements();
  auto pair = dyn_cast<TupleType>(cast<ListType>(pairs.v.getType()).getElementType());
  if (!elements || !pair)
    return build.notYet("the pairs of the dict");
  SmallVector<Value> keys, values;
  for (Value element : *elements) {
    auto tuple = element.getDefiningOp<TupleOp>();
    if (!tuple)
      return build.notYet("the pairs of the dict");
    Value key = tuple.getElements()[0], value = tuple.getElements()[1];
    auto at = findKey(keys, key);
    if (!at)
      return build.notYet("the keys of the dict");
    if (*at < 0) {
      keys.push_back(key);
      values.push_back(value);
    } else {
      values[*at] = value;
    }
  }
  auto type = DictType::get(pair.getContext(), pair.getTypes()[0], pair.getTypes()[1]);
  return Any(build, DictOp::create(build.builder, build.loc, type, keys, values));
}

Decomposition dictKeys(Any dict) { return dictPart(dict, /*keys=*/true); }
Decomposition dictValues(Any dict) { return dictPart(dict, /*keys=*/false); }

} // namespace jit
