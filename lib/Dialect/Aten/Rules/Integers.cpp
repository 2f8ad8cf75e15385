//===- Integers.cpp - builders for rules on whole numbers -----------------===//

#include "Rules/Integers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// The values of the round in which `isDone` first holds, from `first` on.
static SmallVector<Element>
repeatedUntil(ScalarBuilder &b, ArrayRef<Element> first,
              function_ref<Element(ArrayRef<Element>)> isDone,
              function_ref<SmallVector<Element>(ArrayRef<Element>)> round) {
  auto elements = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value v) { return Element::raw(b, v); });
  };
  auto values = llvm::map_to_vector(first, [](Element e) { return e.v; });
  // The builder of all elements stands inside of the loop meanwhile.
  auto condition = [&](OpBuilder &builder, Location loc, ValueRange now) {
    Element goesOn = logicalNot(isDone(elements(now)));
    scf::ConditionOp::create(builder, loc, goesOn.v, now);
  };
  auto next = [&](OpBuilder &builder, Location loc, ValueRange now) {
    auto after = llvm::map_to_vector(round(elements(now)), [](Element e) { return e.v; });
    scf::YieldOp::create(builder, loc, after);
  };
  auto loop = scf::WhileOp::create(b.builder, b.loc, ValueRange(values).getTypes(), values,
                                   condition, next);
  return elements(loop.getResults());
}

Element greatestDivisor(Element a, Element c) {
  // Euclid's: what is left of the larger by the smaller takes its place.
  return repeatedUntil(
             *a.b, {abs(a), abs(c)}, [](ArrayRef<Element> now) { return now[1] == 0.0; },
             [](ArrayRef<Element> now) {
               return SmallVector<Element>{now[1], truncMod(now[0], now[1])};
             })
      .front();
}

Element leastMultiple(Element a, Element c) {
  ScalarBuilder &b = *a.b;
  // Narrow integers multiply as those of C, whose product has its sign before it is cut.
  if (b.compute.getIntOrFloatBitWidth() < 32) {
    ScalarBuilder wide{b.builder, b.loc, b.builder.getI32Type()};
    Element multiple = leastMultiple({wide, a.v, b.compute}, {wide, c.v, b.compute});
    return Element(b, multiple.v, wide.compute);
  }
  Element divisor = greatestDivisor(a, c);
  Element isZero = divisor == 0.0;
  Element safe = select(isZero, constant(b, 1), divisor);
  return select(isZero, constant(b, 0), abs(truncDiv(a, safe) * c));
}

Element factorial(Element n) {
  ScalarBuilder &b = *n.b;
  GuardOp::create(b.builder, b.loc, (n >= 0.0).v, "builtins.ValueError",
                  "factorial() not defined for negative values", ValueRange());
  // 66! is a multiple of 2^64, and so is all that follows.
  Element last = min(n, 66.0);
  return repeatedUntil(
             b, {constant(b, 1), constant(b, 1)},
             [&](ArrayRef<Element> now) { return now[1] > last; },
             [](ArrayRef<Element> now) {
               return SmallVector<Element>{now[0] * now[1], now[1] + 1.0};
             })
      .front();
}

} // namespace jit
