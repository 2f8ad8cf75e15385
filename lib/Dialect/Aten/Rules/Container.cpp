//===- Container.cpp - builders for the rules of Container.td -------------===//

#include "Rules/Container.h"
#include "Rules/OpenParts.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/PackedLists.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/TypeNames.h"
#include "mlir/IR/Matchers.h"
#include <limits>

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

Type dictOfPairsType(TypeRules &b, ListInfo pairs) {
  auto pair = dyn_cast<TupleType>(cast<ListType>(pairs.type()).getElementType());
  if (!pair || pair.getTypes().size() != 2)
    return b.error("expected a list of pairs");
  return DictType::get(pair.getContext(), pair.getTypes()[0], pair.getTypes()[1]);
}

Type unwrappedType(AnyInfo value) {
  auto optional = dyn_cast<OptionalType>(value.type());
  return optional ? optional.getElementType() : value.type();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

Any listLike(AnyList like, ArrayRef<Value> elements) {
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
  if (auto count = openPartCount(*list.b, list.v))
    return *count;
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
  if (auto part = openPart(*list.b, list.v, index))
    return *part;
  auto elements = list.elements();
  if (!index.known())
    return elementOfUnbound(list, index);
  auto at = elements ? wrapped(index.known(), elements->size()) : std::nullopt;
  if (!at)
    return list.b->notYet("the elements of the list and an index within it");
  return Any(*list.b, (*elements)[*at]);
}

Decomposition concatenated(AnyList a, AnyList c) {
  if (auto both = packedConcat(*a.b, a.v, c.v))
    return Any(*a.b, *both);
  auto first = a.elements(), second = c.elements();
  if (!first || !second)
    return a.b->notYet("the elements of both lists");
  first->append(*second);
  return listLike(a, *first);
}

/// Each element is a value of the graph: beyond this the list is no small table of numbers.
static constexpr int64_t maxRepeats = 100'000;

Decomposition repeated(AnyList list, Int times) {
  OptInt all(*list.b, list.b->none().v);
  if (times.known() == 1)
    if (auto copy = packedSlice(*list.b, list.v, all, all))
      return Any(*list.b, *copy);
  auto elements = list.elements();
  if (!elements || !times.known() || *times.known() > maxRepeats)
    return list.b->notYet("the elements of the list and a count of at most 100000");
  SmallVector<Value> repeats;
  for (int64_t i = 0; i < *times.known(); ++i)
    repeats.append(*elements);
  return listLike(list, repeats);
}

std::optional<SmallVector<int64_t>> slicedPlaces(int64_t length, OptInt start, OptInt end,
                                                 Int step) {
  auto knownOrNone = [](OptInt bound) { return bound.isNone() || (bound && (*bound).known()); };
  // PyTorch raises for the least int, too, of which there is no opposite.
  if (!knownOrNone(start) || !knownOrNone(end) || step.known().value_or(0) == 0 ||
      step.known() == std::numeric_limits<int64_t>::min())
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
  if (step.known() == 1)
    if (auto some = packedSlice(*list.b, list.v, start, end))
      return Any(*list.b, *some);
  auto elements = list.elements();
  auto places = elements ? slicedPlaces(elements->size(), start, end, step) : std::nullopt;
  if (!places)
    return list.b->notYet("the elements of the list and the values of start, end and step");
  return listLike(list, llvm::map_to_vector(*places, [&](int64_t at) { return (*elements)[at]; }));
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
  // Of equal lists Python gives the first one, and the list itself, not a copy.
  auto &more = numbers[greater ? 1 : 0], &less = numbers[greater ? 0 : 1];
  return std::lexicographical_compare(less.begin(), less.end(), more.begin(), more.end()) ? c : a;
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
