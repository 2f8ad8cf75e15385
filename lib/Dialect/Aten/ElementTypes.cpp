//===- ElementTypes.cpp - how element types compare -----------------------===//

#include "ElementTypes.h"
#include "jit/Dialect/Aten/TypeRules.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace jit;

Category jit::categoryOf(Type type) {
  if (isa<ComplexType>(type))
    return Category::Complex;
  if (isa<FloatType>(type))
    return Category::Float;
  return type.isInteger(1) ? Category::Bool : Category::Int;
}

bool jit::canCast(Type from, Type to) { return categoryOf(from) <= categoryOf(to); }

Type jit::promotePair(Type a, Type b) {
  if (!a || !b || a == b)
    return a ? a : b;
  Category categoryA = categoryOf(a), categoryB = categoryOf(b);
  if (categoryA != categoryB && categoryA != Category::Complex && categoryB != Category::Complex)
    return categoryA > categoryB ? a : b;
  if (categoryA == Category::Complex || categoryB == Category::Complex) {
    auto part = [](Type t) {
      return isa<ComplexType>(t) ? cast<ComplexType>(t).getElementType() : t;
    };
    auto floatPart = [&](Type t) { return isa<FloatType>(part(t)) ? part(t) : Type(); };
    return ComplexType::get(promotePair(floatPart(a), floatPart(b)));
  }
  unsigned widthA = a.getIntOrFloatBitWidth(), widthB = b.getIntOrFloatBitWidth();
  if (widthA != widthB)
    return widthA > widthB ? a : b;
  // Equal width, different types: f16 with bf16, or u8 with i8.
  return categoryA == Category::Float ? Type(Float32Type::get(a.getContext()))
                                      : Type(IntegerType::get(a.getContext(), 16));
}

Type jit::defaultOfCategory(Type number) {
  Type f32 = Float32Type::get(number.getContext());
  Category category = categoryOf(number);
  return category == Category::Complex ? ComplexType::get(f32)
         : category == Category::Float ? f32
                                       : number;
}
