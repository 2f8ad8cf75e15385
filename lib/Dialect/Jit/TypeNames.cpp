//===- TypeNames.cpp - types in messages to users -------------------------===//
#include "jit/Dialect/Jit/TypeNames.h"

#include "jit/Dialect/Jit/Jit.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace jit {

static std::string elementName(Type type) {
  if (auto dtype = typeToDtype(type))
    return std::string(shortName(*dtype));
  return llvm::formatv("{0}", type).str();
}

/// "f32[?,8]", or "Tensor" where sizes or elements are not known.
static std::string tensorName(TensorType type, bool withSizes) {
  if (!withSizes || !type.hasRank() || !type.hasDtype())
    return "Tensor";
  auto sizes = llvm::map_range(type.getSizes(), [](int64_t size) {
    return size == TensorType::kDynamic ? "?" : std::to_string(size);
  });
  return elementName(type.getDtype()) + "[" + llvm::join(sizes, ",") + "]";
}

static std::string spelled(Type type, bool withSizes) {
  if (!type)
    return "?";
  auto list = [&](ArrayRef<Type> types) {
    // Made once: joining a range that makes them asks twice, at every level of nesting.
    auto names = llvm::map_to_vector(types, [&](Type part) { return spelled(part, withSizes); });
    return "[" + llvm::join(names, ", ") + "]";
  };
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensorName(tensor, withSizes);
  if (type.isInteger(64))
    return "int";
  if (type.isF64())
    return "float";
  if (type.isInteger(1))
    return "bool";
  if (isa<ComplexType>(type))
    return "complex";
  if (isa<StrType>(type))
    return "str";
  if (isa<NumberType>(type))
    return "Scalar";
  if (isa<DeviceType>(type))
    return "Device";
  if (isa<NoneType>(type))
    return "None";
  if (auto optional = dyn_cast<OptionalType>(type))
    return "Optional" + list(optional.getElementType());
  if (auto element = dyn_cast<ListType>(type))
    return "List" + list(element.getElementType());
  if (auto tuple = dyn_cast<TupleType>(type))
    return "Tuple" + list(tuple.getTypes());
  if (auto dict = dyn_cast<DictType>(type))
    return "Dict" + list({dict.getKeyType(), dict.getValueType()});
  if (auto object = dyn_cast<ObjectType>(type))
    return object.getClassName().str();
  return "Any";
}

std::string spell(Type type) { return spelled(type, /*withSizes=*/false); }

std::string spellWithSizes(Type type) { return spelled(type, /*withSizes=*/true); }

} // namespace jit
