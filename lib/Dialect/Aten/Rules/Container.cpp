//===- Container.cpp - builders for the rules of Container.td -------------===//

#include "Rules/Container.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/TypeNames.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type elementType(TypeRules &, ListInfo list, IntInfo index) {
  if (list.elements)
    if (auto at = wrapped(index.known, list.elements->size()))
      return (*list.elements)[*at].getType();
  if (list.elements && !list.elements->empty() &&
      llvm::all_equal(ValueRange(*list.elements).getTypes()))
    return list.elements->front().getType();
  return cast<ListType>(list.type()).getElementType();
}

Type dictValueType(TypeRules &, AnyInfo dict) { return cast<DictType>(dict.type()).getValueType(); }

Type itemsType(TypeRules &b, AnyInfo dict) {
  auto type = cast<DictType>(dict.type());
  return b.list(TupleType::get(type.getContext(), {type.getKeyType(), type.getValueType()}));
}

Type typeOfPairs(TypeRules &b, ListInfo pairs) {
  auto pair = dyn_cast<TupleType>(cast<ListType>(pairs.type()).getElementType());
  if (!pair || pair.getTypes().size() != 2)
    return b.error("expected a list of pairs");
  return DictType::get(b.context, pair.getTypes()[0], pair.getTypes()[1]);
}

Type unwrappedType(AnyInfo value) {
  auto optional = dyn_cast<OptionalType>(value.type());
  return optional ? optional.getElementType() : value.type();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// A list of the same type as `like`.
static Any listLike(AnyList like, ArrayRef<Value> elements) {
  return {*like.b, ListOp::create(like.b->builder, like.b->loc, like.v.getType(), elements)};
}

/// The tensor whose slices along its first dimension the list has; nullopt for any other list.
static std::optional<Tensor> slabOf(AnyList list) {
  if (auto slab = withoutDerefine(list.v).getDefiningOp<ListFromTensorOp>())
    return Tensor(*list.b, slab.getTensor());
  return std::nullopt;
}

Decomposition lengthOf(AnyList list) {
  if (auto slab = slabOf(list))
    return lengthOf(*slab);
  auto elements = list.elements();
  if (!elements)
    return list.b->notYet("the length of the list");
  return list.b->i(elements->size());
}

Decomposition lengthOf(Tensor t) {
  if (!t.info().hasRank() || t.info().rank() == 0)
    return t.b->notYet("a tensor of rank 1 or more");
  return t.b->op<aten::SizeIntOp>(t, 0);
}

/// The select that is number `at` of all slices of one tensor along one dimension, if it is.
static aten::SelectIntOp sliceOfAll(Value element, int64_t at, int64_t count) {
  auto select = element.getDefiningOp<aten::SelectIntOp>();
  TensorInfo self(select ? select.getSelf() : element);
  auto dim = select ? IntInfo(select.getDim()).known : std::nullopt;
  bool isSlice = dim && self.hasRank() && *dim >= -self.rank() && *dim < self.rank() &&
                 self.size(*dim) == count && IntInfo(select.getIndex()).known == at;
  return isSlice ? select : aten::SelectIntOp();
}

/// The element of x.unbind(dim) at an index that only the loop knows is a slice of x.
static Decomposition elementOfUnbound(AnyList list, Int index) {
  auto elements = list.elements();
  if (!elements || elements->empty())
    return list.b->notYet("the elements of the list");
  aten::SelectIntOp first;
  for (auto [at, element] : llvm::enumerate(*elements)) {
    auto select = sliceOfAll(element, at, elements->size());
    first = first ? first : select;
    if (!select || select.getSelf() != first.getSelf() ||
        IntInfo(select.getDim()).known != IntInfo(first.getDim()).known)
      return list.b->notYet("the value of the index, or a list of all slices of one tensor");
  }
  return list.b->op<aten::SelectIntOp>(Tensor(*list.b, first.getSelf()), first.getDim(), index);
}

Decomposition elementAt(AnyList list, Int index) {
  if (auto slab = slabOf(list))
    return list.b->op<aten::SelectIntOp>(*slab, 0, index);
  auto elements = list.elements();
  if (!index.known())
    return elementOfUnbound(list, index);
  auto at = elements ? wrapped(index.known(), elements->size()) : std::nullopt;
  if (!at)
    return list.b->notYet("the elements of the list and an index within it");
  return Any(*list.b, (*elements)[*at]);
}

Decomposition concatenated(AnyList a, AnyList c) {
  auto first = a.elements(), second = c.elements();
  if (!first || !second)
    return a.b->notYet("the elements of both lists");
  first->append(*second);
  return listLike(a, *first);
}

/// Each element is a value of the graph: beyond this the list is no small table of numbers.
static constexpr int64_t maxRepeats = 100'000;

Decomposition repeated(AnyList list, Int times) {
  auto elements = list.elements();
  if (!elements || !times.known() || *times.known() > maxRepeats)
    return list.b->notYet("the elements of the list and a count of at most 100000");
  SmallVector<Value> all;
  for (int64_t i = 0; i < *times.known(); ++i)
    all.append(*elements);
  return listLike(list, all);
}

std::optional<SmallVector<int64_t>> slicedPlaces(int64_t length, OptInt start, OptInt end,
                                                 Int step) {
  auto knownOrNone = [](OptInt bound) { return bound.isNone() || (bound && (*bound).known()); };
  if (!knownOrNone(start) || !knownOrNone(end) || step.known().value_or(0) == 0)
    return std::nullopt;
  bool back = *step.known() < 0;
  // Backwards from before the end to before the start.
  int64_t lowest = back ? -1 : 0, highest = back ? length - 1 : length;
  auto clamped = [&](OptInt bound, int64_t otherwise) {
    if (!bound)
      return otherwise;
    int64_t at = *(*bound).known();
    return std::clamp<int64_t>(at < 0 ? at + length : at, lowest, highest);
  };
  SmallVector<int64_t> places;
  int64_t first = clamped(start, back ? highest : lowest);
  int64_t last = clamped(end, back ? lowest : highest);
  int64_t by = std::clamp<int64_t>(*step.known(), -length - 1, length + 1);
  for (int64_t i = first; back ? i > last : i < last; i += by)
    places.push_back(i);
  return places;
}

Decomposition slicedList(AnyList list, OptInt start, OptInt end, Int step) {
  auto elements = list.elements();
  auto places = elements ? slicedPlaces(elements->size(), start, end, step) : std::nullopt;
  if (!places)
    return list.b->notYet("the elements of the list and the values of start, end and step");
  return listLike(list, llvm::map_to_vector(*places, [&](int64_t at) { return (*elements)[at]; }));
}

/// An element and the next one, the lesser first.
static void order(GraphBuilder &b, Value &first, Value &second) {
  Value low = first, high = second;
  if (first.getType().isInteger(1)) {
    first = b.op<aten::AndBoolOp>(low, high).v;
    second = b.op<aten::OrBoolOp>(low, high).v;
    return;
  }
  bool isInt = first.getType().isInteger(64);
  first = isInt ? b.op<aten::MinIntOp>(low, high).v : b.op<aten::MinFloatOp>(low, high).v;
  second = isInt ? b.op<aten::MaxIntOp>(low, high).v : b.op<aten::MaxFloatOp>(low, high).v;
}

Decomposition sortedList(AnyList list) {
  // Each round compares all neighbours of one parity, so numbers that are not known yet cost the
  // square of their count.
  constexpr size_t maxElements = 64;
  auto elements = list.elements();
  if (!elements || elements->size() > maxElements)
    return list.b->notYet("the elements of the list, at most 64");
  bool isText = llvm::all_of(*elements, [](Value v) { return StrInfo(v).known.has_value(); });
  bool isNumbers = llvm::all_of(*elements, [](Value v) { return v.getType().isIntOrFloat(); });
  if (!isText && !isNumbers)
    return list.b->notYet("a list of strings or of numbers");
  if (isText)
    llvm::stable_sort(*elements,
                      [](Value x, Value y) { return *StrInfo(x).known < *StrInfo(y).known; });
  else
    for (size_t round = 0; round < elements->size(); ++round)
      for (size_t i = round % 2; i + 1 < elements->size(); i += 2)
        order(*list.b, (*elements)[i], (*elements)[i + 1]);
  return listLike(list, *elements);
}

Decomposition lesserList(AnyList a, AnyList c, bool greater) {
  auto first = a.elements(), second = c.elements();
  if (!first || !second)
    return a.b->notYet("the elements of both lists");
  SmallVector<double> numbers[2];
  for (auto [list, into] : {std::pair(&*first, &numbers[0]), {&*second, &numbers[1]}})
    for (Value element : *list) {
      auto known = knownNumber(element);
      if (!known)
        return a.b->notYet("lists of constant numbers");
      into->push_back(*known);
    }
  bool isSecond = std::lexicographical_compare(numbers[1].begin(), numbers[1].end(),
                                               numbers[0].begin(), numbers[0].end());
  return listLike(a, isSecond != greater ? *second : *first);
}

Decomposition countOf(AnyList bools) {
  auto elements = bools.elements();
  if (!elements)
    return bools.b->notYet("the elements of the list");
  Any count = bools.b->i(0);
  for (Value element : *elements)
    count = bools.b->op<aten::AddIntOp>(count, bools.b->op<aten::IntBoolOp>(element));
  return count;
}

/// Null, after an error, where the tensor's sizes or elements are not those of the lists.
static Value nestedList(Tensor self, Type type) {
  GraphBuilder &build = *self.b;
  auto list = dyn_cast<ListType>(type);
  if (bool(list) != (self.info().rank() > 0)) {
    emitError(build.loc) << "expected a tensor of as many dimensions as its lists are nested, got "
                         << self.info().rank();
    return {};
  }
  if (!list) {
    Any item = build.op<aten::ItemOp>(self);
    if (item.v.getType() == type)
      return item.v;
    emitError(build.loc) << "expected elements of type " << spell(type) << ", got "
                         << spell(item.v.getType());
    return {};
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < self.info().size(0); ++i) {
    elements.push_back(nestedList(build.op<aten::SelectIntOp>(self, 0, i), list.getElementType()));
    if (!elements.back())
      return {};
  }
  return ListOp::create(build.builder, build.loc, list, elements);
}

Decomposition nestedLists(Tensor self, Type type) {
  TensorType tensor = self.info().tensor;
  // Each element is a value of the graph.
  if (!tensor.isStatic() || ShapedType::getNumElements(tensor.getSizes()) > maxRepeats)
    return self.b->notYet("the sizes of self, of at most 100000 elements");
  Value lists = nestedList(self, type);
  return lists ? Decomposition(Any(*self.b, lists))
               : self.b->notYet("a type of as many lists as self has dimensions");
}

/// a == c for two ints, floats or strings; null where it is not known yet.
static Value equal(GraphBuilder &b, Value a, Value c) {
  if (isa<StrType>(a.getType()) || isa<StrType>(c.getType())) {
    StrInfo left(a), right(c);
    return left.known && right.known ? b.flag(*left.known == *right.known).v : Value();
  }
  if (!a.getType().isIntOrFloat() || a.getType() != c.getType())
    return {};
  return a.getType().isF64()        ? b.op<aten::EqFloatOp>(a, c).v
         : a.getType().isInteger(1) ? b.op<aten::EqBoolOp>(a, c).v
                                    : b.op<aten::EqIntOp>(a, c).v;
}

/// Whether some (or all) of the pairs are equal.
static Decomposition combined(GraphBuilder &b, ArrayRef<std::pair<Value, Value>> pairs, bool all,
                              bool negated) {
  Any result = b.flag(all);
  for (auto [left, right] : pairs) {
    Value same = equal(b, left, right);
    if (!same)
      return b.notYet("elements that can be compared");
    result = all ? b.op<aten::AndBoolOp>(result, same) : b.op<aten::OrBoolOp>(result, same);
  }
  return negated ? Any(b.op<aten::NotOp>(result)) : result;
}

Decomposition contains(AnyList list, Any item) {
  auto elements = list.elements();
  if (!elements)
    return list.b->notYet("the elements of the list");
  auto pairs = llvm::map_to_vector(*elements, [&](Value v) { return std::pair(v, item.v); });
  return combined(*list.b, pairs, /*all=*/false, /*negated=*/false);
}

/// For each element whether it is `item`; nullopt where that is not known of all.
static std::optional<SmallVector<bool>> matches(AnyList list, Any item) {
  auto elements = list.elements();
  Attribute wanted, element;
  if (!elements || !matchPattern(item.v, m_Constant(&wanted)))
    return std::nullopt;
  SmallVector<bool> result;
  for (Value value : *elements) {
    if (!matchPattern(value, m_Constant(&element)))
      return std::nullopt;
    result.push_back(element == wanted);
  }
  return result;
}

Decomposition placeOf(AnyList list, Any item) {
  auto found = matches(list, item);
  auto first = found ? llvm::find(*found, true) : nullptr;
  if (!found || first == found->end())
    return list.b->notYet("the elements of the list, and the item among them");
  return list.b->i(first - found->begin());
}

Decomposition timesOf(AnyList list, Any item) {
  auto found = matches(list, item);
  if (!found)
    return list.b->notYet("the elements of the list, and whether each is the item");
  return list.b->i(llvm::count(*found, true));
}

Decomposition listsEqual(AnyList a, AnyList c, bool negated) {
  auto left = a.elements(), right = c.elements();
  if (!left || !right)
    return a.b->notYet("the elements of both lists");
  if (left->size() != right->size())
    return a.b->flag(negated);
  SmallVector<std::pair<Value, Value>> pairs;
  for (auto [x, y] : llvm::zip(*left, *right))
    pairs.push_back({x, y});
  return combined(*a.b, pairs, /*all=*/true, negated);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type of a value as far as its elements tell; null where it may be one of several.
static Type knownType(Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  Type type = value.getType();
  if (type == ListType::get(AnyType::get(type.getContext()))) {
    auto list = value.getDefiningOp<ListOp>();
    if (!list || list.getElements().empty())
      return {};
    Type element = knownType(list.getElements().front());
    bool isOne = llvm::all_of(list.getElements(), [&](Value other) {
      Type known = knownType(other);
      return element && known && spell(known) == spell(element);
    });
    return isOne ? Type(ListType::get(element)) : Type();
  }
  return isa<AnyType, NumberType, OptionalType>(type) ? Type() : type;
}

/// The types between the brackets of a tuple's name.
static SmallVector<StringRef> partsOfTuple(StringRef inner) {
  SmallVector<StringRef> parts;
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i < inner.size(); ++i) {
    depth += inner[i] == '[';
    depth -= inner[i] == ']';
    if (inner[i] == ',' && depth == 0) {
      parts.push_back(inner.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  parts.push_back(inner.drop_front(begin).trim());
  return parts;
}

/// Whether a value of the type of this name is of the type of the other: None and a value are
/// Optionals, in tuples too. Lists and dicts are of one type alone.
static bool isSubtypeName(StringRef name, StringRef of) {
  if (name == of)
    return true;
  if (of.consume_front("Optional[") && of.consume_back("]"))
    return name == "None" || isSubtypeName(name, of);
  if (!name.consume_front("Tuple[") || !of.consume_front("Tuple[") || !name.consume_back("]") ||
      !of.consume_back("]"))
    return false;
  return llvm::all_of_zip(partsOfTuple(name), partsOfTuple(of), isSubtypeName);
}

Decomposition isOfType(Any value, AnyList names) {
  Type type = knownType(value.v);
  auto elements = names.elements();
  if (!type || !elements)
    return value.b->notYet("the types of the value");
  std::string spelled = spell(type);
  return value.b->flag(llvm::any_of(*elements, [&](Value element) {
    StringRef name = StrInfo(element).known.value_or("");
    return isSubtypeName(spelled, name) || (name == "list" && isa<ListType>(type)) ||
           (name == "tuple" && isa<TupleType>(type));
  }));
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// Position of a constant key among others: -1 if it is not, nullopt where that is not known. Of
/// equal keys the last counts.
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
    if (!texts && !numbers)
      return std::nullopt;
    if (texts ? *text.known == *otherText.known : *number.known == *otherNumber.known)
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

Decomposition dictOfPairs(AnyList pairs) {
  GraphBuilder &build = *pairs.b;
  auto elements = pairs.elements();
  if (!elements)
    return build.notYet("the pairs of the dict");
  TypeRules infer{build.builder.getContext(), build.loc};
  auto type = dyn_cast_or_null<DictType>(typeOfPairs(infer, ListInfo(pairs.v)));
  if (!type)
    return failure();
  SmallVector<Value> keys, values;
  for (Value pair : *elements) {
    auto part = [&](int64_t i) -> Value {
      if (auto tuple = pair.getDefiningOp<TupleOp>())
        return tuple.getElements()[i];
      Type of = i == 0 ? type.getKeyType() : type.getValueType();
      auto at = build.builder.getI64IntegerAttr(i);
      return TupleIndexOp::create(build.builder, build.loc, of, pair, at);
    };
    Value key = part(0);
    auto at = findKey(keys, key);
    if (!at)
      return build.notYet("the keys of the dict");
    if (*at >= 0) {
      values[*at] = part(1);
      continue;
    }
    keys.push_back(key);
    values.push_back(part(1));
  }
  return Any(build, DictOp::create(build.builder, build.loc, type, keys, values));
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

Decomposition dictKeys(Any dict) { return dictPart(dict, /*keys=*/true); }
Decomposition dictValues(Any dict) { return dictPart(dict, /*keys=*/false); }

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

static Value underived(Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  return value;
}

Decomposition sameNone(Any a, Any c, bool negated) {
  Type left = underived(a.v).getType(), right = underived(c.v).getType();
  bool leftNone = isa<NoneType>(left), rightNone = isa<NoneType>(right);
  bool settled = !isa<OptionalType, AnyType>(left) && !isa<OptionalType, AnyType>(right);
  // Identity of two things that are there is not for us to say.
  if (!settled || (!leftNone && !rightNone))
    return a.b->notYet("whether one of both is None");
  return a.b->flag((leftNone && rightNone) != negated);
}

Decomposition unwrapped(Any value) {
  Value inner = underived(value.v);
  if (isa<OptionalType, AnyType, NoneType>(inner.getType()))
    return value.b->notYet("to know that the value is not None");
  return Any(*value.b, inner);
}

} // namespace jit
