//===- TypeLattice.cpp - how much is known of a value ---------------------===//
//
// Subtyping, join and meet over the types of the jit dialect. A tensor type is ordered by what is
// known of it, so inference narrows a type by `meet` and control flow merges two by `join`.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Jit/Jit.h"

using namespace mlir;

namespace jit {

static bool isNumber(Type type) {
  return type.isInteger(64) || type.isF64() || type.isInteger(1) || isa<ComplexType>(type);
}

static bool isTensorSubtype(TensorType narrow, TensorType wide) {
  if (wide.hasDtype() && wide.getDtype() != narrow.getDtype())
    return false;
  if (!wide.hasRank())
    return true;
  if (!narrow.hasRank() || narrow.getRank() != wide.getRank())
    return false;
  return llvm::all_of(llvm::zip(narrow.getSizes(), wide.getSizes()), [](auto pair) {
    return std::get<1>(pair) == TensorType::kDynamic || std::get<0>(pair) == std::get<1>(pair);
  });
}

bool isSubtype(Type narrow, Type wide) {
  if (narrow == wide || isa<AnyType>(wide))
    return true;
  if (auto tensor = dyn_cast<TensorType>(narrow))
    if (auto wideTensor = dyn_cast<TensorType>(wide))
      return isTensorSubtype(tensor, wideTensor);
  if (auto optional = dyn_cast<OptionalType>(wide)) {
    if (auto from = dyn_cast<OptionalType>(narrow))
      return isSubtype(from.getElementType(), optional.getElementType());
    return isa<NoneType>(narrow) || isSubtype(narrow, optional.getElementType());
  }
  if (isa<NumberType>(wide))
    return isNumber(narrow);
  if (auto list = dyn_cast<ListType>(narrow))
    if (auto wideList = dyn_cast<ListType>(wide))
      return isSubtype(list.getElementType(), wideList.getElementType());
  if (auto tuple = dyn_cast<TupleType>(narrow))
    if (auto wideTuple = dyn_cast<TupleType>(wide))
      return tuple.getTypes().size() == wideTuple.getTypes().size() &&
             llvm::all_of(llvm::zip(tuple.getTypes(), wideTuple.getTypes()), [](auto pair) {
               return isSubtype(std::get<0>(pair), std::get<1>(pair));
             });
  if (auto dict = dyn_cast<DictType>(narrow))
    if (auto wideDict = dyn_cast<DictType>(wide))
      return isSubtype(dict.getKeyType(), wideDict.getKeyType()) &&
             isSubtype(dict.getValueType(), wideDict.getValueType());
  return false;
}

static Type joinTensors(TensorType a, TensorType b) {
  Type dtype = a.getDtype() == b.getDtype() ? a.getDtype() : Type();
  if (!a.hasRank() || !b.hasRank() || a.getRank() != b.getRank())
    return TensorType::get(a.getContext(), std::nullopt, dtype);
  SmallVector<int64_t> sizes;
  for (auto [x, y] : llvm::zip(a.getSizes(), b.getSizes()))
    sizes.push_back(x == y ? x : TensorType::kDynamic);
  return TensorType::get(a.getContext(), ArrayRef(sizes), dtype);
}

Type joinTypes(Type a, Type b) {
  if (isSubtype(a, b))
    return b;
  if (isSubtype(b, a))
    return a;
  if (isa<TensorType>(a) && isa<TensorType>(b))
    return joinTensors(cast<TensorType>(a), cast<TensorType>(b));
  if (isNumber(a) && isNumber(b))
    return NumberType::get(a.getContext());
  if (isa<NoneType>(a))
    return OptionalType::get(b);
  if (isa<NoneType>(b))
    return OptionalType::get(a);
  auto element = [](Type type) {
    auto optional = dyn_cast<OptionalType>(type);
    return optional ? optional.getElementType() : type;
  };
  if (isa<OptionalType>(a) || isa<OptionalType>(b)) {
    Type joined = joinTypes(element(a), element(b));
    return joined ? OptionalType::get(joined) : Type();
  }
  if (auto listA = dyn_cast<ListType>(a))
    if (auto listB = dyn_cast<ListType>(b)) {
      Type joined = joinTypes(listA.getElementType(), listB.getElementType());
      return joined ? ListType::get(joined) : Type();
    }
  auto tupleA = dyn_cast<TupleType>(a), tupleB = dyn_cast<TupleType>(b);
  if (!tupleA || !tupleB || tupleA.getTypes().size() != tupleB.getTypes().size())
    return {};
  SmallVector<Type> joined;
  for (auto [x, y] : llvm::zip(tupleA.getTypes(), tupleB.getTypes())) {
    joined.push_back(joinTypes(x, y));
    if (!joined.back())
      return {};
  }
  return TupleType::get(a.getContext(), joined);
}

static Type meetTensors(TensorType a, TensorType b) {
  if (a.hasDtype() && b.hasDtype() && a.getDtype() != b.getDtype())
    return {};
  Type dtype = a.hasDtype() ? a.getDtype() : b.getDtype();
  if (!a.hasRank() || !b.hasRank())
    return (a.hasRank() ? a : b).withDtype(dtype);
  if (a.getRank() != b.getRank())
    return {};
  SmallVector<int64_t> sizes;
  for (auto [x, y] : llvm::zip(a.getSizes(), b.getSizes())) {
    if (x != TensorType::kDynamic && y != TensorType::kDynamic && x != y)
      return {};
    sizes.push_back(x == TensorType::kDynamic ? y : x);
  }
  return TensorType::get(a.getContext(), ArrayRef(sizes), dtype);
}

Type meetTypes(Type a, Type b) {
  if (isSubtype(a, b))
    return a;
  if (isSubtype(b, a))
    return b;
  if (isa<TensorType>(a) && isa<TensorType>(b))
    return meetTensors(cast<TensorType>(a), cast<TensorType>(b));
  auto element = [](Type type) {
    auto optional = dyn_cast<OptionalType>(type);
    return optional ? optional.getElementType() : type;
  };
  if (isa<OptionalType>(a) || isa<OptionalType>(b)) {
    Type met = meetTypes(element(a), element(b));
    return met && isa<OptionalType>(a) && isa<OptionalType>(b) ? OptionalType::get(met) : met;
  }
  if (auto listA = dyn_cast<ListType>(a))
    if (auto listB = dyn_cast<ListType>(b)) {
      Type met = meetTypes(listA.getElementType(), listB.getElementType());
      return met ? ListType::get(met) : Type();
    }
  auto tupleA = dyn_cast<TupleType>(a), tupleB = dyn_cast<TupleType>(b);
  if (!tupleA || !tupleB || tupleA.getTypes().size() != tupleB.getTypes().size())
    return {};
  SmallVector<Type> met;
  for (auto [x, y] : llvm::zip(tupleA.getTypes(), tupleB.getTypes())) {
    met.push_back(meetTypes(x, y));
    if (!met.back())
      return {};
  }
  return TupleType::get(a.getContext(), met);
}

} // namespace jit
