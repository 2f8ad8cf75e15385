//===- ScalarFunctions.cpp - functions of one element ---------------------===//

#include "jit/Dialect/Aten/ScalarRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace jit {

template <typename OpTy, typename... Args> static Element emit(Element like, Args... args) {
  return Element::raw(*like.b, like.b->builder.createOrFold<OpTy>(like.b->loc, args...));
}

static bool isFloat(Element a) { return isa<FloatType>(a.v.getType()); }

Element abs(Element a) {
  if (isFloat(a))
    return emit<math::AbsFOp>(a, a.v);
  return a.b->compute.isUnsignedInteger() ? a : emit<math::AbsIOp>(a, a.v);
}
Element sign(Element a) {
  Element zero = constant(*a.b, 0);
  Element result = select(a < zero, constant(*a.b, -1), zero);
  return select(a > zero, constant(*a.b, 1), result);
}
Element exp(Element a) { return emit<math::ExpOp>(a, a.v); }
Element expm1(Element a) { return emit<math::ExpM1Op>(a, a.v); }
Element log(Element a) { return emit<math::LogOp>(a, a.v); }
Element log1p(Element a) { return emit<math::Log1pOp>(a, a.v); }
Element log2(Element a) { return emit<math::Log2Op>(a, a.v); }
Element log10(Element a) { return emit<math::Log10Op>(a, a.v); }
Element sqrt(Element a) { return emit<math::SqrtOp>(a, a.v); }
Element rsqrt(Element a) { return 1.0 / sqrt(a); }
Element sin(Element a) { return emit<math::SinOp>(a, a.v); }
Element cos(Element a) { return emit<math::CosOp>(a, a.v); }
Element tan(Element a) { return emit<math::TanOp>(a, a.v); }
Element asin(Element a) { return emit<math::AsinOp>(a, a.v); }
Element acos(Element a) { return emit<math::AcosOp>(a, a.v); }
Element atan(Element a) { return emit<math::AtanOp>(a, a.v); }
Element atan2(Element a, Element c) { return emit<math::Atan2Op>(a, a.v, c.v); }
Element sinh(Element a) { return emit<math::SinhOp>(a, a.v); }
Element cosh(Element a) { return emit<math::CoshOp>(a, a.v); }
Element tanh(Element a) { return emit<math::TanhOp>(a, a.v); }
Element erf(Element a) { return emit<math::ErfOp>(a, a.v); }
Element floor(Element a) { return isFloat(a) ? emit<math::FloorOp>(a, a.v) : a; }
Element ceil(Element a) { return isFloat(a) ? emit<math::CeilOp>(a, a.v) : a; }
Element trunc(Element a) { return isFloat(a) ? emit<math::TruncOp>(a, a.v) : a; }
Element round(Element a) { return isFloat(a) ? emit<math::RoundEvenOp>(a, a.v) : a; }
Element isNan(Element a) { return a != a; }
Element sigmoid(Element a) { return 1.0 / (1.0 + exp(-a)); }

} // namespace jit
