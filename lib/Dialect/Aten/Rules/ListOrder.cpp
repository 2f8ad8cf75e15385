//===- ListOrder.cpp - builders for the rules of Container.td: what lists have ===//

#include "Rules/Container.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <variant>

using namespace mlir;

namespace jit {

/// A tensor whose truth can be asked.
static bool isOneElement(Value value) {
  auto tensor = dyn_cast<TensorType>(value.getType());
  return tensor && tensor.isStatic() && ShapedType::getNumElements(tensor.getSizes()) == 1;
}

/// An element and the next one, the lesser first.
static void order(GraphBuilder &b, Value &first, Value &second) {
  Value low = first, high = second;
  if (first.getType().isInteger(1)) {
    first = b.op<aten::AndBoolOp>(low, high).v;
    second = b.op<aten::OrBoolOp>(low, high).v;
    return;
  }
  if (isa<TensorType>(first.getType())) {
    Tensor isBehind = b.op<aten::LtTensorOp>(high, low);
    first = b.op<aten::WhereSelfOp>(isBehind, high, low).v;
    second = b.op<aten::WhereSelfOp>(isBehind, low, high).v;
    return;
  }
  bool isInt = first.getType().isInteger(64);
  first = isInt ? b.op<aten::MinIntOp>(low, high).v : b.op<aten::MinFloatOp>(low, high).v;
  second = isInt ? b.op<aten::MaxIntOp>(low, high).v : b.op<aten::MaxFloatOp>(low, high).v;
}

namespace {
using Leaf = std::variant<int64_t, double, std::string>;
} // namespace

/// The numbers and strings in a tuple, in order; false where one is not known.
static bool addLeaves(Value value, std::vector<Leaf> &leaves) {
  if (auto tuple = value.getDefiningOp<TupleOp>())
    return llvm::all_of(tuple.getElements(),
                        [&](Value element) { return addLeaves(element, leaves); });
  Type type = value.getType();
  std::optional<Leaf> leaf;
  if (auto text = StrInfo(value).known; isa<StrType>(type) && text)
    leaf = text->str();
  else if (auto number = IntInfo(value).known; type.isInteger(64) && number)
    leaf = *number;
  else if (auto flag = BoolInfo(value).known; type.isInteger(1) && flag)
    leaf = int64_t(*flag);
  else if (auto real = FloatInfo(value).known; type.isF64() && real && !std::isnan(*real))
    leaf = *real;
  if (leaf)
    leaves.push_back(*leaf);
  return leaf.has_value();
}

/// Whether a tuple has a part of which the type does not say what it is.
static bool mayHoldAny(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return isa<AnyType, OptionalType, NumberType>(type) ||
         (tuple && llvm::any_of(tuple.getTypes(), mayHoldAny));
}

Decomposition sortedTuples(AnyList list) {
  auto elements = list.elements();
  // PyTorch raises where they are of several types.
  Type type = cast<ListType>(list.v.getType()).getElementType();
  bool isPlain = isa<TupleType>(type) && !mayHoldAny(type);
  if (!isPlain ||
      (elements && llvm::any_of(*elements, [&](Value v) { return v.getType() != type; })))
    elements.reset();
  std::vector<std::pair<std::vector<Leaf>, Value>> keyed;
  for (Value element : elements.value_or(SmallVector<Value>())) {
    keyed.push_back({{}, element});
    if (!element.getDefiningOp<TupleOp>() || !addLeaves(element, keyed.back().first))
      elements.reset();
  }
  if (!elements)
    return list.b->notYet("a list of tuples of one type, of known numbers and strings");
  llvm::stable_sort(keyed, [](const auto &a, const auto &c) { return a.first < c.first; });
  return listLike(list, llvm::map_to_vector(keyed, [](const auto &pair) { return pair.second; }));
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
  bool isTensors =
      llvm::all_of(*elements, isOneElement) && llvm::all_equal(ValueRange(*elements).getTypes());
  if (!isText && !isNumbers && !isTensors)
    return list.b->notYet("a list of strings, of numbers, or of tensors of one element and type");
  if (isText)
    llvm::stable_sort(*elements,
                      [](Value x, Value y) { return *StrInfo(x).known < *StrInfo(y).known; });
  else
    for (size_t round = 0; round < elements->size(); ++round)
      for (size_t i = round % 2; i + 1 < elements->size(); i += 2)
        order(*list.b, (*elements)[i], (*elements)[i + 1]);
  return listLike(list, *elements);
}

/// a == c for two ints, floats or strings; null where it is not known yet.
static Value equal(GraphBuilder &b, Value a, Value c) {
  if (isa<StrType>(a.getType()) || isa<StrType>(c.getType())) {
    StrInfo left(a), right(c);
    return left.known && right.known ? b.flag(*left.known == *right.known).v : Value();
  }
  if (isa<TensorType>(a.getType()) && isa<TensorType>(c.getType())) {
    // As Python does it: bool(a == c), which takes one element.
    return isOneElement(a) && isOneElement(c)
               ? b.op<aten::BoolTensorOp>(b.op<aten::EqTensorOp>(a, c)).v
               : Value();
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

/// For each element whether it is the tensor, as it is told at run time; nullopt where that cannot
/// be asked of all.
static std::optional<SmallVector<Value>> matchesTensor(AnyList list, Any item) {
  auto elements = list.elements();
  if (!elements)
    return std::nullopt;
  SmallVector<Value> result;
  for (Value element : *elements)
    if (Value same = equal(*list.b, element, item.v))
      result.push_back(same);
  return result.size() == elements->size() ? std::optional(result) : std::nullopt;
}

/// The first place of a tensor.
static Decomposition placeOfTensor(AnyList list, Any item) {
  GraphBuilder &build = *list.b;
  auto found = matchesTensor(list, item);
  if (!found)
    return build.notYet("the elements of the list, and that each tensor has one element");
  int64_t count = found->size();
  Any place = build.i(count);
  for (int64_t at = count; at-- > 0;)
    place = Any(build, arith::SelectOp::create(build.builder, build.loc, (*found)[at],
                                               build.i(at).v, place.v));
  Any isThere = build.op<aten::LtIntOp>(place, count);
  GuardOp::create(build.builder, build.loc, isThere.v, "builtins.ValueError",
                  "the element is not in the list", ValueRange());
  return place;
}

/// How often a tensor is there.
static Decomposition timesOfTensor(AnyList list, Any item) {
  GraphBuilder &build = *list.b;
  auto found = matchesTensor(list, item);
  if (!found)
    return build.notYet("the elements of the list, and that each tensor has one element");
  Any count = build.i(0);
  for (Value same : *found)
    count = build.op<aten::AddIntOp>(count, build.op<aten::IntBoolOp>(same));
  return count;
}

Decomposition placeOf(AnyList list, Any item) {
  if (isa<TensorType>(item.v.getType()))
    return placeOfTensor(list, item);
  auto found = matches(list, item);
  auto first = found ? llvm::find(*found, true) : nullptr;
  if (!found || first == found->end())
    return list.b->notYet("the elements of the list, and the item among them");
  return list.b->i(first - found->begin());
}

Decomposition timesOf(AnyList list, Any item) {
  if (isa<TensorType>(item.v.getType()))
    return timesOfTensor(list, item);
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

/// Whether it is neither 0 nor empty; null where it is not known yet.
static Value truth(GraphBuilder &b, Value element) {
  if (isa<StrType>(element.getType())) {
    auto text = StrInfo(element).known;
    return text ? b.flag(!text->empty()).v : Value();
  }
  if (element.getType().isF64())
    return b.op<aten::NeFloatOp>(Any(b, element), 0.0).v;
  return b.op<aten::NeIntOp>(Any(b, element), 0).v;
}

Decomposition truthOf(AnyList list, bool all) {
  GraphBuilder &build = *list.b;
  auto elements = list.elements();
  if (!elements)
    return build.notYet("the elements of the list");
  Any result = build.flag(all);
  for (Value element : *elements) {
    Value isTrue = truth(build, element);
    if (!isTrue)
      return build.notYet("the values of the strings");
    result =
        all ? build.op<aten::AndBoolOp>(result, isTrue) : build.op<aten::OrBoolOp>(result, isTrue);
  }
  return result;
}

} // namespace jit
