//===- ElementType.cpp - builders for the rules of ElementType.td ---------===//

#include "Rules/ElementType.h"
#include "ElementTypes.h"

using namespace mlir;

namespace jit {

/// Null where the number is not known or is that of no element type here.
static Type elementType(GraphBuilder &build, OptInt dtype) {
  std::optional<int64_t> number = IntInfo(dtype.v).known;
  if (!number || *number != int64_t(ScalarType(*number)))
    return {};
  return dtypeToType(ScalarType(*number), build.builder.getContext());
}

static Decomposition numberOf(GraphBuilder &build, Type type) {
  if (std::optional<ScalarType> number = type ? typeToDtype(type) : std::nullopt)
    return build.i(int64_t(*number));
  return build.notYet("element types that are known");
}

Decomposition promotedTypes(GraphBuilder &build, OptInt a, OptInt b) {
  Type typeA = elementType(build, a), typeB = elementType(build, b);
  return numberOf(build, typeA && typeB ? promotePair(typeA, typeB) : Type());
}

Decomposition canCast(GraphBuilder &build, OptInt from, OptInt to) {
  Type typeFrom = elementType(build, from), typeTo = elementType(build, to);
  if (!typeFrom || !typeTo)
    return build.notYet("element types that are known");
  return build.flag(canCast(typeFrom, typeTo));
}

Decomposition typeOfResult(GraphBuilder &build, Any a, Any b) {
  Type type = promotedType({a.v, b.v}, /*toFloat=*/false);
  bool anyTensor = isa<TensorType>(a.v.getType()) || isa<TensorType>(b.v.getType());
  return numberOf(build, type && !anyTensor ? defaultOfCategory(type) : type);
}

} // namespace jit
