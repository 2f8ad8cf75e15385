//===- Container.h - builders for the rules of Container.td -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CONTAINER_H
#define JIT_LIB_DIALECT_ATEN_RULES_CONTAINER_H

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Scalar.h"

namespace jit {

// ---- Types ----
mlir::Type elementType(TypeRules &b, ListInfo list, IntInfo index);
mlir::Type dictValueType(TypeRules &b, AnyInfo dict);
/// A list of pairs of key and value.
mlir::Type itemsType(TypeRules &b, AnyInfo dict);
/// The dict of a list of pairs.
mlir::Type dictOfPairsType(TypeRules &b, ListInfo pairs);
/// T of Optional[T].
mlir::Type unwrappedType(AnyInfo value);

// ---- Sequences ----
/// Position `index` of `length`, counted from the back if negative; nullopt out of range.
inline std::optional<int64_t> wrapped(std::optional<int64_t> index, int64_t length) {
  if (!index || *index < -length || *index >= length)
    return std::nullopt;
  return *index < 0 ? *index + length : *index;
}
/// The places that a slice of a sequence of this length has; nullopt where a bound is not known.
std::optional<llvm::SmallVector<int64_t>> slicedPlaces(int64_t length, OptInt start, OptInt end,
                                                       Int step);

// ---- Lists ----
/// A list of the same type as `like`.
Any listLike(AnyList like, llvm::ArrayRef<mlir::Value> elements);
Decomposition lengthOf(AnyList list);
Decomposition lengthOf(Tensor t);
Decomposition elementAt(AnyList list, Int index);
Decomposition concatenated(AnyList a, AnyList c);
Decomposition repeated(AnyList list, Int times);
Decomposition slicedList(AnyList list, OptInt start, OptInt end, Int step);
Decomposition contains(AnyList list, Any item);
/// The first place of an element, which has to be there, and how often it is there.
Decomposition placeOf(AnyList list, Any item);
Decomposition timesOf(AnyList list, Any item);
Decomposition listsEqual(AnyList a, AnyList c, bool negated);

/// The lesser of two lists of known numbers, by their first elements that differ; or the greater.
Decomposition lesserList(AnyList a, AnyList c, bool greater);
/// Whether all elements, or any, are neither 0 nor empty.
Decomposition truthOf(AnyList list, bool all);
/// How many bools are true.
Decomposition countOf(AnyList bools);
/// The elements of a tensor of known sizes, in lists that are nested as `type` is.
Decomposition nestedLists(Tensor self, mlir::Type type);

/// Of numbers in ascending order, as far as their number allows it, and of known strings.
Decomposition sortedList(AnyList list);
/// The same of tuples, as Python orders them.
Decomposition sortedTuples(AnyList list);

/// All elements of a list combined by one operator; the list must not be empty.
template <typename OpTy> Decomposition reduced(AnyList list) {
  auto elements = list.elements();
  if (!elements || elements->empty())
    return list.b->notYet("the elements of the list, at least one");
  Any result(*list.b, elements->front());
  for (mlir::Value element : llvm::drop_begin(*elements))
    result = list.b->op<OpTy>(result, element);
  return result;
}

/// The same of bools, of which there may be none.
template <typename OpTy> Decomposition reducedOr(AnyList list, bool ofNone) {
  auto elements = list.elements();
  return elements && elements->empty() ? Decomposition(list.b->flag(ofNone)) : reduced<OpTy>(list);
}

// ---- Strings ----
Decomposition lengthOf(Str text);
Decomposition characterAt(Str text, Int index);
Decomposition concatenated(Str a, Str c);
/// A text of one character for each.
Decomposition charactersOf(Str text);
Decomposition stringsEqual(Str a, Str c, bool negated);

Decomposition upperCase(Str text);
Decomposition lowerCase(Str text);
Decomposition titleCase(Str text);
Decomposition swappedCase(Str text);
Decomposition capitalized(Str text);
Decomposition characterOf(Int code);
Decomposition codeOf(Str character);
/// Where a text stands among the characters that fill it up.
enum class TextSide { Left, Right, Both };
Decomposition justified(Str text, Int width, Str fill, TextSide side);
Decomposition withZeros(Str text, Int width);
Decomposition withoutTabs(Str text, Int tabSize);
/// What is before the first separator, or the last one, the separator, and what is after it.
Decomposition partition(Str text, Str separator, bool fromEnd);
Decomposition splitFromEnd(Str text, Str separator, Int most);
Decomposition linesOf(Str text, Bool keepEnds);
Decomposition stripped(Str text, Str characters);
Decomposition strippedLeft(Str text, Str characters);
Decomposition strippedRight(Str text, Str characters);
/// In all of the text: other bounds than the defaults are not taken.
Decomposition startsWith(Str text, Str part, Int start, Int end);
Decomposition endsWith(Str text, Str part, Int start, Int end);
Decomposition firstPlace(Str text, Str part, Int start, Int end);
Decomposition lastPlace(Str text, Str part, Int start, Int end);
/// The same of a part that has to be there.
Decomposition firstPlaceFound(Str text, Str part, Int start, Int end);
Decomposition lastPlaceFound(Str text, Str part, Int start, Int end);
/// How often, without overlaps.
Decomposition timesIn(Str text, Str part, Int start, Int end);
/// Every place; a limit is not taken.
Decomposition replaced(Str text, Str old, Str with, Int most);
/// Python's test of that name: "isdigit".
Decomposition isOfKind(Str text, llvm::StringRef test);
Decomposition intIn(Str text);
Decomposition floatIn(Str text);
Decomposition joined(Str separator, AnyList texts);
Decomposition split(Str text, Str separator, Int most);
Decomposition slicedText(Str text, OptInt start, OptInt end, Int step);
/// str() of an int, a bool or a string.
Decomposition textOf(Any value);
/// An int as Python writes it to a base of 2, 8 or 16, with its prefix.
Decomposition digitsOf(Int number, unsigned base);
/// "cuda" of "cuda:0".
Decomposition deviceType(Any device);
Decomposition sameDevice(Any a, Any c, bool negated);

// ---- Dicts ----
Decomposition dictLength(Any dict);
Decomposition dictValue(Any dict, Any key);
Decomposition dictContains(Any dict, Any key);
/// The value of a key, or None.
Decomposition dictGet(Any dict, Any key);
Decomposition dictGetOr(Any dict, Any key, Any otherwise);
Decomposition dictItems(Any dict);
Decomposition dictCopy(Any dict);
/// Of pairs of a key and a value; of equal keys the last value counts, in the first one's place.
Decomposition dictOfPairs(AnyList pairs);
Decomposition dictKeys(Any dict);
Decomposition dictValues(Any dict);

// ---- Types ----
/// By their names as `spell` gives them; `list` and `tuple` are of any elements.
Decomposition isOfType(Any value, AnyList names);

/// What PyTorch's hash gives.
Decomposition hashOf(Any value);

// ---- Optionals ----
/// Whether both values are None, where it is settled if they are.
Decomposition sameNone(Any a, Any c, bool negated);
Decomposition unwrapped(Any value);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_CONTAINER_H
